// What the observer costs in each situation, in processor time, so that other programs on the machine count little: every pair is two fresh
// processes, one after the other, in changing order, and the figure is the median of the pairs' ratios (1 = nothing). Needs a build.
// node bench/effects.mjs [pairs=9] [count=3000]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SITUATIONS = {
  idle: 'installed, no call, nobody listening',
  listen: 'no call, recorded',
  observe: 'in a call, recorded',
  log: 'in a call, recorded in a real log',
  enforce: 'in a call, held back to what it may',
}
const WORKLOADS = { files: 'file writes', http: 'HTTP requests, a connection each', keep: 'HTTP requests over kept connections' }

/** How the work is run in a situation; `plain` has no observer at all. */
async function runner(situation, dir) {
  if (situation === 'plain') return work => work()
  const { installObserver } = await import('../dist/effects/observer.js')
  const observer = installObserver()
  if (situation === 'idle') return work => work()
  if (situation === 'log') {
    const { openSqliteLog } = await import('../dist/log/sqlite.js')
    const log = openSqliteLog(join(dir, 'log.sqlite'), { stateDir: dir, background: (name, work) => observer.background(`usher:${name}`, work) })
    observer.attach(effect => log.effect(effect))
    return work => observer.run({ callId: 'bench', mode: 'observe', allowed: [] }, work)
  }
  observer.attach(() => undefined)
  if (situation === 'listen') return work => work()
  return work => observer.run({ callId: 'bench', mode: situation, allowed: [`fs.write:${tmpdir()}/*`, 'http.request:GET http://127.0.0.1:*'] }, work)
}

async function work(workload, situation, count) {
  const dir = mkdtempSync(join(tmpdir(), 'usher-bench-'))
  const run = await runner(situation, dir)
  const server = createServer((_request, response) => { response.end('ok') })
  await new Promise(done => { server.listen(0, '127.0.0.1', done) })
  const { port } = server.address()
  const ask = agent => new Promise((resolve, reject) => { get({ port, host: '127.0.0.1', agent }, response => { response.on('end', resolve).resume() }).on('error', reject) })
  const agent = new Agent({ keepAlive: true })
  const once = { files: async nth => { writeFileSync(join(dir, String(nth % 100)), 'some text of a file') }, http: () => ask(false), keep: () => ask(agent) }[workload]
  const repeat = async times => { for (let nth = 0; nth < times; nth++) await once(nth) }
  await run(() => repeat(count / 5))
  const before = process.cpuUsage()
  await run(() => repeat(count))
  const { user, system } = process.cpuUsage(before)
  rmSync(dir, { recursive: true })
  process.stdout.write(String((user + system) / count))
  process.exit(0)
}

function measured(workload, situation, count) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--work', workload, situation, String(count)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the ${workload} work ended with ${status}: ${stderr}`)
  return Number(stdout)
}

const [first, ...rest] = process.argv.slice(2)
if (first === '--work') await work(rest[0], rest[1], Number(rest[2]))
const [pairs, count] = [Number(first ?? 9), Number(rest[0] ?? 3000)]
const median = numbers => numbers.toSorted((one, two) => one - two)[numbers.length >> 1]
const results = []
for (const [workload, what] of Object.entries(WORKLOADS)) {
  for (const [situation, where] of Object.entries(SITUATIONS)) {
    const found = Array.from({ length: pairs }, (_, nth) => {
      const order = nth % 2 === 0 ? ['plain', situation] : [situation, 'plain']
      const times = Object.fromEntries(order.map(side => [side, measured(workload, side, count)]))
      return { ratio: times[situation] / times.plain, extra: times[situation] - times.plain }
    })
    const ratio = median(found.map(pair => pair.ratio))
    const extra = median(found.map(pair => pair.extra))
    results.push({ workload, situation, ratio: Number(ratio.toFixed(3)), extraMicroseconds: Number(extra.toFixed(1)) })
    console.log(`${ratio.toFixed(3)}  ${extra.toFixed(1).padStart(6)} µs more for each  ${what}; ${where}`)
  }
}
console.log(JSON.stringify({ node: process.version, pairs, count, results }))
