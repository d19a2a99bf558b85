/** One event at a time, in the order they came. Bounded: when it is full the caller is told, and nothing is dropped in silence. */
import { UsherError } from '../errors.ts'

export class WorkQueue {
  readonly #max: number
  #waiting = 0
  #tail: Promise<unknown> = Promise.resolve()
  #closed = false

  /** @param max how many may wait, the running one included; default 1000 */
  constructor(max = 1000) {
    if (!(Number.isInteger(max) && max > 0)) throw new UsherError('BAD_OPTION', `the queue's length must be a whole number above 0, got ${max}`)
    this.#max = max
  }

  get waiting(): number { return this.#waiting }

  /** Rejects with QUEUE_FULL or CLOSED without running the work. */
  async push<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new UsherError('CLOSED', 'this Usher was closed; create another one')
    if (this.#waiting >= this.#max) throw new UsherError('QUEUE_FULL', `${this.#waiting} events wait already; send this one again later`)
    this.#waiting++
    const run = this.#tail.then(work).finally(() => { this.#waiting-- })
    this.#tail = run.catch(() => undefined) // the caller has the rejection; the next event must still run
    return run
  }

  /** Takes nothing more, and resolves when what waits is done. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#tail
  }
}
