/** A log of many rows in the real format, written in large transactions: what a busy month leaves behind. */
import { openForWriting } from '../../../src/log/connection.ts'
import { Journal } from '../../../src/log/journal.ts'
import { openSqliteLog } from '../../../src/log/sqlite.ts'
import { callRow, decisionRow, effectRow, eventRow, outcomeRow, type PendingRow } from '../../../src/log/rows.ts'
import { Secrets } from '../../../src/log/secrets.ts'
import type { OutcomeKind } from '../../../src/types.ts'
import { callOf, decisionOf, effectOf, endOf, eventOf } from '../../log/support/rows.ts'

const SOURCES = ['notification', 'webhook:ci', 'chat:alice', 'chat:bo', 'user', 'voice', 'file']
const HELD: readonly OutcomeKind[] = ['no-match', 'source-blocked', 'not-explicit', 'no-match', 'limited', 'unfilled', 'duplicate']
const BATCH = 2000

export interface BigLog { readonly events: number, readonly rows: number }

/** One event in ten is called, one call in two has an effect. @param end time of the last event @param stepMs between two events */
export function writeBigLog(file: string, events: number, end: number, stepMs: number): BigLog {
  openSqliteLog(file, { stateDir: `${file}.state` }).close()
  const { db } = openForWriting(file, 5000)
  db.pragma('synchronous = OFF')
  const journal = new Journal(db, file)
  const secrets = new Secrets(Buffer.alloc(32, 7))
  let waiting: PendingRow[] = []
  let rows = 0
  const flush = (): void => { rows += waiting.length; if (waiting.length > 0) journal.append(waiting); waiting = [] }
  for (let n = 0; n < events; n++) {
    waiting.push(...rowsOf(n, end - (events - n) * stepMs, secrets))
    if (waiting.length >= BATCH) flush()
  }
  flush()
  db.close()
  return { events, rows }
}

function rowsOf(n: number, at: number, secrets: Secrets): readonly PendingRow[] {
  const source = SOURCES[n % SOURCES.length] ?? 'user'
  const called = n % 10 === 4
  const kind: OutcomeKind = called ? 'called' : HELD[n % HELD.length] ?? 'no-match'
  const route = `route-${n % 40}`
  const ids = { eventId: `e-${n.toString(16).padStart(16, '0')}`, decisionId: `d-${n.toString(16).padStart(16, '0')}`, callId: `c-${n.toString(16).padStart(16, '0')}` }
  const text = `build ${n} of the memory map took ${n % 97} s and left ${n % 13} orphans behind; ${n % 1000 === 0 ? 'needle' : 'hay'}`
  const near = [{ route: `route-${(n + 1) % 40}`, phrase: 'show me the memory map', score: 0.61, threshold: 0.8, reason: 'below-threshold' }]
  const held = { callId: undefined as unknown as string, phrase: 'show the memory map', score: 0.63, reason: 'below-threshold' }
  const event = eventRow(eventOf({ eventId: ids.eventId, senderId: `s-${n}`, source, text, at }), secrets)
  const decision = decisionRow(decisionOf({ ...ids, kind, route, tool: `tool-${n % 12}`, nearMisses: near, at: at + 5, ...(called ? {} : held) }), secrets)
  if (!called) return [event, decision]
  const call = callRow(callOf({ ...ids, route, tool: `tool-${n % 12}`, at: at + 6 }), secrets)
  const effects = n % 20 === 4 ? [effectRow(effectOf({ callId: ids.callId, at: at + 7, blocked: n % 100 === 4 }), secrets)] : []
  return [event, decision, call, ...effects, outcomeRow(endOf({ callId: ids.callId, at: at + 9, ms: 3 }), secrets)]
}
