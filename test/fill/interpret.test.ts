import { describe, expect, test } from 'vitest'
import { contextOf } from '../../src/fill/context.ts'
import { coversAll, interpret } from '../../src/fill/interpret.ts'
import { targetsOf, type Target } from '../../src/fill/targets.ts'
import type { Json, JsonObject, ListValue } from '../../src/types.ts'
import { AT, object } from './say.ts'

const LEVELS: readonly ListValue[] = [{ in: ['top'], out: 'high' }, { in: ['galley'], out: 'room-1' }, { in: ['seven'], out: 7 }]

/** What is read from the words for one parameter, with the characters; `whole` as a slot reads. */
function read(name: string, inner: JsonObject, text: string, whole = false): { readonly found: readonly unknown[], readonly unfit: readonly unknown[] } {
  const root = object({ [name]: inner })
  const context = contextOf({ visible: root, text, captures: [], at: AT, timeZone: 'Europe/Berlin', lists: new Map([['levels', LEVELS]]), synonyms: new Map([['tied', 'levels'], ['nowhere', 'none']]) }, root)
  const { found, unfit } = interpret(targetsOf(root)[0] as Target, text, context, whole)
  const shown = (list: typeof found) => list.map(({ value, start, end, how, role }) => [value, text.slice(start, end), how, ...role === undefined || role === 'single' ? [] : [role]])
  return { found: shown(found), unfit: shown(unfit) }
}
const values = (name: string, inner: JsonObject, text: string, whole = false): readonly unknown[] => read(name, inner, text, whole).found.map(one => (one as readonly unknown[])[0])
const string = { type: 'string' }
const integer = { type: 'integer' }
const number = { type: 'number' }

describe('each kind is read in its own way', () => {
  test.each<readonly [string, JsonObject, string, readonly unknown[]]>([
    ['level', { enum: ['low', 'high'] }, 'the high one', [['high', 'high', 'listed value']]],
    ['tied', { enum: ['low', 'high'] }, 'the top one', [['high', 'top', 'synonym "top"']]],
    ['size', { enum: [5, 10] }, 'take ten', [[10, 'ten', 'number in words']]],
    ['size', { enum: [5, 10] }, 'take 7', []],
    ['size', { enum: ['5', '10'] }, 'take five', []],
    ['n', integer, 'take 5', [[5, '5', 'number']]],
    ['share', number, 'set it to 50%', [[50, '50%', 'number']]], ['share', number, '50 percent', [[50, '50 percent', 'number']]], ['heat', number, '20 \u00B0C', [[20, '20 \u00B0C', 'number']]], ['heat', number, '20 degrees', [[20, '20 degrees', 'number']]], ['n', number, '5 times', [[5, '5 times', 'number']]], ['n', number, '5 percentages', [[5, '5', 'number']]],
    ['pages', integer, '3 pages', [[3, '3 pages', 'number']]], ['page', integer, '3 Pages', [[3, '3 Pages', 'number']]], ['page', integer, '3-page', [[3, '3-page', 'number']]], ['pages', integer, '3 page', [[3, '3', 'number']]], ['pages', integer, '3 books', [[3, '3', 'number']]], ['pages', integer, '3', [[3, '3', 'number']]],
    ['currency', string, '20 euros', [['EUR', '20 euros', 'currency of the money']]], ['currency', { enum: ['USD', 'EUR'] }, '20 euros', [['EUR', '20 euros', 'currency of the money']]], ['currency', { enum: ['USD'] }, '20 euros', []], ['currency', { enum: ['USD'] }, 'in usd', [['USD', 'usd', 'listed value']]], ['currency', string, '$20', []], ['currency', string, 'EUR', []],
    ['price', number, '20 or $5', [[20, '20', 'money'], [5, '$5', 'money']]], ['price', number, 'about 20', [[20, '20', 'number']]], ['price_cents', integer, '$5.50', [[550, '$5.50', 'money in cents']]], ['price_cents', integer, '550', []], ['price', number, 'in 5 minutes', []],
    ['minutes', integer, 'an hour', [[60, 'an hour', 'duration']]], ['minutes', integer, '5', []], ['hours', number, '90 minutes', [[1.5, '90 minutes', 'duration']]], ['timeout', number, '5 minutes', []], ['seconds', number, '0.1 minutes', [[6, '0.1 minutes', 'duration']]],
    ['x', { type: 'string', format: 'duration' }, 'an hour', [['PT1H', 'an hour', 'duration']]],
    ['x', { type: 'string', format: 'date' }, 'tomorrow at 9', [['2026-12-01', 'tomorrow at 9', 'date']]], ['x', { type: 'string', format: 'date' }, 'at 9', []], ['x', { type: 'string', format: 'time' }, 'at 9', [['09:00:00+01:00', 'at 9', 'time']]], ['x', { type: 'string', format: 'time' }, 'tomorrow', []], ['x', { type: 'string', format: 'date-time' }, 'tomorrow', []], ['x', { type: 'string', description: 'HH:MM' }, 'at 9', [['09:00', 'at 9', 'clock']]],
    ['x', { type: 'string', format: 'date' }, 'from monday to friday', [['2026-12-07', 'monday to friday', 'date', 'start'], ['2026-12-11', 'monday to friday', 'date', 'end']]],
    ['x', { type: 'string', format: 'date-time', pattern: 'Z$' }, 'tomorrow at 9', [['2026-12-01T08:00:00Z', 'tomorrow at 9', 'date-time']]], ['x', { type: 'string', format: 'date-time', pattern: ':00$' }, 'tomorrow at 9', [['2026-12-01T09:00:00+01:00', 'tomorrow at 9', 'date-time']]], ['x', { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}$' }, 'at 9', [['09:00:00', 'at 9', 'time']]],
    ['timestamp', { type: 'integer', description: 'in seconds' }, 'tomorrow at 9', [[1_796_112_000, 'tomorrow at 9', 'date-time']]], ['timestamp_ms', integer, 'tomorrow at 9', [[1_796_112_000_000, 'tomorrow at 9', 'date-time']]], ['timestamp', integer, 'tomorrow at 9', []], ['timestamp', { type: 'integer', description: 'in hours' }, 'tomorrow at 9', []], ['timestamp_ms', integer, 'tomorrow', []],
    ['hour', { type: 'integer', maximum: 23 }, 'at 9:30', [[9, 'at 9:30', 'time']]], ['minute', { type: 'integer', maximum: 59 }, 'at 9:30', [[30, 'at 9:30', 'time']]], ['hour', { type: 'integer', maximum: 23 }, 'tomorrow', []], ['hour', { type: 'integer', maximum: 23 }, '9', []],
    ['email', string, 'to al@x.example', [['al@x.example', 'al@x.example', 'e-mail address']]], ['url', string, 'see https://x.example/', [['https://x.example/', 'https://x.example/', 'URL']]], ['x', { type: 'string', format: 'uuid' }, '123e4567-e89b-12d3-a456-426614174000', [['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000', 'UUID']]], ['phone', string, 'call 030 1234567', [['030 1234567', '030 1234567', 'phone number']]], ['path', string, 'in a/b.txt', [['a/b.txt', 'a/b.txt', 'path']]],
    ['title', string, 'milk', []], ['tied', string, 'to the galley', [['room-1', 'galley', 'list entry "galley"']]], ['tied', string, 'the seven', []], ['nowhere', string, 'galley', []],
    ['flag', { type: 'boolean' }, 'yes true on', []], ['x', {}, '5', []], ['x', { type: 'object' }, '5', []],
  ])('%s %j from "%s"', (name, inner, text, expected) => {
    expect(read(name, inner, text).found).toEqual(expected)
  })
  test.each<readonly [string, JsonObject, string, readonly unknown[]]>([
    ['n', integer, 'nine oh six', [906]], ['n', integer, 'at 5', [5]], ['n', integer, 'in 5 minutes', [5]], ['minutes', integer, '5', [5]], ['minutes', integer, 'an hour', [60]], ['timeout', number, '5', []], ['price', number, '5', [5]], ['price_cents', integer, '5', []], ['path', string, 'my notes', ['my notes']], ['title', string, ' "oat milk" ', ['oat milk']], ['tied', string, 'galley', ['galley']], ['email', string, 'bob', ['bob']],
  ])('in a slot, %s %j from "%s"', (name, inner, text, expected) => {
    expect(values(name, inner, text, true)).toEqual(expected)
  })
  test.each<readonly [string, string]>([['"a"', 'a'], ['\u201Ca b\u201D', 'a b'], ['\'a\'', 'a'], ['\u2018a\u2019', 'a'], ['"a', '"a'], ['"a" or "b"', '"a" or "b"'], ['"a\'', '"a\''], ['  a  ', 'a'], ['x "a"', 'x "a"'], ['"a" x', '"a" x'], ['\'tis', '\'tis']])('quotes: %s is %s', (text, expected) => {
    expect(read('title', string, text, true).found).toEqual([[expected, expected, 'slot']])
  })
  test.each(['', '  ', '""', '" '])('nothing: "%s"', text => {
    expect(values('title', string, text, true)).toEqual(text === '" ' ? ['"'] : [])
  })
})

describe('what does not fit is told apart', () => {
  test.each<readonly [string, JsonObject, string, readonly unknown[], readonly unknown[]]>([
    ['n', { type: 'integer', maximum: 10 }, '5 and 50', [5], [50]], ['n', integer, '5 and 5.5', [5], [5.5]], ['n', number, '5 and 5.5', [5, 5.5], []], ['minutes', integer, '90 seconds', [], [1.5]], ['x', { type: 'string', format: 'duration' }, '250 ms', [], [null]], ['x', { type: 'string', format: 'email', maxLength: 5 }, 'al@x.example', [], ['al@x.example']], ['x', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 3 }, 'tomorrow', [], ['2026-12-01']],
  ])('%s %j from "%s"', (name, inner, text, found, unfit) => {
    const result = read(name, inner, text)
    expect([result.found, result.unfit].map(list => list.map(one => (one as readonly unknown[])[0]))).toEqual([found, unfit])
  })
})

describe('lists', () => {
  const list = (items: Json, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more })
  test.each<readonly [JsonObject, string, readonly unknown[]]>([
    [list(string), 'milk, eggs and bread', [['milk', 'eggs', 'bread']]], [list(integer), '1, two and 3', [[1, 2, 3]]], [list(integer), '1, x', []], [list(integer), '1 2, 3', []], [list(integer), '5 apples', []], [list({ type: 'string', format: 'date' }), 'monday and friday', [['2026-12-07', '2026-12-04']]],
    [list(list(string)), 'a, b', []], [list(object({ a: string })), 'a, b', []], [list(string, { minItems: 2 }), 'a', []], [list(string, { minItems: 2 }), 'a, b', [['a', 'b']]], [list(string, { maxItems: 1 }), 'a, b', []], [list(string, { maxItems: 2 }), 'a, b', [['a', 'b']]], [list(string, { minItems: 'x' }), 'a', [['a']]], [list(string), '', []], [list(string, { allOf: [{ maxItems: 1 }] }), 'a, b', []],
  ])('in a slot, %j from "%s"', (inner, text, expected) => {
    expect(values('items', inner, text, true)).toEqual(expected)
  })
  test('the characters are those of the items, first to last', () => {
    expect(read('items', list(string), ' "oat milk", eggs ', true).found).toEqual([[['oat milk', 'eggs'], 'oat milk", eggs', 'list']])
  })
  const emails = list({ type: 'string', format: 'email' })
  test.each<readonly [JsonObject, string, readonly unknown[]]>([
    [emails, 'to a@x.example, b@x.example and c@x.example', [[['a@x.example', 'b@x.example', 'c@x.example'], 'a@x.example, b@x.example and c@x.example', 'list']]], [emails, 'a@x.example, and b@x.example', [[['a@x.example', 'b@x.example'], 'a@x.example, and b@x.example', 'list']]], [emails, 'a@x.example & b@x.example', [[['a@x.example', 'b@x.example'], 'a@x.example & b@x.example', 'list']]], [emails, 'a@x.example or b@x.example', [[['a@x.example'], 'a@x.example', 'list'], [['b@x.example'], 'b@x.example', 'list']]], [emails, 'a@x.example then b@x.example', [[['a@x.example'], 'a@x.example', 'list'], [['b@x.example'], 'b@x.example', 'list']]],
    [list({ enum: ['red', 'blue'] }), 'red; blue', [[['red', 'blue'], 'red; blue', 'list']]], [list({ type: 'string', format: 'uri' }), 'https://a.example/ plus https://b.example/', [[['https://a.example/', 'https://b.example/'], 'https://a.example/ plus https://b.example/', 'list']]], [list(string), 'milk and eggs', []], [list(integer), '1 and 2', []], [{ ...emails, minItems: 2 }, 'a@x.example', []], [{ ...emails, maxItems: 1 }, 'a@x.example and b@x.example', []],
  ])('without a slot, %j from "%s"', (inner, text, expected) => {
    expect(read('items', inner, text).found).toEqual(expected)
  })
})

describe('small words around a value are not its business', () => {
  const covers = (text: string, said: string) => coversAll(text, { value: said, start: text.indexOf(said), end: text.indexOf(said) + said.length, how: '' })
  test.each([['5', '5'], ['at 5', '5'], ['at the 5', '5'], ['for about 5 please', '5'], ['5.', '5'], ['5 now!', '5'], ['5, thanks', '5'], ['(5)', '5'], ['"5"', '5'], ['no. 5', '5'], ['#5', '5'], ['another one more 5', '5'], ['my 5', '5'], ['exactly 5', '5'], ['  5  ', '5'], ['at5', '5']])('"%s" is covered by "%s"', (text, said) => {
    expect(covers(text, said)).toBe(true)
  })
  test.each([['5 apples', '5'], ['take 5', '5'], ['not 5', '5'], ['5 please do', '5'], ['5 now or later', '5'], ['attic 5', '5'], ['x5', '5'], ['5 6', '5']])('"%s" is not covered by "%s"', (text, said) => {
    expect(covers(text, said)).toBe(false)
  })
})
