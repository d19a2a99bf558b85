/**
 * Who may open the page: whoever has the token, which then becomes a session of this browser. The token only reads. A web page in the owner's
 * browser, a rebound name and another port of this machine get nothing.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export interface AccessOptions {
  /** Of the page: at least 16 characters. Default: a new one. */
  readonly token?: string
  /** `http://127.0.0.1:8123`, once the server listens. */
  readonly origin: () => string
  readonly now?: () => number
}

export interface Session { readonly id: string, readonly csrf: string }
export type Admission = { readonly kind: 'session', readonly session: Session } | { readonly kind: 'bearer' } | { readonly kind: 'refused', readonly status: 401 | 403 | 421, readonly why: string }

/** What the check reads of a request. */
export interface Asked {
  readonly method: string
  readonly header: (name: string) => string | undefined
  readonly cookie: string | undefined
}

const CODE_MS = 60_000
const SESSION_MS = 12 * 3_600_000
const MOST = 200

export class ConsoleAccess {
  readonly #token: string
  readonly #origin: () => string
  readonly #now: () => number
  readonly #codes = new Map<string, number>()
  readonly #sessions = new Map<string, Session & { readonly ends: number }>()

  constructor(options: AccessOptions) {
    this.#token = options.token ?? secret()
    this.#origin = options.origin
    this.#now = options.now ?? (() => Date.now())
  }

  get origin(): string { return this.#origin() }
  /** Ports share cookies, so the name holds the port. */
  get cookieName(): string { return `usher-console-${new URL(this.#origin()).port}` }
  /** The page's address with the token behind `#`, which no browser sends to a server: for the owner's terminal, not for a log. */
  address(): string { return `${this.#origin()}/#token=${this.#token}` }

  /** An address that opens the page once, within a minute: worth nothing afterwards, so a tool may return it and a log keep it. */
  link(): string {
    const code = secret()
    keep(this.#codes, code, this.#now() + CODE_MS)
    return `${this.#origin()}/#code=${code}`
  }

  /** What every request has to be, whoever it is from. */
  comesFrom(asked: Asked): Extract<Admission, { kind: 'refused' }> | undefined {
    const own = new URL(this.#origin())
    if (asked.header('host') !== own.host) return { kind: 'refused', status: 421, why: `this page answers to ${own.host} only` }
    return this.#sameOrigin(asked) ? undefined : { kind: 'refused', status: 403, why: 'this request comes from another page' }
  }

  admit(asked: Asked): Admission {
    const elsewhere = this.comesFrom(asked)
    if (elsewhere) return elsewhere
    const bearer = /^Bearer (.+)$/i.exec(asked.header('authorization') ?? '')?.[1]
    if (bearer !== undefined) return equal(bearer, this.#token) ? { kind: 'bearer' } : unknown()
    const known = asked.cookie === undefined ? undefined : this.#sessions.get(asked.cookie)
    return known && known.ends > this.#now() ? { kind: 'session', session: known } : unknown()
  }

  /** A new session for the page's token, or for a code that was not used yet. */
  enter(word: string): Session | undefined {
    const ends = this.#codes.get(word)
    this.#codes.delete(word)
    if (!equal(word, this.#token) && !(ends !== undefined && ends > this.#now())) return undefined
    const session = { id: secret(), csrf: secret(), ends: this.#now() + SESSION_MS }
    keep(this.#sessions, session.id, session)
    return session
  }

  /** A browser says where a request comes from; opening the page by hand or from another program comes from nowhere. */
  #sameOrigin(asked: Asked): boolean {
    const site = asked.header('sec-fetch-site')
    const origin = asked.header('origin')
    if (origin !== undefined && origin !== this.#origin()) return false
    if (asked.method !== 'GET' && asked.method !== 'HEAD') return origin !== undefined && (site === undefined || site === 'same-origin')
    return site === undefined || site === 'none' || site === 'same-origin' || asked.header('sec-fetch-mode') === 'navigate'
  }
}

const unknown = (): Admission => ({ kind: 'refused', status: 401, why: 'the page opens with its token' })
const secret = (): string => randomBytes(32).toString('base64url')

/** Equal hashes have equal lengths, which timingSafeEqual needs. */
export function equal(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}

/** The oldest goes where there are too many. */
function keep<T>(table: Map<string, T>, key: string, value: T): void {
  table.set(key, value)
  const [oldest] = table.keys()
  if (table.size > MOST && oldest !== undefined) table.delete(oldest)
}
