/** The naive version: the pipeline of @xenova/transformers and dot products in a loop. One JSON command a line, one answer a line. */
import { createInterface } from 'node:readline'
import { dirname } from 'node:path'

const started = performance.now()
const { env, pipeline } = await import('@xenova/transformers')
const modelDir = process.argv[2]
env.localModelPath = dirname(modelDir)
env.allowRemoteModels = false
const extract = await pipeline('feature-extraction', 'all-MiniLM-L6-v2')
const encode = async text => (await extract(text, { pooling: 'mean', normalize: true })).data

let phrases = []
async function load(routes) {
  phrases = []
  for (const { name, utterances } of routes) for (const text of utterances) phrases.push({ name, vector: await encode(text) })
}

async function route(text, threshold = 0.5) {
  const query = await encode(text)
  let best = { name: null, score: threshold }
  for (const { name, vector } of phrases) {
    let score = 0
    for (let i = 0; i < query.length; i++) score += query[i] * vector[i]
    if (score > best.score) best = { name, score }
  }
  return best.name
}

async function timed(work, texts) {
  const ms = []
  const results = []
  for (const text of texts) {
    const start = performance.now()
    results.push(await work(text))
    ms.push(performance.now() - start)
  }
  return { ms, results }
}

async function answer({ op, routes, texts }) {
  const start = performance.now()
  switch (op) {
    case 'load': await load(routes); return { ms: performance.now() - start, sinceStart: performance.now() - started }
    case 'encode': return { ms: (await timed(encode, texts)).ms }
    case 'route': { const { ms, results } = await timed(route, texts); return { ms, routes: results } }
    case 'throughput': for (const text of texts) await route(text); return { ms: performance.now() - start }
    default: throw new Error(`unknown command ${op}`)
  }
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`)
