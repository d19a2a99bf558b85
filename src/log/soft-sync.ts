/**
 * Syncs the write-ahead log a moment after rows went into it unsynced. Such rows are in the file as soon as they are written, so they survive the
 * end of the process; only a power cut can take those of the last moment.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'

export class SoftSync {
  readonly #file: string
  readonly #failed: (error: Error) => void
  #descriptor: number | undefined
  #dirty = false

  /** @param failed told of a sync in the background that failed */
  constructor(file: string, failed: (error: Error) => void) {
    this.#file = `${file}-wal`
    this.#failed = failed
  }

  get dirty(): boolean { return this.#dirty }

  wrote(): void { this.#dirty = true }

  /** A commit that synced took all rows before it along. */
  synced(): void { this.#dirty = false }

  /** Off the event loop's thread. `done`: what was written before the call is durable. */
  later(done: () => void): void {
    if (!this.#dirty) return
    this.#dirty = false
    fdatasync(this.#open(), error => {
      if (!error) return done()
      this.#dirty = true
      this.#failed(error)
    })
  }

  /** Throws what the file system throws. */
  now(): void {
    if (!this.#dirty) return
    fdatasyncSync(this.#open())
    this.#dirty = false
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
