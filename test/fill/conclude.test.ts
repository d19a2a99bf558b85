/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import { describe, expect, test } from 'vitest'
import { capture, object, say } from './say.ts'

const string = { type: 'string' }
const integer = { type: 'integer' }

describe('the schema has the last word', () => {
  test('a value that the whole does not take is left out; a required one stops the call', () => {
    const root = (required: readonly string[]) => object({ n: integer, m: integer }, { required: [...required], if: { properties: { n: { minimum: 5 } }, required: ['n'] }, then: { properties: { m: { maximum: 3 } } } })
    expect(say(root([]), 'n 7, m 9')).toEqual({ kind: 'filled', args: { n: 7 }, filled: [{ path: '/n', value: 7, start: 2, end: 3, how: 'number' }], empty: [{ path: '/m', reason: 'invalid', question: 'Which m?' }] })
    expect(say(root(['m']), 'n 7, m 9')).toEqual({ kind: 'unfilled', filled: [{ path: '/n', value: 7, start: 2, end: 3, how: 'number' }], empty: [{ path: '/m', reason: 'invalid', question: 'Which m?' }], question: 'Which m?' })
    expect(say(root(['m']), 'n 7, m 2')).toMatchObject({ kind: 'filled', args: { n: 7, m: 2 } })
  })
  test('a value is left out for what is wrong inside it, and for the object that it is in', () => {
    const emails = object({ to: { type: 'array', items: { type: 'string', format: 'email' }, uniqueItems: true } }, { required: [] })
    expect(say(emails, 'to a@x.example, a@x.example')).toMatchObject({ kind: 'filled', args: {}, empty: [{ path: '/to', reason: 'invalid' }] })
    const pair = object({ range: { type: 'object', properties: { low: integer, high: integer }, maxProperties: 1 } }, { required: [] })
    expect(say(pair, 'low 1, high 2')).toMatchObject({ kind: 'filled', args: { range: { high: 2 } }, empty: [{ path: '/range/low', reason: 'invalid' }] })
  })
  test('what a condition wants and no word gave is asked for, without the other values being lost', () => {
    const root = object({ n: integer, reason: string, other: string }, { required: ['n'], if: { properties: { n: { minimum: 5 } } }, then: { required: ['reason'] } })
    expect(say(root, 'n 7')).toEqual({
      kind: 'unfilled', filled: [{ path: '/n', value: 7, start: 2, end: 3, how: 'number' }], question: 'Which reason?',
      empty: [{ path: '/reason', reason: 'missing', question: 'Which reason?' }, { path: '/other', reason: 'missing', question: 'Which other?' }],
    })
  })
  test('a rule about the whole is told as it is', () => {
    const filled = say(object({ n: integer, m: integer }, { required: [], minProperties: 2 }), 'n 7')
    expect(filled).toMatchObject({ kind: 'unfilled', empty: [{ path: '', reason: 'invalid' }, { path: '/m', reason: 'missing' }] })
    expect(filled.kind === 'unfilled' && filled.question).toMatch(/^the arguments must NOT have fewer than 2/)
  })
  test('what only a person may give is said to be so, and not by name', () => {
    const filled = say(object({ n: integer }, { if: { properties: { n: { minimum: 5 } } }, then: { required: ['confirm'] } }), 'n 7')
    expect(filled).toMatchObject({ kind: 'unfilled', empty: [{ reason: 'arming' }] })
    expect(JSON.stringify(filled)).not.toContain('confirm')
  })
  test('a schema that does not compile gives no call, and says why', () => {
    const filled = say({ ...object({ n: integer }), minProperties: 'x' }, 'n 7')
    expect(filled).toMatchObject({ kind: 'unfilled', filled: [], empty: [] })
    expect(filled.kind === 'unfilled' && filled.question).toMatch(/^this tool's schema cannot be used: not a valid 2020-12 schema/)
  })
})

describe('why a parameter stays empty', () => {
  test('what blocks comes first, then what may stay empty', () => {
    expect(say(object({ a: string, b: integer, c: string }, { required: ['c'] }), 'b 5')).toEqual({
      kind: 'unfilled', filled: [{ path: '/b', value: 5, start: 2, end: 3, how: 'number' }], question: 'Which c?',
      empty: [{ path: '/c', reason: 'missing', question: 'Which c?' }, { path: '/a', reason: 'missing', question: 'Which a?' }],
    })
  })
  test('fill:never-arms: a required flag is a person\'s, an optional one is only missing', () => {
    expect(say(object({ send: { type: 'boolean' } }), 'send it')).toEqual({ kind: 'unfilled', filled: [], empty: [{ path: '/send', reason: 'arming', question: '"send" could set off an effect, so only a route\'s preset or a person may give it' }], question: '"send" could set off an effect, so only a route\'s preset or a person may give it' })
    expect(say(object({ wrapped: { type: 'boolean' } }), 'wrapped')).toMatchObject({ kind: 'unfilled', empty: [{ path: '/wrapped', reason: 'missing' }] })
    expect(say(object({ send: { type: 'boolean' } }, { required: [] }), 'send it')).toMatchObject({ kind: 'filled', empty: [{ path: '/send', reason: 'missing' }] })
  })
  test('fill:never-arms: a value that arms is told so, required or not', () => {
    const action = (required: readonly string[]) => object({ action: { enum: ['send', 'read'] } }, { required: [...required] })
    expect(say(action([]), 'send it')).toMatchObject({ kind: 'filled', args: {}, empty: [{ path: '/action', reason: 'arming' }] })
    expect(say(action(['action']), 'send it')).toMatchObject({ kind: 'unfilled', empty: [{ path: '/action', reason: 'arming' }] })
    const text = 'do send'
    expect(say(action([]), text, { captures: [capture(text, 'action', 'send')] })).toMatchObject({ kind: 'unfilled', empty: [{ path: '/action', reason: 'arming' }] })
  })
  test('fill:never-arms: a list is armed when one of its items is', () => {
    const steps = object({ steps: { type: 'array', items: { enum: ['purge', 'keep', 'show'] } } })
    expect(say(steps, 'keep and purge')).toMatchObject({ kind: 'unfilled', empty: [{ path: '/steps', reason: 'arming' }] })
    expect(say(steps, 'keep and show')).toMatchObject({ kind: 'filled', args: { steps: ['keep', 'show'] } })
    const text = 'to all, bob'
    expect(say(object({ to: { type: 'array', items: string } }), text, { captures: [capture(text, 'to', 'all, bob')] })).toMatchObject({ kind: 'unfilled', empty: [{ path: '/to', reason: 'arming' }] })
  })
  test('two candidates of an optional parameter do not stop the call, those of a slot do', () => {
    expect(say(object({ level: { enum: ['low', 'high'] } }, { required: [] }), 'low or high')).toMatchObject({ kind: 'filled', args: {}, empty: [{ path: '/level', reason: 'two-candidates', question: 'Which level: "low" or "high"?' }] })
    const text = 'level low or high'
    expect(say(object({ level: { enum: ['low', 'high'] } }, { required: [] }), text, { captures: [capture(text, 'level', 'low or high')] })).toMatchObject({ kind: 'unfilled', empty: [{ path: '/level', reason: 'two-candidates' }] })
  })
})
