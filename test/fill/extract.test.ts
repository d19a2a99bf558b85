import { describe, expect, test } from 'vitest'
import { MAX_READ } from '../../src/fill/extract.ts'
import { args, capture, object, say } from './say.ts'

const integer = { type: 'integer' }
const date = { type: 'string', format: 'date' }
const optional = (properties: Parameters<typeof object>[0]) => object(properties, { required: [] })

describe('a word beside the value names the parameter', () => {
  test.each<readonly [string, Parameters<typeof object>[0], unknown]>([
    ['width 20 height 30', { width: integer, height: integer }, { width: 20, height: 30 }],
    ['20 wide, height 30', { width: integer, height: integer }, { width: 20, height: 30 }],
    ['width is 20 and height = 30', { width: integer, height: integer }, { width: 20, height: 30 }],
    ['3 pages, 4 copies', { page: integer, copies: integer }, { page: 3, copies: 4 }],
    ['page number 3', { page: integer }, { page: 3 }],
    ['page: 3', { page: integer }, { page: 3 }],
    ['for 2 nights and 3 guests', { guests: integer, nights: integer }, { guests: 3, nights: 2 }],
    ['due friday', { due_date: date }, { due_date: '2026-12-04' }],
    ['since friday', { start_date: date, end_date: { ...date } }, 'unfilled /end_date missing'],
    ['until friday, from wednesday', { start_date: date, end_date: date }, { start_date: '2026-12-02', end_date: '2026-12-04' }],
    ['20', { width: integer, height: integer }, 'unfilled /width missing'],
    ['20 and 30', { width: integer, height: integer }, 'unfilled /width two-candidates'],
    ['width 20 or width 30', { width: integer }, 'unfilled /width two-candidates'],
    ['20 and again 20', { width: integer }, { width: 20 }],
  ])('"%s"', (text, properties, expected) => {
    expect(args(say(object(properties), text))).toEqual(expected)
  })

  test('a range fits the two ends only', () => {
    const text = 'between 5 and 10'
    expect(args(say(object({ min_size: integer, max_size: integer }), text))).toEqual({ min_size: 5, max_size: 10 })
    expect(args(say(object({ size: integer }), text))).toBe('unfilled /size two-candidates')
  })
  test.each<readonly [string, unknown]>([
    ['5 to 10', { min_size: 5, max_size: 10 }], ['5 - 10', { min_size: 5, max_size: 10 }], ['from 5 through 10', { min_size: 5, max_size: 10 }], ['at least 5, under 10', { min_size: 5, max_size: 10 }], ['over 5', { min_size: 5 }], ['up to 10', { max_size: 10 }], ['no more than 10', { max_size: 10 }], ['minimum 5 maximum 10', { min_size: 5, max_size: 10 }], ['5 and 10', {}],
  ])('ends that may be left out: "%s"', (text, expected) => {
    expect(args(say(optional({ min_size: integer, max_size: integer }), text))).toEqual(expected)
  })
})

describe('whose value it is', () => {
  const number = { type: 'number' }
  test.each<readonly [string, Parameters<typeof object>[0], unknown]>([
    ['width 20, 30 height', { width: integer, height: integer }, { width: 20, height: 30 }],
    ['20 width 30 height', { width: integer, height: integer }, 'unfilled /width missing'],
    ['width 20 width 30 height', { width: integer, height: integer }, 'unfilled /width two-candidates'],
    ['widths 20', { width: integer, n: integer }, 'unfilled /n missing'],
    ['width 20 and 5', { width: integer, n: integer }, { width: 20, n: 5 }],
    ['a width of 20', { width: integer }, { width: 20 }],
    ['width: 20 or so, 5 rows', { width: integer, rows: integer }, { width: 20, rows: 5 }],
    ['#5', { n: integer }, { n: 5 }],
    ['page no. 3, copy 4', { page: integer, copies: integer }, { page: 3, copies: 4 }],
    ['$5 and n 7', { price: number, n: integer }, { price: 5, n: 7 }],
    ['5 and 7', { price: number, n: integer }, 'unfilled /price two-candidates'],
    ['a@x.example and a@x.example', { to: { type: 'string', format: 'email' } }, { to: 'a@x.example' }],
    ['a@x.example', { sender: { type: 'string', format: 'email' }, recipient: { type: 'string', format: 'email' } }, 'unfilled /sender missing'],
    ['sender a@x.example, recipient b@x.example', { sender: { type: 'string', format: 'email' }, recipient: { type: 'string', format: 'email' } }, { sender: 'a@x.example', recipient: 'b@x.example' }],
    ['at 9', { time: { type: 'string', format: 'time' }, n: integer }, 'unfilled /n missing'],
    ['20 minutes', { minutes: integer, seconds: integer }, 'unfilled /seconds missing'],
  ])('"%s" for %j', (text, properties, expected) => {
    expect(args(say(object(properties), text))).toEqual(expected)
  })
  test.each<readonly [string, unknown]>([
    ['more than 5', { min_size: 5 }], ['no more than 10', { max_size: 10 }], ['not more than 10', { max_size: 10 }], ['not less than 5', { min_size: 5 }], ['less than 10', { max_size: 10 }], ['minimum of 5', { min_size: 5 }], ['maximum of 10', { max_size: 10 }], ['min 5, max 10', { min_size: 5, max_size: 10 }], ['above 5 and below 10', { min_size: 5, max_size: 10 }], ['between 5 and 10', { min_size: 5, max_size: 10 }], ['5 and 10', {}], ['5 through 10', { min_size: 5, max_size: 10 }], ['5 \u2013 10', { min_size: 5, max_size: 10 }], ['from 5', { min_size: 5 }], ['5', {}], ['between 5', { min_size: 5 }], ['5 to go', {}],
  ])('a range that may be open: "%s"', (text, expected) => {
    expect(args(say(optional({ min_size: integer, max_size: integer }), text))).toEqual(expected)
  })
  test.each<readonly [string, unknown]>([['from monday to friday', { start_date: '2026-12-07', end_date: '2026-12-11' }], ['before friday', { end_date: '2026-12-04' }], ['after friday', { start_date: '2026-12-04' }]])('a span of days that may be open: "%s"', (text, expected) => {
    expect(args(say(optional({ start_date: date, end_date: date }), text))).toEqual(expected)
  })
  test('a length that is a bound is the bound\'s', () => {
    expect(args(say(optional({ min_minutes: integer, max_minutes: integer }), 'at least 5 minutes, up to 10 minutes'))).toEqual({ min_minutes: 5, max_minutes: 10 })
  })
})

describe('an optional parameter takes only what points to it', () => {
  test.each<readonly [string, Parameters<typeof object>[0], unknown]>([
    ['5 of them', { count: integer }, {}], ['count 5', { count: integer }, { count: 5 }], ['wait 5 minutes', { minutes: integer }, { minutes: 5 }], ['on friday', { day: date }, { day: '2026-12-04' }], ['the high one', { level: { enum: ['low', 'high'] } }, { level: 'high' }], ['to bob@example.org', { to: { type: 'string', format: 'email' } }, { to: 'bob@example.org' }],
    ['see /etc/hosts', { path: { type: 'string' } }, {}], ['path /etc/hosts', { path: { type: 'string' } }, { path: '/etc/hosts' }], ['call 0301234567', { phone: { type: 'string' } }, {}], ['phone 0301234567', { phone: { type: 'string' } }, { phone: '0301234567' }], ['$20', { amount: { type: 'number' } }, {}], ['amount $20', { amount: { type: 'number' } }, { amount: 20 }],
    ['low or high', { level: { enum: ['low', 'high'] } }, {}],
  ])('"%s" with %j', (text, properties, expected) => {
    expect(args(say(optional(properties), text))).toEqual(expected)
  })
})

describe('what is said to keep it out, or as a choice', () => {
  const level = { enum: ['low', 'high'] }
  const colours = { type: 'array', items: { enum: ['red', 'green', 'blue'] } }
  test.each(['not low', 'no low', 'never low', 'without low', 'except for low', 'anything but low', 'instead of the low', 'other than low', 'it isn\'t low', 'don\u2019t be low', 'non-low', 'neither low', 'Not a low'])('"%s" gives no level', text => {
    expect(args(say(object({ level }), text))).toBe('unfilled /level missing')
  })
  test.each(['low', 'note low', 'a knot low', 'the low', 'low rather than high', 'not high but low', 'low, not high'])('"%s" gives the low level', text => {
    expect(args(say(object({ level }), text))).toEqual({ level: 'low' })
  })
  test.each<readonly [string, unknown]>([['red and blue', { colours: ['red', 'blue'] }], ['red, green, and blue', { colours: ['red', 'green', 'blue'] }], ['red & blue', { colours: ['red', 'blue'] }], ['red plus blue', { colours: ['red', 'blue'] }], ['red but not blue', { colours: ['red'] }], ['red or blue', 'unfilled /colours two-candidates'], ['not red', 'unfilled /colours missing']])('a list: "%s"', (text, expected) => {
    expect(args(say(object({ colours }), text))).toEqual(expected)
  })
  test.each<readonly [string, unknown]>([['05/12/2026', 'unfilled /day two-candidates'], ['25/12/2026', { day: '2026-12-25' }], ['monday or tuesday', 'unfilled /day two-candidates'], ['next week', 'unfilled /day missing']])('a day: "%s"', (text, expected) => {
    expect(args(say(object({ day: date }), text))).toEqual(expected)
  })
  test('one of two lengths, and one of two amounts, is no answer', () => {
    expect(args(say(object({ minutes: integer }), 'an hour or two'))).toBe('unfilled /minutes two-candidates')
    expect(args(say(object({ amount: { type: 'number' } }), '20 or 50 dollars'))).toBe('unfilled /amount two-candidates')
    expect(args(say(object({ min_price: { type: 'number' }, max_price: { type: 'number' } }), 'between 20 and 50 euros'))).toEqual({ min_price: 20, max_price: 50 })
    expect(args(say(object({ min_price: { type: 'number' }, max_price: { type: 'number' } }), 'from 20 to 50'))).toEqual({ min_price: 20, max_price: 50 })
  })
})

describe('numbers that belong to something else', () => {
  test.each(['in 5 minutes', 'at 7:30', 'on 3 december', '5@x.example', 'https://x.example/5', 'see /tmp/5', 'call +49 30 1234567', 'v5'])('"%s" gives no plain number', text => {
    expect(args(say(object({ n: integer }), text))).toBe('unfilled /n missing')
  })
  test('nor do words that a slot has taken', () => {
    const text = 'add 3 eggs to list 4'
    expect(args(say(object({ title: { type: 'string' }, n: integer }), text, { captures: [capture(text, 'title', '3 eggs')] }))).toEqual({ title: '3 eggs', n: 4 })
  })
})

test('the length of text that is read has a bound, the bound included', () => {
  const text = `n 5${' '.repeat(MAX_READ - 3)}`
  expect(args(say(object({ n: integer }), text))).toEqual({ n: 5 })
  expect(args(say(object({ n: integer }), `${text} `))).toBe('unfilled /n missing')
})
