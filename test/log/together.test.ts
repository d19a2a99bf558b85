import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { SqliteLog } from '../../src/log/sqlite.ts'
import { callOf, effectOf, endOf, eventOf, tempLog } from './support/rows.ts'

const calls = (file: string): string[] => {
  const db = new Database(file, { readonly: true })
  try { return db.prepare('SELECT call_id FROM calls ORDER BY seq').pluck().all() as string[] } finally { db.close() }
}

test('trace:before: calls that begin together are all in the file when each is told so', async () => {
  const { log, file } = tempLog()
  const told: { readonly callId: string, readonly inFile: boolean }[] = []
  const all = Array.from({ length: 50 }, (_, nth) => `c-${nth}`)
  const beginnings = all.map(async callId => {
    await log.beginTogether(callOf({ callId, eventId: `e-${callId}` }))
    told.push({ callId, inFile: calls(file).includes(callId) })
  })
  expect(calls(file)).toEqual([])
  await Promise.all(beginnings)
  expect(calls(file)).toEqual(all)
  expect(told).toEqual(all.map(callId => ({ callId, inFile: true })))
})

test('trace:before: one that may not begin, or cannot be kept, takes none of the others along', async () => {
  const { log, file } = tempLog()
  log.event(eventOf({ eventId: 'e-1', senderId: 's' }))
  log.event(eventOf({ eventId: 'e-2', senderId: 's' }))
  log.begin(callOf({ callId: 'first', eventId: 'e-1' }))
  const kept = await Promise.allSettled([
    log.beginTogether(callOf({ callId: 'good', eventId: 'e-3' })), log.beginTogether(callOf({ callId: 'rival', eventId: 'e-2' })),
    log.beginTogether(callOf({ callId: 'odd', eventId: 'e-4', args: { f: (() => 1) as never } })), log.beginTogether(callOf({ callId: 'too', eventId: 'e-5' })),
  ])
  expect(kept.map(one => one.status === 'fulfilled' ? 'kept' : (one.reason as { code: string }).code)).toEqual(['kept', 'ALREADY_HANDLED', 'LOG_VALUE', 'kept'])
  expect(calls(file)).toEqual(['first', 'good', 'too'])
})

test('closed: a log that cannot be written tells every one of them, and keeps none', async () => {
  const { log, file } = tempLog()
  const pages = new Database(file)
  log.begin(callOf({ callId: 'first' }))
  pages.exec('DROP TABLE rows')
  pages.close()
  const kept = await Promise.allSettled(['a', 'b', 'c'].map(callId => log.beginTogether(callOf({ callId, eventId: callId }))))
  expect(kept.map(one => one.status === 'rejected' ? (one.reason as { code: string }).code : 'kept')).toEqual(['LOG_WRITE_FAILED', 'LOG_WRITE_FAILED', 'LOG_WRITE_FAILED'])
})

const ended = (file: string): string[] => {
  const db = new Database(file, { readonly: true })
  try { return db.prepare("SELECT call_id FROM rows WHERE kind = 'outcome' ORDER BY seq").pluck().all() as string[] } finally { db.close() }
}

test('trace:crash: calls that end together have their outcomes in the file when each is told so, and not before', async () => {
  const { log, file } = tempLog()
  const all = Array.from({ length: 20 }, (_, nth) => `c-${nth}`)
  for (const callId of all) log.begin(callOf({ callId, eventId: `e-${callId}` }))
  const told: boolean[] = []
  const endings = all.map(async callId => {
    await log.endTogether(endOf({ callId }))
    told.push(ended(file).includes(callId))
  })
  expect(ended(file)).toEqual([])
  await Promise.all(endings)
  expect(told).toEqual(all.map(() => true))
  expect(ended(file)).toEqual(all)
})

test('trace:crash: what ends while the log is closed is in it; afterwards it says that it is closed', async () => {
  const { log, file } = tempLog()
  log.begin(callOf({ callId: 'c-1' }))
  const ending = log.endTogether(endOf({ callId: 'c-1' }))
  log.close()
  await ending
  expect(ended(file)).toEqual(['c-1'])
  await expect(log.endTogether(endOf({ callId: 'c-1' }))).rejects.toMatchObject({ code: 'CLOSED' })
})

test('closed: where outcomes cannot be written, everybody who waits for one is told', async () => {
  const { log, file } = tempLog()
  log.begin(callOf({ callId: 'c-1' }))
  const other = new Database(file)
  other.exec('DROP TABLE rows')
  other.close()
  const kept = await Promise.allSettled(['c-1', 'c-2'].map(callId => log.endTogether(endOf({ callId }))))
  expect(kept.map(one => one.status === 'rejected' ? (one.reason as { code: string }).code : 'kept')).toEqual(['LOG_WRITE_FAILED', 'LOG_WRITE_FAILED'])
})

test('trace:crash: an outcome that cannot be written takes no other one of the same turn with it', async () => {
  const { log, file } = tempLog()
  for (const callId of ['c-1', 'c-2', 'c-3']) log.begin(callOf({ callId }))
  const other = new Database(file)
  other.exec("CREATE TRIGGER one_fails BEFORE INSERT ON rows WHEN NEW.body LIKE '%c-2%' BEGIN SELECT RAISE(ABORT, 'not this one'); END")
  other.close()
  const kept = await Promise.allSettled(['c-1', 'c-2', 'c-3'].map(callId => log.endTogether(endOf({ callId }))))
  expect(kept.map(one => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(ended(file)).toEqual(['c-1', 'c-3'])
})

test('what begins while the log is closed is in it, or says that it is closed', async () => {
  const { log, file } = tempLog()
  const before = log.beginTogether(callOf({ callId: 'before' }))
  log.close()
  await before
  expect(calls(file)).toEqual(['before'])
  await expect(log.beginTogether(callOf({ callId: 'after' }))).rejects.toMatchObject({ code: 'CLOSED' })
})

test('an anchor whose own writing is logged brings no waiting row into the file twice', () => {
  let log: SqliteLog | undefined
  const opened = tempLog({ background: (_name, work) => { if (log) log.effect(effectOf({ callId: null, background: 'usher:log', target: '/anchors' })); return work() } })
  log = opened.log
  for (let nth = 0; nth < 2200; nth++) {
    log.event(eventOf({ eventId: `e-${nth}`, senderId: `s-${nth}` }))
    if (nth % 7 === 0) log.begin(callOf({ callId: `c-${nth}`, eventId: `e-${nth}` }))
  }
  log.close()
  const db = new Database(opened.file, { readonly: true })
  expect(db.prepare('SELECT count(*) AS rows, count(DISTINCT event_id) AS events FROM events').get()).toEqual({ rows: 2200, events: 2200 })
  db.close()
})
