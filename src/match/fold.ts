/** Equal vectors folded into one point: sixteen copies of a vector make a graph lose others, and a scan's cut at k would choose between equals by chance. */
import { checkVector, unit } from './vector-check.ts'
import type { Hit } from './native.ts'

export interface Folded {
  readonly points: readonly Float32Array[]
  /** Point -> the keys that share it. */
  readonly keys: readonly (readonly number[])[]
}

/** The identity of a vector's numbers. */
export function vectorBytes(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('latin1')
}

/** @param vectors the key of each is its place */
export function fold(vectors: readonly Float32Array[], dimension: number): Folded {
  const points: Float32Array[] = []
  const keys: number[][] = []
  const places = new Map<string, number>()
  vectors.forEach((vector, key) => {
    checkVector(vector, dimension, `vector ${key}`)
    const point = unit(vector)
    const bytes = vectorBytes(point)
    const place = places.get(bytes)
    if (place !== undefined) {
      keys[place]?.push(key)
      return
    }
    places.set(bytes, points.length)
    points.push(point)
    keys.push([key])
  })
  return { points, keys }
}

/** Hits of points as hits of keys: best first, ties by key, at most k. */
export function unfold(found: readonly Hit[], keysOf: (label: number) => readonly number[], k: number): { key: number, score: number }[] {
  const all = found.flatMap(({ label, score }) => keysOf(label).map(key => ({ key, score })))
  return all.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, Math.max(0, k))
}
