/** Compares the query with every stored vector, in plain JavaScript. Always right: the yardstick for scan.ts and hnsw.ts. */
import type { TriggerIndex } from '../ports.ts'
import { checkVector, unit } from './vector-check.ts'

export class ExactIndex implements TriggerIndex {
  readonly #dimension: number
  readonly #count: number
  /** Row after row, so that a scan reads memory in order. */
  readonly #rows: Float32Array
  /** One score a row; used anew by each search. */
  readonly #scores: Float32Array

  /** @param vectors the key of each is its place */
  constructor(vectors: readonly Float32Array[], dimension: number) {
    this.#dimension = dimension
    this.#count = vectors.length
    this.#rows = new Float32Array(vectors.length * dimension)
    this.#scores = new Float32Array(vectors.length)
    vectors.forEach((vector, key) => {
      checkVector(vector, dimension, `vector ${key}`)
      this.#rows.set(unit(vector), key * dimension)
    })
  }

  get size(): number {
    return this.#count
  }

  search(vector: Float32Array, k: number): { readonly key: number, readonly score: number }[] {
    checkVector(vector, this.#dimension, 'the query')
    const query = unit(vector)
    for (let key = 0; key < this.#count; key++) this.#scores[key] = this.#dot(query, key * this.#dimension)
    return this.#best(Math.min(k, this.#count))
  }

  /** Four sums at once: the loop is bound by the latency of one addition otherwise. */
  #dot(query: Float32Array, start: number): number {
    const rows = this.#rows
    const end = this.#dimension - this.#dimension % 4
    let a = 0, b = 0, c = 0, d = 0
    for (let i = 0, j = start; i < end; i += 4, j += 4) {
      a += (query[i] as number) * (rows[j] as number)
      b += (query[i + 1] as number) * (rows[j + 1] as number)
      c += (query[i + 2] as number) * (rows[j + 2] as number)
      d += (query[i + 3] as number) * (rows[j + 3] as number)
    }
    for (let i = end; i < this.#dimension; i++) a += (query[i] as number) * (rows[start + i] as number)
    return a + b + c + d
  }

  /** The k best by insertion: k is small, and most scores fail the first comparison. */
  #best(k: number): { key: number, score: number }[] {
    const found: { key: number, score: number }[] = []
    if (k <= 0) return found
    let floor = -Infinity
    for (let key = 0; key < this.#count; key++) {
      const score = this.#scores[key] as number
      if (found.length === k && score <= floor) continue
      let at = found.length
      while (at > 0 && (found[at - 1] as { score: number }).score < score) at--
      found.splice(at, 0, { key, score })
      if (found.length > k) found.pop()
      floor = (found.at(-1) as { score: number }).score
    }
    return found
  }
}
