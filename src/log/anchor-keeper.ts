/** Keeps the anchor outside the file young while the log is written: at open, at close, and every so many rows or seconds between. */
import { AnchorSender } from './anchor-sender.ts'
import { readAnchors, writeAnchor } from './anchors.ts'
import type { Db } from './db.ts'
import type { Head } from './journal.ts'
import type { ResolvedLogOptions } from './options.ts'
import { anchorFault, headOf, logIdOf } from './verify.ts'

const EVERY_ROWS = 1000
const EVERY_MS = 60_000

export class AnchorKeeper {
  readonly #db: Db
  readonly #options: ResolvedLogOptions
  readonly #logId: string
  #seq = 0
  #at = 0
  #busy = false
  readonly #sender: AnchorSender | undefined
  /** Why no anchor leaves this machine though the owner wants it, or why the last one did not arrive. */
  readonly notSent: string | undefined
  /** Why the last anchor could not be written; calls go on, since every row is still in the chain. */
  failure: string | undefined

  constructor(db: Db, options: ResolvedLogOptions) {
    this.#db = db
    this.#options = options
    this.#logId = logIdOf(db)
    try {
      this.#sender = AnchorSender.of(options.stateDir)
      this.notSent = this.#sender?.failure(this.#logId)
    } catch (error) {
      this.notSent = `anchors are not sent: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  /** What the newest anchor says against the file, in words; undefined when it bears the file out. */
  mismatch(): string | undefined {
    const newest = readAnchors(this.#options.stateDir, this.#logId).at(-1)
    const fault = newest === undefined ? undefined : anchorFault(this.#db, headOf(this.#db), newest)
    return fault === undefined || fault === 'pruned' ? undefined : `${fault.kind}: ${fault.detail}`
  }

  written(head: Head): void {
    // Not the log's clock, which a replay sets: this is about how much work an anchor may miss.
    if (head.seq - this.#seq >= EVERY_ROWS || performance.now() - this.#at >= EVERY_MS) this.anchor(head)
  }

  anchor(head: Head): void {
    // Writing the anchor is seen by the effects observer, which writes a row, which comes back here.
    if (this.#busy || head.seq === this.#seq) return
    this.#busy = true
    try {
      const anchor = { logId: this.#logId, seq: head.seq, hash: head.hash, at: new Date(this.#options.clock.now()).toISOString() }
      this.#options.background('log', () => {
        writeAnchor(this.#options.stateDir, anchor, old => anchorFault(this.#db, headOf(this.#db), old) === undefined)
        this.#sender?.offer(anchor)
      })
      this.#seq = head.seq
      this.#at = performance.now()
      this.failure = undefined
    } catch (error) {
      this.failure = `the anchor could not be written: ${error instanceof Error ? error.message : String(error)}`
    } finally {
      this.#busy = false
    }
  }
}
