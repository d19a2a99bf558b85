/** npm run prove:soak -- --events 200000: that many events over HTTP to one server, with a progress bar, and the figures. Exit 1 for any fault. */
import { parseArgs } from 'node:util'
import { soak } from './soak-run.mjs'

const { values } = parseArgs({ options: { events: { type: 'string', default: '200000' }, clients: { type: 'string', default: '4' }, each: { type: 'string', default: '8' } } })
const [events, clients, each] = [values.events, values.clients, values.each].map(Number)
if (![events, clients, each].every(value => Number.isInteger(value) && value > 0)) {
  process.stderr.write('--events, --clients and --each must be whole numbers above 0\n')
  process.exit(2)
}

const WIDTH = 40
const MB = 1024 * 1024
/** Growth of the resident size from the second to the last quarter that still counts as flat. */
const FLAT = 1.1
const started = performance.now()
let said = 0
function onProgress(done, rss) {
  const share = Math.min(1, done / events)
  if (!process.stderr.isTTY && done - said < events / 20) return
  said = done
  const full = Math.round(WIDTH * share)
  const left = done === 0 ? '?' : Math.round((performance.now() - started) / done * (events - done) / 1000)
  const line = `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${done}/${events}, ${Math.round(rss / MB)} MB, ${left} s left`
  process.stderr.write(process.stderr.isTTY ? `\r${line.padEnd(90)}` : `${line}\n`)
}

const figures = await soak({ events, clients, each, onProgress })
if (process.stderr.isTTY) process.stderr.write('\n')
const { memory, faults } = figures
const grown = memory.growth > FLAT ? [`memory grew by ${((memory.growth - 1) * 100).toFixed(1)} % after the warm-up`] : []
process.stdout.write(`${[
  `events                  ${figures.events} from ${figures.clients} clients with ${figures.each} requests open each, in ${figures.seconds.toFixed(0)} s (${figures.perSecond.toFixed(0)} a second)`,
  `sent twice              ${figures.again}, each answered with its first outcome`,
  `asked for               ${figures.asked}, each called once`,
  `answered 429            ${figures.retried}`,
  `request to answer       p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms, longest ${figures.max.toFixed(0)} ms`,
  `resident size           ${[memory.second, memory.third, memory.last].map(bytes => `${(bytes / MB).toFixed(0)} MB`).join(', ')} in the second, third and last quarter (server and encoder)`,
  `faults                  ${faults.length + grown.length}`,
  ...[...faults, ...grown].map(fault => `  ${fault}`),
].join('\n')}\n`)
process.exit(faults.length + grown.length > 0 ? 1 : 0)
