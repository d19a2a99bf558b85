/** Calls that end in the same turn of the event loop share one transaction; each is told when its outcome is in the file, or why it is not. */
import type { WriteBuffer } from './buffer.ts'
import type { PendingRow } from './rows.ts'

interface Ending { readonly rows: readonly PendingRow[], readonly resolve: () => void, readonly reject: (error: unknown) => void }

export class Endings {
  readonly #buffer: WriteBuffer
  #waiting: Ending[] = []
  #soon: NodeJS.Immediate | undefined

  constructor(buffer: WriteBuffer) { this.#buffer = buffer }

  /** Resolves when the rows are in the file, so that from then on the end of the process takes none of them. */
  together(rows: readonly PendingRow[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ rows, resolve, reject })
      this.#soon ??= setImmediate(() => this.flush())
    })
  }

  /** Never throws: who waits is told. */
  flush(): void {
    clearImmediate(this.#soon)
    this.#soon = undefined
    const all = this.#waiting
    this.#waiting = []
    if (all.length > 1 && this.#all(all)) return
    for (const one of all) {
      try {
        this.#buffer.soon(...one.rows)
        one.resolve()
      } catch (cause) {
        one.reject(cause)
      }
    }
  }

  /** False: one of them cannot be written, or none can; each alone says which. What one call could not log must not take the outcome of another. */
  #all(all: readonly Ending[]): boolean {
    try {
      this.#buffer.soon(...all.flatMap(one => one.rows))
    } catch {
      return false
    }
    for (const one of all) one.resolve()
    return true
  }
}
