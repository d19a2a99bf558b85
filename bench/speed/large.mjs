/** A hundred thousand phrases: one event, recall against time, start, memory, files. Embeds them once (minutes) and keeps them below .usher/. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hits, madeRoutes, misses, realTexts } from './texts.mjs'
import { median, parts, percentile, short } from './stats.mjs'

const COUNT = 100_000
/** Phrases a route, where the texts are real ones: their sets' labels are too coarse. */
const EACH = 20

/** Real texts where a folder of them is given: made ones differ in few words, and that is another task for a graph. */
function tables(context) {
  if (context.data === undefined) return { routes: madeRoutes(COUNT), of: 'made phrases', queries: null }
  const texts = realTexts(context.data, COUNT + 10_000)
  const phrases = texts.filter((_, i) => i % 11 !== 5).slice(0, COUNT)
  const queries = texts.filter((_, i) => i % 11 === 5).slice(0, 10_000)
  const routes = parts(phrases, Math.floor(phrases.length / EACH)).map((utterances, i) => ({ name: `route-${i}`, utterances }))
  return { routes, of: 'real texts and variants', queries }
}

export async function large(context) {
  const { routes, of, queries } = tables(context)
  const phrases = routes.flatMap(route => route.utterances)
  const cache = context.cacheDir(context.data === undefined ? 'large-made' : 'large-real')
  const first = context.usher().contender
  const built = await first.ask({ op: 'load', routes, cache, second: false })
  await first.close()
  context.notes.push(`${phrases.length} ${of}: first start (or a start from the cache) took ${short(built.ms / 1000)} s`)
  const asked = queries ?? [...hits(routes, 5000, 11), ...misses(5000, 11)]
  const vectors = await vectorsOf({ phrases, queries: asked, cache })
  await startOf(context, routes, cache)
  await eventsOf(context, routes, cache, phrases.length)
  await recallOf(context, { phrases, vectors, cache })
  const sizeOf = wanted => readdirSync(cache).filter(wanted).map(name => statSync(join(cache, name)).size).reduce((sum, size) => sum + size, 0)
  const [index, words] = [sizeOf(name => /^(?:hnsw|vectors)-/.test(name)), sizeOf(name => name.startsWith('phrases'))]
  context.row('index file and vectors on disk over the raw float32 vectors, 100,000 phrases', index / (phrases.length * 384 * 4), { most: 2.2, detail: `${short(index / 1e6)} MB; what the reader keeps of the phrases' words beside it: ${short(words / 1e6)} MB` })
}

async function startOf(context, routes, cache) {
  const small = madeRoutes(1500)
  const ages = { small: [], large: [] }
  let rss = 0
  for (let round = 0; round < (context.quick ? 1 : 3); round++) {
    for (const [name, table, folder] of [['small', small, context.cacheDir('events')], ['large', routes, cache]]) {
      const { contender } = context.usher()
      await contender.ask({ op: 'load', routes: table, cache: folder, second: false })
      await contender.ask({ op: 'route', texts: ['please open the console in the kitchen'] })
      ages[name].push(contender.age)
      rss = (await contender.ask({ op: 'rss' })).rss
      await contender.close()
    }
  }
  context.row('start to first decision, 100,000 cached phrases, longer than with 1,500', (median(ages.large) - median(ages.small)) / 1000, { most: 2, unit: 's', detail: `${short(median(ages.large) / 1000)} s against ${short(median(ages.small) / 1000)} s` })
  context.row('memory of the process, 100,000 phrases', rss / 2 ** 20, { unit: 'MiB', detail: 'resident, without the encoder\'s process; the vectors alone are 146 MiB' })
}

async function eventsOf(context, routes, cache, count) {
  const all = [context.usher(), ...context.routers()]
  for (const { name, contender } of all) await contender.ask({ op: 'load', routes, ...(name === 'usher' ? { cache, second: false } : { vectors: `${cache}.f32` }) })
  const ratios = new Map(all.map(({ name }) => [name, []]))
  const rates = new Map(all.map(({ name }) => [name, []]))
  const own = []
  for (const { contender } of all) await contender.ask({ op: 'route', texts: hits(routes, 10, 98) })
  for (let round = 0; round < (context.quick ? 3 : 6); round++) {
    for (const { name, contender } of round % 2 === 0 ? all : [...all].reverse()) {
      const texts = [...hits(routes, name === 'usher' ? 100 : 15, round), ...misses(name === 'usher' ? 100 : 15, round)]
      const encode = (await contender.ask({ op: 'encode', texts })).ms
      const route = (await contender.ask({ op: 'route', texts })).ms
      if (name === 'usher') own.push(...route)
      ratios.get(name).push(median(route) / median(encode))
      const { ms } = await contender.ask({ op: 'throughput', texts: hits(routes, texts.length, 400 + round) })
      rates.get(name).push(texts.length / ms * 1000)
    }
  }
  for (const { contender } of all) await contender.close()
  const detail = [...ratios].map(([name, values]) => `${name} ${short(median(values))}`).join('; ')
  context.row(`one event, ${count} phrases, rules only: whole way over the encoder alone`, median(ratios.get('usher')), { most: 1.8, detail: `${detail}; usher p99 ${short(percentile(own, 0.99))} ms` })
  for (const [name, rate] of rates) {
    if (name === 'usher') continue
    context.row(`throughput, distinct texts, 100,000 phrases, rules only: over ${name}`, median(rates.get('usher').map((value, round) => value / rate[round])), { least: 20, detail: `${short(median(rates.get('usher')))}/s over ${short(median(rate))}/s` })
  }
  if (rates.size === 1) context.unmeasured('throughput over 100,000 phrases over semantic-router', 'no semantic-router')
}

/** Vectors of phrases and queries, from the cache where they are; those of the phrases also as plain numbers for the peers. */
async function vectorsOf({ phrases, queries, cache }) {
  const { VectorStore } = await import('../../dist/match/vectors.js')
  const { phraseWords } = await import('../../dist/match/phrase-words.js')
  const { openEmbedder } = await import('../../dist/embed/embedder.js')
  const embedder = await openEmbedder()
  const { id, dimension } = embedder
  const of = async (dir, texts) => (await VectorStore.open(dir, id, dimension)).vectors(texts, async text => (await embedder.embed(text)).vector)
  const stored = await of(cache, phrases.map(phraseWords))
  const asked = await of(`${cache}-queries`, queries)
  await embedder.close()
  const plain = new Float32Array(stored.length * dimension)
  stored.forEach((vector, i) => plain.set(vector, i * dimension))
  writeFileSync(`${cache}.f32`, plain)
  return { id, dimension, stored, asked }
}

/** The stored graph at its own width, and at others for the curve, against the exact scan. */
async function recallOf(context, { phrases, vectors: { id, dimension, stored, asked }, cache }) {
  const { ScanIndex } = await import('../../dist/match/scan.js')
  const { openHnsw } = await import('../../dist/match/hnsw-store.js')
  const { phraseWords } = await import('../../dist/match/phrase-words.js')
  const { textId } = await import('../../dist/match/files.js')
  const exact = await ScanIndex.build(stored, dimension)
  const index = await openHnsw({ dir: cache, encoder: id, dimension, ids: phrases.map(text => textId(phraseWords(text))), vectorsOf: async keys => keys.map(key => stored[key]) })
  const best = asked.map(query => exact.search(query, 2))
  const curve = []
  for (const ef of [...new Set([200, 300, 400, 600, 800, index.state.ef])].sort((a, b) => a - b)) {
    const times = []
    let right = 0
    const before = process.cpuUsage()
    asked.forEach((query, i) => {
      const start = performance.now()
      const found = index.search(query, 2, ef)
      times.push(performance.now() - start)
      if (found.length === best[i].length && found.every(({ score }, place) => Math.abs(score - best[i][place].score) < 1e-5)) right++
    })
    const { user, system } = process.cpuUsage(before)
    curve.push({ ef, recall: right / asked.length, median: median(times), p99: percentile(times, 0.99), cpu: (user + system) / 1000 / asked.length })
  }
  const own = curve.find(({ ef }) => ef === index.state.ef)
  const told = curve.map(({ ef, recall, median: time, p99, cpu }) => `ef ${ef}: ${(recall * 100).toFixed(2)} % at ${short(time)} ms (p99 ${short(p99)}, processor time ${short(cpu)})`).join('; ')
  context.row(`recall of the two best, ${phrases.length} phrases, ${asked.length} queries, %`, own.recall * 100, { least: 99.9, detail: `ef ${own.ef}, ${index.state.strays.length} scanned beside the graph; ${told}` })
  context.row('match time at p99, 100,000 phrases', own.p99, { most: 3, unit: 'ms', detail: `median ${short(own.median)} ms` })
  context.pictures.set('recall', curve)
}
