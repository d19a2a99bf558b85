/** How many candidates a graph must look at, found by measuring rather than by belief. */
import type { NativeGraph } from './native.ts'
import { ExactIndex } from './exact.ts'
import { inSlices } from './slices.ts'
import { unit } from './vector-check.ts'

/** Never below 200: with fewer, clusters of near-equal phrases hide others. */
export const MIN_EF = 200
const STEPS = [200, 300, 400, 600, 800, 1200]
const SAMPLE = 200

/**
 * One step more than the smallest at which the graph's two best are those of the exact scan for every sample, since events are harder to place than samples
 * (30,000 real texts: the sample was content with 300, which found both for 99.5 % of 2,500 others; 400: 99.7 %). A sample is the middle of two stored
 * vectors. The last step where none is enough.
 * @param points the graph's, label by label
 */
export async function chooseEf(graph: NativeGraph, points: readonly Float32Array[], dimension: number): Promise<number> {
  if (points.length < 2) return MIN_EF
  const exact = new ExactIndex(points, dimension)
  const samples: { query: Float32Array, floor: number }[] = []
  const stride = Math.max(1, Math.floor(points.length / SAMPLE))
  const places = Array.from({ length: Math.ceil(points.length / stride) }, (_, i) => i * stride)
  await inSlices(places, place => {
    const one = points[place] as Float32Array
    const two = points[(place * 7919 + 1) % points.length] as Float32Array
    const middle = unit(one.map((value, i) => value + (two[i] as number) / 2))
    samples.push({ query: middle, floor: exact.search(middle, 2)[1]?.score ?? -1 })
  })
  for (const [place, ef] of STEPS.entries()) {
    let missed = 0
    await inSlices(samples, ({ query, floor }) => {
      const second = graph.search(query, 2, ef)[1]
      if (!second || second.score < floor - 1e-5) missed++
    })
    if (missed === 0) return STEPS[place + 1] ?? ef
  }
  return STEPS.at(-1) as number
}
