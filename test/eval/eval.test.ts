import { describe, expect, test } from 'vitest'
import { runEval } from '../../src/eval/eval.ts'
import { formatEval } from '../../src/eval/report.ts'
import { slotErrors } from '../../src/eval/slots.ts'

const ROUTES = [
  { name: 'water-ferns', tool: 'sprinkler', triggers: ['water the ferns'] },
  { name: 'call-cab', tool: 'cabs', triggers: ['hail a cab to {place}'], from: ['user', 'chat:ana'] },
]
const data = (cases: readonly object[]): unknown => ({ routes: ROUTES, cases })

test('gate:explicit: hits, misses, false fires and slot errors are counted, all and by kind', async () => {
  const report = await runEval(data([
    { text: 'please water the ferns', source: 'user', route: 'water-ferns', kind: 'polite' },
    { text: 'the ferns look thirsty', source: 'user', route: 'water-ferns', kind: 'paraphrase' },
    { text: 'hail a cab to the pier', source: 'user', route: 'call-cab', kind: 'slot', slots: { place: ['the pier'] } },
    { text: 'hail a cab to the pier', source: 'user', route: 'call-cab', kind: 'slot', slots: { place: ['the opera'] } },
    { text: 'water the ferns', source: 'user', route: 'call-cab', kind: 'exact' },
    { text: 'water the ferns', source: 'user', route: null, kind: 'disputed' },
    { text: 'do not water the ferns', source: 'voice', route: null, kind: 'negation' },
  ]))
  expect(report).toMatchObject({ positives: 5, hits: 3, wrongRoute: 1, slotErrors: 1, negatives: 2, falseFires: 1 })
  expect(report.byKind.find(row => row.kind === 'slot')).toEqual({ kind: 'slot', positive: true, cases: 2, hits: 2, wrongRoute: 0, offered: 0, falseFires: 0, falseOffers: 0 })
  expect(report.errors.map(error => error.error).sort()).toEqual(['false-fire', 'missed', 'slot', 'wrong-route'])
})

test('only the sources of a route fire it: `user` and `voice`, or what it says under `from`', async () => {
  const of = async (text: string, source: string) => (await runEval(data([{ text, source, route: null, kind: 'x' }]))).falseFires
  expect(await of('water the ferns', 'webhook')).toBe(0)
  expect(await of('water the ferns', 'voice')).toBe(1)
  expect(await of('hail a cab to the pier', 'voice')).toBe(0)
  expect(await of('hail a cab to the pier', 'chat:ana')).toBe(1)
  expect(await of('hail a cab to the pier', 'chat:bob')).toBe(0)
})

test('candidates of a matcher reach the reader: a paraphrase counts as offered', async () => {
  const embedder = { id: 'none', dimension: 1, embed: () => Promise.resolve({ vector: Float32Array.of(1) }), close: () => Promise.resolve() }
  const buildMatcher = () => Promise.resolve({ match: () => [{ route: 'water-ferns', phrase: 'water the ferns', score: 0.8, exact: false }] })
  const report = await runEval(data([
    { text: 'give the ferns a drink', source: 'user', route: 'water-ferns', kind: 'paraphrase' },
    { text: 'give the ferns a new pot and some light', source: 'user', route: null, kind: 'near-action' },
  ]), { embedder, buildMatcher })
  expect(report).toMatchObject({ hits: 0, offered: 1, falseFires: 0, falseOffers: 1 })
})

describe('slots are compared as people would', () => {
  const capture = (text: string) => [{ slot: { name: 'place' }, text, span: { start: 0, end: text.length } }]
  test.each<readonly [string, readonly string[] | null, boolean]>([
    ['The Pier', ['the pier'], true], ['the pier', ['pier', 'the pier'], true], ['“the pier”', ['the pier'], true], ['the port', ['the pier'], false], ['anything', null, true],
  ])('%s', (text, wanted, right) => { expect(slotErrors({ place: wanted }, capture(text)).length === 0).toBe(right) })
  test('a slot that the matching trigger should not have is an error', () => { expect(slotErrors({}, capture('the pier'))).toHaveLength(1) })
  test('without expectations nothing is compared', () => { expect(slotErrors(undefined, capture('x'))).toEqual([]) })
})

describe('a file of another form is refused with its place', () => {
  test.each<readonly [string, unknown, RegExp]>([
    ['no routes', { cases: [] }, /routes/], ['no triggers', { routes: [{ name: 'a', triggers: [] }], cases: [] }, /routes\.0\.triggers/], ['not an object', 'x', /evaluation file/],
    ['an unknown route', { routes: ROUTES, cases: [{ text: 'x', source: 'user', route: 'toString' }] }, /toString/], ['two routes of one name', { routes: [ROUTES[0], ROUTES[0]], cases: [] }, /two routes/],
  ])('%s', async (_, file, message) => { await expect(runEval(file, { where: 'mine.json' })).rejects.toThrow(message) })
})

test('the report reads as a table by kind, with each error and its reason', async () => {
  const text = formatEval(await runEval(data([
    { text: 'water the ferns', source: 'user', route: 'water-ferns', kind: 'exact' },
    { text: 'don\'t water the ferns\u202e', source: 'user', route: 'water-ferns', kind: 'odd' },
  ])))
  expect(text).toContain('must fire      2: 1 fired the right route (50.0 %)')
  expect(text).toContain('missed [odd, user]')
  expect(text).toContain('abstain:negation')
  expect(text).not.toContain('\u202e')
})

describe('a trigger that is wrong ends no run', () => {
  const file = { routes: [...ROUTES, { name: 'bad', triggers: ['fold the (map', 'fold the chart'] }], cases: [{ text: 'fold the chart', source: 'user', route: 'bad', kind: 'exact' }, { text: 'water the ferns', source: 'user', route: 'water-ferns', kind: 'exact' }] }

  test('it is reported with the route, the trigger and the reason; cases of the route are misses, the others count as ever', async () => {
    const report = await runEval(file)
    expect(report).toMatchObject({ positives: 2, hits: 1, falseFires: 0 })
    expect(report.errors[0]).toMatchObject({ error: 'bad-trigger', route: 'bad', text: 'fold the (map', reason: 'ROUTES_INVALID' })
    expect(report.errors[0]?.why).toMatch(/character/)
    expect(report.errors[1]).toMatchObject({ error: 'missed', route: 'bad' })
    expect(formatEval(report)).toMatch(/bad trigger of bad: .*fold the \(map/)
  })
  test('a file in which every route is bad still gives a report', async () => {
    expect(await runEval({ routes: [{ name: 'bad', triggers: ['{'] }], cases: [{ text: 'x', source: 'user', route: null }] })).toMatchObject({ positives: 0, negatives: 1, falseFires: 0 })
  })
  test('a case of an unknown route is named by its place and its words', async () => {
    await expect(runEval({ routes: ROUTES, cases: [{ text: 'x', route: null }, { text: 'fold it', route: 'nope' }] })).rejects.toThrow(/cases\.1 \("fold it"\) expects the route "nope".*water-ferns/)
  })
  test('lists hold as in a route file', async () => {
    const routes = [{ name: 'lamp', triggers: ['paint the wall {shade:colour}'], lists: { colour: ['red', { in: ['sky', 'pale blue'], out: 'blue' }] } }]
    expect(await runEval({ routes, cases: [{ text: 'paint the wall sky', route: 'lamp' }, { text: 'paint the wall loudly', route: null }] })).toMatchObject({ hits: 1, falseFires: 0 })
  })
})

test('an ask that is read and does not fire says why: its source, or another route in the same words', async () => {
  const why = async (routes: readonly object[], source: string) => (await runEval({ routes, cases: [{ text: 'water the ferns', source, route: 'water-ferns', kind: 'exact' }] })).errors.map(error => [error.error, error.reason, error.why])
  expect(await why(ROUTES, 'webhook')).toEqual([['missed', 'source', 'the words ask for water-ferns, and it hears only user, voice']])
  expect(await why([...ROUTES, { name: 'mist', triggers: ['water the ferns'] }], 'user')).toEqual([['missed', 'ambiguous', 'the same words ask for water-ferns ("water the ferns") and mist ("water the ferns")']])
})
