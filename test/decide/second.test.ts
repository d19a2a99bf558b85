import { expect, test } from 'vitest'
import { beginSecondReading, withSecondReading } from '../../src/decide/second.ts'
import type { AskScorer } from '../../src/ports.ts'
import type { Ask, Event, RouteTable } from '../../src/types.ts'
import { LIMITS } from '../reader/support.ts'

const phrase = { text: 'raise the shutters', template: 'raise the shutters', parts: [{ kind: 'text', text: 'raise the shutters' }] } as const
const table = { routes: new Map([['shutters', { name: 'shutters', tool: 'act', phrases: [phrase], from: ['user'] }]]) } as unknown as RouteTable
const event: Event = { id: 'e', source: 'user', text: 'please raise the shutters', at: 1 }
const ask: Ask = { kind: 'ask', route: 'shutters', phrase, span: { start: 7, end: 25 }, captures: [], steps: [] }

function counted(score: () => Promise<number>): { readonly asked: string[], readonly scorer: AskScorer } {
  const asked: string[] = []
  return { asked, scorer: { id: `ask-reader@${'ab'.repeat(32)}/q8`, thresholds: LIMITS, score: (_, text) => { asked.push(text); return score() }, close: () => Promise.resolve() } }
}

const read = (scorer: AskScorer) => withSecondReading({ table, tools: new Map(), scorer, effectful: () => true }, event, { asks: [ask], notAsks: [] }, [])

test('what the rules take for an ask is scored at once, and once', async () => {
  const { asked, scorer } = counted(() => Promise.resolve(0.8))
  const begun = beginSecondReading(scorer, table, event, [ask])
  expect(asked).toEqual([event.text])
  expect((await read(begun)).reading.asks.map(({ route }) => route)).toEqual(['shutters'])
  expect(asked).toHaveLength(1)
})

test('closed: a score that fails before anybody waits for it is an objection all the same', async () => {
  const { scorer } = counted(() => Promise.reject(new Error('the reading worker ended')))
  const begun = beginSecondReading(scorer, table, event, [ask])
  await new Promise(resolve => { setImmediate(resolve) })
  expect((await read(begun)).reading).toMatchObject({ asks: [], notAsks: [{ reason: 'abstain:reader' }] })
})

test('gate:explicit: nothing is begun for a source that may not fire the route, nor where nothing is asked', () => {
  const { asked, scorer } = counted(() => Promise.resolve(0.8))
  beginSecondReading(scorer, table, { ...event, source: 'webhook' }, [ask])
  beginSecondReading(scorer, table, event, [])
  expect(asked).toEqual([])
})
