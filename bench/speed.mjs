/** `npm run bench [-- --quick] [--check] [--data DIR] [--only SECTION]`: speed, as ratios of things measured side by side. */
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

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, check: { type: 'boolean' }, data: { type: 'string' }, only: { type: 'string', multiple: true } } })
const wanted = values.only ?? (values.quick ? QUICK : Object.keys(SECTIONS))
const unknown = wanted.filter(name => !Object.hasOwn(SECTIONS, name))
if (unknown.length > 0) {
  console.error(`unknown section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}`)
  process.exit(2)
}

const context = new Context({ quick: values.quick === true, data: values.data })
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
}
for (const name of Object.keys(SECTIONS)) if (!wanted.includes(name)) context.missing.push(`${name}: not part of this run`)
print(context)
const notes = fileURLToPath(new URL('./speed/notes.md', import.meta.url))
if (values.only === undefined) write(context, existsSync(notes) ? readFileSync(notes, 'utf8') : '')
console.log(summary(context))
if (values.check && (context.missing.length > 0 || context.rows.some(({ met }) => met === false))) process.exitCode = 1
