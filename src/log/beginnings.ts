/** Calls that begin in the same turn of the event loop share one transaction and one sync; each is told when its row is durable, or why it is not. */
import type { CallRow } from '../ports.ts'
import type { WriteBuffer } from './buffer.ts'
import type { PendingRow } from './rows.ts'

interface Beginning { readonly row: CallRow, readonly call: PendingRow }
interface Waiting extends Beginning { readonly resolve: () => void, readonly reject: (error: unknown) => void }

export class Beginnings {
  readonly #buffer: WriteBuffer
  readonly #check: (row: CallRow) => void
  #waiting: Waiting[] = []
  #soon: NodeJS.Immediate | undefined

  /** @param check throws where a row may not stand beside those that are in the log; runs inside the transaction */
  constructor(buffer: WriteBuffer, check: (row: CallRow) => void) {
    this.#buffer = buffer
    this.#check = check
  }

  /** Durable on return. */
  alone({ row, call }: Beginning): void {
    this.#buffer.now(call, () => this.#check(row))
  }

  together(beginning: Beginning): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...beginning, resolve, reject })
      this.#soon ??= setImmediate(() => this.flush())
    })
  }

  flush(): void {
    clearImmediate(this.#soon)
    this.#soon = undefined
    const all = this.#waiting
    this.#waiting = []
    if (all.length > 1 && this.#all(all)) return
    for (const one of all) {
      try {
        this.alone(one)
        one.resolve()
      } catch (cause) {
        one.reject(cause)
      }
    }
  }

  /** False: one of them may not, or the log cannot be written; each alone says which. */
  #all(all: readonly Waiting[]): boolean {
    try {
      this.#buffer.nowAll(all.map(one => one.call), () => { for (const { row } of all) this.#check(row) })
    } catch {
      return false
    }
    for (const one of all) one.resolve()
    return true
  }
}
