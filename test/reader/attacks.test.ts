import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import type { AskScorer } from '../../src/ports.ts'
import { openAskScorer } from '../../src/reader/scorer.ts'
import { secondReading, type SecondReading } from '../../src/reader/second.ts'
import { expandTemplate } from '../../src/routes/expand.ts'
import type { AskReading, Candidate } from '../../src/types.ts'
import { ATTACKS, ROUTES, SLOT_ATTACKS } from './attacks.ts'

const table = ROUTES.map(route => ({ name: route.name, phrases: route.triggers.flatMap(trigger => expandTemplate(trigger)), not: [], lists: new Map() }))
const routes = new Map(table.map(route => [route.name as string, route]))
const rules = createAskReader(table)
/** The cheap step is passed by force: every route is near. */
const near: readonly Candidate[] = ROUTES.map(route => ({ route: route.name, phrase: route.triggers[0], score: 0.9, exact: false }))
let scorer: AskScorer

beforeAll(async () => {
  const opened = await openAskScorer({ warn: message => { throw new Error(message) } })
  if (!opened) throw new Error('no reader')
  scorer = opened
}, 240_000)
afterAll(() => scorer.close())

async function both(text: string): Promise<{ before: AskReading, after: SecondReading }> {
  const before = rules.read(text, near)
  return { before, after: await secondReading(text, before, near, { scorer, routes, allowed: () => true, mayFire: () => false }) }
}

describe('attacks on the second reader', () => {
  test.each([...ATTACKS, ...SLOT_ATTACKS])('gate:explicit: by its word alone nothing fires: $name, $route', async ({ text }) => {
    const { before, after } = await both(text)
    const allowed = before.asks.map(ask => ask.route)
    for (const ask of after.reading.asks) expect(allowed).toContain(ask.route)
  })

  test('it takes no more than one attack in twenty for an ask, and so offers it', async () => {
    const offered: string[] = []
    for (const { text, route, name } of ATTACKS) {
      const { before, after } = await both(text)
      if (!before.asks.some(ask => ask.route === route) && after.reading.notAsks.some(not => not.route === route && not.offer)) offered.push(`${name}: ${route}`)
    }
    expect(offered.slice(Math.floor(ATTACKS.length / 20))).toEqual([])
  })

  test('a text of more than it can read whole is not read in part', async () => {
    for (const { text } of ATTACKS.filter(attack => attack.name.startsWith('padding'))) expect(await scorer.score(['raise the shutters'], text)).toBeUndefined()
  })

  test('what nobody sees and how it is cased change nothing', async () => {
    const plain = await scorer.score(['raise the shutters'], 'please raise the shutters')
    for (const text of ['PLEASE raise the shutters', 'ple\u200Base  raise the\u00AD shutters', 'ｐｌｅａｓｅ raise the shutters']) expect(await scorer.score(['raise the shutters'], text)).toBe(plain)
  })
})
