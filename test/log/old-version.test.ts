import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openForReading } from '../../src/log/connection.ts'
import { openDatabase, type Db } from '../../src/log/db.ts'
import { queryLog } from '../../src/log/query.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { verifyLog } from '../../src/log/verify.ts'
import { callOf, endOf, eventOf, tempDir } from './support/rows.ts'

/** Written by the Usher of that version: three events, one held; two calls, the second cut off; an effect of nobody; a stop. */
const OLD = new URL('old/version-3.db.gz', import.meta.url)
const ANCHOR = 'usher-anchor-v1 549c2a13-441c-47d7-9f5e-1dc1555f1e8e 15 948816d18ffab1eb1da6639d62270721fb7404b0d90dffaf1b588e0a30a0ddb8 2026-01-05T08:00:00.000Z'

function oldLog(): { readonly file: string, readonly stateDir: string } {
  const dir = tempDir()
  const file = join(dir, 'calls.db')
  writeFileSync(file, gunzipSync(readFileSync(OLD)), { mode: 0o600 })
  return { file, stateDir: join(dir, 'state') }
}

const rowsOf = (db: Db) => db.prepare('SELECT seq, kind, body, prev, hash, text, data, salt FROM rows WHERE seq <= 15 ORDER BY seq').all()
const indexesOf = (db: Db) => db.prepare('SELECT name FROM sqlite_master WHERE type = \'index\' AND sql IS NOT NULL ORDER BY name').pluck().all()
function asked<T>(file: string, question: (db: Db) => T): T {
  const db = openForReading(file)
  try { return question(db) } finally { db.close() }
}

test('trace:tamper: a file that the version before wrote is brought forward with every row as it was, and verifies against its anchor before and after', () => {
  const { file, stateDir } = oldLog()
  expect(verifyLog(file, { anchor: ANCHOR, stateDir })).toMatchObject({ kind: 'ok', rows: 15 })
  const before = asked(file, rowsOf)
  const log = openSqliteLog(file, { stateDir })
  expect(log.recovered).toEqual(['call-3'])
  log.close()
  expect(asked(file, rowsOf)).toEqual(before)
  expect(asked(file, indexesOf)).toEqual(['acts_in_order', 'calls_by_route', 'decisions_by_id', 'effects_by_call', 'events_by_sender', 'rows_by_call', 'rows_by_event'])
  expect(asked(file, db => db.pragma('integrity_check', { simple: true }))).toBe('ok')
  expect(verifyLog(file, { anchor: ANCHOR, stateDir })).toMatchObject({ kind: 'ok', rows: 16 })
})

test('a file of the version before is read as it is where it cannot be brought forward', () => {
  const { file } = oldLog()
  const reader = openLogReader(file, { recover: false })
  expect(queryLog(reader).map(entry => [entry.decision?.decisionId, entry.outcome])).toEqual([['decision-1', 'called'], ['decision-2', 'limited'], ['decision-3', 'in-flight']])
  reader.close()
})

test('what such a file knows still counts: an event is not handled twice, and a rival process is found', () => {
  const { file, stateDir } = oldLog()
  const log = openSqliteLog(file, { stateDir })
  expect(log.seen('user', 'sender-1')).toMatchObject([{ decisionId: 'decision-1', callId: 'call-1' }])
  expect(log.seen('user', 'sender-9')).toBeUndefined()
  log.event(eventOf({ eventId: 'event-9', senderId: 'sender-1' }))
  expect(() => { log.begin(callOf({ callId: 'call-9', eventId: 'event-9' })) }).toThrow(/in call call-1; it is not called twice/)
  log.close()
})

test('a direct call is its own sender: it stands in no index of senders, and every question about it is answered', () => {
  const { file, stateDir } = oldLog()
  const log = openSqliteLog(file, { stateDir })
  log.event(eventOf({ eventId: 'event-10', senderId: 'event-10', source: 'call:person' }))
  log.begin(callOf({ callId: 'call-10', eventId: 'event-10' }))
  log.end(endOf({ callId: 'call-10' }))
  expect(log.causes('call-10')).toEqual([{ callId: 'call-10', route: 'open-console', eventId: 'event-10' }])
  log.close()
  const db = openDatabase(file, { timeout: 0, readonly: true })
  expect(db.prepare('SELECT count(*) FROM rows INDEXED BY events_by_sender WHERE kind = \'event\' AND sender_id <> event_id').pluck().get()).toBe(3)
  expect(db.prepare('SELECT outcome FROM calls WHERE call_id = \'call-10\'').pluck().get()).toBe('called')
  db.close()
})
