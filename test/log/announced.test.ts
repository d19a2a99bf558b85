/** A decision says `called` before its call begins: where the call is refused after all, nothing that asks the log hears `called`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import { explainById } from '../../src/log/explain.ts'
import type { LogOptions } from '../../src/log/options.ts'
import { queryLog } from '../../src/log/query.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { loggedEvents } from '../../src/log/replay-source.ts'
import { openSqliteLog, type SqliteLog } from '../../src/log/sqlite.ts'
import { stats } from '../../src/log/stats.ts'
import { verifyLog } from '../../src/log/verify.ts'
import type { RefusalRow } from '../../src/ports.ts'
import type { Tool } from '../../src/types.ts'
import { callOf, decisionOf, eventOf, T0, tempDir, tempLog } from './support/rows.ts'

const REFUSAL: RefusalRow = { decisionId: 'decision-1', eventId: 'event-1', kind: 'stopped', reason: 'kill-switch', why: 'a person stopped all', at: T0 + 2 }

function reading(file: string) {
  const reader = openLogReader(file, { recover: false })
  onTestFinished(() => reader.close())
  return reader
}

/** What each way of asking says of the one decision of the log. */
function told(file: string, id = 'decision-1') {
  const reader = reading(file)
  const explained = explainById(reader, id)
  const held = [...stats(reader)].flatMap(route => [...route.held].map(([kind, n]) => `${route.route} ${kind} ${n}`))
  return {
    log: queryLog(reader).map(entry => `${entry.outcome} ${entry.decision?.kind ?? ''} ${entry.decision?.reason ?? ''}`),
    explain: explained.kind === 'found' ? explained.explanation.decisions.map(decision => `${decision.kind} ${decision.reason}`) : explained.kind,
    view: reader.db.prepare('SELECT outcome, reason FROM decisions').all(), stats: held,
    called: queryLog(reader, { outcome: 'called' }).length, fired: stats(reader).reduce((all, route) => all + route.fired, 0),
  }
}

const STOPPED = { log: ['stopped stopped kill-switch'], explain: ['stopped kill-switch'], view: [{ outcome: 'stopped', reason: 'kill-switch' }], stats: ['open-console stopped 1'], called: 0, fired: 0 }

describe.each([['still waits to be written', { groupCommitMs: 100 }, 1], ['is written already', { groupCommitMs: 0 }, 2]] as const)('the decision %s', (_what, options: LogOptions, rows) => {
  test('outcome:distinct: a call that is stopped before its row reads as stopped in every question, and the chain holds', async () => {
    const { log, file, dir } = tempLog(options)
    log.event(eventOf())
    log.decision(decisionOf())
    log.refused(REFUSAL)
    expect(log.seen('user', 'sender-1')).toMatchObject([{ kind: 'stopped', reason: 'kill-switch', tool: 'call_console' }])
    log.close()
    expect(told(file)).toEqual(STOPPED)
    expect(reading(file).db.prepare('SELECT count(*) FROM rows WHERE kind = \'decision\'').pluck().get()).toBe(rows)
    expect(await verifyLog(file, { stateDir: join(dir, 'state') })).toMatchObject({ kind: 'ok' })
    // A replay compares the decision, not what stopped its call.
    expect([...loggedEvents(reading(file))][0]?.decisions.filter(decision => decision.answers === undefined)).toHaveLength(1)
  })

  test('trace:before: through the dispatcher: a stop in between leaves no decision that says called', async () => {
    const { log, file } = tempLog(options)
    const ran: string[] = []
    const tool: Tool = { name: 'call_console', description: '', visible: { type: 'object' }, presetOnly: {}, effects: {}, origin: { kind: 'code' }, run: () => { ran.push('ran') } }
    const dispatcher = new Dispatcher({ tools: new Map([[tool.name, tool]]), log, clock: { now: () => T0 }, observer: { run: (_scope, work) => work(), background: (_name, work) => work(), of: () => [], attach: () => () => undefined, selfCheck: () => [] }, stopped: async () => ({ reason: 'kill-switch', why: 'a person stopped all' }) })
    const ready = dispatcher.prepare({ by: 'router', tool: tool.name, args: {}, route: 'open-console', event: { id: 'event-1', source: 'user', text: '', at: T0 }, eventId: 'event-1', explicit: true, origins: {}, allow: [] })
    if (ready.kind === 'refused') throw new Error(ready.outcome.why)
    log.event(eventOf())
    log.decision(decisionOf({ callId: ready.callId }))
    expect(await dispatcher.run(ready, 'decision-1')).toMatchObject({ kind: 'stopped', reason: 'kill-switch' })
    log.close()
    expect(ran).toEqual([])
    expect(told(file)).toEqual(STOPPED)
  })
})

test('another process was faster: the slower one\'s decision reads duplicate, the faster one\'s stays called', async () => {
  const { log, file, reopen } = tempLog({ groupCommitMs: 0 })
  const other = reopen()
  const decide = (by: SqliteLog, n: number) => {
    by.event(eventOf({ eventId: `event-${n}` }))
    by.decision(decisionOf({ eventId: `event-${n}`, decisionId: `decision-${n}`, callId: `call-${n}` }))
  }
  decide(log, 1)
  decide(other, 2)
  log.begin(callOf())
  expect(() => other.begin(callOf({ callId: 'call-2', eventId: 'event-2', decisionId: 'decision-2' }))).toThrow(/not called twice/)
  other.refused({ ...REFUSAL, decisionId: 'decision-2', eventId: 'event-2', kind: 'duplicate', reason: 'id' })
  expect(queryLog(reading(file)).map(entry => entry.outcome)).toEqual(['in-flight', 'duplicate'])
  expect(reading(file).db.prepare('SELECT decision_id, outcome FROM decisions ORDER BY seq').all()).toEqual([{ decision_id: 'decision-1', outcome: 'called' }, { decision_id: 'decision-2', outcome: 'duplicate' }])
})

test('an answer to a question is no closing: both decisions stay, each with its own end', () => {
  const { log, file } = tempLog()
  const { callId: _callId, ...unfilled } = decisionOf({ kind: 'unfilled', reason: 'missing' })
  log.event(eventOf())
  log.decision(unfilled)
  log.event(eventOf({ eventId: 'event-2', senderId: 'sender-2', text: 'five' }))
  log.decision(decisionOf({ eventId: 'event-2', decisionId: 'decision-2', reason: 'answer', answers: 'decision-1' }))
  log.begin(callOf({ eventId: 'event-2', decisionId: 'decision-2' }))
  expect(queryLog(reading(file)).map(entry => entry.outcome)).toEqual(['unfilled', 'in-flight'])
})

test('a decision of an older Usher that says called, without a call, reads denied: its row was not written', () => {
  const { log, file } = tempLog()
  log.event(eventOf())
  log.decision(decisionOf())
  log.close()
  const db = new Database(file)
  db.exec('DROP TRIGGER rows_no_update')
  db.prepare('UPDATE rows SET body = json_remove(body, \'$.process\') WHERE kind = \'decision\'').run()
  db.close()
  expect(told(file)).toMatchObject({ log: ['denied denied log-failed'], explain: ['denied log-failed'], view: [{ outcome: 'denied', reason: 'log-failed' }], stats: ['open-console denied 1'] })
})

test('trace:crash: a process that dies between its decision and the call\'s row: the next to open it says that nothing ran', async () => {
  const dir = tempDir()
  const [file, state] = [join(dir, 'calls.db'), join(dir, 'state')]
  const child = spawn(process.execPath, [fileURLToPath(new URL('support/announcer.mjs', import.meta.url)), file, state], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  // While it lives, it may be about to begin.
  expect(told(file)).toMatchObject({ log: ['in-flight called ask'], view: [{ outcome: 'in-flight' }], stats: [], called: 0 })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const log = openSqliteLog(file, { stateDir: state })
  expect(log.seen('user', 'sender-1')).toMatchObject([{ kind: 'denied', reason: 'log-failed' }])
  log.close()
  openSqliteLog(file, { stateDir: state }).close()
  expect(told(file)).toMatchObject({ log: ['denied denied log-failed'], explain: ['denied log-failed'], view: [{ outcome: 'denied', reason: 'log-failed' }] })
  expect(reading(file).db.prepare('SELECT count(*) FROM rows WHERE kind = \'decision\'').pluck().get()).toBe(2)
})
