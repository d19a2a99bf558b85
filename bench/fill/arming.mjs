/**
 * Arming rules against a plain letter pattern, on real schemas, with precision and recall over flags that a person read.
 *
 *   npm run bench:arming -- --data DIR [--sample 200] [--unlabelled]
 *
 * Labels are in arming-labels.json: the digest of (server, tool, path) -> could some value of this flag cause, or no longer hold back, something that
 * outlasts the answer? `--unlabelled` lists what of the sample nobody has read yet.
 */
import { readFileSync } from 'node:fs'
import { flagsOf, sampleOf } from './flags.mjs'
import { options, readTools } from './material.mjs'

const given = options(process.argv.slice(2))
if (!given.get('data')) {
  console.error('usage: npm run bench:arming -- --data DIR [--sample 200] [--unlabelled]')
  process.exit(2)
}
const tools = readTools(given.get('data'))
const flags = flagsOf(tools)
const sample = sampleOf(flags, Number(given.get('sample') ?? 200))
const labels = new Map(Object.entries(JSON.parse(readFileSync(new URL('arming-labels.json', import.meta.url), 'utf8'))))
const read = sample.filter(({ key }) => labels.has(key))
if (given.has('unlabelled')) for (const flag of sample.filter(({ key }) => !labels.has(key))) console.log(`${flag.key} ${flag.at} ${JSON.stringify(flag.schema.enum ?? 'boolean').slice(0, 120)} ${String(flag.schema.description ?? '').replace(/\s+/g, ' ').slice(0, 120)}`)

const percent = (part, whole) => whole === 0 ? '-' : `${(100 * part / whole).toFixed(1)} %`
function row(name, raises) {
  const raised = read.filter(raises)
  const right = raised.filter(({ key }) => labels.get(key) === true)
  const armed = read.filter(({ key }) => labels.get(key) === true)
  return `| ${name} | ${flags.filter(raises).length} | ${right.length} of ${raised.length} | ${percent(right.length, raised.length)} | ${right.length} of ${armed.length} | ${percent(right.length, armed.length)} |`
}

console.log(`${tools.length} schemas, ${flags.length} flags (${flags.filter(({ kind }) => kind === 'boolean').length} booleans, ${flags.filter(({ kind }) => kind === 'list').length} lists of values); ${flags.filter(({ widens }) => widens).length} more lists have a value that means "all"`)
console.log(`sample ${sample.length}, read ${read.length}: every flag that either raises, then one of each other name in the order of a digest\n`)
console.log('| | flags raised | right | precision | found of those that arm | recall |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
console.log(row('plain letter pattern', ({ letters }) => letters))
console.log(row('arming rules', ({ ours }) => ours))
if (given.has('wrong')) for (const { key, at, ours } of read) if ((labels.get(key) === true) !== ours) console.log(`${ours ? 'wrongly raised' : 'missed'}: ${at}`)
