/**
 * Lines of a server's stdout as bytes, split on 0x0A only: U+2028 is no line end, and a character cut in two by a chunk is not damaged.
 * Pushes instead of being iterated, because one message must be handled before the next one's bytes are looked at.
 */
export interface ByteLine {
  /** Without the line end; at most `maxBytes` of it. */
  readonly bytes: Buffer
  /** True length. */
  readonly length: number
  /** There was more than was kept. */
  readonly cut: boolean
}

const LF = 0x0A
const CR = 0x0D

export class LineSplitter {
  readonly #maxBytes: number
  readonly #onLine: (line: ByteLine) => void
  #parts: Buffer[] = []
  #kept = 0
  #length = 0
  constructor(maxBytes: number, onLine: (line: ByteLine) => void) {
    this.#maxBytes = maxBytes
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      this.#take(chunk.subarray(from, end))
      from = end + 1
      this.#emit()
    }
    this.#take(chunk.subarray(from))
  }

  /** What stands after the last line end, when the stream is over. */
  end(): void {
    if (this.#length > 0) this.#emit()
  }

  #take(piece: Buffer): void {
    this.#length += piece.length
    const part = piece.subarray(0, Math.max(0, this.#maxBytes - this.#kept))
    if (part.length === 0) return
    this.#parts.push(part)
    this.#kept += part.length
  }

  #emit(): void {
    const joined = Buffer.concat(this.#parts)
    const bytes = joined.at(-1) === CR && joined.length === this.#length ? joined.subarray(0, -1) : joined
    const line = { bytes, length: this.#length, cut: this.#length > this.#kept }
    this.#parts = []
    this.#kept = this.#length = 0
    this.#onLine(line)
  }
}
