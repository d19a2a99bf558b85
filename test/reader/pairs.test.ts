import { expect, test } from 'vitest'
import { FLOOR, FLOOR_SHARED, MAX_ASKS, MAX_NEAR, readerPairs, type ReaderRoute } from '../../src/reader/pairs.ts'
import type { Candidate } from '../../src/types.ts'
import { ask, notAsk, phrase } from './support.ts'

const NAMES = ['shutters', 'lamp', 'kiln', 'pump', 'constructor']
const routes = new Map<string, ReaderRoute>(NAMES.map(name => [name, { name, phrases: [phrase(`work the ${name}`), phrase(`set the ${name} to {level}`)] }]))
const near = (route: string, score: number): Candidate => ({ route, phrase: `work the ${route}`, score, exact: false })
const none = { asks: [], notAsks: [] }
const all = () => true

test('what the rules would fire is read, whatever its nearness', () => {
  const pairs = readerPairs('work the old lamp', { asks: [ask('lamp', 'work the lamp')], notAsks: [] }, [near('kiln', 0.9)], routes, all)
  expect(pairs).toMatchObject([{ route: 'lamp', phrases: ['work the lamp', 'set the lamp to {level}'] }])
})

test('of near routes the two nearest are read, of asks six at most; the others are unread, which is no consent', () => {
  const candidates = ['pump', 'kiln', 'lamp', 'shutters'].map((name, at) => near(name, 0.9 - at / 10))
  expect(readerPairs('something else', none, candidates, routes, all).map(pair => pair.route)).toEqual(['pump', 'kiln'])
  expect(MAX_NEAR).toBe(2)
  const asks = Array.from({ length: 8 }, (_, at) => ask('kiln', 'work the kiln', at * 20))
  const text = 'work the old kiln, '.repeat(8)
  const pairs = readerPairs(text, { asks, notAsks: [] }, candidates, routes, all)
  expect(pairs.map(pair => pair.spans.length)).toEqual([1, 1, 1, 1, 1, 1, 0, 0])
  expect(MAX_ASKS).toBe(6)
})

test.each(['abstain:question', 'abstain:other-person', 'abstain:left-over', 'abstain:other-object', 'abstain:report'])('a rule that is not sure leaves the text to be read: %s', reason => {
  expect(readerPairs('does the kiln work', { asks: [], notAsks: [notAsk('kiln', 'work the kiln', reason)] }, [near('kiln', 0.9)], routes, all).map(pair => pair.route)).toEqual(['kiln'])
})

test('below the floor only a shared word brings a route in', () => {
  const between = (FLOOR + FLOOR_SHARED) / 2
  expect(readerPairs('get that kiln going', none, [near('kiln', between), near('lamp', between)], routes, all).map(pair => pair.route)).toEqual(['kiln'])
  expect(readerPairs('get that kiln going', none, [near('kiln', FLOOR_SHARED - 0.01)], routes, all)).toEqual([])
})

test('a slot\'s name is no word of a route', () => {
  expect(readerPairs('the level rose', none, [near('kiln', FLOOR - 0.01)], routes, all)).toEqual([])
})

test('gate:explicit: a route that the source may not fire is not read at all', () => {
  expect(readerPairs('please work the lamp', { asks: [ask('lamp', 'work the lamp')], notAsks: [] }, [], routes, () => false)).toEqual([])
})

test('phrases that share most words come first, and an unknown route is passed over', () => {
  expect(readerPairs('set the kiln please', none, [near('kiln', 0.9), near('toString', 0.9)], routes, all)).toMatchObject([{ route: 'kiln', phrase: { text: 'set the kiln to {level}' } }])
  expect(readerPairs('work it, the constructor', none, [near('constructor', 0.9)], routes, all)).toMatchObject([{ route: 'constructor' }])
})

test('what the rules would offer comes before what is only near, and what a rule has settled is not read', () => {
  const notAsks = [notAsk('lamp', 'work the lamp', 'abstain:left-over', true), notAsk('kiln', 'work the kiln', 'abstain:negation')]
  expect(readerPairs('never work the kiln or lamp', { asks: [], notAsks }, [near('kiln', 0.9), near('pump', 0.8)], routes, all).map(pair => pair.route)).toEqual(['lamp', 'pump'])
  expect(readerPairs('never work the kiln', { asks: [], notAsks: [notAsk('kiln', 'work the kiln', 'abstain:negation')] }, [near('kiln', 0.9), near('pump', 0.8)], routes, all).map(pair => pair.route)).toEqual(['pump'])
})

test('a phrase word for word is not read, with a question mark or in quotes it is', () => {
  const asked = { asks: [ask('lamp', 'work the lamp')], notAsks: [] }
  for (const text of ['work the lamp', 'Work the lamp!', ' work the lamp.']) expect(readerPairs(text, asked, [near('lamp', 1), near('kiln', 0.9)], routes, all)).toEqual([])
  for (const text of ['work the lamp?', '"work the lamp"', 'please work the lamp']) expect(readerPairs(text, asked, [near('lamp', 1)], routes, all).map(pair => pair.route)).toEqual(['lamp'])
})

test('a phrase word for word with courtesy around it is not read, with any other words it is', () => {
  const asked = (text: string, steps: readonly string[]) => {
    const start = text.indexOf('work the lamp')
    return { asks: [{ ...ask('lamp', 'work the lamp'), span: { start, end: start + 'work the lamp'.length }, steps }], notAsks: [] }
  }
  const read = (text: string, ...steps: readonly string[]) => readerPairs(text, asked(text, steps), [near('lamp', 1)], routes, all).length
  expect(read('please work the lamp', 'wrapper "please"')).toBe(0)
  expect(read('Could you work the lamp for me, please?', 'wrapper "could you"', 'suffix "for me"', 'suffix "please"')).toBe(0)
  expect(read('well, the bulb died, please work the lamp', 'wrapper "please"')).toBe(1)
  expect(read('"please work the lamp"', 'wrapper "please"')).toBe(1)
  expect(read('please work the lamp', 'wrapper "please"', 'slip "lmap" = "lamp"')).toBe(1)
})

test('an ask for a phrase that is a question itself is left to the rules', () => {
  const asked = (text: string) => ({ asks: [ask('lamp', text)], notAsks: [] })
  expect(readerPairs('which rooms are in the attic?', asked('which rooms are in {place}'), [], routes, all)).toEqual([])
  expect(readerPairs('where is the lamp, please?', asked('where is the lamp'), [], routes, all)).toEqual([])
  expect(readerPairs('do work the lamp', asked('do work the lamp now'), [], routes, all)).toHaveLength(1)
})

test('a text too long to be read is paired with no route, but an ask in it is', () => {
  const long = `work the lamp now. ${'x'.repeat(4000)}`
  expect(readerPairs(long, none, [near('lamp', 0.9)], routes, all)).toEqual([])
  expect(readerPairs(long, { asks: [ask('lamp', 'work the lamp')], notAsks: [] }, [near('lamp', 0.9)], routes, all).flatMap(pair => pair.spans.map(({ start, end }) => long.slice(start, end)))).toEqual(['work the lamp now.', 'work the lamp'])
})

test('of plain talk a route is read only where the rules said something of it', () => {
  const candidates = [near('kiln', 0.9), near('pump', 0.8)]
  expect(readerPairs('the kiln was slow', { asks: [], notAsks: [], talk: true }, candidates, routes, all)).toEqual([])
  expect(readerPairs('the kiln was slow', { asks: [], notAsks: [notAsk('pump', 'work the pump', 'abstain:similar', true)], talk: true }, candidates, routes, all).map(pair => pair.route)).toEqual(['pump'])
  expect(readerPairs('the kiln was slow', { asks: [], notAsks: [notAsk('pump', 'work the pump', 'abstain:question')], talk: true }, candidates, routes, all).map(pair => pair.route)).toEqual(['pump'])
})

test('a near route is shown by four of its phrases, one that would fire by six', () => {
  const many = new Map([['kiln', { name: 'kiln', phrases: Array.from({ length: 9 }, (_, at) => phrase(`kiln work ${at}`)) }]])
  expect(readerPairs('the kiln work', none, [near('kiln', 0.9)], many, all)[0]?.phrases).toEqual([0, 1, 2, 3].map(at => `kiln work ${at}`))
  expect(readerPairs('the kiln work', { asks: [ask('kiln', 'kiln work 8')], notAsks: [] }, [], many, all)[0]?.phrases).toHaveLength(6)
})
