// What breaks first with 10,000 machines: a simulation over measured latencies.
//   node test/fleet/run.mjs throughput > bench/fleet/measured.json     (measured: real PostgreSQL, real encoder, this machine)
//   node bench/fleet/plan.mjs [bench/fleet/measured.json]              (simulated: arrivals, queues, many databases)
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const measured = JSON.parse(readFileSync(process.argv[2] ?? fileURLToPath(new URL('measured.json', import.meta.url)), 'utf8'))
const MACHINES = 10_000
const EVENTS_A_DAY = 2_000
const CALLS = 0.05
/** The busiest minute over the average one. */
const PEAK = 10
/** What a server works on at once: its cores. */
const LANES = measured.cores

let state = 1
const random = () => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 2 ** 32 }
const draw = list => list[Math.floor(random() * list.length)]
const quantile = (list, q) => list[Math.min(list.length - 1, Math.floor(q * list.length))]

/** Events arrive by chance at a rate; each takes a lane for a measured time. Gives the wait until it is written, ms. */
function simulate(perSecond, events = 40_000) {
  const free = new Float64Array(LANES)
  const waits = []
  let now = 0
  for (let i = 0; i < events; i++) {
    now += -Math.log(1 - random()) * 1000 / perSecond
    let lane = 0
    for (let l = 1; l < LANES; l++) if (free[l] < free[lane]) lane = l
    const start = Math.max(now, free[lane])
    free[lane] = start + draw(random() < CALLS ? measured.log.calledMs : measured.log.heldMs)
    waits.push(free[lane] - now)
  }
  waits.sort((a, b) => a - b)
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99) }
}

const peakPerSecond = MACHINES * EVENTS_A_DAY / 86_400 * PEAK
const rowsPerEvent = measured.log.rowsPerHeld * (1 - CALLS) + measured.log.rowsPerCalled * CALLS
const bytesADay = MACHINES * EVENTS_A_DAY * rowsPerEvent * measured.log.bytesPerRow
const rows = [1, 2, 4, 8, 16, 32].map(databases => ({ databases, perSecond: peakPerSecond / databases, ...simulate(peakPerSecond / databases) }))
console.log(`machines ${MACHINES}, ${EVENTS_A_DAY} events a day each, ${CALLS * 100} % of them call, peak ${PEAK} times the average: ${Math.round(peakPerSecond)} events a second in the busiest minute`)
console.log(`measured: ${measured.log.bytesPerRow} bytes a row with indexes, ${rowsPerEvent.toFixed(2)} rows an event: ${(bytesADay / 1e9).toFixed(0)} GB a day, ${(bytesADay * 90 / 1e12).toFixed(1)} TB in 90 days over all databases`)
console.log(`measured: held event p50 ${quantile(measured.log.heldMs, 0.5)} ms, p99 ${quantile(measured.log.heldMs, 0.99)} ms; called p50 ${quantile(measured.log.calledMs, 0.5)} ms, p99 ${quantile(measured.log.calledMs, 0.99)} ms`)
console.log('\nsimulated, databases | events/s each | wait until written p50 ms | p99 ms')
for (const row of rows) console.log(`${String(row.databases).padStart(20)} | ${row.perSecond.toFixed(0).padStart(13)} | ${row.p50.toFixed(1).padStart(25)} | ${row.p99 > 60_000 ? 'grows without end' : row.p99.toFixed(1)}`)
