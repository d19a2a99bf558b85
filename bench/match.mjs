/** `npm run bench:match -- --eval DIR [--data DIR] [--set NAME] [--held NAME] [--fresh]`: who fires on asks, and on nothing else, measured on the same labelled events. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openEmbedder } from '../dist/embed/embedder.js'
import { evalData } from '../dist/eval/data.js'
import { evalRoutes } from '../dist/eval/eval.js'
import { benchHeads } from './heads.mjs'
import { openAskScorer } from '../dist/reader/scorer.js'
import { loadRoutes } from '../dist/routes/load.js'
import { chatter, chatterLines } from './match/chatter.mjs'
import { hassil, plain, semanticRouter, usher } from './match/contenders.mjs'
import { write } from './match/report.mjs'
import { score } from './match/score.mjs'
import { Contender } from './peers/process.mjs'
import { ensurePeer } from './peers/setup.mjs'

const { values } = parseArgs({ options: { eval: { type: 'string' }, data: { type: 'string' }, set: { type: 'string', multiple: true }, held: { type: 'string', multiple: true }, fresh: { type: 'boolean' } } })
if (values.eval === undefined || !existsSync(values.eval)) {
  if (values.eval !== undefined) console.error(`there is no folder ${values.eval}`)
  console.error('give the folder of labelled sets: npm run bench:match -- --eval DIR [--data DIR]')
  process.exit(2)
}

const sets = readdirSync(values.eval).filter(name => name.endsWith('.json') && (values.set ?? [name]).some(wanted => name.includes(wanted))).sort()
  .map(name => ({ name: name.replace('.json', ''), ...evalData(JSON.parse(readFileSync(join(values.eval, name), 'utf8')), name) }))
const model = fileURLToPath(new URL('../models/all-MiniLM-L6-v2', import.meta.url))
const peer = file => fileURLToPath(new URL(`./peers/${file}`, import.meta.url))
const missing = []

function open(name, file) {
  const { python, missing: why } = ensurePeer(name)
  if (why === undefined) return new Contender(python, [peer(file), model, '2'])
  missing.push(`${name}: ${why}`)
  console.log(`skipped ${name}: ${why}`)
  return undefined
}

const routers = ['semantic-router-0.1.16', 'semantic-router-1.1.1'].flatMap(name => {
  const contender = open(name, 'semantic_router_peer.py')
  return contender ? [{ name: name.replace(/-(?=\d)/, ' '), contender }] : []
})
const ha = open('hassil-3.13.0', 'hassil_peer.py')
const embedder = await openEmbedder({ cacheSize: 20_000 })
const scorer = await openAskScorer()
if (!scorer) missing.push('the second reader: its model file is not there')
/** What a peer says of a set does not change: it is asked once for each form of the set and of its own script. */
const kept = fileURLToPath(new URL('../.usher/bench/match', import.meta.url))
mkdirSync(kept, { recursive: true })
async function once(name, script, set, ask) {
  const key = createHash('sha256').update(JSON.stringify([name, set])).update(readFileSync(peer(script))).digest('hex').slice(0, 24)
  const file = join(kept, `${key}.json`)
  if (!values.fresh && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const answers = await ask()
  writeFileSync(file, JSON.stringify(answers))
  return answers
}

const results = new Map()
const ms = []
for (const set of sets) {
  const answers = [...await usher(set, embedder, scorer)]
  for (const { name, contender } of routers) answers.push(...await once(name, 'semantic_router_peer.py', set, () => semanticRouter(name, contender, set)))
  if (ha) answers.push(...await once('hassil 3.13.0', 'hassil_peer.py', set, () => hassil(ha, set)))
  answers.push(...plain(set))
  ms.push(...answers[0].ms)
  for (const answer of answers) results.set(answer.name, [...results.get(answer.name) ?? [], { set: set.name, ...score(set.cases, answer) }])
  console.log(`${set.name}: ${set.cases.length} cases`)
}
for (const { contender } of routers) await contender.close()
await ha?.close()
if (values.data !== undefined) console.log(await benchHeads({ data: values.data, embedder, fresh: values.fresh ?? false }))
/** Sets of our own that no rule was written with and the second reader was not trained on. */
const leftOut = new Map()
const leftDir = fileURLToPath(new URL('../models/ask-reader/recipe/left-out', import.meta.url))
for (const file of readdirSync(leftDir).sort()) {
  const set = evalData(JSON.parse(readFileSync(join(leftDir, file), 'utf8')), file)
  for (const answer of await usher(set, embedder, scorer)) leftOut.set(answer.name, [...leftOut.get(answer.name) ?? [], { set: file.replace('.json', ''), ...score(set.cases, answer) }])
}
console.log(`left out: ${leftOut.values().next().value.length} sets`)
let lines
if (values.data !== undefined) {
  const said = chatterLines(values.data)
  const shipped = await loadRoutes([fileURLToPath(new URL('../routes', import.meta.url))])
  lines = [
    await chatter('Routes of the labelled sets', sets.map(({ name, routes }) => ({ name, routes: evalRoutes(routes) })), said, scorer),
    await chatter('The example routes that come with Usher', [{ name: 'routes', routes: [...shipped.routes.values()] }], said, scorer),
  ]
}
await scorer?.close()
await embedder.close()
console.log(write({ results, held: values.held ?? [], leftOut, ms, chatter: lines, missing, machine: `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}` }))
