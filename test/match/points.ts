/** Vectors for tests of indexes, the same in every run. */
import { createHash } from 'node:crypto'
import type { Embedder } from '../../src/ports.ts'

/** Numerical Recipes' linear congruential generator: numbers in [-0.5, 0.5). */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

export function unit(values: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(values)
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map(value => value / length)
}

/** Vectors around common centres, as sentences of common topics are. */
export function clustered(count: number, dimension: number, random: () => number, spread = 0.9, clusters = 50): Float32Array[] {
  const centres = Array.from({ length: clusters }, () => Array.from({ length: dimension }, random))
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor((random() + 0.5) * clusters)] ?? []
    return unit(centre.map(value => value + spread * random()))
  })
}

/** Each text has its own direction; texts that share words lie nearer. Counts what it is asked. */
export class WordEmbedder implements Embedder {
  readonly id: string
  readonly dimension: number
  readonly asked: string[] = []
  constructor(id = 'words@1', dimension = 32) {
    this.id = id
    this.dimension = dimension
  }
  async embed(text: string): Promise<{ vector: Float32Array }> {
    this.asked.push(text)
    const sum = new Float32Array(this.dimension).fill(1e-3)
    for (const word of text.toLowerCase().split(/\W+/)) {
      const random = generator(createHash('sha256').update(word).digest().readUInt32LE())
      for (let i = 0; i < this.dimension; i++) sum[i] = (sum[i] ?? 0) + random()
    }
    return { vector: unit(sum) }
  }
  async close(): Promise<void> {}
}
