/**
 * An exact scan in two steps: over vectors rounded to bytes, a quarter of the memory, and then with their own numbers over those that may be among the best. Rounding moves a score by at most
 * the length of what was rounded off (Cauchy and Schwarz), so nothing is missed.
 */
import { dotsOf, LANES, type Dots } from './int8-dots.ts'
import type { Hit } from './native.ts'
import { checkVector, unit } from './vector-check.ts'

const MOST_BYTE = 127
/** So large that the query's own rounding counts for nothing. */
const MOST_QUERY = 8191
/** A sum of products must not overflow. */
const MOST_SUM = 2 ** 31 - 1
/** Of the arithmetic itself. */
const SLACK = 1e-6
/** Classes of score between -1 and 1, to find the k-th best without sorting. */
const CLASSES = 4096

export class Int8Scan {
  readonly #points: readonly Float32Array[]
  readonly #dimension: number
  readonly #dots: Dots
  /** Row -> what a sum is multiplied with, and how far rounding may have moved a score. */
  readonly #scales: Float64Array
  readonly #errors: Float64Array
  /** One a row; used anew by each search, as are the classes. */
  readonly #scores: Float64Array
  readonly #classes = new Int32Array(CLASSES + 1)

  private constructor(points: readonly Float32Array[], dimension: number, dots: Dots) {
    this.#points = points
    this.#dimension = dimension
    this.#dots = dots
    this.#scales = new Float64Array(points.length)
    this.#errors = new Float64Array(points.length)
    this.#scores = new Float64Array(points.length)
    const stride = strideOf(dimension)
    points.forEach((point, row) => this.#round(point, row, row * stride))
  }

  /** @param points of length 1, the label of each is its place. Undefined where this process runs no WebAssembly. */
  static of(points: readonly Float32Array[], dimension: number): Int8Scan | undefined {
    const dots = dotsOf(points.length, strideOf(dimension))
    return dots && new Int8Scan(points, dimension, dots)
  }

  #round(point: Float32Array, row: number, start: number): void {
    const scale = largest(point) / MOST_BYTE
    let error = 0
    for (let i = 0; i < point.length; i++) {
      const value = point[i] as number
      const byte = Math.round(value / scale)
      this.#dots.rows[start + i] = byte
      error += (value - byte * scale) ** 2
    }
    this.#scales[row] = scale
    this.#errors[row] = Math.sqrt(error)
  }

  /** Best first; at most k. */
  search(vector: Float32Array, k: number): Hit[] {
    checkVector(vector, this.#dimension, 'the query')
    const wanted = Math.min(k, this.#points.length)
    if (wanted < 1) return []
    const query = unit(vector)
    const { scale, error } = this.#take(query)
    this.#dots.run()
    const scores = this.#rounded(scale)
    const floor = this.#floor(wanted, error) - error
    const errors = this.#errors
    const precise = Float64Array.from(query)
    const found: Hit[] = []
    for (let row = 0; row < scores.length; row++) {
      if ((scores[row] as number) + (errors[row] as number) >= floor) found.push({ label: row, score: dot(precise, this.#points[row] as Float32Array) })
    }
    return found.sort((a, b) => b.score - a.score || a.label - b.label).slice(0, wanted)
  }

  /** The scores as far as the bytes say. */
  #rounded(scale: number): Float64Array {
    const [scores, sums, scales] = [this.#scores, this.#dots.sums, this.#scales]
    for (let row = 0; row < scores.length; row++) scores[row] = (sums[row] as number) * (scales[row] as number) * scale
    return scores
  }

  #take(query: Float32Array): { readonly scale: number, readonly error: number } {
    const scale = largest(query) / Math.min(MOST_QUERY, Math.floor(MOST_SUM / MOST_BYTE / query.length))
    let error = 0
    for (let i = 0; i < query.length; i++) {
      const value = query[i] as number
      const rounded = Math.round(value / scale)
      this.#dots.query[i] = rounded
      error += (value - rounded * scale) ** 2
    }
    // A rounded row may be a little longer than 1.
    return { scale, error: 2 * Math.sqrt(error) + SLACK }
  }

  /** A score that at least `wanted` rows reach, however they were rounded. */
  #floor(wanted: number, error: number): number {
    const [classes, scores, errors] = [this.#classes.fill(0), this.#scores, this.#errors]
    for (let row = 0; row < scores.length; row++) {
      const least = (scores[row] as number) - (errors[row] as number) - error
      const place = Math.min(CLASSES, Math.max(0, Math.floor((least + 1) * (CLASSES / 2))))
      classes[place] = (classes[place] as number) + 1
    }
    let place = CLASSES
    for (let count = classes[place] as number; count < wanted && place > 0; count += classes[place] as number) place--
    return place === 0 ? -Infinity : place / (CLASSES / 2) - 1
  }
}

const strideOf = (dimension: number): number => Math.ceil(dimension / LANES) * LANES

function largest(vector: Float32Array): number {
  let most = 0
  for (let i = 0; i < vector.length; i++) most = Math.max(most, Math.abs(vector[i] as number))
  return most
}

/** Four sums at once: the loop is bound by the latency of one addition otherwise. */
function dot(one: Float64Array, other: Float32Array): number {
  const end = one.length - one.length % 4
  let a = 0, b = 0, c = 0, d = 0
  for (let i = 0; i < end; i += 4) {
    a += (one[i] as number) * (other[i] as number)
    b += (one[i + 1] as number) * (other[i + 1] as number)
    c += (one[i + 2] as number) * (other[i + 2] as number)
    d += (one[i + 3] as number) * (other[i + 3] as number)
  }
  for (let i = end; i < one.length; i++) a += (one[i] as number) * (other[i] as number)
  return a + b + c + d
}
