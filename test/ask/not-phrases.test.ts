import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import type { AskScorer } from '../../src/ports.ts'
import { secondReading } from '../../src/reader/second.ts'
import type { Candidate } from '../../src/types.ts'
import { LIMITS } from '../reader/support.ts'
import { route } from './routes.ts'

const routes = [
  route('kiln-up', ['turn the kiln up', 'make the kiln hotter'], { not: ['fire the glaze', 'crank up the wheel', 'the clay needs it warmer'] }),
  route('radio', ['turn the radio on']),
]
const reader = createAskReader(routes)
const near: readonly Candidate[] = [{ route: 'kiln-up', phrase: 'turn the kiln up', score: 0.9, exact: false }]
const reasons = (text: string): string[] => reader.read(text, near).notAsks.filter(not => not.route === 'kiln-up').map(({ reason, offer }) => `${reason} ${String(offer)}`)

describe('gate:explicit: what stands under `not` never fires, whatever would decide', () => {
  test.each([
    'fire the glaze', 'The clay needs it warmer.', 'could you please crank up the wheel', 'fire teh glaze', 'crank up the wheeel', 'turn the kiln up and fire the glaze', 'turn the kiln up. CRANK UP THE WHEEL!',
    `${'the shelves are full of pots and jars. '.repeat(700)}fire the glaze`,
  ])('%#: the rules say so, and offer nothing', text => {
    expect(reader.read(text, near).asks.map(ask => ask.route)).not.toContain('kiln-up')
    expect(reasons(text)).toEqual(['abstain:not-phrase false'])
  })

  test('the second reader is not asked, though it may fire the route alone', async () => {
    const scorer: AskScorer = { id: 'sure', thresholds: LIMITS, score: () => Promise.resolve(0.999), close: () => Promise.resolve() }
    const parts = { scorer, routes: new Map(routes.map(each => [each.name, each])), allowed: () => true, mayFire: () => true }
    const run = async (text: string) => (await secondReading(text, reader.read(text, near), near, parts)).reading
    expect((await run('get the glaze kiln really hot')).asks.map(ask => ask.route)).toEqual(['kiln-up'])
    const held = await run('get it hot, fire the glaze')
    expect([held.asks, held.notAsks.filter(not => not.offer)]).toEqual([[], []])
  })

  test('other asks of the same text are done', () => {
    expect(reader.read('turn the radio on and turn the kiln up to fire the glaze', near).asks.map(ask => ask.route)).toEqual(['radio'])
  })

  test.each(['turn the kiln up', 'fire up the kiln glaze', 'please turn the kiln up, the wheel is ready'])('where it is not said nothing is barred: %s', text => {
    expect(reasons(text)).not.toContain('abstain:not-phrase false')
  })
})

describe('a text that says a `not` phrase and else nothing of the route does not bring the route up', () => {
  const log = 'oven 3: asked to fire the glaze at 10:30, done in 802 ms'
  test('the reading bars the route, and names no near miss', () => {
    expect(reader.read(log, []).notAsks).toMatchObject([{ route: 'kiln-up', reason: 'abstain:not-phrase', bars: true }])
  })

  test('where its words are there, the near miss is said', () => {
    expect(reader.read('turn the kiln up and fire the glaze', near).notAsks.map(({ reason, bars }) => [reason, bars])).toEqual([['abstain:not-phrase', undefined]])
  })
})
