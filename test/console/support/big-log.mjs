// A log of many rows in the real format, written by the built log in large transactions: what a busy month leaves behind.
import { openForWriting } from '../../../dist/log/connection.js'
import { Journal } from '../../../dist/log/journal.js'
import { callRow, decisionRow, effectRow, eventRow, outcomeRow } from '../../../dist/log/rows.js'
import { Secrets } from '../../../dist/log/secrets.js'
import { openSqliteLog } from '../../../dist/log/sqlite.js'

const SOURCES = ['notification', 'webhook:ci', 'chat:alice', 'chat:bo', 'user', 'voice', 'file']
const HELD = ['no-match', 'source-blocked', 'not-explicit', 'no-match', 'limited', 'unfilled', 'duplicate']
const BATCH = 2000

export function writeBigLog(file, events, end, stepMs) {
  openSqliteLog(file, { stateDir: `${file}.state` }).close()
  const { db } = openForWriting(file, 5000)
  db.pragma('synchronous = OFF')
  const journal = new Journal(db, file)
  const secrets = new Secrets(Buffer.alloc(32, 7))
  let waiting = []
  let rows = 0
  const flush = () => {
    rows += waiting.length
    if (waiting.length > 0) journal.append(waiting)
    waiting = []
  }
  for (let n = 0; n < events; n++) {
    waiting.push(...rowsOf(n, end - (events - n) * stepMs, secrets))
    if (waiting.length >= BATCH) flush()
  }
  flush()
  db.close()
  return { events, rows }
}

function rowsOf(n, at, secrets) {
  const hex = n.toString(16).padStart(16, '0')
  const [eventId, decisionId, callId, route, tool] = [`e-${hex}`, `d-${hex}`, `c-${hex}`, `route-${n % 40}`, `tool-${n % 12}`]
  const called = n % 10 === 4
  const text = `build ${n} of the memory map took ${n % 97} s and left ${n % 13} orphans behind; ${n % 1000 === 0 ? 'needle' : 'hay'}`
  const event = eventRow({ eventId, senderId: `s-${n}`, source: SOURCES[n % SOURCES.length], text, textLength: text.length, at }, secrets)
  const decision = decisionRow({
    decisionId, eventId, nth: 0, kind: called ? 'called' : HELD[n % HELD.length], reason: called ? 'ask' : 'below-threshold', why: 'the words say so', route, tool, phrase: 'show the memory map', score: 0.63, margin: 0.02,
    nearMisses: [{ route: `route-${(n + 1) % 40}`, phrase: 'show me the memory map', score: 0.61, threshold: 0.8, reason: 'below-threshold' }], gate: [{ rule: 'source', passed: true, detail: 'user' }], reading: [], origins: {},
    tableHash: 't', encoderId: 'e', at: at + 5, ...(called ? { callId } : {}),
  }, secrets)
  if (!called) return [event, decision]
  const call = callRow({ callId, by: 'router', tool, route, eventId, decisionId, explicit: true, args: { open: true }, presetBytes: '{"open":true}', origins: {}, allowed: ['browser.open'], at: at + 6 }, secrets)
  const effects = n % 20 === 4 ? [effectRow({ kind: 'process.start', target: '/usr/bin/xdg-open', blocked: n % 100 === 4, callId, at: at + 7, watcher: 'node' }, secrets)] : []
  return [event, decision, call, ...effects, outcomeRow({ callId, kind: 'called', reason: 'ask', why: 'the handler returned', result: {}, at: at + 9, ms: 3 }, secrets)]
}
