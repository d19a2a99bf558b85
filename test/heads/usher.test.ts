/** Heads in a whole Usher, with the real encoder: what fires, what is on record, and that effects change nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUsher, defineTool, type Usher } from '../../src/index.ts'
import { DOORS, MEALS, TRAINS, WEATHER } from './support.ts'

const done: string[] = []
const reads = (name: string) => defineTool({ name, description: `reads ${name}`, input: z.object({}), effects: {}, run: () => { done.push(name) } })
const tools = [reads('weather'), reads('trains'), reads('meals'), defineTool({ name: 'door', description: 'opens the door', input: z.object({}), effects: { always: ['device.actuate'] }, run: () => { done.push('door') } })]
const routesOf = (weather: readonly string[]) => `version: 1
routes:
  - { name: weather, tool: weather, triggers: ${JSON.stringify(weather)}, must_not_fire: ["the weather was lovely last week"] }
  - { name: trains, tool: trains, triggers: ${JSON.stringify(TRAINS)} }
  - { name: meals, tool: meals, triggers: ${JSON.stringify(MEALS)} }
  - { name: open-door, tool: door, triggers: ${JSON.stringify(DOORS)}, allow: [device.actuate] }
`

let folder: string
let usher: Usher
const open = async (name: string, weather: readonly string[] = WEATHER): Promise<Usher> => {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, routesOf(weather))
  return await createUsher({ routes: file, tools, log: join(folder, `${name}.sqlite`), cache: join(folder, 'cache'), secondReader: false })
}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'usher-heads-'))
  usher = await open('first')
})
afterAll(async () => {
  await usher.close()
  rmSync(folder, { recursive: true, force: true })
})
const decide = async (text: string, by: Usher = usher, how?: { head: string }) => (await by.decide({ source: 'user', text }, how))[0]?.row

describe('routes with several phrases', () => {
  test('a paraphrase fires, and its row says by which head, how sure, and what the threshold rests on', async () => {
    const row = await decide('should I take an umbrella with me')
    expect(row).toMatchObject({ kind: 'called', reason: 'match', route: 'weather' })
    const head = row?.head as { hash: string, probability: number, threshold: number, phrases: number, neutral: number }
    expect(head.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(head.probability).toBeGreaterThanOrEqual(head.threshold)
    expect(head).toMatchObject({ phrases: WEATHER.length })
    expect(head.neutral).toBeGreaterThan(300)
  })

  test('chatter near the words fires nothing', async () => {
    for (const text of ['the weather was lovely last week', 'the menu bar of the editor is broken', 'bump the weather package to 4.1']) expect((await decide(text))?.kind).not.toBe('called')
  })

  test('gate:explicit: a route with effects fires on no probability, only when it is asked for', async () => {
    for (const text of ['the door should be opened by now', 'visitors wait at the front door', 'I wonder whether the door is unlocked']) expect(await decide(text)).not.toMatchObject({ kind: 'called' })
    const asked = await decide('please open the door')
    expect(asked).toMatchObject({ kind: 'called', reason: 'ask', route: 'open-door' })
    expect(asked?.head).toBeUndefined()
  })

  test('a negation still speaks against a route without effects', async () => {
    expect((await decide("don't show the menu of the canteen"))?.kind).not.toBe('called')
  })

  test('an old decision is made again by its head, bit for bit, after the routes changed; a head that is gone is refused', async () => {
    const text = 'do we get any rain on monday'
    const before = await decide(text)
    const hash = String(before?.head?.['hash'])
    const other = await open('second', [...WEATHER, 'rain on monday'])
    try {
      const [now, again] = [await decide(text, other), await decide(text, other, { head: hash })]
      expect(now?.head?.['hash']).not.toBe(hash)
      expect(again?.head).toEqual(before?.head)
      await expect(decide(text, other, { head: 'f'.repeat(64) })).rejects.toMatchObject({ code: 'INDEX_INVALID' })
    } finally {
      await other.close()
    }
  })

  test('a second start of the same routes has the same head', async () => {
    const again = await open('first-again')
    try {
      expect((await decide('is it cold outside', again))?.head).toEqual((await decide('is it cold outside'))?.head)
    } finally {
      await again.close()
    }
  })
})
