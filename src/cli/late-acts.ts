/** What is to be logged before the log is open: kept, and written when it is. */
import type { ActRow, CallLog } from '../ports.ts'
import type { Io } from './io.ts'

export class LateActs {
  readonly #io: Io
  #waiting: ActRow[] = []
  #log: Pick<CallLog, 'act'> | undefined
  constructor(io: Io) { this.#io = io }

  act(row: ActRow): void {
    if (!this.#log) this.#waiting.push(row)
    else Promise.resolve(this.#log.act(row)).catch((error: unknown) => this.#io.err(`what happened could not be logged: ${error instanceof Error ? error.message : String(error)}`))
  }

  /** Rejects with LOG_WRITE_FAILED: what cannot be logged does not begin. */
  async open(log: Pick<CallLog, 'act'>): Promise<void> {
    for (const row of this.#waiting.splice(0)) await log.act(row)
    this.#log = log
  }
}
