/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { visibleFromZod } from '../../src/schema/zod.ts'
import { args, capture, object, say, spans } from './say.ts'

const string = { type: 'string' }
const integer = { type: 'integer' }

describe('what the words say', () => {
  const cases: readonly (readonly [string, Parameters<typeof object>[0], unknown])[] = [
    ['set a timer for twenty five minutes', { minutes: integer }, { minutes: 25 }],
    ['set a timer for an hour and a half', { duration_seconds: integer }, { duration_seconds: 5400 }],
    ['wait 90 minutes', { hours: { type: 'number' } }, { hours: 1.5 }],
    ['wait 1h30m', { pause: { type: 'string', format: 'duration' } }, { pause: 'PT1H30M' }],
    ['what happens tomorrow', { date: { type: 'string', format: 'date' } }, { date: '2026-12-01' }],
    ['what happens tomorrow', { date: { type: 'string', description: 'Day as YYYY-MM-DD' } }, { date: '2026-12-01' }],
    ['remind me tomorrow at 9', { when: { type: 'string', format: 'date-time' } }, { when: '2026-12-01T09:00:00+01:00' }],
    ['wake me at 7:30', { time: { type: 'string', description: 'HH:MM' } }, { time: '07:30' }],
    ['wake me at 7:30', { time: { type: 'string', format: 'time' } }, { time: '07:30:00+01:00' }],
    ['write to bob@example.org.', { to: { type: 'string', format: 'email' } }, { to: 'bob@example.org' }],
    ['read https://example.org/a_(b).', { page: { type: 'string', format: 'uri' } }, { page: 'https://example.org/a_(b)' }],
    ['show ~/notes/todo.md please', { path: string }, { path: '~/notes/todo.md' }],
    ['look up +49 30 1234567', { phone: string }, { phone: '+49 30 1234567' }],
    ['how much is $1,250.50', { amount: { type: 'number' } }, { amount: 1250.5 }],
    ['that is 20 euros', { amount: { type: 'number' }, currency: { type: 'string', enum: ['USD', 'EUR'] } }, { amount: 20, currency: 'EUR' }],
    ['that is 20 dollars', { amount_cents: integer }, { amount_cents: 2000 }],
    ['make it high priority', { priority: { type: 'string', enum: ['low', 'high'] } }, { priority: 'high' }],
    ['those in progress', { stage: { type: 'string', enum: ['todo', 'in_progress', 'progress'] } }, { stage: 'in_progress' }],
    ['scale of five', { scale: { type: 'integer', enum: [3, 5, 7] } }, { scale: 5 }],
    ['volume at 50%', { volume: { type: 'integer', minimum: 0, maximum: 100 } }, { volume: 50 }],
    ['go to page 1', { page: integer }, { page: 1 }],
    ['width 20 height 30', { width: integer, height: integer }, { width: 20, height: 30 }],
    ['from 3 december to 7 december', { start: { type: 'string', format: 'date' }, end: { type: 'string', format: 'date' } }, { start: '2026-12-03', end: '2026-12-07' }],
    ['between 5 and 10 of them', { min_count: integer, max_count: integer }, { min_count: 5, max_count: 10 }],
    ['from 20 to 50 dollars', { price_min: { type: 'number' }, price_max: { type: 'number' } }, { price_min: 20, price_max: 50 }],
    ['tomorrow at 9', { remind_at: { type: 'integer', description: 'Unix timestamp in seconds' } }, { remind_at: 1_796_112_000 }],
    ['tomorrow at 9', { timestamp: { type: 'integer', description: 'in milliseconds' } }, { timestamp: 1_796_112_000_000 }],
    ['wake me at 7:30', { hour: { type: 'integer', maximum: 23 }, minute: { type: 'integer', maximum: 59 } }, { hour: 7, minute: 30 }],
    ['tomorrow at 9', { when: { type: 'string', description: 'ISO 8601 datetime' } }, { when: '2026-12-01T09:00:00+01:00' }],
    ['tomorrow at 9', { when: { type: 'string', description: 'Date in ISO format' } }, { when: '2026-12-01' }],
    ['for an hour', { wait: { type: 'string', description: 'ISO 8601 duration' } }, { wait: 'PT1H' }],
    ['at least 5 and at most 10', { min: integer, max: integer }, { min: 5, max: 10 }],
    ['add a@x.example, b@x.example and c@x.example', { guests: { type: 'array', items: { type: 'string', format: 'email' } } }, { guests: ['a@x.example', 'b@x.example', 'c@x.example'] }],
    ['id 123e4567-e89b-12d3-a456-426614174000', { id: { type: 'string', format: 'uuid' } }, { id: '123e4567-e89b-12d3-a456-426614174000' }],
  ]
  test.each(cases)('fill:evidence: "%s" gives each value its own characters', (text, properties, expected) => {
    const filled = say(object(properties), text)
    expect(args(filled)).toEqual(expected)
    for (const { start, end } of filled.filled) expect(text.slice(start, end)).not.toBe('')
  })
})

describe('own tools: what zod writes', () => {
  const own = (schema: z.ZodType) => { const seen = visibleFromZod(z.object({ x: schema })); if (seen.kind === 'refused') throw new Error(seen.reason); return seen.schema }
  test.each<readonly [string, z.ZodType, unknown]>([
    ['to bob@example.org', z.email(), 'bob@example.org'], ['see https://example.org/a', z.url(), 'https://example.org/a'], ['tomorrow', z.iso.date(), '2026-12-01'], ['tomorrow at 9', z.iso.datetime(), '2026-12-01T08:00:00Z'], ['tomorrow at 9', z.iso.datetime({ offset: true }), '2026-12-01T09:00:00+01:00'],
    ['tomorrow at 9', z.iso.datetime({ local: true }), '2026-12-01T08:00:00Z'], ['at 9:30', z.iso.time(), '09:30'], ['for an hour', z.iso.duration(), 'PT1H'], ['5 of them', z.int().min(1).max(9), 5], ['the high one', z.enum(['low', 'high']), 'high'], ['the high one', z.union([z.literal('low'), z.literal('high')]), 'high'], ['on 2026-12-05', z.string().regex(/^\d{4}-\d{2}-\d{2}$/), '2026-12-05'],
  ])('fill:evidence: "%s"', (text, schema, expected) => {
    expect(args(say(own(schema), text))).toEqual({ x: expected })
  })
})

describe('what the words do not say', () => {
  const cases: readonly (readonly [string, Parameters<typeof object>[0], string])[] = [
    ['add milk to the list', { title: string }, 'unfilled /title missing'],
    ['remind me tomorrow', { when: { type: 'string', format: 'date-time' } }, 'unfilled /when missing'],
    ['may I go, sat there', { day: { type: 'string', format: 'date' } }, 'unfilled /day missing'],
    ['wait 5 minutes', { duration: { type: 'number' } }, 'unfilled /duration missing'],
    ['in 5 minutes, or so', { timestamp: integer }, 'unfilled /timestamp missing'],
    ['wait 5 minutes', { at: { type: 'integer', description: 'seconds since 1970' } }, 'unfilled /at missing'],
    ['wait 2 hours', { hour: { type: 'integer', maximum: 23 } }, 'unfilled /hour missing'],
    ['make it 20', { width: integer, height: integer }, 'unfilled /width missing'],
    ['give me 20', { n: { type: 'integer', maximum: 10 } }, 'unfilled /n invalid'],
    ['give me 2.5', { n: integer }, 'unfilled /n invalid'],
    ['bob@example.org or al@example.org', { to: { type: 'string', format: 'email' } }, 'unfilled /to two-candidates'],
    ['five or ten of them', { n: integer }, 'unfilled /n two-candidates'],
    ['v2 of 3rd on 12/03 at 9:30', { n: integer }, 'unfilled /n missing'],
    ['that is 20 dollars', { currency: string }, 'unfilled /currency missing'],
    ['on friday', { day: {} }, 'unfilled /day missing'],
    ['a thing with parts', { data: { type: 'object' } }, 'unfilled /data missing'],
  ]
  test.each(cases)('fill:evidence: "%s" is no evidence, so there is no call', (text, properties, expected) => {
    expect(args(say(object(properties), text))).toBe(expected)
  })

  test('fill:evidence: two candidates are both named in the question', () => {
    const filled = say(object({ amount: integer }), 'five or ten of them')
    expect(filled).toMatchObject({ kind: 'unfilled', question: 'How much: 5 or 10?' })
  })

  test('a missing required value comes with the question to ask', () => {
    expect(say(object({ invoice_id: string }), 'pay the invoice')).toMatchObject({ kind: 'unfilled', question: 'Which invoice?' })
    expect(say(object({ when: { type: 'string', format: 'date-time' } }), 'remind me')).toMatchObject({ question: 'When?' })
    expect(say(object({ minutes: integer }), 'set a timer')).toMatchObject({ question: 'How long: minutes?' })
  })

  test('an optional value that is not said is left out, with the reason', () => {
    const filled = say(object({ n: integer, note: string }, { required: [] }), 'hello')
    expect(filled).toMatchObject({ kind: 'filled', args: {}, empty: [{ path: '/n', reason: 'missing' }, { path: '/note', reason: 'missing' }] })
  })

  test('an optional number is taken only where its name stands beside it', () => {
    const schema = object({ limit: integer }, { required: [] })
    expect(args(say(schema, 'the 5 notes'))).toEqual({})
    expect(args(say(schema, 'notes, limit 5'))).toEqual({ limit: 5 })
  })

  test('a nullable parameter without evidence stays out: no null, no "null"', () => {
    const schema = object({ when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], default: null }, note: { type: ['string', 'null'] }, old: { type: 'string', nullable: true } }, { required: [] })
    expect(args(say(schema, 'nothing here'))).toEqual({})
    expect(args(say(schema, 'on friday'))).toEqual({ when: '2026-12-04' })
  })

  test('a page of text is read through slots only', () => {
    const text = `${'word '.repeat(1000)} 5`
    expect(args(say(object({ n: integer }), text))).toBe('unfilled /n missing')
    expect(args(say(object({ n: integer }), text, { captures: [capture(text, 'n', '5')] }))).toEqual({ n: 5 })
  })
})

describe('objects in objects', () => {
  const schema = object({ filter: object({ team: string, size: integer }) })

  test('a slot reaches the one parameter of its name further down', () => {
    const text = 'show team Blue of size 3'
    const filled = say(schema, text, { captures: [capture(text, 'team', 'Blue')] })
    expect(args(filled)).toEqual({ filter: { team: 'Blue', size: 3 } })
    expect(spans(filled, text)).toEqual({ '/filter/team': 'Blue', '/filter/size': '3' })
  })

  test('local references are followed, and what lies behind them is required as well', () => {
    const behind = object({ f: { $ref: '#/$defs/F' } }, { $defs: { F: object({ team: string, purge: { type: 'boolean', default: true } }, { required: ['team'] }) } })
    const text = 'show team Blue'
    expect(args(say(behind, text))).toBe('unfilled /f/team missing')
    expect(args(say(behind, text, { captures: [capture(text, 'team', 'Blue')] }))).toEqual({ f: { team: 'Blue' } })
  })

  test('a required object of which nothing is said is asked for', () => {
    const schema = object({ f: { type: 'object', properties: { team: string } } })
    expect(say(schema, 'hello')).toMatchObject({ kind: 'unfilled', question: 'Which f?', empty: [{ path: '/f', reason: 'missing' }, { path: '/f/team' }] })
    const wants = object({ n: integer }, { if: { properties: { n: { minimum: 5 } } }, then: { required: ['confirm'] } })
    expect(say(wants, 'n 7')).toMatchObject({ kind: 'unfilled', empty: [{ reason: 'arming' }] })
  })

  test('names from outside are keys like any other', () => {
    const odd = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}},"required":["constructor"]}') as ReturnType<typeof object>
    const filled = say(odd, 'constructor 5')
    expect(args(filled)).toEqual({ constructor: 5 })
    expect(Object.keys(filled.kind === 'filled' ? filled.args : {})).toEqual(['constructor'])
  })
})
