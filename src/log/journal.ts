/** Appends rows to the chain: one immediate transaction for a batch, so several processes write one file without a lost row or a broken chain. */
import { UsherError } from '../errors.ts'
import { contentHash, GENESIS_PREV, rowHash } from './chain.ts'
import type { Db, Statement } from './db.ts'
import { logError } from './failures.ts'
import { FileGuard } from './file-guard.ts'
import type { PendingRow } from './rows.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { serialise } from './serialise.ts'
import { WalGuard } from './wal-guard.ts'

/** SQLite's `synchronous`: with FULL a commit returns when the WAL is synced, with NORMAL when it is written. */
type Level = 'FULL' | 'NORMAL'

export interface Head { readonly seq: number, readonly hash: string }

export class Journal {
  readonly #db: Db
  readonly #file: string
  readonly #head: Statement
  readonly #insert: Statement
  readonly #version: Statement
  readonly #guard: FileGuard
  readonly #wal: WalGuard
  #level: Level | undefined
  readonly #write: (rows: readonly PendingRow[], check: (() => void) | undefined) => Head

  constructor(db: Db, file: string) {
    this.#db = db
    this.#file = file
    this.#head = db.prepare('SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1')
    this.#insert = db.prepare('INSERT INTO rows (seq, kind, body, prev, hash, text, data, salt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    this.#version = db.prepare('PRAGMA user_version').pluck()
    this.#guard = new FileGuard(file)
    this.#wal = new WalGuard(db, file)
    // Immediate: a transaction that reads first and writes later fails at once when another process wrote in between.
    this.#write = db.transaction((rows: readonly PendingRow[], check: (() => void) | undefined) => {
      const head = this.#insertAll(rows)
      check?.()
      return head
    }).immediate
  }

  head(): Head {
    return (this.#head.get() as Head | undefined) ?? { seq: 0, hash: GENESIS_PREV }
  }

  /** Returns when all rows are durable; throws LOG_WRITE_FAILED and leaves none of them. */
  append(rows: readonly PendingRow[]): Head {
    return this.#append('FULL', rows, undefined)
  }

  /**
   * The rows are in the file on return, and survive the end of the process; whoever calls syncs the WAL. Throws LOG_WRITE_FAILED and leaves none.
   * @param check runs inside the transaction, with all rows of all processes to see; what it throws takes the rows back
   */
  appendUnsynced(rows: readonly PendingRow[], check?: () => void): Head {
    return this.#append('NORMAL', rows, check)
  }

  #append(level: Level, rows: readonly PendingRow[], check: (() => void) | undefined): Head {
    try {
      this.#wal.check()
      this.#setLevel(level)
      const head = this.#write(rows, check)
      // After the commit: a file that was replaced before it has not got the rows.
      this.#wal.wrote(this.#guard.check())
      return head
    } catch (cause) {
      throw logError('LOG_WRITE_FAILED', 'cannot write to the log', this.#file, cause)
    }
  }

  /** More than appending, in the same kind of transaction (retention). */
  within<T>(work: (append: (rows: readonly PendingRow[]) => Head) => T): T {
    try {
      this.#wal.check()
      this.#setLevel('FULL')
      const result = this.#db.transaction(() => work(rows => this.#insertAll(rows))).immediate()
      this.#wal.wrote(this.#guard.check())
      return result
    } catch (cause) {
      throw logError('LOG_WRITE_FAILED', 'cannot write to the log', this.#file, cause)
    }
  }

  /** Changed only where it has to be: it belongs to the connection, and nobody else sets it. */
  #setLevel(level: Level): void {
    if (this.#level === level) return
    this.#level = undefined
    this.#db.pragma(`synchronous = ${level}`)
    this.#level = level
  }

  #insertAll(rows: readonly PendingRow[]): Head {
    const version = Number(this.#version.get())
    // Another process may have brought the file forward while this one runs.
    if (version !== SCHEMA_VERSION) throw new UsherError('LOG_VERSION', `the log has version ${version} now, this Usher writes ${SCHEMA_VERSION}; restart with the newer Usher`, { where: this.#file })
    let { seq, hash } = this.head()
    for (const row of rows) {
      seq++
      const body = bodyText(row)
      const prev = hash
      hash = rowHash(seq, row.kind, body, prev)
      this.#insert.run(seq, row.kind, body, prev, hash, row.text ?? null, row.data ?? null, row.salt ?? null)
    }
    return { seq, hash }
  }
}

/** The bytes of a row that its hash covers. */
export function bodyText(row: PendingRow): string {
  if (typeof row.body === 'string') return row.body
  const content = row.salt === undefined ? {} : { contentHash: contentHash(row.salt, row.text ?? null, row.data ?? null) }
  return serialise({ ...row.body, ...content }, { strict: false })
}

/** For whoever calls a closed log. */
export function closedError(file: string): UsherError {
  return new UsherError('CLOSED', `the log ${file} is closed; open it again before writing`)
}
