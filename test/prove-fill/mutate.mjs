/* oxlint-disable no-console -- a command, not a test */
/**
 * The mutation check of the filler and the arming rules: each group of files with the tests written for it, so that a mutant must be caught where
 * it belongs. Prints the survivors and the score; ends with 1 below 90 %.
 *
 *   npm run mutate -- [GROUP...] [--every N]      groups: arming, fill, read; --every: a sample, the mutants of one line in N
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const GROUPS = {
  arming: { mutate: 'src/schema/arming.ts,src/schema/flag-names.ts,src/schema/flag-descriptions.ts,src/schema/words.ts', tests: 'test/schema/arming.test.ts,test/schema/flag-names.test.ts,test/schema/words.test.ts,test/schema/lint.test.ts' },
  fill: { mutate: 'src/fill/*.ts', tests: 'test/fill/*.test.ts' },
  read: { mutate: 'src/fill/read/*.ts', tests: 'test/fill/read/*.test.ts' },
}
const BREAK = 90

const given = process.argv.slice(2)
const option = given.indexOf('--every')
const every = option < 0 ? 1 : Number(given[option + 1])
if (!Number.isInteger(every) || every < 1) { console.error('--every takes a whole number'); process.exit(2) }
const asked = option < 0 ? given : given.toSpliced(option, 2)
const names = asked.length > 0 ? asked : Object.keys(GROUPS)
for (const name of names) if (!Object.hasOwn(GROUPS, name)) { console.error(`no group ${name}; there are ${Object.keys(GROUPS).join(', ')}`); process.exit(2) }

const total = { caught: 0, all: 0 }
for (const name of names) {
  const { mutate, tests } = GROUPS[name]
  const run = spawnSync('npx', ['stryker', 'run', 'test/prove-fill/stryker.json', '--mutate', every === 1 ? mutate : sampled(mutate)], { stdio: 'inherit', env: { ...process.env, MUTATE_TESTS: tests } })
  if (run.status !== 0) process.exit(1)
  const { caught, all } = told(name, JSON.parse(readFileSync('reports/mutation/last.json', 'utf8')))
  total.caught += caught
  total.all += all
}
const score = 100 * total.caught / total.all
console.log(`mutation score ${score.toFixed(1)} % (${total.caught} of ${total.all} mutants caught)`)
if (score < BREAK) { console.error(`below ${BREAK} %`); process.exitCode = 1 }

/** One line in N of each file; a mutant that reaches over several lines is in none of them. */
function sampled(patterns) {
  return patterns.split(',').flatMap(pattern => pattern.endsWith('/*.ts') ? readdirSync(dirname(pattern)).filter(name => name.endsWith('.ts')).map(name => join(dirname(pattern), name)) : [pattern]).sort().flatMap(file => {
    const lines = readFileSync(file, 'utf8').split('\n').length
    return Array.from({ length: Math.floor(lines / every) }, (_, nth) => `${file}:${(nth + 1) * every}-${(nth + 1) * every}`)
  }).join(',')
}

/** Caught: killed or timed out. Not counted: what does not compile, and mutants of what is computed once at the start. */
function told(name, report) {
  const mutants = Object.entries(report.files).flatMap(([file, { mutants }]) => mutants.map(mutant => ({ file, ...mutant })))
  const counted = mutants.filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status))
  const missed = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  for (const { file, location, mutatorName, replacement, status } of missed) console.log(`${status} ${file}:${location.start.line}:${location.start.column} ${mutatorName} ${String(replacement ?? '').replace(/\s+/g, ' ').slice(0, 100)}`)
  console.log(`${name}: ${counted.length - missed.length} of ${counted.length} caught`)
  return { caught: counted.length - missed.length, all: counted.length }
}
