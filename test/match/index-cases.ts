/** What every TriggerIndex must do. An exception is named, with its reason. */
import { describe, expect, test } from 'vitest'
import type { TriggerIndex } from '../../src/ports.ts'
import { clustered, generator, unit } from './points.ts'

type Build = (vectors: readonly Float32Array[], dimension: number) => Promise<TriggerIndex>
type Exceptions = { readonly [name in 'same-order']?: string }

const round = (found: readonly { key: number, score: number }[]) => found.map(({ key, score }) => [key, Math.round(score * 1e4) / 1e4])

/** The plain definition: every cosine, sorted. */
function sorted(vectors: readonly Float32Array[], query: Float32Array): { key: number, score: number }[] {
  const all = vectors.map((vector, key) => ({ key, score: vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0) }))
  return all.sort((a, b) => b.score - a.score || a.key - b.key)
}

export function triggerIndexCases(name: string, build: Build, exceptions: Exceptions = {}): void {
  describe(`${name} index`, () => {
    test('the nearest come first, with their cosine', async () => {
      const index = await build([unit([1, 0, 0]), unit([1, 1, 0]), unit([0, 0, 1])], 3)
      expect(round(index.search(unit([1, 0, 0]), 3))).toEqual([[0, 1], [1, 0.7071], [2, 0]])
    })

    test('a query of any length gives the same cosine', async () => {
      const index = await build([unit([1, 2, 3]), unit([3, 2, 1])], 3)
      expect(round(index.search(Float32Array.of(10, 20, 30), 2))).toEqual(round(index.search(unit([1, 2, 3]), 2)))
    })

    test('k beyond the size gives all, k of 0 and an empty index give none', async () => {
      const index = await build([unit([1, 0]), unit([0, 1])], 2)
      expect(index.search(unit([1, 0]), 99)).toHaveLength(2)
      expect(index.search(unit([1, 0]), 0)).toEqual([])
      expect((await build([], 2)).search(unit([1, 0]), 3)).toEqual([])
      expect([index.size, (await build([], 2)).size]).toEqual([2, 0])
    })

    test('equal vectors hide nothing: each of their keys comes back, in order, and so does the odd one', async () => {
      const twins = Array.from({ length: 40 }, () => unit([1, 1, 0, 0]))
      const index = await build([...twins, unit([0, 0, 1, 1]), ...twins], 4)
      expect(index.size).toBe(81)
      expect(index.search(unit([0, 0, 1, 1]), 1).map(({ key }) => key)).toEqual([40])
      expect(index.search(unit([1, 1, 0, 0]), 80).map(({ key }) => key)).toEqual([...Array.from({ length: 40 }, (_, i) => i), ...Array.from({ length: 40 }, (_, i) => i + 41)])
      expect(index.search(unit([1, 1, 0, 0]), 3).map(({ key }) => key)).toEqual([0, 1, 2])
    })

    test('500 near-equal vectors hide none of 50 others', async () => {
      const random = generator(7)
      const centre = Array.from({ length: 16 }, random)
      const crowd = Array.from({ length: 500 }, () => unit(centre.map(value => value + 1e-4 * random())))
      const others = Array.from({ length: 50 }, () => unit(Array.from({ length: 16 }, random)))
      const index = await build([...crowd, ...others], 16)
      expect(others.map(vector => index.search(vector, 1)[0]?.key)).toEqual(others.map((_, i) => 500 + i))
    })

    test.each([
      ['NaN', Float32Array.of(Number.NaN, 0, 1)], ['infinite', Float32Array.of(Infinity, 0, 1)], ['all zero', new Float32Array(3)],
      ['too short', Float32Array.of(1, 0)], ['too long', Float32Array.of(1, 0, 0, 0)], ['a plain array', [1, 0, 0]], ['holes', Array.from({ length: 3 })], ['null', null], ['text', 'abc'],
    ])('a vector that is %s is an error, as a point and as a query, and the process lives', async (_, bad) => {
      const good = unit([1, 0, 0])
      await expect((async () => await build([good, bad as Float32Array], 3))()).rejects.toMatchObject({ code: 'INDEX_INVALID' })
      const index = await build([good], 3)
      expect(() => index.search(bad as Float32Array, 1)).toThrow(expect.objectContaining({ code: 'INDEX_INVALID' }))
      expect(round(index.search(good, 1))).toEqual([[0, 1]])
    })

    const inOrder = exceptions['same-order'] === undefined ? 10 : 1

    test('the best of 400 vectors are those of the definition', async () => {
      const random = generator(3)
      const vectors = clustered(400, 48, random)
      const index = await build(vectors, 48)
      for (const query of clustered(50, 48, random)) expect(round(index.search(query, 10)).slice(0, inOrder)).toEqual(round(sorted(vectors, query).slice(0, inOrder)))
    })

    test('every stored vector finds itself', async () => {
      const vectors = clustered(600, 48, generator(5), 0.2)
      const index = await build(vectors, 48)
      expect(vectors.map(vector => index.search(vector, 1)[0]?.key)).toEqual(vectors.map((_, key) => key))
    })
  })
}
