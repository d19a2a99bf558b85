import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { openLogReader, type LogReader } from '../../src/log/reader.ts'
import { unexplained } from '../../src/log/unexplained.ts'
import { verifyLog } from '../../src/log/verify.ts'
import { actOf, callOf, decisionOf, effectOf, endOf, eventOf, T0, tempLog, wholeCall, type OpenedLog } from './support/rows.ts'

function reading({ file }: OpenedLog): LogReader {
  const reader = openLogReader(file)
  onTestFinished(() => reader.close())
  return reader
}
const reasons = (opened: OpenedLog) => unexplained(reading(opened)).map(found => [found.id, found.reason])

/** A call that an event of another call caused. */
function causedCall(opened: OpenedLog, n: number, causedBy: string, fields: Parameters<typeof callOf>[0] = {}): void {
  opened.log.event(eventOf({ eventId: `event-${n}`, senderId: `sender-${n}`, source: 'webhook', text: 'the page was opened', causedBy }))
  opened.log.begin(callOf({ callId: `call-${n}`, eventId: `event-${n}`, explicit: false, by: 'model', ...fields }))
  opened.log.end(endOf({ callId: `call-${n}` }))
}

test('a day on which everything was asked for has nothing unexplained', () => {
  const opened = tempLog()
  wholeCall(opened.log)
  opened.log.begin(callOf({ callId: 'by-hand', by: 'person', explicit: false, allowed: ['fs.write:/home/anna/*'] }))
  opened.log.effect(effectOf({ callId: 'by-hand', kind: 'fs.write', target: '/home/anna/notes.txt' }))
  opened.log.begin(callOf({ callId: 'approved', by: 'approval', explicit: false }))
  opened.log.effect(effectOf({ callId: 'approved' }))
  opened.log.effect(effectOf({ callId: null, background: 'sync', kind: 'net.connect', target: 'a.example:443' }))
  expect(unexplained(reading(opened))).toEqual([])
})

test('effect:observed: an effect with no call comes first, with what is known of it and a next step', () => {
  const opened = tempLog()
  wholeCall(opened.log)
  opened.log.begin(callOf({ callId: 'chatter', explicit: false }))
  opened.log.effect(effectOf({ callId: 'chatter' }))
  opened.log.effect(effectOf({ callId: null, kind: 'fs.delete', target: '/home/anna/plans.txt', detail: { stack: 'at tidy (host.js:3)' } }))
  expect(unexplained(reading(opened))).toMatchObject([
    { id: 'effect-9', reason: 'no-call', kind: 'fs.delete', target: '/home/anna/plans.txt', evidence: '{"stack":"at tidy (host.js:3)"}', nextStep: expect.stringMatching(/^find what did it: .*host\.js:3/) },
    { id: 'effect-8', reason: 'no-ask', kind: 'process.start', callId: 'chatter', tool: 'call_console', route: 'open-console', source: 'user', text: 'please open the console', nextStep: expect.stringContaining('usher explain chatter') },
  ])
})

test('the code that did it is named in words', () => {
  const opened = tempLog()
  opened.log.effect(effectOf({ callId: null, kind: 'fs.write', target: '/a', detail: { api: 'fs.writeFileSync', by: 'file:///host.mjs:3:1' } }))
  expect(unexplained(reading(opened))).toMatchObject([{ evidence: 'fs.writeFileSync at file:///host.mjs:3:1', nextStep: 'find what did it: fs.writeFileSync at file:///host.mjs:3:1; name the work with usher.background() if it is yours' }])
})

test('an effect of a call that was never logged is not taken for explained', () => {
  const opened = tempLog()
  opened.log.effect(effectOf({ callId: 'nobody' }))
  opened.log.effect(effectOf({ callId: 'constructor' }))
  expect(reasons(opened)).toEqual([['effect-2', 'unlogged-call'], ['effect-3', 'unlogged-call']])
})

test('an asked call explains only what its tool declared and its route allowed', () => {
  const opened = tempLog()
  opened.log.begin(callOf({ allowed: ['browser.open'] }))
  opened.log.effect(effectOf({ target: 'xdg-open' }))
  opened.log.effect(effectOf({ kind: 'net.connect', target: 'a.example:443' }))
  opened.log.begin(callOf({ callId: 'undeclared', allowed: null }))
  opened.log.effect(effectOf({ callId: 'undeclared' }))
  expect(unexplained(reading(opened))).toMatchObject([
    { id: 'effect-4', reason: 'beyond-declared', evidence: 'allowed: ["browser.open"]' },
    { id: 'effect-6', reason: 'beyond-declared', evidence: 'allowed: nothing was declared' },
  ])
})

test('an effect that was stopped did not happen', () => {
  const opened = tempLog()
  opened.log.begin(callOf({ explicit: false, allowed: [] }))
  opened.log.effect(effectOf({ blocked: true }))
  expect(unexplained(reading(opened))).toEqual([])
})

test('an ask explains what it caused, at any depth, as far as its own route allowed it', () => {
  const opened = tempLog()
  wholeCall(opened.log)
  let last = 'call-1'
  for (let n = 2; n <= 12; n++) {
    causedCall(opened, n, last)
    last = `call-${n}`
  }
  opened.log.effect(effectOf({ callId: last }))
  expect(unexplained(reading(opened))).toEqual([])
  causedCall(opened, 20, last, { allowed: ['fs.delete'] })
  opened.log.effect(effectOf({ callId: 'call-20', kind: 'fs.delete', target: '/a' }))
  expect(unexplained(reading(opened))).toMatchObject([{ reason: 'no-ask', kind: 'fs.delete', callId: 'call-20' }])
})

test('a chain without an ask, and one that is a circle, explain nothing', () => {
  const opened = tempLog()
  causedCall(opened, 1, 'call-2')
  causedCall(opened, 2, 'call-1')
  causedCall(opened, 3, 'nobody')
  opened.log.effect(effectOf({ callId: 'call-2' }))
  opened.log.effect(effectOf({ callId: 'call-3' }))
  expect(unexplained(reading(opened)).map(found => [found.callId, found.reason])).toEqual([['call-2', 'no-ask'], ['call-3', 'no-ask']])
})

test('a call whose outcome is unknown is listed, until its end is known or a person accepts it', () => {
  const opened = tempLog()
  for (const callId of ['one', 'two', 'three']) {
    opened.log.begin(callOf({ callId }))
    opened.log.end(endOf({ callId, kind: 'unknown', reason: 'lost-answer', why: 'the server died' }))
  }
  expect(unexplained(reading(opened))).toMatchObject([{ id: 'one', reason: 'unknown-outcome', evidence: 'lost-answer: the server died', tool: 'call_console' }, { id: 'two' }, { id: 'three' }])
  opened.log.end(endOf({ callId: 'two' }))
  opened.log.act(actOf({ act: 'accept', about: 'three' }))
  expect(reasons(opened)).toEqual([['one', 'unknown-outcome']])
})

test('since leaves out what is older', () => {
  const opened = tempLog()
  opened.log.effect(effectOf({ callId: null, at: T0 }))
  opened.log.effect(effectOf({ callId: null, target: '/another', at: T0 + 100 }))
  const reader = reading(opened)
  expect(unexplained(reader, T0 + 100).map(found => found.at)).toEqual([T0 + 100])
  expect(unexplained(reader, T0).length).toBe(2)
})

test('the owner\'s view in sqlite3 gives the same answer', ctx => {
  try { execFileSync('sqlite3', ['--version']) } catch { ctx.skip('sqlite3 is not installed') }
  const opened = tempLog()
  wholeCall(opened.log)
  causedCall(opened, 2, 'call-1')
  opened.log.effect(effectOf({ callId: 'call-2', kind: 'fs.write', target: '/home/anna/it\'s.txt' }))
  opened.log.effect(effectOf({ callId: null, target: 'xdg-open' }))
  opened.log.decision(decisionOf())
  opened.log.end(endOf({ callId: 'call-2', kind: 'unknown', reason: 'crashed', why: 'gone' }))
  opened.log.close()
  const shell = JSON.parse(execFileSync('sqlite3', ['-readonly', '-json', opened.file, 'SELECT id, reason, target, next_step FROM unexplained'], { encoding: 'utf8' })) as unknown
  const program = unexplained(reading(opened)).map(found => ({ id: found.id, reason: found.reason, target: found.target ?? null, next_step: found.nextStep }))
  expect(shell).toEqual(program)
  expect(program.map(found => found.reason)).toEqual(['no-call', 'no-ask', 'unknown-outcome'])
  expect(verifyLog(opened.file, { anchor: false }).kind).toBe('unanchored')
})
