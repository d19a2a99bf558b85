/**
 * `npm run bench:check [-- --update]`: has something become slower? Processor time of a few hot paths over that of a fixed loop, against the committed
 * figures with a generous bound, since counts of instructions are not to be had everywhere. Processor time, so that a busy machine does not decide.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { createAskReader } from '../dist/ask/reader.js'
import { openEmbedder } from '../dist/embed/embedder.js'
import { createUsher, defineTool } from '../dist/index.js'
import { buildMatcher } from '../dist/match/matcher.js'
import { hits, madeRoutes, misses } from './speed/texts.mjs'
import { median, short } from './speed/stats.mjs'
import { tableOf } from './speed/usher_table.mjs'

const FILE = fileURLToPath(new URL('./speed/baseline.json', import.meta.url))
/** How much more processor time than the committed figure is called slower. */
const BOUND = 1.6
const ROUNDS = 7

const scratch = mkdtempSync(join(tmpdir(), 'usher-check-'))
const routes = madeRoutes(1500)
const table = tableOf(routes)
const texts = [...hits(routes, 150), ...misses(150)]
const embedder = await openEmbedder()
const vectors = await Promise.all(texts.map(async text => (await embedder.embed(text)).vector))
const matcher = await buildMatcher(routes.flatMap(({ name, utterances }) => utterances.map(text => ({ route: name, text }))), embedder)
const reader = createAskReader(table.routes.values())
const tool = defineTool({ name: 'act', description: 'Does nothing.', input: z.object({}), presetOnly: z.object({ go: z.boolean() }), effects: { go: ['device.actuate'] }, run: () => 'done' })
const usher = await createUsher({ routes: table, tools: [tool], log: join(scratch, 'log.db'), model: embedder, cache: false })
const candidates = texts.map((text, i) => matcher.match(text, vectors[i]))

/** Name -> work on all texts. */
const WORK = {
  match: () => texts.forEach((text, i) => matcher.match(text, vectors[i])),
  read: () => texts.forEach((text, i) => reader.read(text, candidates[i])),
  embedKnown: async () => { for (const text of texts) await embedder.embed(text) },
  decide: async () => { for (const text of texts) await usher.decide({ source: 'user', text }) },
  handle: async () => { for (const text of texts) await usher.handle({ source: 'webhook', text }) },
}

async function processorMs(work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function fixedLoop() {
  const numbers = new Float64Array(4096).map((_, i) => Math.sin(i))
  let sum = 0
  for (let round = 0; round < 20_000; round++) for (let i = 0; i < numbers.length; i += 4) sum += numbers[i] * numbers[(i + round) & 4095]
  return sum
}

for (const work of [fixedLoop, ...Object.values(WORK)]) await processorMs(work)
const figures = {}
for (const [name, work] of Object.entries(WORK)) {
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) ratios.push(await processorMs(work) / await processorMs(fixedLoop))
  figures[name] = Number(median(ratios).toPrecision(3))
}
await usher.close()
await embedder.close()
rmSync(scratch, { recursive: true, force: true })

if (process.argv.includes('--update')) writeFileSync(FILE, `${JSON.stringify(figures, null, 2)}\n`)
const baseline = JSON.parse(readFileSync(FILE, 'utf8'))
let slower = 0
for (const [name, value] of Object.entries(figures)) {
  const known = baseline[name]
  const worse = !(value <= known * BOUND)
  if (worse) slower++
  console.log(`${name.padEnd(12)} ${short(value).padStart(7)} of the fixed loop, committed ${known === undefined ? 'none' : short(known)}${worse ? '  SLOWER' : ''}`)
}
console.log(slower === 0 ? `none of ${Object.keys(figures).length} is slower than ${BOUND} times the committed figure` : `${slower} slower`)
process.exitCode = slower === 0 ? 0 : 1
