/** How many candidates a graph must look at, found by measuring rather than by belief. */
import { NativeScan, type NativeGraph } from './native.ts'
import { inSlices } from './slices.ts'
import { unit } from './vector-check.ts'

/** Never below 200: with fewer, clusters of near-equal phrases hide others. */
export const MIN_EF = 200
const STEPS = [200, 250, 300, 400, 600, 800, 1200]
const SAMPLE = 400

/** Names the way of choosing: a stored width of another one is chosen anew. */
export const EF_RULE = 'near-and-far-3'

/** How much of another stored vector is mixed into one: near stands for an event, far for one that lies between two routes. */
const SAMPLES = { near: { weight: 0.25, most: 0 }, far: { weight: 0.5, most: 0.0025 } } as const

interface Sample { readonly query: Float32Array, readonly floor: number }

/**
 * The smallest width at which the graph's two best are those of the exact scan for every near sample and all but one in 400 far ones. A sample is a stored vector with a part of another.
 * Of 100,000 real texts and variants that is 600, whose two best are right for 99.92 % of 10,000 other texts (300: 99.84 %). To demand the last far one took 1,200 and twice the time, for nothing.
 * The last step where none is enough.
 * @param points the graph's, label by label
 */
export async function chooseEf(graph: NativeGraph, points: readonly Float32Array[], dimension: number): Promise<number> {
  if (points.length < 2) return MIN_EF
  const exact = await NativeScan.of(points, dimension)
  const near = await samplesOf(points, exact, SAMPLES.near.weight)
  const far = await samplesOf(points, exact, SAMPLES.far.weight)
  for (const ef of STEPS) {
    if (await missed(graph, near, ef) <= near.length * SAMPLES.near.most && await missed(graph, far, ef) <= far.length * SAMPLES.far.most) return ef
  }
  return STEPS.at(-1) as number
}

async function samplesOf(points: readonly Float32Array[], exact: NativeScan, weight: number): Promise<readonly Sample[]> {
  const stride = Math.max(1, Math.floor(points.length / SAMPLE))
  const places = Array.from({ length: Math.ceil(points.length / stride) }, (_, i) => i * stride)
  const samples: Sample[] = []
  await inSlices(places, place => {
    const one = points[place] as Float32Array
    const two = points[(place * 7919 + 1) % points.length] as Float32Array
    const query = unit(one.map((value, i) => value + (two[i] as number) * weight))
    samples.push({ query, floor: exact.search(query, 2)[1]?.score ?? -1 })
  })
  return samples
}

async function missed(graph: NativeGraph, samples: readonly Sample[], ef: number): Promise<number> {
  let count = 0
  await inSlices(samples, ({ query, floor }) => {
    const second = graph.search(query, 2, ef)[1]
    if (!second || second.score < floor - 1e-5) count++
  })
  return count
}
