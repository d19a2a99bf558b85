/** npm run prove:crash -- --runs 1000: kills a runtime so many times, with a progress bar, and prints the figures. Exit 1 for any fault. */
import { parseArgs } from 'node:util'
import { crashRuns } from './harness.mjs'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write(`--runs must be a whole number above 0, got ${values.runs}\n`)
  process.exit(2)
}

const WIDTH = 40
const started = performance.now()
function bar(done, figures) {
  if (!process.stderr.isTTY && done % 50 !== 0 && done !== runs) return
  const full = Math.round(WIDTH * done / runs)
  const left = Math.round((performance.now() - started) / done * (runs - done) / 1000)
  const line = `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${done}/${runs}, ${figures.calls} calls, ${figures.cut} cut off, ${figures.faults.length} faults, ${left} s left`
  process.stderr.write(process.stderr.isTTY ? `\r${line.padEnd(110)}` : `${line}\n`)
}

const figures = await crashRuns({ runs, seed: Number(values.seed), onRun: bar })
if (process.stderr.isTTY) process.stderr.write('\n')
process.stdout.write(`${[
  `rounds                          ${figures.runs} (${figures.kills} processes killed with SIGKILL)`,
  `calls logged                    ${figures.calls}`,
  `effects that happened           ${figures.effects}, each with a call's row and an effect's row from before it`,
  `calls cut off in flight         ${figures.cut}, all read unknown (crashed); the effect of ${figures.cutAfterEffect} of them had happened`,
  `faults                          ${figures.faults.length}`,
  ...figures.faults.map(fault => `  ${fault}`),
].join('\n')}\n`)
process.exit(figures.faults.length > 0 ? 1 : 0)
