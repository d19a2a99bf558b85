/** One test a failure, each proving that nothing was called. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createUsher, defineTool, openEmbedder, type Embedder } from '../../src/index.ts'
import { PINNED_ENCODER } from '../../src/embed/pinned.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'

let folder: string
let happened = 0
const tool = defineTool({ name: 'bell', description: 'rings', input: z.object({}), effects: { always: ['device.actuate'] }, run: () => { happened++ } })
const yaml = 'version: 1\nroutes:\n  - name: ring\n    tool: bell\n    triggers: ["ring the bell"]\n    allow: [device.actuate]\n'
const at = (name: string) => join(folder, name)
const options = () => ({ routes: at('routes.yaml'), tools: [tool], log: at('log.sqlite'), secondReader: false as const })

/** Vectors by length of the text: enough for a phrase table, and no model is loaded. */
function fake(more: Partial<Embedder> = {}): Embedder {
  const vector = new Float32Array(384)
  vector[0] = 1
  return { id: PINNED_ENCODER, dimension: 384, embed: async () => ({ vector }), close: async () => {}, ...more }
}

beforeEach(() => {
  happened = 0
  folder = mkdtempSync(join(tmpdir(), 'usher-closed-'))
  process.env['XDG_STATE_HOME'] = at('state')
  writeFileSync(at('routes.yaml'), yaml)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the ground of these tests: with everything whole, the ask is called', async () => {
  const usher = await createUsher({ ...options(), model: fake() })
  expect((await usher.handle({ source: 'user', text: 'please ring the bell' })).outcomes).toMatchObject([{ kind: 'called' }])
  expect(happened).toBe(1)
  await usher.close()
})

describe('closed: it does not start', () => {
  test.each([
    ['bad YAML', 'version: 1\nroutes:\n  - name: ring\n    tool: bell\n    triggers: [ring the bell\n', 'ROUTES_INVALID'],
    ['an unknown key', `${yaml}    alow: [device.actuate]\n`, 'ROUTES_INVALID'],
    ['a tool that is not there', yaml.replace('tool: bell', 'tool: bel'), 'ROUTES_INVALID'],
    ['a preset key that nobody declared', `${yaml}    preset: { hard: true }\n`, 'ROUTES_INVALID'],
  ])('%s', async (_name, text, code) => {
    writeFileSync(at('routes.yaml'), text)
    await expect(createUsher({ ...options(), model: fake() })).rejects.toMatchObject({ code })
    expect(happened).toBe(0)
  })
  test('routes that are not there', async () => await expect(createUsher({ ...options(), routes: at('nowhere'), model: fake() })).rejects.toMatchObject({ code: 'ROUTES_MISSING' }))
  test('encoder:pinned: another encoder than the thresholds belong to', async () => {
    await expect(createUsher({ ...options(), model: fake({ id: 'another' }) })).rejects.toMatchObject({ code: 'ENCODER_MISMATCH' })
    const usher = await createUsher({ ...options(), model: fake({ id: 'another' }), encoder: 'another' })
    await usher.close()
  })
  test('a model folder that is empty', async () => {
    const start = async () => {
      const model = await openEmbedder({ modelDir: at('nowhere') })
      return createUsher({ ...options(), model, encoder: model.id })
    }
    await expect(start()).rejects.toMatchObject({ code: 'MODEL_MISSING' })
  })
  test('an encoder that fails while phrases are embedded', async () => {
    await expect(createUsher({ ...options(), model: fake({ embed: async () => { throw new Error('out of memory') } }) })).rejects.toThrow('out of memory')
  })
  test('a log that cannot be opened', async () => {
    writeFileSync(at('log.sqlite'), 'this is no database, and long enough to be read as one '.repeat(100))
    await expect(createUsher({ ...options(), model: fake() })).rejects.toMatchObject({ code: expect.stringMatching(/^LOG_/) })
  })
  test.each([['an unknown option', { colour: 'red' }], ['a queue of length zero', { queue: 0 }], ['a time zone that is none', { timeZone: 'Moon/Crater' }], ['a timeout that is not a number', { timeout: Number.NaN }]])('%s', async (_name, more) => {
    await expect(createUsher({ ...options(), model: fake(), ...more } as never)).rejects.toMatchObject({ code: 'BAD_OPTION' })
  })
  test('two tools of one name', async () => await expect(createUsher({ ...options(), tools: [tool, tool], model: fake() })).rejects.toMatchObject({ code: 'TOOL_INVALID' }))
})

describe('closed: it runs, and something breaks', () => {
  test('the encoder fails: the event is logged, and nothing fires', async () => {
    let broken = false
    const whole = fake()
    const usher = await createUsher({ ...options(), model: fake({ embed: text => broken ? Promise.reject(new Error('worker gone')) : whole.embed(text) }) })
    broken = true
    expect((await usher.handle({ source: 'user', text: 'please, ring the bell' })).outcomes).toMatchObject([{ kind: 'no-match', reason: 'encoder-failed', why: expect.stringContaining('worker gone') }])
    expect(happened).toBe(0)
    await usher.close()
  })
  test('trace:before: the disk is full', async () => {
    const log = openSqliteLog(at('full.sqlite'), { stateDir: at('state'), maxPages: 40 })
    const clock = { at: Date.now(), now(): number { return this.at } }
    const usher = await createUsher({ ...options(), log, cache: false, model: fake(), clock })
    let calls = 0
    let refused = 0
    for (let turn = 0; turn < 60; turn++) {
      clock.at += 10_000
      const result = await usher.handle({ source: 'user', text: 'ring the bell', id: `${turn}`, data: { much: 'y'.repeat(8_000) } }).then(handled => handled.outcomes[0]?.kind, (error: unknown) => (error as { code?: string }).code)
      if (result === 'called' || result === 'unknown') calls++
      else if (result === 'LOG_WRITE_FAILED' || result === 'denied') refused++
    }
    expect(refused).toBeGreaterThan(0)
    expect(happened).toBe(calls)
    await usher.close().catch(() => undefined)
  })
  test('the queue is full: the caller is told, and nothing is dropped', async () => {
    const usher = await createUsher({ ...options(), queue: 2, model: fake() })
    const results = await Promise.allSettled(['a', 'b', 'c'].map(text => usher.handle({ source: 'user', text })))
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    await usher.close()
  })
  test('after close nothing is taken', async () => {
    const usher = await createUsher({ ...options(), model: fake() })
    await usher.close()
    await expect(usher.handle({ source: 'user', text: 'ring the bell' })).rejects.toMatchObject({ code: 'CLOSED' })
    expect(happened).toBe(0)
  })
})
