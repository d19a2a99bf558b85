/** Calls in a sliding minute: a client that loops must not reach the server as fast as it can. */
export class Rate {
  readonly #perMinute: number
  readonly #now: () => number
  #times: number[] = []
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** Counts one more, unless that would be too many. */
  take(): boolean {
    const since = this.#now() - 60_000
    this.#times = this.#times.filter(time => time > since)
    if (this.#times.length >= this.#perMinute) return false
    this.#times.push(this.#now())
    return true
  }
}
