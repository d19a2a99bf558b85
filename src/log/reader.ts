/** Opens the log for questions. Reads only, except that calls which a dead process left in flight are marked `unknown` first. */
import { resolve } from 'node:path'
import { openForReading } from './connection.ts'
import type { Db } from './db.ts'
import { deadAnnouncements, deadCalls } from './recover.ts'
import { openSqliteLog } from './sqlite.ts'

export interface ReaderOptions {
  readonly stateDir?: string
  /** Default true: mark dead calls, where the file can be written. */
  readonly recover?: boolean
}

export interface LogReader {
  readonly file: string
  readonly db: Db
  close(): void
}

/** Throws LOG_OPEN_FAILED (no such file), LOG_VERSION, LOG_INVALID. Close it. */
export function openLogReader(file: string, options: ReaderOptions = {}): LogReader {
  const path = resolve(file)
  let db = openForReading(path)
  if ((options.recover ?? true) && !isCopy(db) && (deadCalls(db).length > 0 || deadAnnouncements(db).length > 0)) {
    db.close()
    try {
      openSqliteLog(path, options.stateDir === undefined ? {} : { stateDir: options.stateDir }).close()
    } catch {
      // A file that cannot be written can still be asked; its dead calls read `in-flight` then.
    }
    db = openForReading(path)
  }
  return { file: path, db, close: () => db.close() }
}

/** A copy of a log that other machines write (postgres/mirror.ts): their calls are theirs to end. */
function isCopy(db: Db): boolean {
  return db.prepare('SELECT 1 FROM sqlite_master WHERE type = \'table\' AND name = \'origins\'').get() !== undefined
}
