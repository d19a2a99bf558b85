/* oxlint-disable no-console -- a command, not a test */
/**
 * The filler's properties with as many cases as you like.
 *
 *   npm run prove -- [--cases 1000000] [--seed N]
 *
 * The seed is printed first: the same seed and number give the same cases. Ends with 1 and the smallest counterexample when a property fails.
 */
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { runnerImport } from 'vite'

const USAGE = 'usage: npm run prove -- [--cases 1000000] [--seed N]'

function options(argv) {
  const given = { cases: 1_000_000, seed: randomInt(2 ** 31) }
  for (let at = 0; at < argv.length; at += 2) {
    const name = argv[at]?.slice(2)
    const value = Number(argv[at + 1])
    if (!argv[at]?.startsWith('--') || !Object.hasOwn(given, name) || !Number.isInteger(value) || value < 1) { console.error(USAGE); process.exit(2) }
    given[name] = value
  }
  return given
}

const { cases, seed } = options(process.argv.slice(2))
const { module } = await runnerImport(fileURLToPath(new URL('properties.ts', import.meta.url)), { configFile: false, logLevel: 'error' })
/** How the cases are shared out: most to the filler itself. */
const SHARES = [0.8, 0.125, 0.025, 0.05]
/** Short runs, each with a seed of its own, so that progress shows and a failure names a seed that repeats it at once. */
const RUN = 50

console.log(`${cases} cases, seed ${seed}`)
let done = 0
progress.shown = 0
const started = performance.now()
for (const [index, { name, property, perRun }] of module.PROPERTIES.entries()) {
  const runs = Math.ceil(cases * SHARES[index] / perRun)
  for (let run = 0; run < runs; run += RUN) {
    const numRuns = Math.min(RUN, runs - run)
    const details = fc.check(property, { seed: (seed + index * 7_919 + run) | 0, numRuns })
    if (details.failed) {
      progress(true)
      console.error(`${name}\n${fc.defaultReportMessage(details)}\n${details.errorInstance?.stack ?? ''}`)
      process.exit(1)
    }
    done += numRuns * perRun
    progress(false)
  }
}
progress(true)
console.log(`held in ${done} cases, seed ${seed}, ${Math.round((performance.now() - started) / 1000)} s`)

/** A bar on a terminal, a line now and then elsewhere. */
function progress(last) {
  const share = Math.min(1, done / cases)
  const line = `${'#'.repeat(Math.round(share * 30)).padEnd(30, '.')} ${Math.floor(share * 100)} % ${done}`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${last ? '\n' : ''}`)
  else if (last || Math.floor(share * 20) > progress.shown) { progress.shown = Math.floor(share * 20); console.log(line) }
}
