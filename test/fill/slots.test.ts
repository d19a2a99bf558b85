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

describe('which slot is for which parameter', () => {
  const deep = object({ options: object({ team: string }), other: object({ team: string }, { required: [] }) }, { required: ['options'] })
  const text = 'for red or blue'
  test('a dotted name is exact, a short one only where it can mean one parameter', () => {
    expect(args(say(deep, text, { captures: [capture(text, 'options.team', 'red')] }))).toEqual({ options: { team: 'red' } })
    expect(args(say(deep, text, { captures: [capture(text, 'team', 'red')] }))).toBe('unfilled /options/team missing')
    expect(args(say(object({ options: object({ team: string }) }), text, { captures: [capture(text, 'team', 'red')] }))).toEqual({ options: { team: 'red' } })
    expect(args(say(object({ options: object({ team: string }) }), text, { captures: [capture(text, 'options.team', 'red'), capture(text, 'team', 'blue')] }))).toEqual({ options: { team: 'red' } })
    expect(args(say(object({ team: string }), text, { captures: [capture(text, 'other', 'red')] }))).toBe('unfilled /team missing')
  })
  test('two slots that say the same are one value, and one that cannot be read spoils it', () => {
    const twice = 'bob and bob, 5 and x'
    const [first, second] = [capture(twice, 'who', 'bob'), { slot: { name: 'who' }, text: 'bob', span: { start: 8, end: 11 } }]
    expect(args(say(object({ who: string }), twice, { captures: [first, second] }))).toEqual({ who: 'bob' })
    expect(args(say(object({ n: { type: 'integer' } }), twice, { captures: [capture(twice, 'n', '5'), capture(twice, 'n', 'x')] }))).toBe('unfilled /n invalid')
  })
  test('two values in one slot are two candidates, named in their own characters', () => {
    const said = 'take 3 or 4'
    const filled = say(object({ n: { type: 'integer' } }), said, { captures: [capture(said, 'n', '3 or 4')] })
    expect(filled).toMatchObject({ kind: 'unfilled', question: 'Which n: 3 or 4?', empty: [{ path: '/n', reason: 'two-candidates' }] })
    expect(args(say(object({ n: { type: 'integer' } }), 'take 3 or 3', { captures: [capture('take 3 or 3', 'n', '3 or 3')] }))).toBe('unfilled /n invalid')
  })
})

describe('corrections', () => {
  test.each([['five, no, ten', 10], ['five, sorry, ten', 10], ['five. I mean ten', 10], ['five - make it ten', 10], ['five make that ten', 10], ['five, no, ten, no, twelve', 12], ['five, actually ten', 10], ['five wait ten', 10], ['five scratch that ten', 10], ['five, rather ten', 10], ['five, correction: ten', 10], ['five nope ten', 10], ['five, i meant, ten', 10]])('"%s" is %d', (said, n) => {
    const text = `take ${said} now`
    const filled = say(object({ n: { type: 'integer' } }), text, { captures: [capture(text, 'n', said)] })
    expect(args(filled)).toEqual({ n })
    expect(spans(filled, text)['/n']).toMatch(/^(?:ten|twelve)$/)
  })
  test('are part of a text that is taken as it stands', () => {
    const text = 'write five, no, ten'
    expect(args(say(object({ title: string }), text, { captures: [capture(text, 'title', 'five, no, ten')] }))).toEqual({ title: 'five, no, ten' })
    expect(args(say(object({ path: string }), text, { captures: [capture(text, 'path', 'five, no, ten')] }))).toEqual({ path: 'five, no, ten' })
    expect(args(say(object({ items: { type: 'array', items: string } }), text, { captures: [capture(text, 'items', 'five, no, ten')] }))).toEqual({ items: ['five', 'no', 'ten'] })
  })
  test('with nothing after them take nothing away', () => {
    const text = 'take five, no'
    expect(args(say(object({ n: { type: 'integer' } }), text, { captures: [capture(text, 'n', 'five, no')] }))).toBe('unfilled /n invalid')
    expect(args(say(object({ n: { type: 'integer' } }), 'take nothing', { captures: [capture('take nothing', 'n', 'nothing')] }))).toBe('unfilled /n invalid')
  })
})

describe('typed slots of a plain text', () => {
  test.each<readonly [string, string, boolean]>([
    ['number', '5', true], ['number', 'x', false], ['integer', 'five', true], ['integer', 'x', false], ['email', 'a@x.example', true], ['url', 'https://x.example/', true], ['url', 'x', false], ['phone', '030 1234567', true], ['phone', '12', false], ['duration', 'an hour', true], ['duration', 'x', false], ['date', 'tomorrow', true], ['date', 'x', false], ['time', 'at 9', true], ['time', 'x', false], ['datetime', 'tomorrow at 9', true], ['datetime', 'tomorrow', false], ['money', '$5', true], ['money', 'x', false], ['word', 'x', true], ['rest', 'x y', true],
  ])('%s takes "%s": %s', (type, said, takes) => {
    const text = `it is ${said}`
    expect(args(say(object({ x: string }), text, { captures: [capture(text, 'x', said, { type: type as 'word' })] }))).toEqual(takes ? { x: said } : 'unfilled /x invalid')
  })
  test('the bounds of the text hold all the same', () => {
    const text = 'it is five'
    expect(args(say(object({ x: { type: 'string', maxLength: 3 } }), text, { captures: [capture(text, 'x', 'five', { type: 'number' })] }))).toBe('unfilled /x invalid')
  })
})

describe('entries of a list', () => {
  const lists = new Map<string, readonly ListValue[]>([['all', [{ in: ['one'], out: 1 }, { in: ['uno', 'Big  One'], out: 'one' }, { in: ['no'], out: false }]]])
  const entry = (schema: Parameters<typeof object>[0][string], said: string) => {
    const text = `take ${said} now`
    const filled = say(object({ x: schema }), text, { captures: [capture(text, 'x', said, { list: 'all' })], lists })
    return [args(filled), spans(filled, text)['/x']]
  }
  test.each<readonly [Parameters<typeof object>[0][string], string, unknown, string | undefined]>([
    [string, 'uno', { x: 'one' }, 'uno'], [string, ' uno ', { x: 'one' }, 'uno'], [string, 'big one', { x: 'one' }, 'big one'], [{ type: 'integer' }, 'one', { x: 1 }, 'one'], [{ type: 'number' }, 'one', { x: 1 }, 'one'], [{ type: 'string', format: 'email' }, 'uno', 'unfilled /x invalid', undefined], [{ enum: ['one', 'two'] }, 'uno', { x: 'one' }, 'uno'], [{ enum: ['two', 'three'] }, 'uno', 'unfilled /x invalid', undefined], [{ enum: [1, 2] }, 'one', { x: 1 }, 'one'], [string, 'one', 'unfilled /x invalid', undefined], [{ type: 'integer' }, 'uno', 'unfilled /x invalid', undefined], [{ type: 'integer', minimum: 2 }, 'one', 'unfilled /x invalid', undefined], [{ type: 'boolean' }, 'no', 'unfilled /x invalid', undefined], [{ type: 'boolean' }, 'uno', 'unfilled /x invalid', undefined], [{}, 'uno', 'unfilled /x invalid', undefined], [{ type: 'array', items: string }, 'uno', 'unfilled /x invalid', undefined],
  ])('%j takes "%s" as %j', (schema, said, expected, characters) => {
    expect(entry(schema, said)).toEqual([expected, characters])
  })
  test('of a length of time or an amount are numbers', () => {
    const text = 'take one now'
    for (const name of ['minutes', 'price']) {
      expect(args(say(object({ [name]: { type: 'number' } }), text, { captures: [capture(text, name, 'one', { list: 'all' })], lists }))).toEqual({ [name]: 1 })
      expect(args(say(object({ [name]: { type: 'number' } }), 'take uno now', { captures: [capture('take uno now', name, 'uno', { list: 'all' })], lists }))).toBe(`unfilled /${name} invalid`)
    }
  })
  test('of a list that is not there are none', () => {
    const text = 'take uno'
    expect(args(say(object({ x: string }), text, { captures: [capture(text, 'x', 'uno', { list: 'missing' })], lists }))).toBe('unfilled /x invalid')
  })
})
