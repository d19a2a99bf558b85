/**
 * Approximate nearest phrases: a hierarchical navigable small world graph (Malkov and Yashunin 2018, hnswlib). What the graph does not find by its own vector
 * is scanned beside it, so that no phrase is unreachable.
 */
import { UsherError } from '../errors.ts'
import { ExactIndex } from './exact.ts'
import { unfold, vectorBytes } from './fold.ts'
import { NativeGraph, type GraphShape, type Hit } from './native.ts'
import type { PhraseIndex } from './phrase-index.ts'
import { chooseEf, MIN_EF } from './recall.ts'
import { inSlices } from './slices.ts'
import { checkVector, unit } from './vector-check.ts'

/** Links a point and candidates while building: see the curve of recall against time in bench/RESULTS-speed.md. */
export const SHAPE: GraphShape = { m: 28, efConstruction: 400, seed: 100 }

/** Candidates of the first look for a point by its own vector. */
const SELF_EF = 50

interface Point { readonly label: number, readonly point: Float32Array }

/** What is stored beside the graph's own file. Ids name texts; several may share a label. */
export interface GraphState {
  readonly ef: number
  /** Label -> ids of the texts that share its vector; none: deleted. */
  readonly ids: readonly (readonly string[])[]
  /** Labels that the graph does not find by their own vector. */
  readonly strays: readonly number[]
}

/** A text to index: its id, and the vector of that id. */
export interface Entry { readonly id: string, readonly vector: Float32Array }

export class HnswIndex implements PhraseIndex {
  readonly #graph: NativeGraph
  readonly #dimension: number
  readonly #ids: string[][]
  readonly #labels = new Map<string, number>()
  #ef: number
  #strays: number[] = []
  #beside: ExactIndex
  /** Label -> keys of the current table, and the other way. */
  #keys: number[][] = []
  #labelOf: number[] = []

  private constructor(graph: NativeGraph, dimension: number, state: GraphState) {
    this.#graph = graph
    this.#dimension = dimension
    this.#ids = state.ids.map(list => [...list])
    this.#ef = state.ef
    this.#beside = new ExactIndex([], dimension)
    this.#ids.forEach((list, label) => list.forEach(id => this.#labels.set(id, label)))
    this.#setStrays(state.strays)
  }

  /** Builds anew, in slices; each stored vector is then asked for by itself, and `ef` chosen by measured recall. */
  static async build(entries: readonly Entry[], dimension: number, shape: GraphShape = SHAPE): Promise<HnswIndex> {
    const graph = await NativeGraph.empty(dimension, entries.length, shape)
    const index = new HnswIndex(graph, dimension, { ef: MIN_EF, ids: [], strays: [] })
    const added = await index.#append(entries)
    index.#ef = await chooseEf(graph, added.map(({ point }) => point), dimension)
    await index.#checkSelf(added)
    return index
  }

  /** The width anew, for a graph whose stored one was chosen in another way. */
  async chooseWidth(): Promise<void> {
    const points = this.#ids.flatMap((list, label) => list.length > 0 ? [this.#graph.point(label)] : [])
    this.#ef = await chooseEf(this.#graph, points, this.#dimension)
  }

  /** @param file whose checksum was right */
  static async read(file: string, dimension: number, state: GraphState): Promise<HnswIndex> {
    const graph = await NativeGraph.read(file, dimension)
    if (graph.count !== state.ids.length) throw new UsherError('INDEX_INVALID', `the index holds ${graph.count} points, its side file ${state.ids.length}`)
    return new HnswIndex(graph, dimension, state)
  }

  get state(): GraphState {
    return { ef: this.#ef, ids: this.#ids, strays: this.#strays }
  }

  get size(): number {
    return this.#labelOf.length
  }

  /** The graph looks at as many points whatever is asked for. */
  get width(): number {
    return Math.max(this.#ef, MIN_EF)
  }

  vector(key: number): Float32Array | undefined {
    const label = this.#labelOf[key]
    return label === undefined ? undefined : this.#graph.point(label)
  }

  /** Texts that it holds a vector of. */
  get known(): number {
    return this.#labels.size
  }

  has(id: string): boolean {
    return this.#labels.has(id)
  }

  /** Points that no text uses any more, and those that one would stop using. */
  spare(used: ReadonlySet<string>): number {
    return this.#ids.filter(list => !list.some(id => used.has(id))).length
  }

  get points(): number {
    return this.#ids.length
  }

  /** Adds texts and forgets all that are not in `used`. */
  async update(added: readonly Entry[], used: ReadonlySet<string>): Promise<void> {
    const points = await this.#append(added)
    this.#ids.forEach((list, label) => {
      const kept = list.filter(id => used.has(id))
      if (kept.length === list.length) return
      for (const id of list) if (!used.has(id)) this.#labels.delete(id)
      this.#ids[label] = kept
      if (kept.length === 0) this.#graph.delete(label)
    })
    await this.#checkSelf(points)
  }

  /** Gives the index the keys of a table: key -> id, each of which must be known. */
  setKeys(ids: readonly string[]): void {
    const keys: number[][] = this.#ids.map(() => [])
    this.#labelOf = ids.map((id, key) => {
      const label = this.#labels.get(id)
      if (label === undefined) throw new UsherError('INDEX_INVALID', `the index has no vector for phrase ${key}`)
      keys[label]?.push(key)
      return label
    })
    this.#keys = keys
  }

  /** @param ef candidates looked at; default: the width whose recall was measured at the build */
  search(vector: Float32Array, k: number, ef: number = this.#ef): { readonly key: number, readonly score: number }[] {
    const found = new Map<number, Hit>()
    for (const hit of this.#graph.search(vector, k, Math.max(ef, MIN_EF))) found.set(hit.label, hit)
    for (const { key, score } of this.#beside.search(vector, k)) {
      const label = this.#strays[key] as number
      if (!found.has(label)) found.set(label, { label, score })
    }
    return unfold([...found.values()], label => this.#keys[label] ?? [], k)
  }

  async write(file: string): Promise<void> {
    await this.#graph.write(file)
  }

  /** The new points; a text whose vector is there already shares its label. */
  async #append(entries: readonly Entry[]): Promise<Point[]> {
    const before = this.#graph.count
    const fresh = new Map<string, number>()
    const added: Point[] = []
    await inSlices(entries, ({ id, vector }) => {
      if (this.#labels.has(id)) return
      checkVector(vector, this.#dimension, `the vector of ${id}`)
      const point = unit(vector)
      const bytes = vectorBytes(point)
      let label = fresh.get(bytes) ?? (before > 0 ? this.#twin(point) : undefined)
      if (label === undefined) {
        label = this.#graph.add(point)
        this.#ids.push([])
        added.push({ label, point })
        fresh.set(bytes, label)
      }
      this.#ids[label]?.push(id)
      this.#labels.set(id, label)
    })
    return added
  }

  /** The label of a stored vector that is equal. */
  #twin(point: Float32Array): number | undefined {
    const nearest = this.#graph.search(point, 1, this.#ef)[0]
    if (!nearest || (this.#ids[nearest.label] ?? []).length === 0) return undefined
    return vectorBytes(this.#graph.point(nearest.label)) === vectorBytes(point) ? nearest.label : undefined
  }

  /** What few candidates find, more find too: the full width is only for those that they miss. */
  async #checkSelf(points: readonly Point[]): Promise<void> {
    const finds = ({ label, point }: Point, ef: number) => this.#graph.search(point, 1, ef)[0]?.label === label
    const missed: number[] = []
    await inSlices(points, each => {
      if (!finds(each, SELF_EF) && !finds(each, this.#ef)) missed.push(each.label)
    })
    this.#setStrays([...this.#strays, ...missed])
  }

  #setStrays(strays: readonly number[]): void {
    this.#strays = strays.filter(label => (this.#ids[label] ?? []).length > 0)
    this.#beside = new ExactIndex(this.#strays.map(label => this.#graph.point(label)), this.#dimension)
  }
}
