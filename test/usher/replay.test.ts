/** What-if: the same configuration decides the same, bit for bit; another one says what would be otherwise; and nothing is called. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PINNED_ENCODER } from '../../src/embed/pinned.ts'
import { createUsher, defineTool, type Embedder, type Usher } from '../../src/index.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { loggedEvents } from '../../src/log/replay-source.ts'
import { replay, type ReplayReport } from '../../src/replay.ts'
import { canonicalJson } from '../../src/util/canonical.ts'

const EVENTS = 10_000
const folder = mkdtempSync(join(tmpdir(), 'usher-replay-'))
const file = join(folder, 'log.sqlite')
const START = Date.UTC(2026, 2, 3)
const clock = { at: START, now(): number { return this.at } }
let calls = 0
const tools = [
  defineTool({ name: 'lamp', description: 'switches the lamp', input: z.object({ room: z.string().optional() }), presetOnly: z.object({ on: z.boolean() }), effects: { on: ['device.actuate'] }, run: () => { calls++ } }),
  defineTool({ name: 'note', description: 'keeps a note', input: z.object({ text: z.string() }), effects: { always: ['data.change'] }, run: () => { calls++ } }),
  defineTool({ name: 'weather', description: 'says the weather', input: z.object({}), effects: {}, run: () => 'sunny' }),
]
const routes = (more = '') => `version: 1
routes:
  - name: lamp-on
    tool: lamp
    triggers: ["switch on the lamp [in the {room}]"${more}]
    preset: { "on": true }
    allow: [device.actuate]
  - name: add-note
    tool: note
    triggers: ["take a note that {text:rest}"]
    allow: [data.change]
  - name: weather
    tool: weather
    triggers: ["what is the weather like"]
`

/** A vector for each text, the same every time: the first numbers of its digest, spread over the dimensions. */
const model: Embedder = {
  id: PINNED_ENCODER, dimension: 384, close: async () => {},
  embed: async text => {
    const digest = createHash('sha512').update(text).digest()
    const vector = Float32Array.from({ length: 384 }, (_, index) => ((digest[index % 64] ?? 0) - 127) * (index + 1))
    const length = Math.hypot(...vector)
    return { vector: vector.map(value => value / length) }
  },
}

const SAID = [
  (n: number) => `please switch on the lamp in the room ${n}`, (n: number) => `take a note that item ${n} is done`, (n: number) => `did you switch on the lamp ${n} times?`, () => 'what is the weather like', (n: number) => `build ${n} failed`,
  (n: number) => `don't switch on the lamp in room ${n}`, (n: number) => `switch on the lamp and take a note that it is ${n}`, (n: number) => `she said "switch on the lamp" ${n} times`,
]
const SOURCES = ['user', 'user', 'user', 'notification', 'chat:mara']

async function withUsher<T>(yaml: string, log: string, work: (usher: Usher) => Promise<T>): Promise<T> {
  writeFileSync(join(folder, 'routes.yaml'), yaml)
  const usher = await createUsher({ routes: join(folder, 'routes.yaml'), tools, log, model, clock, cache: false, timeZone: 'UTC', secondReader: false })
  try { return await work(usher) } finally { await usher.close() }
}

/** @param last how many of the newest events; default all */
async function again(yaml: string, last = EVENTS): Promise<ReplayReport> {
  const reader = openLogReader(file, { stateDir: join(folder, 'state') })
  try {
    return await withUsher(yaml, join(folder, 'scratch.sqlite'), usher => replay(loggedEvents(reader, { since: START + (EVENTS - last) * 30_000 }), async event => {
      clock.at = event.at
      return (await usher.decide(event)).map(({ row, ready }) => ({ row, fires: ready !== undefined, effectful: (ready?.allowed ?? []).length > 0 }))
    }))
  } finally {
    reader.close()
  }
}

beforeAll(async () => {
  process.env['XDG_STATE_HOME'] = join(folder, 'state-home')
  await withUsher(routes(), file, async usher => {
    for (let n = 0; n < EVENTS; n++) {
      clock.at += 30_000
      await usher.handle({ id: `r-${n}`, source: SOURCES[n % SOURCES.length] ?? 'user', text: (SAID[n % SAID.length] as (n: number) => string)(n) })
    }
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(`${EVENTS} events decided again under the same configuration: the same, and nothing is called`, async () => {
  const before = calls
  const report = await again(routes())
  expect(before).toBeGreaterThan(1_000)
  expect(report).toMatchObject({ events: EVENTS, same: EVENTS, notReplayable: 0, changes: [] })
  expect(calls).toBe(before)
})

test('a decision made again has the same scores, near misses, gate steps and arguments to the last bit', async () => {
  const reader = openLogReader(file, { stateDir: join(folder, 'state') })
  await withUsher(routes(), join(folder, 'scratch.sqlite'), async usher => {
    let compared = 0
    for (const { event, decisions } of loggedEvents(reader)) {
      if (compared >= 400) break
      clock.at = event.at
      const now = await usher.decide({ id: event.senderId, source: event.source, text: event.text ?? '', at: event.at })
      const judged = (row: object) => canonicalJson({ ...row, decisionId: '', callId: '', eventId: '', seq: 0, masked: false, gate: [] })
      expect(now.map(({ row }) => judged(row))).toEqual(decisions.map(judged))
      compared++
    }
  })
  reader.close()
})

test('another route table says what newly fires and what no longer does', async () => {
  const wider = await again(routes(', "build {n:number} failed"'), 1_000)
  expect(wider.changes.length).toBeGreaterThan(0)
  const narrower = await again(routes().replace('take a note that', 'note it down that'), 1_000)
  expect(narrower.changes.filter(change => change.change === 'no-longer-fires').length).toBeGreaterThan(50)
  expect(narrower.changes.some(change => change.change === 'newly-fires')).toBe(false)
})
