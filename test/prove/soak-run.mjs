/** Sends events to a real server over HTTP from several clients, and compares what came back, what ran and what the log holds. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const Database = createRequire(import.meta.url)('better-sqlite3')

const ROUTES = `version: 1
routes:
  - name: record
    tool: record
    triggers: ["write it down", "write down {words:rest}"]
    from: [webhook]
    allow: [fs.write]
    must_fire: ["please write it down"]
    must_not_fire: ["why did you write it down?"]
`
const SUBJECTS = ['the nightly build', 'a background task', 'the backup', 'the test run', 'a download', 'the index', 'the memory map', 'a deployment', 'the printer', 'the calendar']
const VERBS = ['finished', 'started', 'failed', 'was skipped', 'is waiting', 'took longer than usual', 'was cancelled', 'needs attention']

/** One of twenty asks, one of a hundred is sent twice, half of the chatter is text that was not said before. */
function eventOf(nth) {
  const id = `soak-${nth}`
  if (nth % 20 === 0) return { id, text: `write down number ${nth}`, asks: true }
  const chatter = `${SUBJECTS[nth % SUBJECTS.length]} ${VERBS[nth % VERBS.length]}`
  return { id, text: nth % 2 === 0 ? chatter : `${chatter}, ${nth} items so far`, asks: false }
}

/** @param {{ events: number, clients: number, each?: number, onProgress?: (done: number, rss: number) => void }} options */
export async function soak({ events, clients, each = 8, onProgress = () => undefined }) {
  const folder = mkdtempSync(join(tmpdir(), 'usher-soak-'))
  const server = await start(folder)
  const tally = { sent: 0, answered: 0, retried: 0, wrong: [], latencies: new Float64Array(events + Math.ceil(events / 100) + 1), rss: [] }
  const began = performance.now()
  try {
    let next = 0
    const sample = setInterval(() => { tally.rss.push({ done: tally.answered, bytes: rssOf(server.child.pid) }); onProgress(tally.answered, tally.rss.at(-1).bytes) }, 500)
    await Promise.all(Array.from({ length: clients }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: each })
      await Promise.all(Array.from({ length: each }, async () => {
        while (next < events) {
          const nth = next++
          const event = eventOf(nth)
          await one(server, agent, event, false, tally)
          if (nth % 100 === 0) await one(server, agent, event, true, tally)
        }
      }))
      agent.destroy()
    }))
    clearInterval(sample)
    const seconds = (performance.now() - began) / 1000
    const code = await stop(server)
    return figures({ folder, events, clients, each, seconds, code, tally })
  } finally {
    server.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function one(server, agent, event, again, tally) {
  for (;;) {
    const began = performance.now()
    tally.sent++
    const { status, body, retryAfter } = await post(server, agent, event)
    if (status === 429) { tally.retried++; await new Promise(resolve => { setTimeout(resolve, retryAfter * 1000) }); continue }
    tally.latencies[tally.answered++] = performance.now() - began
    const kind = body?.outcomes?.[0]?.kind
    const right = status === 200 && body.id === event.id && body.source === 'webhook' && (body.duplicate === true) === again && (event.asks ? kind === 'called' : kind !== undefined && kind !== 'called')
    if (!right) tally.wrong.push(`${event.id}${again ? ' again' : ''}: ${status} ${JSON.stringify(body)?.slice(0, 200)}`)
    return
  }
}

function post(server, agent, { id, text }) {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port: server.port, path: '/events', method: 'POST', headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' } }, response => {
      let answer = ''
      response.setEncoding('utf8').on('data', part => { answer += part }).on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode, body: answer === '' ? undefined : JSON.parse(answer), retryAfter: Number(response.headers['retry-after'] ?? 1) }))
    })
    asked.on('error', reject)
    asked.end(JSON.stringify({ id, text }))
  })
}

async function start(folder) {
  const { TokenStore } = await import('../../dist/serve/tokens.js')
  const state = join(folder, 'state')
  mkdirSync(state, { mode: 0o700 })
  writeFileSync(join(folder, 'routes.yaml'), ROUTES)
  const token = new TokenStore(state).add({ name: 'soak', source: 'webhook', answers: 'full', at: Date.now() })
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, 'xdg'), USHER_TEST_RECORD: join(folder, 'record.txt') }
  const args = [join(ROOT, 'dist/cli/bin.js'), 'serve', '--json', '--state', state, '--log', join(folder, 'log.sqlite'), '--routes', join(folder, 'routes.yaml'), '--tools', join(ROOT, 'test/serve/tools.mjs')]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise((resolve, reject) => {
    let out = ''
    child.stdout.on('data', chunk => { out += chunk; if (out.includes('\n')) resolve(out) })
    child.once('exit', code => reject(new Error(`the server ended with ${code}`)))
  })
  return { child, port: Number(new URL(JSON.parse(line).address).port), token }
}

async function stop({ child }) {
  if (child.exitCode !== null) return child.exitCode
  const ended = new Promise(resolve => { child.once('exit', resolve) })
  child.kill('SIGTERM')
  return ended
}

/** The server and the processes of its encoder. */
function rssOf(pid) {
  const pids = [pid, ...childrenOf(pid)]
  return pids.reduce((sum, one) => sum + Number(/^VmRSS:\s+(\d+) kB$/m.exec(readStatus(one))?.[1] ?? 0) * 1024, 0)
}
function readStatus(pid) { try { return readFileSync(`/proc/${pid}/status`, 'utf8') } catch { return '' } }
function childrenOf(pid) { try { return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number) } catch { return [] } }

function figures({ folder, events, clients, each, seconds, code, tally }) {
  const db = new Database(join(folder, 'log.sqlite'), { readonly: true })
  const ids = db.prepare('SELECT sender_id AS id, count(*) AS times FROM rows WHERE kind = \'event\' AND source = \'webhook\' GROUP BY sender_id').all()
  const calls = db.prepare('SELECT count(*) FROM rows WHERE kind = \'call\'').pluck().get()
  const open = db.prepare('SELECT count(*) FROM (SELECT call_id FROM rows WHERE kind = \'call\' EXCEPT SELECT call_id FROM rows WHERE kind = \'outcome\')').pluck().get()
  db.close()
  const again = Math.ceil(events / 100)
  const times = new Map(ids.map(row => [row.id, row.times]))
  const recorded = readFileSync(join(folder, 'record.txt'), 'utf8').trim().split('\n')
  const asked = Math.ceil(events / 20)
  const faults = tally.wrong.slice(0, 20)
  if (tally.answered !== events + again) faults.push(`${tally.answered} answers for ${events + again} requests`)
  for (let nth = 0; nth < events; nth++) {
    const found = times.get(`soak-${nth}`) ?? 0
    const wanted = nth % 100 === 0 ? 2 : 1
    if (found !== wanted && faults.length < 40) faults.push(`soak-${nth} is ${found} times in the log instead of ${wanted}`)
  }
  if (recorded.length !== asked || new Set(recorded).size !== asked) faults.push(`${recorded.length} calls took effect (${new Set(recorded).size} different), ${asked} were asked for`)
  if (calls !== asked) faults.push(`${calls} calls in the log, ${asked} were asked for`)
  if (open !== 0) faults.push(`${open} calls have no end in the log`)
  if (code !== 0) faults.push(`the server ended with ${code}`)
  const latencies = tally.latencies.slice(0, tally.answered).sort()
  const at = share => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return { events, clients, each, seconds, perSecond: tally.answered / seconds, p50: at(0.5), p99: at(0.99), max: at(1), again, asked, retried: tally.retried, memory: memoryOf(tally.rss, events + again), faults }
}

/** Medians of the resident size in the second, third and last quarter: the first is the warm-up. */
function memoryOf(samples, total) {
  const quarter = nth => median(samples.filter(({ done }) => done >= total * nth / 4 && done < total * (nth + 1) / 4).map(({ bytes }) => bytes))
  const [second, third, last] = [1, 2, 3].map(quarter)
  return { second, third, last, growth: second > 0 ? last / second : 1 }
}
function median(values) { return values.length === 0 ? 0 : values.sort((a, b) => a - b)[Math.floor(values.length / 2)] }
