/**
 * Approximate nearest phrases (hierarchical navigable small world graphs, Malkov and Yashunin 2018) over hnswlib-node. The only file that
 * names that library. Its faults, and what is done here: a bad element ends the process, so every vector is checked first; equal vectors make others
 * unreachable, so they are folded into one point; what the graph does not find by its own vector is scanned beside it.
 */
import type { HierarchicalNSW } from 'hnswlib-node'
import { UsherError } from '../errors.ts'
import type { TriggerIndex } from '../ports.ts'
import { sha256 } from '../util/canonical.ts'
import { ExactIndex } from './exact.ts'
import { checkVector, unit } from './vector-check.ts'

export interface HnswOptions {
  /** Links of a point per layer; default 32. */
  readonly m?: number
  /** Candidates looked at while building; default 400. */
  readonly efConstruction?: number
  /** Candidates looked at while searching; default 400, never below 200: with fewer, clusters of near-equal phrases hide others. */
  readonly ef?: number
  /** Seed of the layers; default 100. The same vectors and seed give the same graph. */
  readonly seed?: number
}

export const MIN_EF = 200
const DEFAULTS = { m: 32, efConstruction: 400, ef: 400, seed: 100 }

export function resolveHnsw(options: HnswOptions): Required<HnswOptions> {
  const resolved = { ...DEFAULTS, ...options }
  for (const [name, value] of Object.entries(resolved)) {
    if (!Object.hasOwn(DEFAULTS, name)) throw new UsherError('BAD_OPTION', `unknown index option ${JSON.stringify(name)}`)
    if (!Number.isSafeInteger(value) || value < 1) throw new UsherError('BAD_OPTION', `${name} must be a whole number above 0, got ${String(value)}`)
  }
  if (resolved.ef < MIN_EF) throw new UsherError('BAD_OPTION', `ef must be at least ${MIN_EF}, got ${resolved.ef}`)
  return resolved
}

async function newGraph(dimension: number): Promise<HierarchicalNSW> {
  const { default: hnswlib } = await import('hnswlib-node')
  return new hnswlib.HierarchicalNSW('ip', dimension)
}

/** Equal vectors, folded: one point for each, with the keys that share it. */
export function fold(vectors: readonly Float32Array[], dimension: number): { points: Float32Array[], keys: number[][] } {
  const points: Float32Array[] = []
  const keys: number[][] = []
  const places = new Map<string, number>()
  vectors.forEach((vector, key) => {
    checkVector(vector, dimension, `vector ${key}`)
    const point = unit(vector)
    const bytes = sha256(new Uint8Array(point.buffer, point.byteOffset, point.byteLength))
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

export class HnswIndex implements TriggerIndex {
  readonly #graph: HierarchicalNSW
  readonly #dimension: number
  /** Label -> the keys that share its vector. */
  readonly #keys: readonly (readonly number[])[]
  readonly #size: number
  /** Labels that the graph does not find by their own vector, and a scan over them. */
  readonly #strays: readonly number[]
  readonly #beside: ExactIndex

  private constructor(graph: HierarchicalNSW, dimension: number, keys: readonly (readonly number[])[], strays: readonly number[], beside: ExactIndex) {
    this.#graph = graph
    this.#dimension = dimension
    this.#keys = keys
    this.#size = keys.reduce((sum, list) => sum + list.length, 0)
    this.#strays = strays
    this.#beside = beside
  }

  /** @param vectors the key of each is its place */
  static async build(vectors: readonly Float32Array[], dimension: number, options: HnswOptions = {}): Promise<HnswIndex> {
    const { m, efConstruction, ef, seed } = resolveHnsw(options)
    const { points, keys } = fold(vectors, dimension)
    const graph = await newGraph(dimension)
    graph.initIndex(Math.max(1, points.length), m, efConstruction, seed)
    points.forEach((point, label) => graph.addPoint(Array.from(point), label))
    graph.setEf(ef)
    const strays = points.flatMap((point, label) => findsItself(graph, point, label) ? [] : [label])
    const beside = new ExactIndex(strays.map(label => points[label] as Float32Array), dimension)
    return new HnswIndex(graph, dimension, keys, strays, beside)
  }

  get size(): number {
    return this.#size
  }

  /** Points that only the scan beside the graph finds. */
  get strays(): number {
    return this.#strays.length
  }

  search(vector: Float32Array, k: number): { readonly key: number, readonly score: number }[] {
    checkVector(vector, this.#dimension, 'the query')
    const wanted = Math.min(k, this.#keys.length)
    if (wanted <= 0) return []
    const { neighbors, distances } = this.#graph.searchKnn(Array.from(unit(vector)), wanted)
    const scores = new Map<number, number>()
    neighbors.forEach((label, place) => scores.set(label, 1 - (distances[place] as number)))
    for (const { key, score } of this.#beside.search(vector, wanted)) scores.set(this.#strays[key] as number, score)
    const found: { key: number, score: number }[] = []
    for (const [label, score] of scores) {
      const keys = this.#keys[label]
      if (!keys || !Number.isFinite(score)) throw new UsherError('INDEX_INVALID', `the index answered with label ${label} and score ${score}; delete its file and start again`)
      for (const key of keys) found.push({ key, score })
    }
    return found.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, k)
  }
}

function findsItself(graph: HierarchicalNSW, point: Float32Array, label: number): boolean {
  return graph.searchKnn(Array.from(point), 1).neighbors[0] === label
}
