/**
 * Rules alone against rules with the second reader.
 *
 * usage: npm run build && node bench/reader/run.mjs --eval DIR [--data DIR] --sets A,B [--kept C,D] [--fit FILE] [--chatter N] [--model DIR] [--skip FILE]
 *   --sets  ask sets that the reader was not trained on: figures by kind
 *   --kept  sets that stay unread: totals only
 *   --skip  JSON list of chatter lines (first 300 characters) that the reader was trained on
 *   --fit   chooses the thresholds on --sets and writes them there
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedder } from '../../dist/embed/embedder.js'
import { evalData } from '../../dist/eval/data.js'
import { openAskScorer } from '../../dist/reader/scorer.js'
import { bench, chatterLines, readSet } from './cases.mjs'
import { asked, figures, HEAD, percentile, row } from './figures.mjs'
import { fit } from './fit.mjs'
const { values } = parseArgs({ options: {
    eval: { type: 'string' }, data: { type: 'string' }, sets: { type: 'string', default: '' }, kept: { type: 'string', default: '' },
    fit: { type: 'string' }, chatter: { type: 'string', default: '2000' }, model: { type: 'string' }, skip: { type: 'string' },
  } })
const dir = values.eval ?? ''
const names = (list) => list.split(',').filter(Boolean)
const scorer = await openAskScorer(values.model ? { modelDir: values.model } : {})
if (!scorer)
  throw new Error('no reader to measure')
async function readAll(sets) {
  const cases = []
  for (const set of sets) {
    cases.push(...await readSet(dir, set, scorer))
    console.error(`${set} read`)
  }
  return cases
}
function report(title, cases, thresholds, kinds) {
  const alone = figures(cases, undefined)
  const both = figures(cases, thresholds)
  console.log(`\n## ${title}\n\n${HEAD}\n${row('rules alone', alone.all)}\n${row('rules and reader', both.all)}\n${row('the same, `reader: fire`', figures(cases, thresholds, true).all)}`)
  if (kinds)
    for (const key of [...both.byKind.keys()].sort())
      console.log(`${row(`${key}: rules`, alone.byKind.get(key) ?? both.all)}\n${row(`${key}: both`, both.byKind.get(key) ?? both.all)}`)
  const ran = cases.filter(item => item.scores.length > 0)
  const ms = ran.map(item => asked(item, thresholds).reduce((sum, score) => sum + score.ms, 0))
  console.log(`\nrun on ${ran.length} of ${cases.length} (${(100 * ran.length / cases.length).toFixed(1)} %); ms an event where it runs: p50 ${percentile(ms, 0.5).toFixed(1)}, p95 ${percentile(ms, 0.95).toFixed(1)}`)
}
const cases = await readAll(names(values.sets))
let thresholds = scorer.thresholds
if (values.fit) {
  const fitted = fit(cases)
  thresholds = fitted.thresholds
  writeFileSync(values.fit, `${JSON.stringify({ model: scorer.id, ...thresholds, fitted: { sets: names(values.sets), ...fitted.about } }, null, 2)}\n`)
}
console.log(`reader ${scorer.id}, thresholds ${JSON.stringify(thresholds)}`)
if (cases.length > 0)
  report(`left out: ${values.sets}`, cases, thresholds, true)
const kept = await readAll(names(values.kept))
if (kept.length > 0)
  report(`kept: ${values.kept}`, kept, thresholds, false)
if (values.data) {
  const routes = [...names(values.sets), ...names(values.kept)].flatMap(set => evalData(JSON.parse(readFileSync(join(dir, `${set}.json`), 'utf8')), set).routes)
  const embedder = await openEmbedder({ workers: 1 })
  const read = await bench(embedder, scorer, routes.filter((route, at) => routes.findIndex(other => other.name === route.name) === at))
  const seen = new Set(values.skip ? JSON.parse(readFileSync(values.skip, 'utf8')) : [])
  const lines = chatterLines(values.data, Number(values.chatter)).filter(line => !seen.has(line.slice(0, 300)))
  const found = []
  for (const text of lines)
    found.push({ set: 'chatter', text, kind: 'chatter', route: null, ...await read(text) })
  report(`chatter: ${lines.length} lines against ${routes.length} routes`, found, thresholds, false)
  await embedder.close()
}
await scorer.close()
