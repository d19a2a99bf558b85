/** Reads labelled ask sets and chatter, and what the rules and the second reader say of each case. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createAskReader } from '../../dist/ask/reader.js'
import { openEmbedder } from '../../dist/embed/embedder.js'
import { evalData } from '../../dist/eval/data.js'
import { evalRoutes } from '../../dist/eval/eval.js'
import { buildMatcher } from '../../dist/match/matcher.js'
import { readerPairs } from '../../dist/reader/pairs.js'
import { scoreOf } from '../../dist/reader/second.js'
const ALLOWED = ['user', 'voice']
async function scored(scorer, pairs, text) {
  const scores = []
  for (const pair of pairs) {
    const before = performance.now()
    scores.push({ ...await scoreOf(scorer, text, pair), ms: performance.now() - before })
  }
  return scores
}
/** One table of routes with all that reads it. */
export async function bench(embedder, scorer, routes) {
  const table = evalRoutes(routes)
  const reader = createAskReader(table)
  const matcher = await buildMatcher(table.flatMap(route => route.phrases.map(phrase => ({ route: route.name, text: phrase.text }))), embedder)
  const byName = new Map(table.map(route => [route.name, route]))
  return async (text) => {
    const candidates = matcher.match(text, (await embedder.embed(text)).vector)
    const reading = reader.read(text, candidates)
    const pairs = readerPairs(text, reading, candidates, byName, () => true)
    return { reading, scores: await scored(scorer, pairs, text), top: candidates[0]?.score ?? 0 }
  }
}
export async function readSet(dir, set, scorer) {
  const data = evalData(JSON.parse(readFileSync(join(dir, `${set}.json`), 'utf8')), set)
  const embedder = await openEmbedder({ workers: 1 })
  const read = await bench(embedder, scorer, data.routes)
  const cases = []
  for (const item of data.cases.filter(each => ALLOWED.includes(each.source))) {
    cases.push({ set, text: item.text, kind: item.kind, route: item.route, ...await read(item.text) })
  }
  await embedder.close()
  return cases
}
/** Lines that nobody meant for a router. @param most a fixed share of them, spread over each file; default all */
export function chatterLines(dir, most = Infinity) {
  const names = ['alerts', 'chat', 'commits', 'issues', 'logs'].map(name => join(dir, 'chatter', `${name}.jsonl.gz`)).filter(existsSync)
  const lines = names.flatMap(file => gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n').map(line => JSON.parse(line).text))
  const every = Math.max(1, Math.ceil(lines.length / most))
  return lines.filter((_, at) => at % every === 0)
}
