import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/log/db.ts'
import { actOf, callOf, decisionOf, effectOf, endOf, eventOf, T0, tempLog, wholeCall } from './support/rows.ts'

const read = (file: string, sql: string): unknown[] => {
  const db = openDatabase(file, { timeout: 1000, readonly: true })
  try { return db.prepare(sql).all() } finally { db.close() }
}

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

test('an event id is known at once, with the decisions it got, also while they still wait to be written', () => {
  const { log, reopen } = tempLog({ groupCommitMs: 100 })
  expect(log.seen('user', 'sender-1')).toBeUndefined()
  log.event(eventOf())
  expect(log.seen('user', 'sender-1')).toEqual([])
  log.decision(decisionOf())
  const expected = [{ decisionId: 'decision-1', kind: 'called', reason: 'ask', why: 'the words ask for it', route: 'open-console', tool: 'call_console', callId: 'call-1' }]
  expect(log.seen('user', 'sender-1')).toEqual(expected)
  expect(log.seen('webhook', 'sender-1')).toBeUndefined()
  log.close()
  expect(reopen().seen('user', 'sender-1')).toEqual(expected)
})

test('ids that SQLite cannot keep as text are still found, and two of them are never the same', () => {
  const { log } = tempLog({ groupCommitMs: 0 })
  const odd = ['a\0b', 'a', '\uD800', '\uD801', '\uFFFD', 'json:"a"', '__proto__', 'toString']
  for (const [i, senderId] of odd.entries()) {
    expect(log.seen('user', senderId)).toBeUndefined()
    log.event(eventOf({ eventId: `event-${i}`, senderId }))
    log.decision(decisionOf({ eventId: `event-${i}`, decisionId: `decision-${i}` }))
    expect(log.seen('user', senderId)?.map(found => found.decisionId)).toEqual([`decision-${i}`])
  }
})

test('call times of a route come newest first, and only since the time asked for', () => {
  const { log } = tempLog()
  for (const [i, at] of [10, 30, 20].entries()) log.begin(callOf({ callId: `call-${i}`, at: T0 + at }))
  log.begin(callOf({ callId: 'other', route: 'constructor', at: T0 + 25 }))
  expect(log.callTimes('open-console', T0 + 20)).toEqual([T0 + 30, T0 + 20])
  expect(log.callTimes('constructor', 0)).toEqual([T0 + 25])
  expect(log.callTimes('toString', 0)).toEqual([])
})

test('the chain of causes goes from the call to its event, to the call behind that, and ends in a cycle', () => {
  const { log } = tempLog()
  log.event(eventOf({ eventId: 'e-1', causedBy: 'c-3' }))
  log.begin(callOf({ callId: 'c-1', eventId: 'e-1', route: 'one' }))
  log.event(eventOf({ eventId: 'e-2', senderId: 's-2', causedBy: 'c-1' }))
  log.begin(callOf({ callId: 'c-2', eventId: 'e-2', route: 'two' }))
  log.event(eventOf({ eventId: 'e-3', senderId: 's-3', causedBy: 'c-2' }))
  log.begin(callOf({ callId: 'c-3', eventId: 'e-3', route: 'three' }))
  expect(log.causes('c-3')).toEqual([{ callId: 'c-3', route: 'three', eventId: 'e-3' }, { callId: 'c-2', route: 'two', eventId: 'e-2' }, { callId: 'c-1', route: 'one', eventId: 'e-1' }])
  expect(log.causes('nobody')).toEqual([])
})

test('database, WAL and shared memory have mode 0600, and a looser one is corrected and named', () => {
  const { log, file, reopen } = tempLog()
  wholeCall(log)
  expect([file, `${file}-wal`, `${file}-shm`].map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  log.close()
  execFileSync('chmod', ['644', file])
  expect(reopen().notes).toEqual([`${file} had mode 644; it is 600 now`])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a closed log says so instead of writing', () => {
  const { log } = tempLog()
  log.close()
  log.close()
  expect(() => log.begin(callOf())).toThrow(/is closed; open it again/)
  expect(() => log.effect(effectOf())).toThrow(/is closed/)
  expect(() => log.end(endOf())).toThrow(/is closed/)
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
