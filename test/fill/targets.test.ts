import { describe, expect, test } from 'vitest'
import { itemTarget, targetsOf, type Target } from '../../src/fill/targets.ts'
import type { JsonObject } from '../../src/types.ts'
import { object } from './say.ts'

const only = (inner: JsonObject, name = 'x'): Target => targetsOf(object({ [name]: inner }))[0] as Target
const kind = (name: string, inner: JsonObject): string => only(inner, name).kind
const string = { type: 'string' }
const number = { type: 'number' }
const said = (type: string, description: string): JsonObject => ({ type, description })

describe('the kind of a parameter', () => {
  test.each<readonly [string, JsonObject, string]>([
    ['x', { format: 'date', type: 'string' }, 'date'], ['x', { format: 'time', type: 'string' }, 'time'], ['x', { format: 'date-time', type: 'string' }, 'date-time'], ['x', { format: 'duration', type: 'string' }, 'duration'], ['x', { format: 'email', type: 'string' }, 'email'], ['x', { format: 'idn-email', type: 'string' }, 'email'], ['x', { format: 'uri', type: 'string' }, 'url'], ['x', { format: 'url', type: 'string' }, 'url'], ['x', { format: 'iri', type: 'string' }, 'url'], ['x', { format: 'uri-reference', type: 'string' }, 'url'], ['x', { format: 'uuid', type: 'string' }, 'uuid'], ['x', { format: 'made-up', type: 'string' }, 'string'], ['x', { format: 5, type: 'string' }, 'string'], ['x', { format: 'date' }, 'untyped'],
  ])('by format: %s %j is %s', (name, inner, expected) => {
    expect(kind(name, inner)).toBe(expected)
  })
  test.each<readonly [string, string]>([
    ['email', 'email'], ['user_email', 'email'], ['email_user', 'string'], ['url', 'url'], ['image_url', 'url'], ['uri', 'url'], ['website', 'url'], ['phone', 'phone'], ['telephone', 'phone'], ['path', 'path'], ['file', 'path'], ['filepath', 'path'], ['filename', 'path'], ['directory', 'path'], ['folder', 'path'], ['currency', 'currency'], ['title', 'string'], ['', 'string'], ['constructor', 'string'], ['toString', 'string'],
  ])('a text by its name: %s is %s', (name, expected) => {
    expect(kind(name, string)).toBe(expected)
  })
  test.each<readonly [string, string]>([
    ['ISO 8601 date', 'date'], ['An ISO date', 'date'], ['ISO-8601 date', 'date'], ['ISO8601 datetime', 'date-time'], ['RFC 3339 time', 'date-time'], ['RFC3339 datetime', 'date-time'], ['ISO 8601 duration', 'duration'], ['ISO 8601 durations', 'duration'], ['ISO 639 language', 'string'], ['ISO country', 'string'], ['in ISO 8601, with the time zone', 'string'], ['ISO code of the timezone', 'string'],
    ['YYYY-MM-DD', 'date'], ['as yyyy-mm-dd', 'date'], ['YYYY-MM-DDTHH:MM', 'string'], ['YYYY-MM-DD HH:MM', 'string'], ['HH:MM', 'clock'], ['as hh:mm', 'clock'], ['HH:MM:SS', 'string'], ['YYYY HH:MM', 'string'], ['a date', 'string'], ['', 'string'],
  ])('a text by its description: "%s" is %s', (description, expected) => {
    expect(kind('x', said('string', description))).toBe(expected)
  })
  test.each<readonly [string, string]>([
    ['^\\d{4}-\\d{2}-\\d{2}$', 'date'], ['^\\d{2}:\\d{2}$', 'clock'], ['^\\d{2}:\\d{2}:\\d{2}$', 'time'], ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$', 'date-time'], ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$', 'date-time'], ['^[0-9:-]+$', 'string'], ['.', 'string'], ['^[a-z]+$', 'string'], ['^#', 'string'], ['^x$', 'string'], ['(?=a)b', 'string'], ['^\\d{4}', 'string'], ['^[a-z ]{3,}$', 'string'],
  ])('a text by its pattern: %s is %s', (pattern, expected) => {
    expect(kind('x', { type: 'string', pattern })).toBe(expected)
  })
  test('a pattern in every schema that holds decides, and a format before it', () => {
    expect(kind('x', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', allOf: [{ pattern: '-' }] })).toBe('date')
    expect(kind('x', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', allOf: [{ pattern: '^x' }] })).toBe('string')
    expect(kind('x', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'email' })).toBe('email')
    expect(kind('url', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' })).toBe('date')
    expect(kind('url', said('string', 'YYYY-MM-DD'))).toBe('date')
  })
  test.each<readonly [string, JsonObject, string]>([
    ['timestamp', number, 'timestamp'], ['epoch', number, 'timestamp'], ['x', said('number', 'a unix time'), 'timestamp'], ['x', said('number', 'Timestamp of it'), 'timestamp'], ['x', said('integer', 'seconds since 1970'), 'timestamp'], ['x', said('number', 'an epoch'), 'timestamp'], ['timestamps', number, 'number'],
    ['hour', { type: 'integer', maximum: 23 }, 'hour'], ['start_hour', { type: 'integer', maximum: 24 }, 'hour'], ['hour', { type: 'integer', maximum: 25 }, 'number'], ['hour', number, 'number'], ['hour_x', { type: 'integer', maximum: 23 }, 'number'], ['minute', { type: 'integer', maximum: 59 }, 'minute'], ['minute', { type: 'integer', maximum: 60 }, 'minute'], ['minute', { type: 'integer', maximum: 61 }, 'number'], ['hour', { type: 'integer', maximum: 'x' }, 'number'], ['hour', { type: 'integer', maximum: 99, allOf: [{ maximum: 23 }] }, 'hour'],
    ['amount', number, 'money'], ['unit_price', number, 'money'], ['price_unit', number, 'money'], ['cost', number, 'money'], ['budget', number, 'money'], ['salary', number, 'money'], ['fee', number, 'money'], ['total', number, 'money'], ['cents', number, 'money'], ['dollars', number, 'money'], ['euros', number, 'money'], ['tip', number, 'money'],
    ['duration', number, 'duration-number'], ['timeout', number, 'duration-number'], ['delay', number, 'duration-number'], ['interval', number, 'duration-number'], ['ttl', number, 'duration-number'], ['wait', number, 'duration-number'], ['elapsed', number, 'duration-number'], ['seconds', number, 'duration-number'], ['secs', number, 'duration-number'], ['minutes', number, 'duration-number'], ['mins', number, 'duration-number'], ['hours', number, 'duration-number'], ['hrs', number, 'duration-number'], ['days', number, 'duration-number'], ['weeks', number, 'duration-number'], ['ms', number, 'duration-number'], ['millis', number, 'duration-number'], ['milliseconds', number, 'duration-number'],
    ['max_sec', number, 'duration-number'], ['max_min', number, 'duration-number'], ['x_s', number, 'duration-number'], ['x_hr', number, 'duration-number'], ['x_h', number, 'duration-number'], ['s', number, 'number'], ['min', number, 'number'], ['min_size', number, 'number'], ['x', said('number', 'how long, in minutes'), 'duration-number'], ['x', said('number', 'number of days'), 'duration-number'], ['x', said('integer', 'in ms'), 'duration-number'], ['x', said('number', 'in hundreds'), 'number'], ['x', said('number', 'minutes'), 'number'], ['count', { type: 'integer' }, 'number'], ['x', { type: ['integer', 'null'] }, 'number'],
  ])('a number: %s %j is %s', (name, inner, expected) => {
    expect(kind(name, inner)).toBe(expected)
  })
  test.each<readonly [JsonObject, string]>([
    [{ type: 'boolean' }, 'boolean'], [{ type: ['boolean', 'string'] }, 'boolean'], [{ enum: [true, false] }, 'boolean'], [{ enum: [true, 'x'] }, 'enum'], [{ enum: ['a'] }, 'enum'], [{ enum: [] }, 'untyped'], [{ type: 'string', enum: ['a'] }, 'enum'], [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'enum'], [{ anyOf: [{ const: 'a' }, { const: 'a' }] }, 'untyped'], [{ anyOf: [{ const: 'a' }, { const: null }] }, 'untyped'], [{ const: 'a' }, 'untyped'],
    [{ type: 'object' }, 'untyped'], [{ type: 'array' }, 'list'], [{ type: 'array', items: string }, 'list'], [{}, 'untyped'], [{ type: 'null' }, 'untyped'], [{ type: ['string', 'number'] }, 'string'], [{ type: ['array', 'number'] }, 'number'], [{ type: ['null', 'array'] }, 'list'], [{ anyOf: [string, { type: 'null' }] }, 'string'], [{ type: 'string', anyOf: [number] }, 'string'], [{ anyOf: [number] }, 'number'],
  ])('by type: %j is %s', (inner, expected) => {
    expect(kind('x', inner)).toBe(expected)
  })
  test('a currency may be listed', () => {
    expect(kind('currency', { enum: ['EUR', 'USD'] })).toBe('currency')
    expect(kind('currency_code', { enum: ['EUR', 'USD'] })).toBe('currency')
    expect(kind('coin', { enum: ['EUR', 'USD'] })).toBe('enum')
  })
})

describe('what is known about a parameter', () => {
  test('its place, its words and its description', () => {
    const [target] = targetsOf(object({ dueDate: { allOf: [{ description: 5 }, { type: 'string', description: 'When it is due' }] } }))
    expect(target).toMatchObject({ path: '/dueDate', tokens: ['dueDate'], name: 'dueDate', words: ['due', 'date'], description: 'When it is due', required: true, kind: 'string', values: [], integer: false })
    expect(target?.unit).toBeUndefined()
    expect(only({ type: 'string' }).description).toBe('')
  })
  test('the names of a path are escaped', () => {
    expect(targetsOf(object({ 'a/b~c': string })).map(({ path }) => path)).toEqual(['/a~1b~0c'])
  })
  test.each<readonly [JsonObject, boolean]>([[{ type: 'integer' }, true], [number, false], [{ type: ['integer', 'number'] }, false], [{ type: ['integer', 'null'] }, true], [string, false]])('whole numbers only: %j is %s', (inner, expected) => {
    expect(only(inner).integer).toBe(expected)
  })
  test.each<readonly [string, JsonObject, number | undefined]>([['delay_seconds', number, 1_000], ['delay', said('number', 'in minutes'), 60_000], ['delay', number, undefined], ['timestamp', said('integer', 'in seconds'), 1_000], ['timestamp_ms', number, 1], ['count', said('number', 'a few seconds'), undefined], ['amount', said('number', 'in seconds'), undefined]])('the unit of %s %j is %s', (name, inner, expected) => {
    expect(only(inner, name).unit).toBe(expected)
  })
  test.each<readonly [string, JsonObject, boolean]>([['email', string, true], ['path', string, true], ['title', string, false], ['email', { type: 'string', format: 'email' }, false], ['path', { type: 'string', format: 'uri' }, false], ['url', said('string', 'YYYY-MM-DD'), false], ['currency', { type: 'string', enum: ['EUR'] }, false], ['currency', string, true], ['amount', number, false], ['email', {}, false]])('%s %j is loose: %s', (name, inner, expected) => {
    expect(only(inner, name).loose).toBe(expected)
  })
  test('the shortest list of values counts, and consts of branches are one', () => {
    expect(only({ enum: ['a', 'b', 'c'], allOf: [{ enum: ['a', 'b'] }] }).values).toEqual(['a', 'b'])
    expect(only({ anyOf: [{ const: 'a' }, { const: 'b' }, { const: 'a' }] }).values).toEqual(['a', 'b'])
    expect(only({ enum: 'a' }).values).toEqual([])
    expect(only({ enum: ['a', 'b'], allOf: [{ const: 'a' }, { const: 'b' }] }).values).toEqual(['a', 'b'])
  })
  test('the item of a list is a parameter of its own', () => {
    const root = object({ emails: { type: 'array', items: { type: 'string', description: 'one of them' } } })
    expect(itemTarget(root, targetsOf(root)[0] as Target)).toMatchObject({ path: '/emails/*', tokens: ['emails', '*'], required: false, name: 'emails', kind: 'string', description: 'one of them' })
  })
})

describe('which parameters there are', () => {
  const paths = (root: JsonObject) => targetsOf(root).map(({ path, required }) => `${path}${required ? '!' : ''}`)
  test('those of objects below, as far as four levels', () => {
    expect(paths(object({ a: object({ b: string }, { required: [] }), c: string }))).toEqual(['/a/b', '/c!'])
    expect(paths(object({ a: object({ b: object({ c: object({ d: string }) }) }) }))).toEqual(['/a/b/c/d!'])
    expect(targetsOf(object({ a: object({ b: object({ c: object({ d: object({ e: string }) }) }) }) })).map(({ path, kind: found }) => [path, found])).toEqual([['/a/b/c/d', 'object']])
  })
  test('one is required only where everything on the way is', () => {
    expect(paths(object({ a: object({ b: string }) }, { required: [] }))).toEqual(['/a/b'])
    expect(paths(object({ a: object({ b: string }) }))).toEqual(['/a/b!'])
  })
  test('those of parts that hold, those of branches, and those without a schema', () => {
    expect(paths({ type: 'object', allOf: [object({ a: string })], anyOf: [object({ b: string })], required: ['c', 5] })).toEqual(['/a!', '/b', '/c!'])
    expect(targetsOf({ type: 'object', required: ['c'] }).map(({ kind: found }) => found)).toEqual(['untyped'])
    expect(paths({ type: 'object', properties: 'x', required: 'y' })).toEqual([])
  })
  test('the same schema object is looked at once', () => {
    const root = object({ a: string })
    expect(targetsOf(root)).toBe(targetsOf(root))
  })
})
