/** The only file that names better-sqlite3. */
import Database from 'better-sqlite3'

export type Db = Database.Database
export type Statement = Database.Statement

/** `timeout`: ms that a statement waits for another process's lock; the event loop waits with it. */
export function openDatabase(file: string, options: { readonly timeout: number, readonly readonly?: boolean }): Db {
  return new Database(file, { timeout: options.timeout, readonly: options.readonly ?? false })
}

/** Where the header says which journal a file uses (sqlite.org/fileformat.html, offsets 18 and 19): 1 rollback, 2 WAL. */
const JOURNAL_BYTES = [18, 19]

/** A private copy in memory. A database in memory has no WAL, so the copy says that it needs none: right for a file whose WAL is empty. */
export function openBytes(bytes: Buffer): Db {
  const copy = Buffer.from(bytes)
  for (const at of JOURNAL_BYTES) if (copy.length > at) copy[at] = 1
  return new Database(copy, { readonly: true })
}
