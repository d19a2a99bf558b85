/** The only file that names pg. Loaded when a log is in PostgreSQL, since nobody else needs the package. */
import { UsherError } from '../../errors.ts'

/** One connection, one statement at a time. */
export interface PgConnection {
  /** False once the server or the network ended it: every later query rejects. */
  readonly alive: boolean
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  end(): Promise<void>
}

export interface ConnectOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string
  /** Ms to wait for a connection, and for the answer to one statement. */
  readonly timeoutMs: number
}

const BIGINT = 20
const XID8 = 5069


/** The address without its password, for messages and rows. */
export function publicUrl(url: string): string {
  try {
    const parsed = new URL(url)
    parsed.password = ''
    parsed.searchParams.delete('password')
    return parsed.href
  } catch {
    return 'postgres://(not an address)'
  }
}

/** Throws LOG_OPEN_FAILED: no such package, no such server, refused, too slow. */
export async function connect(url: string, options: ConnectOptions): Promise<PgConnection> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new UsherError('LOG_OPEN_FAILED', 'a log in PostgreSQL needs the package pg; install it: npm install pg', { cause })
  })
  const client = new pg.Client({
    connectionString: url, application_name: options.name, connectionTimeoutMillis: options.timeoutMs, query_timeout: options.timeoutMs, keepAlive: true, keepAliveInitialDelayMillis: 1000,
    types: { getTypeParser: (oid: number, format) => oid === BIGINT || oid === XID8 ? Number : pg.types.getTypeParser(oid, format) as (value: unknown) => unknown },
  })
  let alive = true
  // Without a listener a lost connection would end the host.
  client.on('error', () => { alive = false })
  client.on('end', () => { alive = false })
  try {
    await client.connect()
  } catch (cause) {
    await client.end().catch(() => undefined)
    throw pgError('LOG_OPEN_FAILED', `cannot connect to ${publicUrl(url)}`, cause)
  }
  return {
    get alive() { return alive },
    async query<Row>(text: string, values?: readonly unknown[]) {
      try {
        const result = await client.query<Row & Record<string, unknown>>(text, values && [...values])
        return result.rows
      } catch (error) {
        // A statement that timed out may still run: the connection cannot be used for anything after it.
        if (!isServerError(error)) { alive = false; void client.end().catch(() => undefined) }
        throw error
      }
    },
    end: async () => { alive = false; await client.end().catch(() => undefined) },
  }
}

/** Five characters of PostgreSQL's own codes (appendix A of its manual): the server answered, and the connection stands. Class 57P is the server's end. */
export function sqlState(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : ''
}

function isServerError(error: unknown): boolean {
  const state = sqlState(error)
  return state !== '' && !state.startsWith('57P') && !state.startsWith('08')
}

const ADVICE = new Map<string, string>([
  ['28', 'check user and password'], ['3D', 'make the database first'], ['42501', 'give the role its rights: usher fleet init --grant ROLE'], ['42704', 'make the role first: CREATE ROLE ... LOGIN'], ['42P01', 'make the tables first: usher fleet init'], ['3F', 'make the tables first: usher fleet init'],
  ['53', 'the server has no room or no connection left'], ['57', 'the server is stopping or was restarted'], ['ECONNREFUSED', 'no server listens there'], ['ENOTFOUND', 'no host of that name'],
])

export function pgError(code: 'LOG_OPEN_FAILED' | 'LOG_WRITE_FAILED', what: string, cause: unknown): UsherError {
  if (UsherError.is(cause)) return cause
  const found = String((cause as { code?: unknown } | null)?.code ?? '')
  const advice = [...ADVICE].find(([prefix]) => found.startsWith(prefix))?.[1] ?? 'nothing was called; see the cause'
  return new UsherError(code, `${what}: ${found ? `${found}: ` : ''}${cause instanceof Error ? cause.message : String(cause)}; ${advice}`, { cause })
}
