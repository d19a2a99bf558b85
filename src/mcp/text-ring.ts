/** The last bytes of a stream: a server's stderr is always read, or both sides wait for each other, but only its end is worth keeping. */
export class TextRing {
  readonly #max: number
  #parts: Buffer[] = []
  #kept = 0
  #seen = 0
  constructor(maxBytes: number) { this.#max = maxBytes }

  push(chunk: Buffer): void {
    this.#seen += chunk.length
    this.#parts.push(chunk.length > this.#max ? chunk.subarray(-this.#max) : chunk)
    this.#kept += Math.min(chunk.length, this.#max)
    while (this.#kept - (this.#parts[0]?.length ?? 0) >= this.#max) this.#kept -= this.#parts.shift()?.length ?? 0
  }

  /** All bytes that came by. */
  get seen(): number { return this.#seen }
  get tail(): string { return Buffer.concat(this.#parts).subarray(-this.#max).toString('utf8') }
}
