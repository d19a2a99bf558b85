// How long do the page's answers take over a large log, and does the host's event loop go on meanwhile?
// npm run bench:console -- [events]     default 100,000 events, some 225,000 rows
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startConsole } from '../dist/console/server.js'
import { writeBigLog } from '../test/console/support/big-log.mjs'

const RUNS = 20
const events = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'usher-bench-console-'))
const file = join(folder, 'log.sqlite')
const end = Date.now()
const { rows } = writeBigLog(file, events, end, 25_000)
console.log(`${events} events, ${rows} rows, ${Math.round(statSync(file).size / 1e6)} MB`)

const server = await startConsole({ log: file })
const headers = { authorization: `Bearer ${server.address.split('#token=')[1]}` }
const get = async path => (await fetch(server.origin + path, { headers })).text()

const started = performance.now()
let text = await get('/')
console.log(`first answer  ${Math.round(performance.now() - started)} ms`)
while (text.includes('The log is being read')) text = await get('/')
console.log(`log read once ${Math.round(performance.now() - started)} ms`)

const middle = Math.round(rows / 2)
const id = (Math.floor(events / 20) * 10 + 4).toString(16).padStart(16, '0')
const pages = [['newest page', '/'], ['a page in the middle', `/?before=${middle}`], ['the oldest page', '/?before=120'], ['source', '/?source=chat'], ['outcome and route', '/?outcome=limited&route=route-3'], ['effects only', '/?effects=1'], ['words that are there', '/?text=needle'], ['words that are nowhere', '/?text=in+no+event'], ['30 days', '/?since=30d'], ['one call', `/event/c-${id}`], ['one event', `/event/e-${id}`], ['unexplained', '/unexplained'], ['routes', '/routes']]
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
for (const [name, path] of pages) {
  const times = []
  for (let run = 0; run < RUNS; run++) {
    const at = performance.now()
    await get(path)
    times.push(performance.now() - at)
  }
  times.sort((a, b) => a - b)
  console.log(`${name.padEnd(24)} median ${times[RUNS / 2].toFixed(1).padStart(7)} ms   worst ${times.at(-1).toFixed(1).padStart(7)} ms`)
}
delay.disable()
console.log(`host's event loop: 99 % of turns within ${(delay.percentile(99) / 1e6).toFixed(1)} ms, worst ${(delay.max / 1e6).toFixed(1)} ms; memory ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
await server.close()
rmSync(folder, { recursive: true, force: true })
