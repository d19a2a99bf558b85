/** What was opened, closed in the reverse order, all of it, also where one of them fails. */
export class Closers {
  readonly #stack: (() => unknown)[] = []

  add(close: () => unknown): void { this.#stack.push(close) }

  /** Rejects with the first failure, after everything was closed. Twice is fine. */
  async all(): Promise<void> {
    const failures: unknown[] = []
    for (let close = this.#stack.pop(); close; close = this.#stack.pop()) {
      try { await close() } catch (error) { failures.push(error) }
    }
    if (failures.length > 0) throw failures[0]
  }
}
