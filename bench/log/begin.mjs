/**
 * What does a call's row cost over the least that could be durable: one INSERT of as many bytes, WAL, synchronous=FULL?
 *
 * node bench/log/begin.mjs [--rounds 40] [--folder DIR]. The two take turns in small batches, so that a busy disk slows both alike.
 */
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSqliteLog } from '../../dist/log/sqlite.js'
import { median, percentile, short } from '../speed/stats.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '40' }, folder: { type: 'string', default: tmpdir() } } })
const ROUNDS = Number(values.rounds)
const BATCH = 25
const dir = mkdtempSync(join(values.folder, 'usher-bench-log-'))

const bare = new Database(join(dir, 'bare.db'))
bare.pragma('journal_mode = WAL')
bare.pragma('synchronous = FULL')
bare.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)')
const insert = bare.prepare('INSERT INTO t (body) VALUES (?)')
const log = openSqliteLog(join(dir, 'log.db'), { stateDir: join(dir, 'state') })

let n = 0
const callRow = callId => ({
  callId, by: 'router', tool: 'call_console', route: 'open-console', explicit: true, args: { open: true, note: 'a few words that a person said' }, presetBytes: '{"open":true}',
  origins: { '/note': { kind: 'event', start: 3, end: 30, how: 'rest' } }, allowed: ['browser.open'], at: Date.now(),
})
log.begin(callRow('size'))
const sizes = new Database(join(dir, 'log.db'), { readonly: true })
const bytes = sizes.prepare('SELECT length(body) + length(hash) + length(prev) FROM rows ORDER BY seq DESC LIMIT 1').pluck().get()
sizes.close()
const body = 'x'.repeat(bytes)

function timed(work) {
  const times = []
  for (let i = 0; i < BATCH; i++) {
    const started = performance.now()
    work()
    times.push(performance.now() - started)
  }
  return times
}

const found = { bare: [], begin: [], end: [] }
const ratios = { begin: [], end: [] }
for (let round = 0; round < ROUNDS + 2; round++) {
  const ids = Array.from({ length: BATCH }, () => `call-${n++}`)
  const turns = { bare: timed(() => insert.run(body)), begin: [], end: [] }
  let i = 0
  turns.begin = timed(() => log.begin(callRow(ids[i++])))
  i = 0
  turns.end = timed(() => log.end({ callId: ids[i++], kind: 'called', reason: 'ask', why: 'asked for in words; call_console ran', result: { url: 'http://127.0.0.1:4000', opened: true }, at: Date.now(), ms: 12 }))
  // The first rounds warm up.
  if (round < 2) continue
  for (const name of ['bare', 'begin', 'end']) found[name].push(...turns[name])
  for (const name of ['begin', 'end']) ratios[name].push(median(turns[name]) / median(turns.bare))
}
log.close()
bare.close()
rmSync(dir, { recursive: true, force: true })

console.log(`${ROUNDS} rounds of ${BATCH}, a row of ${bytes} bytes, in ${values.folder}`)
console.log('what          p50 ms    p95 ms    over bare (median of rounds)')
for (const name of ['bare', 'begin', 'end']) console.log(`${name.padEnd(12)}  ${short(median(found[name])).padStart(6)}    ${short(percentile(found[name], 0.95)).padStart(6)}    ${name === 'bare' ? '1' : short(median(ratios[name]))}`)
