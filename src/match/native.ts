/**
 * The only file that names hnswlib-node, loaded when first needed. It ends the process on a bad element and takes any number for a label, so whatever goes in
 * is checked here or by vector-check.ts before.
 */
import type { BruteforceSearch, HierarchicalNSW } from 'hnswlib-node'
import { UsherError } from '../errors.ts'
import { checkVector, unit } from './vector-check.ts'

export interface Hit { readonly label: number, readonly score: number }

const MAX_LABEL = 2 ** 32 - 1

function checkLabel(label: number): void {
  if (Number.isSafeInteger(label) && label >= 0 && label <= MAX_LABEL) return
  throw new UsherError('INDEX_INVALID', `a label must be a whole number from 0 to ${MAX_LABEL}, got ${String(label)}`)
}

/** Whatever the native code answers is read with care: a damaged graph answers with labels and scores that are none. */
function hits(found: { neighbors: number[], distances: number[] }): Hit[] {
  return found.neighbors.map((label, place) => {
    const score = 1 - (found.distances[place] as number)
    if (!Number.isSafeInteger(label) || label < 0 || label > MAX_LABEL || !Number.isFinite(score)) {
      throw new UsherError('INDEX_INVALID', `the index answered with label ${label} and score ${score}; delete its file and start again`)
    }
    return { label, score }
  })
}

/** A loop: `Array.from` takes four times as long, and a table of phrases is thousands of vectors. */
function numbers(vector: Float32Array): number[] {
  const list: number[] = []
  for (let i = 0; i < vector.length; i++) list.push(vector[i] as number)
  return list
}

/** A scan by native code over unit vectors; always right. */
export class NativeScan {
  readonly #points: BruteforceSearch
  readonly #dimension: number

  private constructor(points: BruteforceSearch, dimension: number) {
    this.#points = points
    this.#dimension = dimension
  }

  /** @param points the label of each is its place */
  static async of(points: readonly Float32Array[], dimension: number): Promise<NativeScan> {
    const { default: hnswlib } = await import('hnswlib-node')
    const scan = new hnswlib.BruteforceSearch('ip', dimension)
    scan.initIndex(Math.max(1, points.length))
    points.forEach((point, label) => {
      checkVector(point, dimension, `vector ${label}`)
      scan.addPoint(numbers(unit(point)), label)
    })
    return new NativeScan(scan, dimension)
  }

  search(query: Float32Array, k: number): Hit[] {
    checkVector(query, this.#dimension, 'the query')
    const wanted = Math.min(k, this.#points.getCurrentCount())
    return wanted < 1 ? [] : hits(this.#points.searchKnn(numbers(unit(query)), wanted))
  }
}

export interface GraphShape { readonly m: number, readonly efConstruction: number, readonly seed: number }

/** The graph over unit vectors. Labels are given in order, so that they fit and none is used twice. */
export class NativeGraph {
  readonly #graph: HierarchicalNSW
  readonly #dimension: number

  private constructor(graph: HierarchicalNSW, dimension: number) {
    this.#graph = graph
    this.#dimension = dimension
  }

  static async empty(dimension: number, capacity: number, shape: GraphShape): Promise<NativeGraph> {
    const { default: hnswlib } = await import('hnswlib-node')
    const graph = new hnswlib.HierarchicalNSW('ip', dimension)
    graph.initIndex(Math.max(1, capacity), shape.m, shape.efConstruction, shape.seed)
    return new NativeGraph(graph, dimension)
  }

  /** Reads a file whose checksum was right: the native reader trusts every byte. */
  static async read(file: string, dimension: number): Promise<NativeGraph> {
    const { default: hnswlib } = await import('hnswlib-node')
    const graph = new hnswlib.HierarchicalNSW('ip', dimension)
    await graph.readIndex(file)
    return new NativeGraph(graph, dimension)
  }

  /** Points, deleted ones included. */
  get count(): number {
    return this.#graph.getCurrentCount()
  }

  /** Adds a point and gives back its label; grows where the capacity is reached. */
  add(point: Float32Array): number {
    const label = this.count
    checkVector(point, this.#dimension, `vector ${label}`)
    checkLabel(label)
    const capacity = this.#graph.getMaxElements()
    if (label >= capacity) this.#graph.resizeIndex(Math.max(capacity + 1, Math.ceil(capacity * 1.5)))
    this.#graph.addPoint(numbers(unit(point)), label)
    return label
  }

  delete(label: number): void {
    checkLabel(label)
    this.#graph.markDelete(label)
  }

  point(label: number): Float32Array {
    checkLabel(label)
    return Float32Array.from(this.#graph.getPoint(label))
  }

  /** @param ef candidates looked at */
  search(query: Float32Array, k: number, ef: number): Hit[] {
    checkVector(query, this.#dimension, 'the query')
    const wanted = Math.min(k, this.count)
    if (wanted < 1) return []
    if (this.#graph.getEf() !== ef) this.#graph.setEf(ef)
    return hits(this.#graph.searchKnn(numbers(unit(query)), wanted))
  }

  async write(file: string): Promise<void> {
    await this.#graph.writeIndex(file)
  }
}
