/**
 * Syncs the write-ahead log: at once for rows that must be durable, a moment later for the others. Those are in the file as soon as they are
 * written, so they survive the end of the process; only a power cut can take what was written in the last moment.
 *
 * SQLite would sync by itself with `synchronous = FULL`. Its build here does so with fsync, which also waits for the file's times to be written:
 * nearly twice as long as fdatasync where the write-ahead log is written over. And the level would have to be switched twice a call.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { UsherError } from '../errors.ts'

export class SoftSync {
  readonly #file: string
  readonly #failed: () => void
  #descriptor: number | undefined
  /** Counts of writes: all, and those that are durable. */
  #written = 0
  #durable = 0
  #lost: string | undefined

  /** @param failed told of a sync in the background that failed */
  constructor(file: string, failed: () => void) {
    this.#file = `${file}-wal`
    this.#failed = failed
  }

  get dirty(): boolean { return this.#durable < this.#written }

  wrote(): void { this.#written++ }

  /**
   * Before each write. After a failed sync the system may have thrown away what it could not write, and the next sync would call it durable
   * all the same: rows behind such a hole would be gone after a power cut. Opening the file anew reads only what holds together.
   */
  check(): void {
    if (this.#lost !== undefined) throw new UsherError('LOG_WRITE_FAILED', `${this.#file} could not be synced (${this.#lost}); nothing is called until the log is opened again: check the disk`)
  }

  /** Off the event loop's thread. `done`: what was written before the call is durable. */
  later(done: () => void): void {
    const written = this.#written
    fdatasync(this.#open(), error => {
      if (error) {
        this.#lost = error.message
        return this.#failed()
      }
      this.#durable = Math.max(this.#durable, written)
      done()
    })
  }

  /** Durable on return. Throws LOG_WRITE_FAILED; the rows stand in the file all the same, so a call that was refused for it reads `unknown` once this process is gone. */
  now(): void {
    if (!this.dirty) return
    try {
      fdatasyncSync(this.#open())
    } catch (error) {
      this.#lost = error instanceof Error ? error.message : String(error)
    }
    this.check()
    this.#durable = this.#written
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  /** SQLite holds its locks on the other two files: closing a descriptor of this one gives none of them up. */
  #open(): number {
    return this.#descriptor ??= openSync(this.#file, 'r')
  }
}
