// What the observer costs in each situation: the same work with it and without it, in turns, as the ratio of processor times (1 = nothing), so
// that other programs on the machine don't count. Needs a build; prints one line for each workload and situation, and JSON last.
// node bench/effects.mjs [rounds=7]
import { mkdtempSync, promises, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installObserver } from '../dist/effects/observer.js'

const rounds = Number(process.argv[2] ?? 7)
const dir = mkdtempSync(join(tmpdir(), 'usher-bench-'))
const server = createServer((_request, response) => { response.end('hello') }).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address()
const agent = new Agent({ keepAlive: true })
const body = 'x'.repeat(4096)

const ask = options => new Promise((resolve, reject) => {
  get({ host: '127.0.0.1', port, ...options }, response => { response.on('end', resolve).resume() }).on('error', reject)
})
const workloads = {
  'http, kept connection': async () => { for (let nth = 0; nth < 300; nth++) await ask({ agent }) },
  'http, new connection': async () => { for (let nth = 0; nth < 200; nth++) await ask({ agent: false }) },
  'fetch': async () => { for (let nth = 0; nth < 300; nth++) await (await fetch(`http://127.0.0.1:${port}/`)).text() },
  'writeFileSync': async () => { for (let nth = 0; nth < 1500; nth++) writeFileSync(join(dir, `${nth % 50}`), body) },
  'promises.writeFile': async () => { for (let nth = 0; nth < 400; nth++) await promises.writeFile(join(dir, `${nth % 50}`), body) },
}
const situations = {
  'outside any call, nobody listening': (_observer, work) => work(),
  'in a call, recorded': (observer, work) => { observer.attach(() => undefined); return observer.run({ callId: `c${Math.random()}`, mode: 'observe', allowed: null }, work) },
  'in a call, enforced': (observer, work) => { observer.attach(() => undefined); return observer.run({ callId: `c${Math.random()}`, mode: 'enforce', allowed: [`fs.write:${dir}/*`, `http.request:GET http://127.0.0.1:${port}`] }, work) },
}

const timed = async work => { const start = process.cpuUsage(); await work(); const { user, system } = process.cpuUsage(start); return user + system }
const median = numbers => numbers.toSorted((one, two) => one - two)[numbers.length >> 1]

const results = []
for (const [workload, work] of Object.entries(workloads)) {
  for (const [situation, inside] of Object.entries(situations)) {
    const ratios = []
    for (let round = -1; round < rounds; round++) {
      const times = {}
      // The order changes from round to round, so that neither side always finds the caches warm.
      for (const side of round % 2 === 0 ? ['with', 'without'] : ['without', 'with']) {
        const observer = side === 'with' ? installObserver() : undefined
        times[side] = await timed(() => observer ? inside(observer, work) : work())
        observer?.uninstall()
      }
      if (round >= 0) ratios.push(times.with / times.without)
    }
    const ratio = median(ratios)
    results.push({ workload, situation, ratio: Number(ratio.toFixed(3)) })
    console.log(`${ratio.toFixed(3)}  ${workload}; ${situation}`)
  }
}
agent.destroy()
server.closeAllConnections()
server.close()
rmSync(dir, { recursive: true })
console.log(JSON.stringify({ node: process.version, rounds, results }))
