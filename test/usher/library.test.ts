import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUsher, defineTool, openEmbedder, type Embedder, type Usher } from '../../src/index.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { queryLog } from '../../src/log/query.ts'
import { unexplained } from '../../src/log/unexplained.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-library-'))
const clock = { at: Date.UTC(2026, 2, 3, 12), now(): number { return this.at } }
const done: string[] = []
const routes = `
version: 1
routes:
  - name: light-on
    tool: light
    triggers: ["switch on the light [in the {room}]"]
    preset: { "on": true }
    allow: [device.actuate]
    limits: { perHour: 3 }
  - name: gate-open
    tool: gate
    triggers: ["open the gate"]
    allow: [device.actuate]
    when: { state: { home: true } }
  - name: relay
    tool: relay
    triggers: ["relay {text:rest}"]
    from: [user, notification]
    allow: [message.send]
  - name: weather
    tool: weather
    triggers: ["what is the weather like", "how warm is it outside", "will it rain today"]
  - name: loud
    tool: loud
    triggers: ["make some noise"]
    mode: shadow
    allow: [device.actuate]
`
const tools = [
  defineTool({ name: 'light', description: 'switches a light', input: z.object({ room: z.string().optional() }), presetOnly: z.object({ on: z.boolean() }), effects: { on: ['device.actuate'] }, run: args => { done.push(`light ${args.room ?? ''}`); return { on: args.on } } }),
  defineTool({ name: 'gate', description: 'opens the gate', input: z.object({}), effects: { always: ['device.actuate'] }, run: () => { done.push('gate') } }),
  defineTool({ name: 'relay', description: 'passes words on', input: z.object({ text: z.string() }), effects: { always: ['message.send'] }, run: args => { done.push(`relay ${args.text}`); return `passed on: ${args.text}` } }),
  defineTool({ name: 'weather', description: 'says the weather', input: z.object({}), effects: {}, run: () => 'sunny' }),
  defineTool({ name: 'loud', description: 'makes noise', input: z.object({}), effects: { always: ['device.actuate'] }, run: () => { done.push('loud') } }),
]

let model: Embedder
let usher: Usher
let ids = 0
const say = async (text: string, more: object = {}) => (await usher.handle({ source: 'user', text, id: `t-${++ids}`, ...more })).outcomes
const kinds = async (text: string, more: object = {}) => (await say(text, more)).map(outcome => `${outcome.kind} ${outcome.reason}`)
/** Rows that call nothing are committed in groups, within 100 ms. */
const reader = async <T>(ask: (log: ReturnType<typeof openLogReader>) => T): Promise<T> => {
  await new Promise(resolve => setTimeout(resolve, 150))
  const log = openLogReader(join(folder, 'log.sqlite'), { stateDir: join(folder, 'state') }); try { return ask(log) } finally { log.close() }
}

beforeAll(async () => {
  process.env['XDG_STATE_HOME'] = join(folder, 'state-home')
  writeFileSync(join(folder, 'routes.yaml'), routes)
  model = await openEmbedder()
  usher = await createUsher({ routes: join(folder, 'routes.yaml'), tools, log: join(folder, 'log.sqlite'), model, clock, timeZone: 'UTC' })
})
afterAll(async () => {
  await usher.close()
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => { done.length = 0; clock.at += 3_600_000 })

describe('handle', () => {
  test('an ask is called, with its preset and its slot', async () => {
    expect(await say('could you switch on the light in the hall please')).toMatchObject([{ kind: 'called', reason: 'ask', args: { on: true, room: 'hall' }, result: { on: true } }])
    expect(done).toEqual(['light hall'])
  })
  test('two asks in one text are decided each alone, in order', async () => {
    expect(await kinds('switch on the light in the hall and relay dinner is ready')).toEqual(['called ask', 'called ask'])
    expect(done).toEqual(['light hall', 'relay dinner is ready'])
  })
  test('gate:explicit: talk about it is not an ask', async () => {
    for (const text of ['don\'t switch on the light', 'did you switch on the light?', 'she said "switch on the light"', 'if it gets dark switch on the light', 'thanks for switching on the light', 'switch off the light']) {
      expect((await say(text)).every(outcome => outcome.kind !== 'called')).toBe(true)
    }
    expect(done).toEqual([])
  })
  test('gate:default-only: a route without effects answers what is near in meaning', async () => {
    expect(await say('is it going to rain later today')).toMatchObject([{ kind: 'called', reason: 'match', tool: 'weather', result: 'sunny' }])
  })
  test('gate:self: an event that a call caused does not fire its route again, nor does the echo of its words', async () => {
    const [first] = await say('relay the train is late')
    expect(first).toMatchObject({ kind: 'called' })
    expect(await kinds('relay the train is late', { source: 'notification', causedBy: first?.callId })).toEqual(['self-caused skip:self'])
    expect(await kinds('passed on: the train is late', { source: 'notification' })).not.toContain('called ask')
    expect(done).toEqual(['relay the train is late'])
  })
  test('gate:limits: the same words twice at once fire once, and the rate holds', async () => {
    expect(await kinds('switch on the light')).toEqual(['called ask'])
    clock.at += 1_000
    expect(await kinds('switch on the light')).toEqual(['duplicate text'])
    clock.at += 60_000
    expect(await kinds('switch on the light')).toEqual(['called ask'])
    clock.at += 60_000
    expect(await kinds('switch on the light')).toEqual(['called ask'])
    clock.at += 60_000
    expect(await kinds('switch on the light')).toEqual(['limited rate'])
  })
  test('an event id is handled once for its source', async () => {
    expect(await kinds('open sesame', { id: 'same' })).not.toEqual(['duplicate id'])
    expect(await kinds('open sesame', { id: 'same' })).toEqual(['duplicate id'])
    expect(await kinds('open sesame', { id: 'same', source: 'voice' })).not.toEqual(['duplicate id'])
  })
  test('an old event is expired', async () => expect(await kinds('switch on the light', { at: clock.now() - 61_000 })).toEqual(['expired max-age']))
  test('shadow mode says what it would have done', async () => {
    expect(await kinds('make some noise')).toEqual(['stopped shadow'])
    expect(done).toEqual([])
  })
  test('the host\'s state decides where a route says so', async () => {
    expect(await kinds('open the gate')).toEqual(['stopped when'])
    usher.setState('home', true)
    expect(await kinds('please open the gate')).toEqual(['called ask'])
  })
  test.each([[{}], [{ source: 'user' }], [{ source: 'not a name', text: 'x' }], [null]])('%j is no event', async event => {
    await expect(usher.handle(event as never)).rejects.toMatchObject({ code: 'BAD_EVENT' })
  })
})

test('decide says what would happen, calls nothing and logs nothing', async () => {
  const before = await reader(log => queryLog(log, { limit: 10_000 }).length)
  const [decision] = await usher.decide({ source: 'user', text: 'switch on the light in the kitchen' })
  expect(decision?.ready?.args).toEqual({ room: 'kitchen', on: true })
  expect(done).toEqual([])
  expect(await reader(log => queryLog(log, { limit: 10_000 }).length)).toBe(before)
})

describe('trace:every-way: a model\'s and a person\'s call are in the log too', () => {
  test('a model reaches what has no effects', async () => {
    const outcome = await usher.call('weather', {}, { by: 'model', who: 'some-model' })
    expect(outcome).toMatchObject({ kind: 'called', reason: 'direct', result: 'sunny' })
    expect(await reader(log => queryLog(log, { limit: 1 }))).toMatchObject([{ outcome: 'called', call: { call: { by: 'model', who: 'some-model', tool: 'weather', explicit: false } } }])
  })
  test('a model does not reach an effect, and the refusal is in the log', async () => {
    expect(await usher.call('gate', {}, { by: 'model' })).toMatchObject({ kind: 'needs-approval', reason: 'effectful-call' })
    expect(await usher.call('light', { on: true }, { by: 'model' })).toMatchObject({ kind: 'needs-approval', reason: 'preset-only-key' })
    expect(await usher.call('nothing', {}, { by: 'model' })).toMatchObject({ kind: 'denied', reason: 'unknown-tool' })
    expect((await reader(log => queryLog(log, { limit: 3 }))).map(entry => entry.outcome)).toEqual(['needs-approval', 'needs-approval', 'denied'])
    expect(done).toEqual([])
  })
  test('a person\'s call is an ask of its own', async () => {
    expect(await usher.call('gate', {}, { by: 'person', who: 'anna' })).toMatchObject({ kind: 'called' })
    expect(done).toEqual(['gate'])
    expect(await reader(log => unexplained(log))).toEqual([])
  })
})

test('effect:observed: the host\'s own work is named, and is not unexplained', async () => {
  usher.background('sync', () => writeFileSync(join(folder, 'sync.txt'), 'x'))
  expect(readFileSync(join(folder, 'sync.txt'), 'utf8')).toBe('x')
  expect(await reader(log => unexplained(log))).toEqual([])
})

describe('effect:observed: alerts and a baseline', () => {
  const open = (more: object) => createUsher({ routes: join(folder, 'routes.yaml'), tools: [...tools.filter(tool => tool.name !== 'weather'), liar], log: join(folder, `alert-${++ids}.sqlite`), model, clock, timeZone: 'UTC', ...more })
  const liar = defineTool({ name: 'weather', description: 'says it has no effects', input: z.object({}), effects: {}, run: () => { writeFileSync(join(folder, 'lie.txt'), 'x') } })

  test('the host is told at once of an effect that was stopped, and of one that nobody asked for', async () => {
    const told: string[] = []
    const other = await open({ onAlert: (effect: { kind: string, blocked: boolean }) => { told.push(`${effect.kind}${effect.blocked ? ' stopped' : ''}`) } })
    expect((await other.handle({ source: 'user', text: 'what is the weather like' })).outcomes).toMatchObject([{ kind: 'blocked', reason: 'undeclared-effect' }])
    writeFileSync(join(folder, 'stray.txt'), 'x')
    await other.close()
    expect(told).toEqual(['fs.write stopped', 'fs.write'])
  })
  test('a target that the host accepts as its own work is not unexplained', async () => {
    const told: string[] = []
    const other = await open({ onAlert: (effect: { kind: string }) => { told.push(effect.kind) }, baseline: { sync: [`fs.write:${folder}/sync-*`] } })
    writeFileSync(join(folder, 'sync-1.txt'), 'x')
    await other.close()
    expect(told).toEqual([])
  })
})

test('effect:observed: a look-up and a connection that an allowed request needs are not beyond what was declared', async () => {
  const { createServer } = await import('node:http')
  const server = createServer((_request, response) => response.end('ok'))
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address() as { port: number }
  const origin = `http://127.0.0.1:${port}`
  const fetcher = defineTool({ name: 'weather', description: 'asks a server', input: z.object({}), effects: { always: [`http.request:GET ${origin}`] }, run: async () => await (await fetch(origin)).text() })
  writeFileSync(join(folder, 'fetch.yaml'), `version: 1\nroutes:\n  - name: weather\n    tool: weather\n    triggers: ["what is the weather like"]\n    allow: ["http.request:GET ${origin}"]\n`)
  const log = join(folder, 'fetch.sqlite')
  const other = await createUsher({ routes: join(folder, 'fetch.yaml'), tools: [fetcher], log, model, clock, timeZone: 'UTC' })
  expect((await other.handle({ source: 'user', text: 'what is the weather like' })).outcomes).toMatchObject([{ kind: 'called', result: 'ok' }])
  await other.close()
  server.closeAllConnections()
  server.close()
  const opened = openLogReader(log)
  expect(unexplained(opened)).toEqual([])
  opened.close()
})

describe('preset:verbatim: a direct call is checked before anything else', () => {
  test.each([['text', 'on'], ['an array', ['a', { on: true }]], ['null', null], ['a number', 5], ['a map', new Map([['on', true]])], ['a date', new Date(0)]])('%s is no arguments', async (_name, args) => {
    await expect(usher.call('light', args as never, { by: 'model' })).rejects.toMatchObject({ code: 'BAD_OPTION' })
    expect(done).toEqual([])
  })
  test.each([[undefined], [{}], [{ by: 'approval' }], [{ by: 'router' }], [{ by: 'nobody' }], ['model']])('%j does not say who calls', async who => {
    await expect(usher.call('light', {}, who as never)).rejects.toMatchObject({ code: 'BAD_OPTION' })
    expect(done).toEqual([])
  })
})

test('trace:before: arguments that a copy would change reach nobody', async () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  for (const value of [new Map([['cmd', 'x']]), new Date(0), () => 1, Symbol('x'), { get x() { throw new Error('read') } }, circle, { a: Buffer.from('x') }]) {
    const before = done.length
    await expect(usher.call('light', { value } as never, { by: 'model' })).rejects.toMatchObject({ code: 'BAD_OPTION', message: expect.stringContaining('args.value') as string })
    expect(done.length).toBe(before)
  }
})

test.each([['2026-11-30T17:00:00Z'], [Number.NaN], [new Date(0)], [Infinity]])('%j is no time of an event', async at => {
  await expect(usher.handle({ source: 'user', text: 'switch on the light', at: at as never })).rejects.toMatchObject({ code: 'BAD_EVENT' })
  expect(done).toEqual([])
})

test('outcome:distinct: a duplicate id is in the log as well, and names what became of the first', async () => {
  await say('switch on the light in the attic', { id: 'twice' })
  const [second] = await say('switch on the light in the attic', { id: 'twice' })
  expect(second).toMatchObject({ kind: 'duplicate', reason: 'id', route: 'light-on', why: expect.stringContaining('called') })
  const [entry] = await reader(log => queryLog(log, { limit: 1 }))
  expect(entry).toMatchObject({ outcome: 'duplicate', event: { eventId: second?.eventId, senderId: 'twice' } })
  expect(done).toEqual(['light attic'])
})
