/**
 * The filler over real material: every schema with texts drawn from the data folders. Counts armed values (there must be none), crashes and time a call.
 *
 *   npm run bench:fill -- --data DIR[,DIR...] [--calls 100000] [--seed 1]
 */
import { fill } from '../../dist/fill/fill.js'
import { isArming } from '../../dist/schema/arming.js'
import { visibleFromForeign } from '../../dist/schema/visible.js'
import { options, quantile, readTexts, readTools } from './material.mjs'

const given = options(process.argv.slice(2))
const dirs = (given.get('data') ?? '').split(',').filter(dir => dir !== '')
if (dirs.length === 0) {
  console.error('usage: npm run bench:fill -- --data DIR[,DIR...] [--calls 100000] [--seed 1]')
  process.exit(2)
}
const calls = Number(given.get('calls') ?? 100_000)
let state = Number(given.get('seed') ?? 1) >>> 0
/** Mulberry32: the same seed draws the same pairs. */
function draw(below) {
  state = (state + 0x6D2B79F5) >>> 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below
}

const tools = readTools(dirs[0])
const usable = tools.filter(({ schema }) => visibleFromForeign(schema).kind === 'visible')
const texts = readTexts(dirs)
/** Wall and processor time in ms: on a busy machine only the second one tells about this program. */
const times = { first: [], later: [], firstCpu: [], laterCpu: [] }
const count = { filled: 0, unfilled: 0, values: 0, armed: 0, crashed: 0, unproven: 0 }
for (let call = 0; call < calls; call++) {
  const { server, tool, schema } = usable[call % usable.length]
  const text = texts[draw(texts.length)]
  const captures = capturesFrom(schema, text)
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  try {
    const result = fill({ visible: schema, text, captures, at: 1_790_000_000_000, timeZone: 'Europe/Berlin' })
    const wall = performance.now() - started
    const { user, system } = process.cpuUsage(cpu)
    const when = call < usable.length ? 'first' : 'later'
    times[when].push(wall)
    times[`${when}Cpu`].push((user + system) / 1000)
    count[result.kind]++
    for (const value of result.filled) {
      count.values++
      if (isArming(schema, value.path, value.value) || typeof value.value === 'boolean') { count.armed++; console.log(`ARMED ${server}/${tool} ${value.path}`) }
      if (!(value.start >= 0 && value.start < value.end && value.end <= text.length)) count.unproven++
    }
  } catch (error) {
    count.crashed++
    console.log(`CRASH ${server}/${tool}: ${error.stack}`)
  }
}
/** In every other call, a slot for one of the schema's properties holds a run of the text's words. */
function capturesFrom(schema, text) {
  const names = Object.keys(schema.properties ?? {})
  if (names.length === 0 || draw(2) === 0) return []
  const words = [...text.matchAll(/\S+/g)]
  if (words.length === 0) return []
  const first = draw(words.length)
  const last = Math.min(words.length - 1, first + draw(4))
  const span = { start: words[first].index, end: words[last].index + words[last][0].length }
  return [{ slot: { name: names[draw(names.length)] }, text: text.slice(span.start, span.end), span }]
}

const told = figures => {
  figures.sort((a, b) => a - b)
  return `p50 ${quantile(figures, 0.5).toFixed(3)}, p99 ${quantile(figures, 0.99).toFixed(3)}, p99.9 ${quantile(figures, 0.999).toFixed(3)}, most ${quantile(figures, 1).toFixed(3)}`
}
console.log(`${tools.length} schemas (${usable.length} usable), ${texts.length} texts, ${calls} calls`)
console.log(`filled ${count.filled}, unfilled ${count.unfilled}, values ${count.values}`)
console.log(`armed values ${count.armed}, values without a span ${count.unproven}, crashes ${count.crashed}`)
console.log(`ms, first call with a schema (compiles it): ${told(times.first)}; processor: ${told(times.firstCpu)}`)
console.log(`ms, later calls: ${told(times.later)}; processor: ${told(times.laterCpu)}`)
if (count.armed + count.crashed + count.unproven > 0) process.exitCode = 1
