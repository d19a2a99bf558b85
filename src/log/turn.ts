/** What is asked for in the same turn of the event loop shares one transaction; each asker is told when its own rows are in the file, or why they are not. */

interface Waiting<T> { readonly item: T, readonly resolve: () => void, readonly reject: (error: unknown) => void }

export class Turn<T> {
  readonly #write: (items: readonly T[]) => void
  #waiting: Waiting<T>[] = []
  #soon: NodeJS.Immediate | undefined

  /** @param write puts all of them into the file, or throws and puts none */
  constructor(write: (items: readonly T[]) => void) { this.#write = write }

  together(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
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
        this.#write([one.item])
        one.resolve()
      } catch (cause) {
        one.reject(cause)
      }
    }
  }

  /** False: one of them cannot be written, or none can; each alone says which. What one could not log must not take another one along. */
  #all(all: readonly Waiting<T>[]): boolean {
    try {
      this.#write(all.map(one => one.item))
    } catch {
      return false
    }
    for (const one of all) one.resolve()
    return true
  }
}
