/* oxlint-disable no-console -- a command, not a test */
/**
 * The mutation check of the filler and the arming rules: each group of files with the tests written for it, so that a mutant must be caught where
 * it belongs. Prints the survivors and the score; ends with 1 below 90 %.
 *
 *   npm run mutate -- [GROUP...]      groups: arming, fill, read
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const GROUPS = {
  arming: { mutate: 'src/schema/arming.ts,src/schema/flag-names.ts,src/schema/flag-descriptions.ts,src/schema/words.ts', tests: 'test/schema/arming.test.ts,test/schema/flag-names.test.ts,test/schema/words.test.ts,test/schema/lint.test.ts' },
  fill: { mutate: 'src/fill/*.ts', tests: 'test/fill/*.test.ts' },
  read: { mutate: 'src/fill/read/*.ts', tests: 'test/fill/read/*.test.ts' },
}
const BREAK = 90

const asked = process.argv.slice(2)
const names = asked.length > 0 ? asked : Object.keys(GROUPS)
for (const name of names) if (!Object.hasOwn(GROUPS, name)) { console.error(`no group ${name}; there are ${Object.keys(GROUPS).join(', ')}`); process.exit(2) }

const total = { caught: 0, all: 0 }
for (const name of names) {
  const { mutate, tests } = GROUPS[name]
  const run = spawnSync('npx', ['stryker', 'run', 'test/prove-fill/stryker.json', '--mutate', mutate], { stdio: 'inherit', env: { ...process.env, MUTATE_TESTS: tests } })
  if (run.status !== 0) process.exit(1)
  const { caught, all } = told(name, JSON.parse(readFileSync('reports/mutation/last.json', 'utf8')))
  total.caught += caught
  total.all += all
}
const score = 100 * total.caught / total.all
console.log(`mutation score ${score.toFixed(1)} % (${total.caught} of ${total.all} mutants caught)`)
if (score < BREAK) { console.error(`below ${BREAK} %`); process.exitCode = 1 }

/** Caught: killed or timed out. Not counted: what does not compile, and mutants of what is computed once at the start. */
function told(name, report) {
  const mutants = Object.entries(report.files).flatMap(([file, { mutants }]) => mutants.map(mutant => ({ file, ...mutant })))
  const counted = mutants.filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status))
  const missed = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  for (const { file, location, mutatorName, replacement, status } of missed) console.log(`${status} ${file}:${location.start.line}:${location.start.column} ${mutatorName} ${String(replacement ?? '').replace(/\s+/g, ' ').slice(0, 100)}`)
  console.log(`${name}: ${counted.length - missed.length} of ${counted.length} caught`)
  return { caught: counted.length - missed.length, all: counted.length }
}
