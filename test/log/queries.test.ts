import { expect, onTestFinished, test } from 'vitest'
import { blame } from '../../src/log/blame.ts'
import { explainById } from '../../src/log/explain.ts'
import { followLog } from '../../src/log/follow.ts'
import { queryLog } from '../../src/log/query.ts'
import { resolveId } from '../../src/log/resolve-id.ts'
import { openLogReader, type LogReader } from '../../src/log/reader.ts'
import { READY_QUERIES } from '../../src/log/ready-queries.ts'
import { loggedEvents } from '../../src/log/replay-source.ts'
import { revive } from '../../src/log/revive.ts'
import { stats } from '../../src/log/stats.ts'
import { actOf, callOf, decisionOf, effectOf, endOf, eventOf, T0, tempLog, wholeCall, type OpenedLog } from './support/rows.ts'

function reading({ file }: OpenedLog): LogReader {
  const reader = openLogReader(file)
  onTestFinished(() => reader.close())
  return reader
}

/** The asked call of `wholeCall`; chatter that was held; a model's call of its own; a webhook that the asked call caused, with a failing call. */
function day(): OpenedLog {
  const opened = tempLog({ groupCommitMs: 0 })
  const { log } = opened
  wholeCall(log)
  log.event(eventOf({ eventId: 'event-2', senderId: 'sender-2', source: 'chat:alice', text: 'the console keeps opening', at: T0 + 100 }))
  log.decision(decisionOf({
    decisionId: 'decision-2', eventId: 'event-2', kind: 'not-explicit', reason: 'abstain:report', why: 'reports that it happened', at: T0 + 101,
    nearMisses: [{ route: 'open-console', phrase: 'open the console', score: 0.8, threshold: 0.7, reason: 'abstain:report' }, { route: 'open-console', phrase: 'show the console', score: 0.3, threshold: 0.7, reason: 'below-threshold' }], ...without('callId'),
  }))
  log.begin(callOf({ callId: 'direct', by: 'model', who: 'helper', tool: 'list_files', explicit: false, at: T0 + 200, ...without('route', 'eventId', 'decisionId') }))
  log.end(endOf({ callId: 'direct', at: T0 + 210, ms: 10 }))
  log.event(eventOf({ eventId: 'event-3', senderId: 'sender-3', source: 'webhook', text: 'page loaded', causedBy: 'call-1', at: T0 + 300 }))
  log.decision(decisionOf({ decisionId: 'decision-3', eventId: 'event-3', route: 'note-it', tool: 'append_note', callId: 'call-3', at: T0 + 301 }))
  log.begin(callOf({ callId: 'call-3', eventId: 'event-3', decisionId: 'decision-3', route: 'note-it', tool: 'append_note', explicit: false, at: T0 + 302 }))
  log.effect(effectOf({ callId: 'call-3', kind: 'fs.write', target: '/notes', at: T0 + 303 }))
  log.end(endOf({ callId: 'call-3', kind: 'failed', reason: 'error', why: 'no such folder', at: T0 + 304 }))
  for (const wrong of ['I did not mean it', 'really not']) log.act(actOf({ act: 'report', about: 'call-1', detail: { wrong } }))
  return opened
}

/** exactOptionalPropertyTypes: a field is left out by not being there. */
function without(...names: string[]): object {
  return Object.fromEntries(names.map(name => [name, undefined]))
}

test('the list shows each decision with its event, and each call that came from no event', () => {
  const entries = queryLog(reading(day()))
  expect(entries.map(entry => [entry.outcome, entry.event?.text, entry.call?.call.tool])).toEqual([
    ['called', 'please open the console', 'call_console'], ['not-explicit', 'the console keeps opening', undefined], ['called', undefined, 'list_files'], ['failed', 'page loaded', 'append_note'],
  ])
  expect(entries[0]?.call?.effects.map(effect => effect.target)).toEqual(['/usr/bin/xdg-open'])
})

test('the list is filtered by time, outcome, tool, route, source and number', () => {
  const reader = reading(day())
  const seqs = (filter: Parameters<typeof queryLog>[1]) => queryLog(reader, filter).map(entry => entry.decision?.decisionId ?? entry.call?.call.callId)
  expect(seqs({ since: T0 + 200 })).toEqual(['direct', 'decision-3'])
  expect(seqs({ until: T0 + 200 })).toEqual(['decision-1', 'decision-2'])
  expect(seqs({ outcome: 'failed' })).toEqual(['decision-3'])
  expect(seqs({ tool: 'list_files' })).toEqual(['direct'])
  expect(seqs({ route: 'open-console' })).toEqual(['decision-1', 'decision-2'])
  expect(seqs({ source: 'chat' })).toEqual(['decision-2'])
  expect(seqs({ source: 'chat:alice' })).toEqual(['decision-2'])
  expect(seqs({ source: 'cha' })).toEqual([])
  expect(seqs({ tool: 'constructor' })).toEqual([])
  expect(seqs({ limit: 1 })).toEqual(['decision-3'])
  expect(() => queryLog(reader, { limit: Number.NaN })).toThrow(/limit must be/)
  expect(() => queryLog(reader, { toString: 'x' } as object)).toThrow(/unknown log filter "toString"/)
})

test('a malformed event is in the list though nothing was decided on it', () => {
  const opened = tempLog()
  opened.log.event(eventOf({ text: '{"broken', textLength: 5_000_000, malformed: 'json' }))
  opened.log.begin(callOf(without('eventId', 'decisionId')))
  expect(queryLog(reading(opened), { outcome: 'malformed' })).toMatchObject([{ event: { malformed: 'json', textLength: 5_000_000 } }])
})

test('explain finds the same story from the event, the decision, the call and the effect, and from the start of an id', () => {
  const reader = reading(day())
  for (const id of ['event-3', 'decision-3', 'call-3', 'effect-14']) {
    const explained = explainById(reader, id)
    expect(explained).toMatchObject({
      kind: 'found',
      explanation: {
        event: { text: 'page loaded', source: 'webhook' }, decisions: [{ decisionId: 'decision-3' }], calls: [{ call: { callId: 'call-3' }, outcome: { kind: 'failed' }, effects: [{ target: '/notes', blocked: false }] }],
        causes: [{ call: { callId: 'call-1' }, event: { text: 'please open the console' } }],
      },
    })
  }
  expect(explainById(reader, 'dire')).toMatchObject({ kind: 'found', explanation: { asked: { kind: 'call', id: 'direct' }, decisions: [], calls: [{ call: { who: 'helper' } }] } })
})

test('the start of several ids names them, the whole id wins, and nothing is found for what is no id', () => {
  const opened = day()
  opened.log.begin(callOf({ callId: 'call-33' }))
  const reader = reading(opened)
  expect(explainById(reader, 'call-')).toEqual({ kind: 'many', found: [{ kind: 'call', id: 'call-1' }, { kind: 'call', id: 'call-3' }, { kind: 'call', id: 'call-33' }] })
  expect(explainById(reader, 'call-3')).toMatchObject({ kind: 'found', explanation: { asked: { id: 'call-3' } } })
  for (const id of ['', 'toString', '%', 'call_1', '*', 'effect-1', 'effect-999']) expect(explainById(reader, id)).toEqual({ kind: 'none' })
})

test('an id, and the start of one, is found by an index and not by reading every row', () => {
  const { db } = reading(day())
  const plans: string[] = []
  const spied = new Proxy(db, {
    get: (target, name) => name !== 'prepare' ? Reflect.get(target, name) as unknown : (sql: string) => {
      const plan = target.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(sql.includes(':typed') ? { typed: 'x' } : 'x') as { detail: string }[]
      plans.push(...plan.map(step => step.detail))
      return target.prepare(sql)
    },
  })
  expect(resolveId(spied, 'decision-')).toMatchObject({ kind: 'many' })
  expect(plans).toHaveLength(6)
  expect(plans.filter(plan => !plan.startsWith('SEARCH rows USING') || !plan.includes('INDEX'))).toEqual([])
})

test('explain gives arguments, preset bytes and allowed effects as they were', () => {
  const explained = explainById(reading(day()), 'call-1')
  expect(explained).toMatchObject({ explanation: { calls: [{ call: { args: { open: true }, presetBytes: '{"open":true}', allowed: ['browser.open'], explicit: true, masked: false } }] } })
})

test('a record is plain JSON whatever the arguments were, and the values can be made again', () => {
  const opened = tempLog()
  const args = { n: 9007199254740993n, nan: Number.NaN, gone: undefined, text: 'a\0b' }
  opened.log.begin(callOf({ args: args as never }))
  const explained = explainById(reading(opened), 'call-1')
  const call = explained.kind === 'found' ? explained.explanation.calls[0]?.call : undefined
  expect(JSON.parse(JSON.stringify(explained))).toEqual(explained)
  expect(revive(JSON.stringify(call?.args))).toStrictEqual(args)
})

test('blame follows an effect back to the person\'s words', () => {
  const reader = reading(day())
  expect(blame(reader, 'effect-14')).toMatchObject({
    kind: 'found', why: 'the words ask for it', asker: { callId: 'call-1', source: 'user', words: 'please open the console' },
    steps: [{ call: { callId: 'call-3' }, asked: false, event: { text: 'page loaded' } }, { call: { callId: 'call-1' }, asked: true }],
  })
  expect(blame(reader, '5')).toMatchObject({ kind: 'found', steps: [{ call: { callId: 'call-1' } }] })
  expect(blame(reader, 'effect-1')).toEqual({ kind: 'none' })
  expect(blame(reader, 'toString')).toEqual({ kind: 'none' })
})

test('blame says where nobody asked', () => {
  const opened = tempLog()
  opened.log.effect(effectOf({ callId: null }))
  opened.log.effect(effectOf({ callId: null, background: 'sync' }))
  opened.log.effect(effectOf({ callId: 'gone' }))
  opened.log.begin(callOf({ callId: 'quiet', explicit: false }))
  opened.log.effect(effectOf({ callId: 'quiet' }))
  const reader = reading(opened)
  expect([2, 3, 4, 6].map(seq => (blame(reader, `effect-${seq}`) as { why: string }).why)).toEqual([
    'no call was in flight: nobody asked for it', 'the host\'s own background work "sync"', 'its call gone has no row in the log', 'no call in the chain of causes was asked for',
  ])
})

test('blame names a person who called or approved, where no words asked', () => {
  const opened = tempLog()
  for (const by of ['person', 'approval'] as const) {
    opened.log.begin(callOf({ callId: by, by, who: 'anna', explicit: false, ...without('eventId', 'decisionId') }))
    opened.log.effect(effectOf({ callId: by }))
  }
  const reader = reading(opened)
  expect(blame(reader, 'effect-3')).toMatchObject({ why: 'a person called it', asker: { callId: 'person', who: 'anna' } })
  expect(blame(reader, 'effect-5')).toMatchObject({ why: 'a person approved it', asker: { callId: 'approval', who: 'anna' } })
})

test('a call that was held for lost and ended after all is explained by its last outcome, with both', () => {
  const opened = tempLog()
  opened.log.begin(callOf())
  opened.log.end(endOf({ kind: 'unknown', reason: 'lost-answer' }))
  opened.log.end(endOf())
  expect(explainById(reading(opened), 'call-1')).toMatchObject({ explanation: { calls: [{ outcome: { kind: 'called' }, outcomes: [{ kind: 'unknown' }, { kind: 'called' }] }] } })
})

test('stats count per route what fired, what was held, near misses, reports and time', () => {
  const [noteIt, console] = stats(reading(day()))
  expect(noteIt).toMatchObject({ route: 'note-it', fired: 1, failed: 1, falseFires: 0 })
  expect(console).toEqual({
    route: 'open-console', fired: 1, lastFired: T0 + 2, held: new Map([['not-explicit', 1]]), nearMisses: 1, falseFires: 1, failed: 0, unknown: 0, latency: { p50: 3, p95: 3, max: 3 },
  })
  expect(stats(reading(day()), T0 + 250).map(row => row.route)).toEqual(['note-it'])
})

test('follow gives new rows as they are written, and ends when it is told to', async () => {
  const opened = day()
  const stop = new AbortController()
  const rows = followLog(reading(opened), { pollMs: 5, signal: stop.signal })
  const first = rows.next()
  await new Promise(resolve => { setTimeout(resolve, 20) })
  opened.log.begin(callOf({ callId: 'fresh' }))
  expect(await first).toMatchObject({ value: { kind: 'call', row: { callId: 'fresh' } } })
  opened.log.end(endOf({ callId: 'fresh' }))
  expect(await rows.next()).toMatchObject({ value: { kind: 'outcome' } })
  const last = rows.next()
  stop.abort()
  expect(await last).toEqual({ done: true, value: undefined })
})

test('events for a replay come in order, with what was decided then', () => {
  const opened = day()
  opened.log.event(eventOf({ eventId: 'bad', senderId: 'bad', malformed: 'json' }))
  expect([...loggedEvents(reading(opened))].map(({ event, decisions }) => [event.text, decisions.map(decision => decision.kind)])).toEqual([
    ['please open the console', ['called']], ['the console keeps opening', ['not-explicit']], ['page loaded', ['called']],
  ])
  expect([...loggedEvents(reading(day()), { since: T0 + 100, until: T0 + 300 })].map(({ event }) => event.eventId)).toEqual(['event-2'])
})

test('each ready query runs and finds something in a day that has something to find', () => {
  const opened = day()
  opened.log.effect(effectOf({ blocked: true, kind: 'net.connect', target: 'a.example:443' }))
  opened.log.effect(effectOf({ callId: null }))
  opened.log.begin(callOf({ callId: 'today', at: Date.now() }))
  opened.log.end(endOf({ callId: 'today', kind: 'unknown', reason: 'crashed' }))
  const reader = reading(opened)
  expect(READY_QUERIES.length).toBe(10)
  const empty = READY_QUERIES.filter(query => reader.db.prepare(query.sql).all().length === 0)
  expect(empty.map(query => query.name)).toEqual([])
})
