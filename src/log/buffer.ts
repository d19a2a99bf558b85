/**
 * Rows that call nothing wait a moment, so that a flood of events costs one flush of the disk and not one each. Whatever must be durable is
 * written together with what waits, in the order it came. Between the two: rows that are in the file at once, and synced a moment later.
 */
import type { Head, Journal } from './journal.ts'
import type { PendingRow } from './rows.ts'
import { SoftSync } from './soft-sync.ts'

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
  readonly #sync: SoftSync
  #closed = false

  /** @param file the log's; @param written told of a head that is durable */
  constructor(journal: Journal, file: string, delayMs: number, written: (head: Head) => void) {
    this.#journal = journal
    this.#sync = new SoftSync(file, () => { this.#failed = true })
    this.#delayMs = delayMs
    this.#written = written
  }

  get waiting(): readonly PendingRow[] { return this.#waiting }

  /** Durable within the delay; throws LOG_WRITE_FAILED when the log cannot be written. Without a row it only sees to the timer. */
  later(row?: PendingRow): void {
    if (row && (this.#delayMs === 0 || this.#failed || this.#waiting.length >= MAX_WAITING)) return this.now(row)
    if (row) this.#waiting.push(row)
    this.#timer ??= setTimeout(() => this.#onTimer(), this.#delayMs).unref()
  }

  /** Puts another row in the place of one that still waits. False: none of them is it. */
  replace(which: (row: PendingRow) => boolean, by: () => PendingRow): boolean {
    const at = this.#waiting.findIndex(which)
    if (at >= 0) this.#waiting = this.#waiting.with(at, by())
    return at >= 0
  }

  /** Masks again what still waits. */
  remake(): void {
    this.#waiting = this.#waiting.map(row => row.remake?.() ?? row)
  }

  /**
   * In the file on return, with everything that waited, so that the end of the process takes none of it; durable within the delay.
   * Gives the place of the last row.
   */
  soon(...rows: readonly PendingRow[]): Head {
    const head = this.#write([...this.#waiting, ...rows])
    if (this.#delayMs === 0) this.#synced(head)
    else this.later()
    return head
  }

  /**
   * Durable on return, with everything that waited. Where it cannot be written what waited still waits, the row itself does not; where it cannot be
   * synced, nothing more is written to this file.
   */
  now(row?: PendingRow): void {
    this.nowAll(row === undefined ? [] : [row])
  }

  /** The same for several: all of them, or none. `check`: see Journal. */
  nowAll(rows: readonly PendingRow[], check?: () => void): void {
    const batch = [...this.#waiting, ...rows]
    if (batch.length === 0) {
      this.#sync.now()
      return
    }
    const head = this.#write(batch, check)
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#synced(head)
  }

  /** A write that nobody waited for failed. */
  failed(): void { this.#failed = true }

  /** After the last row. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#sync.close()
  }

  /** Nobody is told within: whoever is may write rows of their own, and what waited must not be written twice. */
  #write(batch: readonly PendingRow[], check?: () => void): Head {
    this.#sync.check()
    const head = this.#journal.appendUnsynced(batch, check)
    this.#sync.wrote()
    this.#failed = false
    this.#waiting = []
    return head
  }

  #synced(head: Head): void {
    this.#sync.now()
    this.#written(head)
  }

  #onTimer(): void {
    this.#timer = undefined
    try {
      if (this.#waiting.length > 0) this.#write(this.#waiting)
      if (!this.#sync.dirty) return
      const head = this.#journal.head()
      this.#sync.later(() => { if (!this.#closed) this.#written(head) })
    } catch {
      // Nobody is there to catch it; the next writer gets the same failure as its own.
      this.#failed = true
    }
  }
}
