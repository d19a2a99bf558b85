/** One server for a state folder. SQLite holds the lock, so the system takes it back when the process dies, however it dies. */
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import { openDatabase } from '../log/db.ts'
import { writePrivate } from './private-files.ts'
import { existsSync } from 'node:fs'

/** Throws SERVE_FAILED where another server has it. Gives the function that lets go. */
export function lockState(folder: string): () => void {
  const file = join(folder, 'serve.lock')
  if (!existsSync(file)) writePrivate(file, '')
  const db = openDatabase(file, { timeout: 0 })
  try {
    // Nothing is written, so nothing needs a journal beside it.
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    throw new UsherError('SERVE_FAILED', `another usher serve runs on ${folder}; stop it, or give this one a folder of its own with --state`, { cause })
  }
  return () => db.close()
}
