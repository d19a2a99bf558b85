/**
 * One event at a time, in the order they came. Bounded: when it is full the caller is told, and nothing is dropped in silence. Work that needs no
 * order among itself goes beside: together, after the events before it and before those after it.
 */
import { UsherError } from '../errors.ts'

export class WorkQueue {
  readonly #max: number
  #waiting = 0
  #tail: Promise<unknown> = Promise.resolve()
  /** What runs beside, since the last event in order. */
  readonly #beside = new Set<Promise<unknown>>()
  #closed = false

  /** @param max how many may wait, the running one included; default 1000 */
  constructor(max = 1000) {
    if (!(Number.isInteger(max) && max > 0)) throw new UsherError('BAD_OPTION', `the queue's length must be a whole number above 0, got ${max}`)
    this.#max = max
  }

  get waiting(): number { return this.#waiting }

  /** Rejects with QUEUE_FULL or CLOSED without running the work. */
  async push<T>(work: () => Promise<T>): Promise<T> {
    this.#take()
    const before = Promise.all([this.#tail, ...this.#beside])
    this.#beside.clear()
    const run = before.then(work).finally(() => { this.#waiting-- })
    this.#tail = run.catch(() => undefined) // the caller has the rejection; the next event must still run
    return run
  }

  /** The same, for work that may run while other such work does. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    this.#take()
    const run = this.#tail.then(work).finally(() => { this.#waiting-- })
    const settled = run.catch(() => undefined).finally(() => { this.#beside.delete(settled) })
    this.#beside.add(settled)
    return run
  }

  #take(): void {
    if (this.#closed) throw new UsherError('CLOSED', 'this Usher was closed; create another one')
    if (this.#waiting >= this.#max) throw new UsherError('QUEUE_FULL', `${this.#waiting} events wait already; send this one again later`)
    this.#waiting++
  }

  /** Takes nothing more, and resolves when what waits is done. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([this.#tail, ...this.#beside])
  }
}
