/** Match time (processor time, so that a busy machine counts little) by number of phrases: plain scan, scan by bytes, graph. Where the graph begins to win is where tables change over. */
import { median, short } from './stats.mjs'

/** Numbers in [-0.5, 0.5), the same in every run (Numerical Recipes' generator). */
function generator(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

function clustered(count, random) {
  const unit = values => {
    const length = Math.hypot(...values)
    return Float32Array.from(values, value => value / length)
  }
  const centres = Array.from({ length: 300 }, () => Array.from({ length: 384 }, random))
  return Array.from({ length: count }, () => unit(centres[Math.floor((random() + 0.5) * 300)].map(value => value + 0.9 * random())))
}

export async function curve(context) {
  const { ExactIndex } = await import('../../dist/match/exact.js')
  const { ScanIndex } = await import('../../dist/match/scan.js')
  const { HnswIndex } = await import('../../dist/match/hnsw.js')
  const sizes = context.quick ? [500, 1500] : [500, 1500, 3000, 6000, 12_000]
  const points = []
  for (const size of sizes) {
    const random = generator(size)
    const vectors = clustered(size, random)
    const queries = clustered(300, random)
    const graph = await HnswIndex.build(vectors.map((vector, i) => ({ id: String(i), vector })), 384)
    graph.setKeys(vectors.map((_, i) => String(i)))
    const indexes = { plain: new ExactIndex(vectors, 384), native: await ScanIndex.build(vectors, 384), graph }
    const times = { plain: [], native: [], graph: [] }
    for (let round = 0; round < 5; round++) {
      for (const [name, index] of Object.entries(indexes)) {
        const before = process.cpuUsage()
        for (const query of queries) index.search(query, 32)
        const { user, system } = process.cpuUsage(before)
        times[name].push((user + system) / 1000 / queries.length)
      }
    }
    points.push({ size, ...Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)])) })
  }
  context.pictures.set('curve', points)
  context.notes.push(`Match time (ms of processor time, median of rounds) by phrases: ${points.map(({ size, plain, native, graph }) => `${size}: plain scan ${short(plain)}, scan by bytes ${short(native)}, graph ${short(graph)}`).join('; ')}`)
}
