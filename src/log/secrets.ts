/** Secrets never reach the file: each is stored as a keyed hash, so that equal secrets still compare and nobody can guess one from its hash. */
import { createHmac } from 'node:crypto'
import { mayHoldToken, replaceRandomRuns, SECRET_NAME, TOKEN_PATTERNS } from './token-patterns.ts'

/** Shorter marked values are hidden where they are marked, but not searched for in other text: "on" would blank out half of it. */
const SEARCH_FROM = 4
const REMEMBERED = 200
/** Names of fields: so many, and no longer. */
const REMEMBERED_NAMES = 1000
const LONGEST_NAME = 64
/** `token`, `passwd`: an index of an array or a short key is none. */
const SHORTEST_NAME = 4

const INVISIBLE = /[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'g')

export class Secrets {
  readonly #key: Buffer
  /** Values that a tool's schema marked as secret, newest last: they may come back in effects, errors and results. */
  readonly #known = new Map<string, string>()

  /** Names of fields in which no token is. */
  readonly #names = new Set<string>()

  constructor(key: Buffer) { this.#key = key }

  /** Keyed hash (HMAC-SHA-256, hex) of true bytes, for comparing what is masked: `preset:verbatim`. */
  digest(purpose: string, bytes: string): string {
    return createHmac('sha256', this.#key).update(JSON.stringify([purpose, bytes])).digest('hex')
  }

  /** Tells keys apart, and nothing of the key. */
  get keyId(): string { return this.digest('key-id-v1', '').slice(0, 16) }

  mask(secret: string): string {
    return `[masked:${this.digest('mask-v1', secret).slice(0, 24)}]`
  }

  /** Counts up when a value is remembered that was not known. */
  get learned(): number { return this.#learned }
  #learned = 0

  /** From now on the value is masked wherever it stands. */
  remember(secret: string): string {
    const masked = this.mask(secret)
    if (secret.length >= SEARCH_FROM) {
      if (!this.#known.delete(secret)) this.#learned++
      this.#known.set(secret, masked)
      const oldest = this.#known.keys().next()
      if (this.#known.size > REMEMBERED && oldest.done !== true) this.#known.delete(oldest.value)
    }
    return masked
  }

  isSecretName(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return name.length >= SHORTEST_NAME && SECRET_NAME.test(name)
  }

  /** The text with every secret in it masked. `path` is the JSON Pointer of the text: a name like `password` is enough. */
  scrub(text: string, path = ''): string {
    if (text === '') return text
    if (path !== '' && this.isSecretName(path) && !text.startsWith('[masked:')) return this.mask(text)
    let out = text
    for (const [secret, masked] of this.#known) if (out.includes(secret)) out = replaceWhole(out, secret, masked)
    return this.scrubTokens(out)
  }

  /** The same for the name of a field: there are few, and they come again in every row. */
  scrubName(name: string): string {
    const plain = this.#known.size === 0 && this.#names.has(name)
    const clean = plain ? name : this.scrub(name)
    if (clean === name && name.length <= LONGEST_NAME && !plain && this.#names.size < REMEMBERED_NAMES) this.#names.add(name)
    return clean
  }

  /** What looks like a token, without what calls made known: the same text gives the same at any time, so that it can be looked up. */
  scrubTokens(text: string): string {
    // A token with invisible characters in it is still one to whoever strips them. Where it is found, the text is stored without them.
    if (INVISIBLE.test(text)) {
      const bare = text.replaceAll(EACH_INVISIBLE, '')
      const scrubbed = this.scrubTokens(bare)
      return scrubbed === bare ? text : scrubbed
    }
    let out = text
    if (!mayHoldToken(out)) return out
    for (const pattern of TOKEN_PATTERNS) out = out.replace(pattern, (whole, group: unknown) => this.#replaceIn(whole, group))
    return replaceRandomRuns(out, run => this.mask(run))
  }

  /** The same for a stored JSON text: known secrets stand in it in their escaped form. */
  scrubJson(json: string): string {
    let out = json
    for (const [secret, masked] of this.#known) out = replaceWhole(out, JSON.stringify(secret).slice(1, -1), masked)
    return out
  }

  #replaceIn(whole: string, group: unknown): string {
    if (typeof group !== 'string') return this.mask(whole)
    if (group.startsWith('[masked:')) return whole
    const at = whole.lastIndexOf(group)
    return whole.slice(0, at) + this.mask(group) + whole.slice(at + group.length)
  }
}

/** A short secret only where it stands by itself: a PIN of 1234 must not blank out part of every longer number. */
const SHORT = 8

function replaceWhole(text: string, secret: string, masked: string): string {
  if (secret.length >= SHORT) return text.replaceAll(secret, () => masked)
  const alone = new RegExp(`(?<![\\p{L}\\p{N}_])${secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}_])`, 'gu')
  return text.replace(alone, () => masked)
}
