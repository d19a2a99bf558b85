/** The only file that names better-sqlite3. */
import Database from 'better-sqlite3'

export type Db = Database.Database
export type Statement = Database.Statement

/** `timeout`: ms that a statement waits for another process's lock; the event loop waits with it. */
export function openDatabase(file: string, options: { readonly timeout: number, readonly readonly?: boolean }): Db {
  return new Database(file, { timeout: options.timeout, readonly: options.readonly ?? false })
}
