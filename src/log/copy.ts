/** A whole copy of a log that others go on writing: files copied one after the other (database, then WAL) would not fit together. */
import { closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsherError } from '../errors.ts'
import { openForReading } from './connection.ts'
import { logError } from './failures.ts'

/** Mode 0600. Throws LOG_OPEN_FAILED when the target exists or cannot be written. */
export function copyLog(file: string, target: string): void {
  const db = openForReading(resolve(file))
  try {
    closeSync(openSync(resolve(target), 'wx', 0o600))
    db.prepare('VACUUM INTO ?').run(resolve(target))
  } catch (cause) {
    if ((cause as { code?: string }).code === 'EEXIST') throw new UsherError('LOG_OPEN_FAILED', `${target} exists already; name a new file for the copy`, { cause })
    throw logError('LOG_OPEN_FAILED', 'cannot copy the log to', target, cause)
  } finally {
    db.close()
  }
}
