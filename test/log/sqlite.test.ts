import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/log/db.ts'
import { callLogCases } from './support/call-log-cases.ts'
import { actOf, callOf, decisionOf, eventOf, tempLog, wholeCall } from './support/rows.ts'

const read = (file: string, sql: string): unknown[] => {
  const db = openDatabase(file, { timeout: 1000, readonly: true })
  try { return db.prepare(sql).all() } finally { db.close() }
}

callLogCases('SQLite', () => {
  const { log, reopen } = tempLog({ groupCommitMs: 100 })
  return { log, reopen: () => { log.close(); return reopen() } }
})

test('each kind of row stands in a view of its own, with plain columns', () => {
  const { log, file } = tempLog()
  wholeCall(log)
  log.act(actOf())
  expect(read(file, 'SELECT event_id, source, text FROM events')).toEqual([{ event_id: 'event-1', source: 'user', text: 'please open the console' }])
  expect(read(file, 'SELECT decision_id, outcome, reason, route, score FROM decisions')).toEqual([{ decision_id: 'decision-1', outcome: 'called', reason: 'ask', route: 'open-console', score: 0.93 }])
  expect(read(file, 'SELECT call_id, tool, route, by, explicit, args, preset, outcome, ms FROM calls')).toEqual([
    { call_id: 'call-1', tool: 'call_console', route: 'open-console', by: 'router', explicit: 1, args: '{"open":true}', preset: '{"open":true}', outcome: 'called', ms: 3 },
  ])
  expect(read(file, 'SELECT call_id, outcome, result FROM outcomes')).toEqual([{ call_id: 'call-1', outcome: 'called', result: '{"opened":true}' }])
  expect(read(file, 'SELECT kind, target, blocked, call_id, watcher FROM effects')).toEqual([{ kind: 'process.start', target: '/usr/bin/xdg-open', blocked: 0, call_id: 'call-1', watcher: 'node' }])
  expect(read(file, 'SELECT who, act, about FROM acts')).toEqual([{ who: 'anna', act: 'approve', about: 'decision-1' }])
})

test('trace:before: a call\'s row, and all that came before it, is committed when begin returns', () => {
  const { log, file } = tempLog({ groupCommitMs: 100 })
  log.event(eventOf())
  log.decision(decisionOf())
  expect(read(file, 'SELECT * FROM events')).toEqual([])
  log.begin(callOf())
  expect(read(file, 'SELECT kind FROM rows ORDER BY seq')).toEqual([{ kind: 'genesis' }, { kind: 'event' }, { kind: 'decision' }, { kind: 'call' }])
})

test('rows that call nothing are written together, within 100 ms', async () => {
  const { log, file } = tempLog({ groupCommitMs: 100 })
  for (let i = 0; i < 20; i++) log.event(eventOf({ eventId: `event-${i}`, senderId: `sender-${i}` }))
  await expect.poll(() => read(file, 'SELECT * FROM events').length).toBe(20)
})

test('database, WAL and shared memory have mode 0600, and a looser one is corrected and named', () => {
  const { log, file, reopen } = tempLog()
  wholeCall(log)
  expect([file, `${file}-wal`, `${file}-shm`].map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  log.close()
  execFileSync('chmod', ['644', file])
  // The companions are made anew in the file's mode before anybody knows that it is a log; nothing is written to them until all three are right.
  expect(reopen().notes).toEqual([file, `${file}-wal`, `${file}-shm`].map(path => `${path} had mode 644; it is 600 now`))
  expect([file, `${file}-wal`, `${file}-shm`].map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
})

test('an event that two processes got at once leads to one call, whichever of them is later', () => {
  const one = tempLog({ groupCommitMs: 100 })
  const two = one.reopen()
  one.log.event(eventOf({ eventId: 'event-a', senderId: 'same' }))
  two.event(eventOf({ eventId: 'event-b', senderId: 'same' }))
  expect(two.seen('user', 'same')).toEqual([])
  one.log.begin(callOf({ callId: 'call-a', eventId: 'event-a' }))
  expect(() => two.begin(callOf({ callId: 'call-b', eventId: 'event-b' }))).toThrow(/another process handled the same event already, in call call-a/)
  two.begin(callOf({ callId: 'call-c', eventId: 'event-b', route: 'another' }))
  two.event(eventOf({ eventId: 'event-d', senderId: 'same', source: 'webhook' }))
  two.begin(callOf({ callId: 'call-d', eventId: 'event-d' }))
  expect(read(one.file, 'SELECT call_id FROM calls ORDER BY seq')).toEqual([{ call_id: 'call-a' }, { call_id: 'call-c' }, { call_id: 'call-d' }])
})

test('what waits is written also when the host ends with process.exit', () => {
  const { file, dir } = tempLog()
  const script = `
    import { openSqliteLog } from ${JSON.stringify(new URL('../../dist/log/sqlite.js', import.meta.url).href)}
    const log = openSqliteLog(process.argv[1], { stateDir: process.argv[2], groupCommitMs: 100 })
    log.event({ eventId: 'last', senderId: 'last', source: 'user', text: 'last words', textLength: 10, at: 1 })
    process.exit(0)`
  execFileSync(process.execPath, ['--input-type=module', '-e', script, file, join(dir, 'state')])
  expect(read(file, 'SELECT text FROM events')).toEqual([{ text: 'last words' }])
})

test('closed: rows that could not be written in the background are not lost in silence: the next writer is told, and they are written once it can be', async () => {
  const { log, file } = tempLog({ groupCommitMs: 20, busyTimeoutMs: 0 })
  const other = openDatabase(file, { timeout: 0 })
  other.exec('BEGIN IMMEDIATE')
  log.event(eventOf())
  await new Promise(resolve => { setTimeout(resolve, 60) })
  expect(() => log.event(eventOf({ eventId: 'event-2', senderId: 'sender-2' }))).toThrow(/SQLITE_BUSY/)
  other.exec('COMMIT')
  other.close()
  log.event(eventOf({ eventId: 'event-3', senderId: 'sender-3' }))
  expect(read(file, 'SELECT event_id FROM events ORDER BY seq')).toEqual([{ event_id: 'event-1' }, { event_id: 'event-3' }])
})
