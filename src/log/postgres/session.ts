/**
 * One writer's connection: opened with the settings that the promises rest on, and opened anew when it was lost.
 *
 * A writer holds an advisory lock as long as its connection stands. Whoever can take that lock knows that nothing of the writer can be
 * committed any more, also where it still runs on a machine that was cut off: the server ended its transaction with its connection.
 */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { UsherError } from '../../errors.ts'
import { connect, pgError, publicUrl, type PgConnection } from './client.ts'
import { PG_SCHEMA_VERSION, RUNTIME_ROLE } from './schema.ts'

/** Ms between tries to connect again: doubled each time up to the second. */
const RETRY = { first: 100, most: 2000 }

/** The key of a writer's advisory lock: 8 bytes of SHA-256, as PostgreSQL's bigint. */
export function writerLock(writer: string): string {
  return createHash('sha256').update(`usher-writer:${writer}`).digest().readBigInt64BE(0).toString()
}

export interface SessionOptions {
  readonly url: string
  readonly writer: string
  readonly timeoutMs: number
  /** Names the connection as the log's own work: a call that meets a lost one must not be held for it. */
  readonly around: <T>(work: () => T) => T
}

/** Throws LOG_OPEN_FAILED: a server that does not sync, a role that may change rows, no tables, a newer version. */
export async function openSession(options: SessionOptions): Promise<PgConnection> {
  const connection = await connect(options.url, { name: `usher ${options.writer.slice(0, 8)}`, timeoutMs: options.timeoutMs })
  try {
    await settle(connection, options)
    return connection
  } catch (cause) {
    await connection.end()
    throw pgError('LOG_OPEN_FAILED', `cannot use ${publicUrl(options.url)} as a log`, cause)
  }
}

interface Settings { readonly synchronous_commit: string, readonly fsync: string, readonly full_page_writes: string }

async function settle(connection: PgConnection, options: SessionOptions): Promise<void> {
  await connection.query(`SET synchronous_commit = on; SET statement_timeout = ${Math.round(options.timeoutMs)}; SET lock_timeout = ${Math.round(options.timeoutMs)}; SET idle_in_transaction_session_timeout = ${Math.round(options.timeoutMs * 2)}`)
  const [settings] = await connection.query<Settings>('SELECT current_setting(\'synchronous_commit\') AS synchronous_commit, current_setting(\'fsync\') AS fsync, current_setting(\'full_page_writes\') AS full_page_writes')
  for (const name of ['synchronous_commit', 'fsync', 'full_page_writes'] as const) {
    if (settings?.[name] !== 'on') throw new UsherError('LOG_OPEN_FAILED', `the server has ${name} = ${settings?.[name] ?? 'unknown'}: a row that it says is written could be lost; set it to on`)
  }
  const [meta] = await connection.query<{ version: number }>('SELECT version FROM usher.meta')
  if (meta?.version !== PG_SCHEMA_VERSION) throw new UsherError('LOG_VERSION', `the tables have version ${meta?.version ?? 'none'}, this Usher knows ${PG_SCHEMA_VERSION}; use the Usher that made them, or run usher fleet init with the newer one`)
  const [rights] = await connection.query<{ may: boolean, role: string }>('SELECT has_table_privilege(\'usher.rows\', \'UPDATE\') OR has_table_privilege(\'usher.rows\', \'DELETE\') OR has_table_privilege(\'usher.rows\', \'TRUNCATE\') AS may, current_user AS role')
  if (rights?.may !== false) throw new UsherError('LOG_OPEN_FAILED', `the role ${rights?.role ?? ''} may change or delete rows, so nothing would prove what happened; run the runtime as a member of ${RUNTIME_ROLE} (usher fleet init --grant ROLE) and keep the owner for prune`)
}

/** Takes the writer's lock; waits while the server has not noticed yet that the old connection is gone. Throws LOG_OPEN_FAILED. */
export async function holdWriter(connection: PgConnection, options: SessionOptions): Promise<void> {
  const until = Date.now() + options.timeoutMs
  for (;;) {
    const [answer] = await connection.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS held', [writerLock(options.writer)])
    if (answer?.held === true) return
    if (Date.now() > until) throw new UsherError('LOG_OPEN_FAILED', 'the server still holds this writer\'s old connection; try again in a moment')
    await wait(RETRY.first)
  }
}

/** Is nothing more to come of this writer? Holds its lock until the transaction ends, so to be asked inside one. */
export async function isGone(connection: PgConnection, writer: string): Promise<boolean> {
  const [answer] = await connection.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1::bigint) AS free', [writerLock(writer)])
  return answer?.free === true
}

/** Tries until it works or `stop` says so. */
export async function openAgain(options: SessionOptions, stop: () => boolean): Promise<PgConnection | undefined> {
  for (let pause = RETRY.first; !stop(); pause = Math.min(RETRY.most, pause * 2)) {
    try {
      const connection = await openSession(options)
      try {
        await holdWriter(connection, options)
        return connection
      } catch (error) {
        await connection.end()
        throw error
      }
    } catch {
      // Not yet: rows wait in memory, and calls are refused meanwhile.
      await wait(pause)
    }
  }
  return undefined
}
