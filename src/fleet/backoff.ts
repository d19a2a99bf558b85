/** How long to wait before a lost server is asked again: each try is a connection that somebody may have to read in the log. */

/** ms. */
const FIRST = 250
const LONGEST = 15_000

export class Backoff {
  readonly #random: () => number
  #next = FIRST
  /** @param random from 0 to 1, so that a fleet does not come back all at once */
  constructor(random: () => number = Math.random) { this.#random = random }

  /** ms until the next try: twice the last, 15 s at most, less up to a quarter. */
  wait(): number {
    const wait = this.#next
    this.#next = Math.min(LONGEST, wait * 2)
    return Math.round(wait * (1 - this.#random() / 4))
  }

  /** The server is back. */
  reset(): void { this.#next = FIRST }
}
