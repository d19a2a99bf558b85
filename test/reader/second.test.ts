import { expect, test } from 'vitest'
import { UsherError } from '../../src/errors.ts'
import type { AskScorer } from '../../src/ports.ts'
import { secondReading, type SecondParts } from '../../src/reader/second.ts'
import type { Candidate } from '../../src/types.ts'
import { ask, LIMITS, phrase } from './support.ts'

const routes = new Map([{ name: 'shutters', phrases: [phrase('raise the shutters')] }, { name: 'lamp', phrases: [phrase('light the lamp')] }].map(route => [route.name, route]))
const near: readonly Candidate[] = [{ route: 'shutters', phrase: 'raise the shutters', score: 0.8, exact: false }]

function parts(score: AskScorer['score'], more: Partial<SecondParts> = {}): SecondParts {
  return { scorer: { id: `ask-reader@${'ab'.repeat(32)}/q8`, thresholds: LIMITS, score, close: () => Promise.resolve() }, routes, allowed: () => true, mayFire: () => false, ...more }
}

test('where nothing is near the reader is not run', async () => {
  const asked: string[] = []
  const { reading, scores } = await secondReading('fine weather', { asks: [], notAsks: [] }, [], parts((_, text) => { asked.push(text); return Promise.resolve(1) }))
  expect([asked, scores, reading]).toEqual([[], [], { asks: [], notAsks: [] }])
})

test('gate:explicit: for a source that may not fire the route the reader is not run', async () => {
  const { scores } = await secondReading('up with the shutters', { asks: [], notAsks: [] }, near, parts(() => Promise.reject(new Error('run all the same')), { allowed: () => false }))
  expect(scores).toEqual([])
})

test('a sure yes is an offer that names the model', async () => {
  const { reading } = await secondReading('up with the shutters', { asks: [], notAsks: [] }, near, parts(() => Promise.resolve(0.97)))
  expect(reading).toMatchObject({ asks: [], notAsks: [{ route: 'shutters', offer: true, steps: ['second reader 0.970 (ask-reader@abababab)'] }] })
})

test('closed: a reader that fails holds back what the rules would fire, and the event goes on', async () => {
  const broken = parts(() => Promise.reject(new UsherError('READER_FAILED', 'the reading worker ended')))
  const held = await secondReading('please raise the shutters', { asks: [ask('shutters', 'raise the shutters')], notAsks: [] }, near, broken)
  expect(held.reading).toMatchObject({ asks: [], notAsks: [{ reason: 'abstain:reader', offer: true }] })
  const idle = await secondReading('up with the shutters', { asks: [], notAsks: [] }, near, broken)
  expect(idle.reading).toEqual({ asks: [], notAsks: [] })
})

test('closed: where not even the words around the ask can be read, it is offered', async () => {
  const before = { asks: [ask('shutters', 'raise the shutters')], notAsks: [] }
  const { reading, scores } = await secondReading('please raise the shutters', before, near, parts(() => Promise.resolve(undefined)))
  expect(scores).toEqual([{ kind: 'unread', route: 'shutters', at: 0 }])
  expect(reading).toMatchObject({ asks: [], notAsks: [{ route: 'shutters', reason: 'abstain:reader', offer: true }] })
})

test('padding does not switch the reader off: of a long text the sentences around the ask are read', async () => {
  const padding = 'The tide tables for the harbour hang by the door in the hall. '.repeat(20)
  const words = 'raise the shutters by a coat of paint'
  const text = `${padding}${words}. ${padding}`
  const asked: string[] = []
  // As the model: a long text is not read at all.
  const made = parts((_, said) => { asked.push(said); return Promise.resolve(said.split(' ').length > 120 ? undefined : 0.01) })
  const { reading, scores } = await secondReading(text, { asks: [ask('shutters', words, padding.length)], notAsks: [] }, near, made)
  expect(reading).toMatchObject({ asks: [], notAsks: [{ reason: 'abstain:reader', offer: true }] })
  expect([asked[0], asked.at(-1)?.includes(words), asked.length]).toEqual([text, true, 2])
  expect(scores).toMatchObject([{ kind: 'read', span: { end: expect.any(Number) as number } }])
})

test('of two asks in one sentence each is read with its own words', async () => {
  const asked: string[] = []
  const made = parts((_, said) => { asked.push(said); return Promise.resolve(said.includes('coat') ? 0.01 : 0.9) })
  const [first, second] = ['raise the old shutters', 'put a lamp on the coat']
  const text = `please ${first} and ${second}`
  const { reading } = await secondReading(text, { asks: [{ ...ask('shutters', first, 7), phrase: phrase('raise the shutters') }, { ...ask('lamp', second, 12 + first.length), phrase: phrase('put {thing} on') }], notAsks: [] }, near, made)
  expect(asked).toEqual([`please ${first}`, second])
  expect([reading.asks.map(({ route }) => route), reading.notAsks.map(({ route }) => route)]).toEqual([['shutters'], ['lamp']])
})

test('a text that is plainly no request to the nearest route is not read with the next', async () => {
  const two: readonly Candidate[] = [...near, { route: 'lamp', phrase: 'light the lamp', score: 0.7, exact: false }]
  const run = async (first: number, none?: number) => {
    const asked: string[] = []
    const made = parts(phrases => { asked.push(phrases[0] ?? ''); return Promise.resolve(phrases[0] === 'raise the shutters' ? first : 0.97) })
    const { reading, scores } = await secondReading('the shutters by the lamp', { asks: [], notAsks: [] }, two, { ...made, scorer: { ...made.scorer, thresholds: { ...LIMITS, ...none === undefined ? {} : { none } } } })
    return [asked, scores.map(({ route }) => route), reading.notAsks.map(({ route }) => route)]
  }
  const both = ['raise the shutters', 'light the lamp']
  expect(await run(0.007, 0.008)).toEqual([both.slice(0, 1), ['shutters'], []])
  expect(await run(0.008, 0.008)).toEqual([both, ['shutters', 'lamp'], ['lamp']])
  expect(await run(0.007)).toEqual([both, ['shutters', 'lamp'], ['lamp']])
})

test('of two asks both are read, however unlikely the first', async () => {
  const made = parts(() => Promise.resolve(0.001))
  const asks = [ask('shutters', 'raise the shutters'), ask('lamp', 'light the lamp')]
  const { scores } = await secondReading('up with shutters and lamp', { asks, notAsks: [] }, near, { ...made, scorer: { ...made.scorer, thresholds: { ...LIMITS, none: 0.5 } } })
  expect(scores.map(({ route }) => route)).toEqual(['shutters', 'lamp'])
})
