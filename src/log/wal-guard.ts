/**
 * Notices a write-ahead log that was cut short while in use. SQLite goes on behind the hole, from its shared memory; after a crash it would
 * read nothing past the hole, and rows that were reported as durable would be gone.
 */
import { statSync } from 'node:fs'
import { UsherError } from '../errors.ts'
import type { Db, Statement } from './db.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const LOOKS = 5

export class WalGuard {
  readonly #file: string
  readonly #frames: Statement
  readonly #frameBytes: number
  #size = 0

  constructor(db: Db, file: string) {
    this.#file = `${file}-wal`
    // NOOP (SQLite 3.51) only reports how many frames the WAL should hold.
    this.#frames = db.prepare('PRAGMA wal_checkpoint = NOOP')
    this.#frameBytes = FRAME_HEADER_BYTES + Number(db.pragma('page_size', { simple: true }))
  }

  /** @param bytes of the write-ahead log after a commit */
  wrote(bytes: number): void {
    this.#size = bytes
  }

  /** Before a transaction (inside one SQLite refuses the question). Throws LOG_WRITE_FAILED; a WAL that a checkpoint emptied is fine. */
  check(): void {
    const size = this.#bytes()
    if (size >= this.#size) return
    // Asked again: another process may be emptying or writing it between the two looks.
    for (let look = 0; look < LOOKS; look++) {
      const { log } = this.#frames.get() as { log: number }
      if (log <= 0 || this.#bytes() >= HEADER_BYTES + log * this.#frameBytes) return
    }
    throw new UsherError('LOG_WRITE_FAILED', `${this.#file} was cut from ${this.#size} to ${size} bytes while in use; rows would be lost after a crash. Nothing is called until the log is opened again`)
  }

  #bytes(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
  }
}
