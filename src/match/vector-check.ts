/** What must hold of a vector before any index sees it: hnswlib ends the process on a bad element, and no try/catch helps. */
import { UsherError } from '../errors.ts'

/** Throws INDEX_INVALID unless it is a Float32Array of `dimension` finite numbers, not all zero. */
export function checkVector(vector: Float32Array, dimension: number, what: string): void {
  if (!(vector instanceof Float32Array)) throw new UsherError('INDEX_INVALID', `${what} is no Float32Array`)
  if (vector.length !== dimension) throw new UsherError('INDEX_INVALID', `${what} has ${vector.length} numbers, the index holds vectors of ${dimension}; both must come from one encoder`)
  let square = 0
  for (const value of vector) square += value * value
  if (!Number.isFinite(square)) throw new UsherError('INDEX_INVALID', `${what} holds a number that is not finite`)
  if (square === 0) throw new UsherError('INDEX_INVALID', `${what} is all zero: it has no direction`)
}

/** Unit length, so that a dot product is the cosine. */
export function unit(vector: Float32Array): Float32Array {
  let square = 0
  for (const value of vector) square += value * value
  if (Math.abs(square - 1) < 1e-6) return vector
  const length = Math.sqrt(square)
  return vector.map(value => value / length)
}
