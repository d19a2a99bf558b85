/** The exact scan that small tables use. exact.ts is the same in plain JavaScript, many times slower, and its yardstick. */
import { fold, unfold, type Folded } from './fold.ts'
import { Int8Scan } from './int8-scan.ts'
import { NativeScan } from './native.ts'
import type { PhraseIndex } from './phrase-index.ts'

export class ScanIndex implements PhraseIndex {
  readonly #scan: Int8Scan | NativeScan
  readonly #folded: Folded
  /** Key -> its point. */
  readonly #pointOf: readonly number[]
  readonly size: number

  private constructor(scan: Int8Scan | NativeScan, folded: Folded, size: number) {
    this.#scan = scan
    this.#folded = folded
    const pointOf: number[] = []
    folded.keys.forEach((keys, point) => keys.forEach(key => { pointOf[key] = point }))
    this.#pointOf = pointOf
    this.size = size
  }

  /** @param vectors the key of each is its place */
  static async build(vectors: readonly Float32Array[], dimension: number): Promise<ScanIndex> {
    const folded = fold(vectors, dimension)
    return new ScanIndex(Int8Scan.of(folded.points, dimension) ?? await NativeScan.of(folded.points, dimension), folded, vectors.length)
  }

  vector(key: number): Float32Array | undefined {
    return this.#folded.points[this.#pointOf[key] ?? -1]
  }

  search(vector: Float32Array, k: number): { readonly key: number, readonly score: number }[] {
    return unfold(this.#scan.search(vector, k), label => this.#folded.keys[label] ?? [], k)
  }
}
