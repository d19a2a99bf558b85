/** A log by its address: a file, or a database that several machines share. */
import { openSqliteLog, type SqliteLog } from './sqlite.ts'
import type { LogOptions } from './options.ts'
import { isPostgresUrl } from './address.ts'
import type { PostgresLog } from './postgres/log.ts'

/** Throws BAD_OPTION, LOG_OPEN_FAILED, LOG_VERSION, LOG_INVALID. Only a log in PostgreSQL loads its client. */
export async function openCallLog(location: string, options: LogOptions = {}): Promise<SqliteLog | PostgresLog> {
  if (!isPostgresUrl(location)) return openSqliteLog(location, options)
  const { openPostgresLog } = await import('./postgres/log.ts')
  const { groupCommitMs: _group, maxPages: _pages, ...rest } = options
  return openPostgresLog(location, rest)
}
