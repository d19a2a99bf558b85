import { expect, test } from 'vitest'
import { ExactIndex } from '../../src/match/exact.ts'
import { HnswIndex } from '../../src/match/hnsw.ts'
import { NativeGraph } from '../../src/match/native.ts'
import { triggerIndexCases } from './index-cases.ts'
import { clustered, generator, unit } from './points.ts'

async function build(vectors: readonly Float32Array[], dimension: number): Promise<HnswIndex> {
  const index = await HnswIndex.build(vectors.map((vector, key) => ({ id: `text ${key}`, vector })), dimension)
  index.setKeys(vectors.map((_, key) => `text ${key}`))
  return index
}

triggerIndexCases('hnsw', build, { 'same-order': 'approximate by design: among the ten best a far one may be missed, so only the best is compared here; the recall test measures the two best' })

test('match:recall: the two best of 10,000 queries are those of the exact scan in at least 99.9 %', async () => {
  const random = generator(11)
  const vectors = clustered(1500, 64, random, 0.9, 200)
  const queries = clustered(10_000, 64, random, 1.2, 200)
  const [exact, hnsw] = [new ExactIndex(vectors, 64), await build(vectors, 64)]
  const wrong = queries.filter(query => {
    const found = hnsw.search(query, 2).map(({ key }) => key)
    return exact.search(query, 2).some(({ key }, place) => found[place] !== key)
  })
  expect(wrong.length).toBeLessThanOrEqual(10)
})

test('texts that are added to a built graph are found, texts that are dropped are not, and the keys follow', async () => {
  const vectors = clustered(300, 32, generator(2))
  const id = (place: number): string => `text ${place}`
  const index = await HnswIndex.build(vectors.slice(0, 200).map((vector, place) => ({ id: id(place), vector })), 32)
  const used = vectors.map((_, place) => id(place)).slice(50)
  await index.update(vectors.slice(200).map((vector, place) => ({ id: id(place + 200), vector })), new Set(used))
  index.setKeys(used)
  expect(index.size).toBe(250)
  expect(vectors.slice(50).map(vector => index.search(vector, 1)[0]?.key)).toEqual(used.map((_, key) => key))
  const gone = vectors.slice(0, 50).flatMap(vector => index.search(vector, 1)).filter(({ score }) => score > 0.9999)
  expect(gone).toEqual([])
})

test('a text whose vector is there already shares its point, also when it is added later', async () => {
  const [one, two] = [unit([1, 2, 3]), unit([3, 1, 0])]
  const index = await HnswIndex.build([{ id: 'a', vector: one }, { id: 'b', vector: two }], 3)
  await index.update([{ id: 'c', vector: one }], new Set(['a', 'b', 'c']))
  expect(index.points).toBe(2)
  index.setKeys(['a', 'b', 'c'])
  expect(index.search(one, 2).map(({ key }) => key)).toEqual([0, 2])
  await index.update([], new Set(['b', 'c']))
  index.setKeys(['c', 'b'])
  expect(index.search(one, 2).map(({ key }) => key)).toEqual([0, 1])
})

test('a key whose text has no vector is an error', async () => {
  const index = await HnswIndex.build([{ id: 'a', vector: unit([1, 0]) }], 2)
  expect(() => index.setKeys(['a', 'constructor'])).toThrow(expect.objectContaining({ code: 'INDEX_INVALID' }))
})

test('a full graph grows before a point is added, and labels are given in order', async () => {
  const graph = await NativeGraph.empty(2, 0, { m: 4, efConstruction: 200, seed: 1 })
  const labels = Array.from({ length: 20 }, (_, i) => graph.add(unit([1, i])))
  expect(labels).toEqual(labels.map((_, i) => i))
  expect(graph.search(unit([1, 19]), 1, 200)[0]?.label).toBe(19)
})

test.each([-1, 1.7, 2 ** 33 + 5, Number.NaN, Infinity])('the label %s is an error', async label => {
  const graph = await NativeGraph.empty(2, 1, { m: 4, efConstruction: 200, seed: 1 })
  expect(() => graph.delete(label)).toThrow(expect.objectContaining({ code: 'INDEX_INVALID' }))
  expect(() => graph.point(label)).toThrow(expect.objectContaining({ code: 'INDEX_INVALID' }))
})

test('a build lets others run: the event loop is not held for its whole time', async () => {
  const vectors = clustered(1200, 64, generator(4))
  let turns = 0
  const timer = setInterval(() => { turns++ }, 1)
  await build(vectors, 64)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})
