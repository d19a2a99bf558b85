/**
 * Rows that call nothing wait a moment, so that a flood of events costs one flush of the disk and not one each. Whatever must be durable is
 * written together with what waits, in the order it came.
 */
import type { Head, Journal } from './journal.ts'
import type { PendingRow } from './rows.ts'

/** More waiting rows than this are written at once. */
const MAX_WAITING = 500

export class WriteBuffer {
  readonly #journal: Journal
  readonly #delayMs: number
  readonly #written: (head: Head) => void
  #waiting: PendingRow[] = []
  #timer: NodeJS.Timeout | undefined
  /** The last flush by the timer failed: whoever writes next hears of it. */
  #failed = false

  constructor(journal: Journal, delayMs: number, written: (head: Head) => void) {
    this.#journal = journal
    this.#delayMs = delayMs
    this.#written = written
  }

  get waiting(): readonly PendingRow[] { return this.#waiting }

  /** Durable within the delay; throws LOG_WRITE_FAILED when the log cannot be written. */
  later(row: PendingRow): void {
    if (this.#delayMs === 0 || this.#failed || this.#waiting.length >= MAX_WAITING) return this.now(row)
    this.#waiting.push(row)
    this.#timer ??= setTimeout(() => this.#onTimer(), this.#delayMs).unref()
  }

  /** Masks again what still waits. */
  remake(): void {
    this.#waiting = this.#waiting.map(row => row.remake?.() ?? row)
  }

  /** Durable on return, with everything that waited. On failure what waited still waits; the row itself does not. `check`: see Journal. */
  now(row?: PendingRow, check?: () => void): void {
    const batch = row === undefined ? this.#waiting : [...this.#waiting, row]
    if (batch.length === 0) return
    const head = this.#journal.append(batch, check)
    this.#failed = false
    this.#waiting = []
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#written(head)
  }

  #onTimer(): void {
    this.#timer = undefined
    try {
      this.now()
    } catch {
      // Nobody is there to catch it; the next writer gets the same failure as its own.
      this.#failed = true
    }
  }
}
