/**
 * `npm run bench [-- --quick] [--check] [--data DIR] [--only SECTION [--write]]`: speed, as ratios of things measured side by side. The results page is written after
 * each section, so that a run that is cut off leaves what it has; with `--only` it is left alone unless `--write` says otherwise.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Context } from './speed/context.mjs'
import { curve } from './speed/curve.mjs'
import { events, repeats } from './speed/events.mjs'
import { large } from './speed/large.mjs'
import { log } from './speed/log.mjs'
import { memory } from './speed/memory.mjs'
import { observer } from './speed/observer.mjs'
import { print, summary, write } from './speed/report.mjs'
import { stalls } from './speed/stalls.mjs'
import { start } from './speed/start.mjs'
import { throughput } from './speed/throughput.mjs'

const SECTIONS = { events, repeats, throughput, start, stalls, log, observer, memory, curve, large }
const QUICK = ['events', 'repeats', 'throughput', 'start', 'stalls', 'log']

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, check: { type: 'boolean' }, data: { type: 'string' }, only: { type: 'string', multiple: true }, write: { type: 'boolean' } } })
const wanted = values.only ?? (values.quick ? QUICK : Object.keys(SECTIONS))
const unknown = wanted.filter(name => !Object.hasOwn(SECTIONS, name))
if (unknown.length > 0) {
  console.error(`unknown section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}`)
  process.exit(2)
}

const notesFile = fileURLToPath(new URL('./speed/notes.md', import.meta.url))
const left = new Set(Object.keys(SECTIONS))
const notRun = () => [...left].map(name => `${name}: not part of this run`)

function page() {
  if (values.only !== undefined && !values.write) return
  const notes = existsSync(notesFile) ? readFileSync(notesFile, 'utf8') : ''
  write({ ...context, machine: context.machine, missing: [...context.missing, ...notRun()] }, notes)
}

const context = new Context({ quick: values.quick === true, onePeer: values.quick === true && values.only === undefined, data: values.data })
console.log(context.machine)
for (const name of wanted) {
  const begin = performance.now()
  try {
    await SECTIONS[name](context)
  } catch (error) {
    context.unmeasured(name, error instanceof Error ? error.message : String(error))
  } finally {
    await context.closeAll()
  }
  console.log(`${name}: ${Math.round((performance.now() - begin) / 1000)} s`)
  left.delete(name)
  page()
}
context.missing.push(...notRun())
print(context)
console.log(summary(context))
if (values.check && (context.missing.length > 0 || context.rows.some(({ met }) => met === false))) process.exitCode = 1
