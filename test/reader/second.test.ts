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

test('a text too long for the reader stays with the rules', async () => {
  const before = { asks: [ask('shutters', 'raise the shutters')], notAsks: [] }
  const { reading, scores } = await secondReading('please raise the shutters', before, near, parts(() => Promise.resolve(undefined)))
  expect(scores).toEqual([{ kind: 'unread', route: 'shutters' }])
  expect(reading.asks.map(each => each.route)).toEqual(['shutters'])
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
