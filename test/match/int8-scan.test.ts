import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExactIndex } from '../../src/match/exact.ts'
import { Int8Scan } from '../../src/match/int8-scan.ts'

const unit = (values: readonly number[]): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, value => value / length)
}
const vectors = (dimension: number, least: number, most: number) => fc.array(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: dimension, maxLength: dimension }).filter(list => list.some(value => value !== 0)).map(unit), { minLength: least, maxLength: most })

test.each([1, 3, 16, 17, 40, 384])('over vectors of %i numbers the best are those of the plain scan, with their exact scores', dimension => {
  fc.assert(fc.property(vectors(dimension, 1, 60), vectors(dimension, 1, 3), fc.integer({ min: 1, max: 80 }), (points, queries, k) => {
    const scan = Int8Scan.of(points, dimension)
    const exact = new ExactIndex(points, dimension)
    for (const query of queries) {
      const found = scan?.search(query, k) ?? []
      const wanted = exact.search(query, k)
      expect(found).toHaveLength(wanted.length)
      found.forEach(({ score }, i) => expect(score).toBeCloseTo(wanted[i]?.score ?? Number.NaN, 6))
      expect(new Set(found.map(({ label }) => label)).size).toBe(found.length)
    }
  }), { numRuns: dimension > 40 ? 20 : 100, seed: 7 })
})

test('near twins, which rounding makes equal, come in their true order', () => {
  const points = Array.from({ length: 200 }, (_, i) => unit([1, 0.5, ...Array.from({ length: 30 }, (_, j) => (i * 31 + j * 17) % 97 / 1e6)]))
  for (const query of [points[7], points[150]] as Float32Array[]) {
    const scores = points.map((point, label) => ({ label, score: point.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0) })).sort((a, b) => b.score - a.score).slice(0, 10)
    expect(Int8Scan.of(points, 32)?.search(query, 10).map(({ label }) => label)).toEqual(scores.map(({ label }) => label))
  }
})

test('closed: a query that is no vector of the index is refused, and no rows give no hits', () => {
  const scan = Int8Scan.of([unit([1, 2, 3])], 3)
  for (const wrong of [new Float32Array(2), new Float32Array(3), Float32Array.of(1, Number.NaN, 0)]) expect(() => scan?.search(wrong, 1)).toThrow('the query')
  expect(Int8Scan.of([], 3)?.search(unit([1, 2, 3]), 5)).toEqual([])
  expect(scan?.search(unit([1, 2, 3]), 0)).toEqual([])
})
