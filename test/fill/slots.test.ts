import { describe, expect, test } from 'vitest'
import type { ListValue } from '../../src/types.ts'
import { args, capture, object, say, spans } from './say.ts'

const string = { type: 'string' }

describe('a slot fills the visible parameter of its name', () => {
  test('fill:evidence: a string is the captured characters, without outer blanks and one pair of quotes', () => {
    const text = 'add  "oat milk"  to the list'
    const filled = say(object({ title: string }), text, { captures: [capture(text, 'title', ' "oat milk" ')] })
    expect(args(filled)).toEqual({ title: 'oat milk' })
    expect(spans(filled, text)).toEqual({ '/title': 'oat milk' })
  })

  test('a string in a duration slot is what was said, a format gets its own form', () => {
    const text = 'wait ten minutes'
    const captures = [capture(text, 'duration', 'ten minutes', { type: 'duration' })]
    expect(args(say(object({ duration: string }), text, { captures }))).toEqual({ duration: 'ten minutes' })
    expect(args(say(object({ duration: { type: 'string', format: 'duration' } }), text, { captures }))).toEqual({ duration: 'PT10M' })
  })

  test('a bare number in a slot is in the unit of the parameter', () => {
    const text = 'set a timer for 25 minutes'
    expect(args(say(object({ minutes: { type: 'integer' } }), text, { captures: [capture(text, 'minutes', '25')] }))).toEqual({ minutes: 25 })
  })

  test('a correction counts with its last value', () => {
    const text = 'timer for five, no, ten minutes'
    const filled = say(object({ minutes: { type: 'integer' } }), text, { captures: [capture(text, 'minutes', 'five, no, ten minutes')] })
    expect(args(filled)).toEqual({ minutes: 10 })
    expect(spans(filled, text)).toEqual({ '/minutes': 'ten minutes' })
  })

  test('a slot for a parameter that is not visible fills nothing', () => {
    const text = 'open it now'
    expect(args(say(object({}), text, { captures: [capture(text, 'open', 'now')] }))).toEqual({})
  })

  test('a typed slot whose words are of another type fills nothing, and there is no call', () => {
    const text = 'write to bob'
    expect(args(say(object({ to: string }), text, { captures: [capture(text, 'to', 'bob', { type: 'email' })] }))).toBe('unfilled /to invalid')
  })

  test('words that a number does not account for are not thrown away', () => {
    const text = 'take 3 or so apples'
    expect(args(say(object({ n: { type: 'integer' } }), text, { captures: [capture(text, 'n', '3 or so apples')] }))).toBe('unfilled /n invalid')
  })

  test('an optional parameter whose slot cannot be read stops the call: something was asked for', () => {
    const text = 'show it in ultra'
    const schema = object({ quality: { type: 'string', enum: ['low', 'high'] } }, { required: [] })
    expect(args(say(schema, text, { captures: [capture(text, 'quality', 'ultra')] }))).toBe('unfilled /quality invalid')
  })

  test('two slots of one name that differ are two candidates', () => {
    const text = 'tell bob or al'
    const captures = [capture(text, 'who', 'bob'), capture(text, 'who', 'al')]
    expect(args(say(object({ who: string }), text, { captures }))).toBe('unfilled /who two-candidates')
  })

  test('words inside a slot are spoken for: no other parameter takes its number from them', () => {
    const text = 'add 3 apples'
    const schema = object({ title: string, count: { type: 'integer' } })
    expect(args(say(schema, text, { captures: [capture(text, 'title', '3 apples')] }))).toBe('unfilled /count missing')
  })

  test('an untyped parameter is never filled, not even by its slot', () => {
    const text = 'on friday'
    expect(args(say(object({ day: {} }), text, { captures: [capture(text, 'day', 'friday')] }))).toBe('unfilled /day invalid')
  })
})

describe('lists', () => {
  const items = object({ items: { type: 'array', items: string } })

  test.each([
    ['milk, eggs and bread', ['milk', 'eggs', 'bread']],
    ['milk, eggs, and bread', ['milk', 'eggs', 'bread']],
    ['milk; eggs & bread', ['milk', 'eggs', 'bread']],
    ['milk', ['milk']],
    ['"salt, coarse" and pepper', ['salt, coarse', 'pepper']],
  ])('fill:evidence: "%s" is a list', (said, expected) => {
    const text = `put ${said} on the list`
    const filled = say(items, text, { captures: [capture(text, 'items', said)] })
    expect(args(filled)).toEqual({ items: expected })
  })

  test('the bounds of a list are obeyed', () => {
    const text = 'put milk, eggs and bread on the list'
    const captures = [capture(text, 'items', 'milk, eggs and bread')]
    expect(args(say(object({ items: { type: 'array', items: string, maxItems: 2 } }), text, { captures }))).toBe('unfilled /items invalid')
    expect(args(say(object({ items: { type: 'array', items: { type: 'integer' } } }), text, { captures }))).toBe('unfilled /items invalid')
  })

  test('typed items are read each by itself', () => {
    const text = 'numbers 1, two and 3'
    expect(args(say(object({ items: { type: 'array', items: { type: 'integer' } } }), text, { captures: [capture(text, 'items', '1, two and 3')] }))).toEqual({ items: [1, 2, 3] })
  })

  test('without a slot, things with a shape are a list only where they follow one another', () => {
    const guests = object({ guests: { type: 'array', items: { type: 'string', format: 'email' } } })
    expect(args(say(guests, 'a@x.example and b@x.example'))).toEqual({ guests: ['a@x.example', 'b@x.example'] })
    expect(args(say(guests, 'a@x.example wrote to b@x.example'))).toBe('unfilled /guests two-candidates')
    expect(args(say(items, 'milk and eggs'))).toBe('unfilled /items missing')
  })
})

describe('names of a route\'s lists', () => {
  const rooms: readonly ListValue[] = [{ in: ['kitchen', 'the galley'], out: 'room-1' }, { in: ['hall'], out: 'room-2' }, { in: ['attic'], out: 7 }, { in: ['cellar'], out: true }]
  const lists = new Map([['rooms', rooms]])

  test('the words stand for the value of the entry', () => {
    const text = 'warm the Kitchen'
    const filled = say(object({ room: string }), text, { captures: [capture(text, 'room', 'Kitchen', { list: 'rooms' })], lists })
    expect(args(filled)).toEqual({ room: 'room-1' })
    expect(spans(filled, text)).toEqual({ '/room': 'Kitchen' })
  })

  test.each([['shed', string], ['attic', string], ['cellar', string], ['cellar', { type: 'boolean' }], ['hall', { type: 'integer' }]])('"%s" is not sent where it is no entry or of another type', (said, schema) => {
    const text = `warm the ${said}`
    const filled = say(object({ room: schema }), text, { captures: [capture(text, 'room', said, { list: 'rooms' })], lists })
    expect(filled.kind).toBe('unfilled')
  })

  test('synonyms stand for members of an enum, and only for its members', () => {
    const levels: readonly ListValue[] = [{ in: ['top', 'most urgent'], out: 'high' }, { in: ['odd'], out: 'other' }]
    const more = { lists: new Map([['levels', levels]]), synonyms: new Map([['priority', 'levels']]) }
    const schema = object({ priority: { type: 'string', enum: ['low', 'high'] } })
    expect(args(say(schema, 'the most urgent one', more))).toEqual({ priority: 'high' })
    expect(args(say(schema, 'the odd one', more))).toBe('unfilled /priority missing')
    expect(args(say(schema, 'stop it', more))).toBe('unfilled /priority missing')
  })

  test('a plain string tied to a list takes the list\'s words and no other', () => {
    const more = { lists, synonyms: new Map([['room', 'rooms']]) }
    expect(args(say(object({ room: string }), 'warm the galley', more))).toEqual({ room: 'room-1' })
    expect(args(say(object({ room: string }), 'warm the shed', more))).toBe('unfilled /room missing')
  })
})
