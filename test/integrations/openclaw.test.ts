/** The plugin's hooks as OpenClaw calls them; that their types are its own is checked in runtimes.test.ts, against the package. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { messageSource, registerUsher } from '../../src/integrations/openclaw.ts'
import { isSource } from '../../src/ingest/source.ts'
import { workbench, type Workbench } from './workbench.ts'

type Handler = (event: object, context: object) => Promise<{ block?: boolean, blockReason?: string, requireApproval?: { allowedDecisions: string[], description: string }, prependContext?: string } | undefined>

describe('the hooks', () => {
  let bench: Workbench
  const hooks = new Map<string, Handler>()
  const routed: string[] = []
  beforeAll(async () => {
    bench = await workbench()
    registerUsher({ on: (name: string, handler: unknown) => { hooks.set(name, handler as Handler) } }, bench.usher, { effects: { look: {} }, deny: ['wipe'], stateDir: `${bench.usher.log.location.replace(/[^/]+$/, '')}state`, onRouted: (note, source) => { routed.push(`${source}: ${note}`) } })
  })
  afterAll(() => bench.close())
  beforeEach(() => { bench.done.length = 0; routed.length = 0 })
  const fire = (name: string, event: object, context: object = { sessionKey: 's' }) => hooks.get(name)?.(event, context)
  const last = () => bench.entries().at(-1)

  test('trace:before: a tool without effects goes on, its row first, and its end after', async () => {
    expect(await fire('before_tool_call', { toolName: 'look', params: { at: 'x' }, toolCallId: 't1' })).toBeUndefined()
    expect(last()).toMatchObject({ outcome: 'in-flight', call: { call: { tool: 'look', args: { at: 'x' }, who: 'openclaw' } } })
    await fire('after_tool_call', { toolName: 'look', params: { at: 'x' }, toolCallId: 't1', result: 'seen', durationMs: 3 })
    expect(last()).toMatchObject({ outcome: 'called', call: { outcome: { ms: 3 } } })
  })

  test('gate:default-only: unknown effects ask a person, once and never for always; what is denied is blocked', async () => {
    const asked = await fire('before_tool_call', { toolName: 'constructor', params: { a: 1 }, toolCallId: 't2' })
    expect(asked?.requireApproval).toMatchObject({ allowedDecisions: ['allow-once', 'deny'], description: expect.stringContaining('{"a":1}') })
    expect(await fire('before_tool_call', { toolName: 'wipe', params: {}, toolCallId: 't3' })).toMatchObject({ block: true })
    expect(await fire('before_tool_call', { toolName: 'write', params: { path: bench.usher.log.location }, toolCallId: 't4' })).toMatchObject({ block: true, blockReason: expect.stringContaining('only a person') })
  })

  test('closed: a call without an id, or whose row cannot be written, is blocked', async () => {
    expect(await fire('before_tool_call', { toolName: 'look', params: {} })).toMatchObject({ block: true })
    expect(await fire('before_tool_call', { toolName: 'look', params: 'x', toolCallId: 't5' })).toMatchObject({ block: true })
    const broken = new Map<string, Handler>()
    registerUsher({ on: (name: string, handler: unknown) => { broken.set(name, handler as Handler) } }, { ...bench.usher, log: { ...bench.usher.log, location: bench.usher.log.location, event: () => { throw new Error('the disk is full') } } as never }, { effects: { look: {} }, stateDir: `${bench.usher.log.location.replace(/[^/]+$/, '')}state` })
    expect(await broken.get('before_tool_call')?.({ toolName: 'look', params: {}, toolCallId: 't6' }, {})).toMatchObject({ block: true, blockReason: expect.stringContaining('the disk is full') })
  })

  test('closed: an Usher that is still opening is waited for, and one that does not open blocks every call with its reason', async () => {
    const given = new Map<string, Handler>()
    const api = { on: (name: string, handler: unknown) => { given.set(name, handler as Handler) } }
    registerUsher(api, new Promise<typeof bench.usher>(resolve => { setTimeout(() => resolve(bench.usher), 50) }), { effects: { look: {} }, stateDir: `${bench.usher.log.location.replace(/[^/]+$/, '')}state` })
    expect(await given.get('before_tool_call')?.({ toolName: 'look', params: {}, toolCallId: 't7' }, {})).toBeUndefined()
    registerUsher(api, Promise.reject(new Error('routes/mail.yaml:3: no tool is called sned')), { effects: { look: {} } })
    expect(await given.get('before_tool_call')?.({ toolName: 'look', params: {}, toolCallId: 't8' }, {})).toEqual({ block: true, blockReason: expect.stringContaining('no tool is called sned') })
    expect(() => registerUsher(api, bench.usher, { deny: ['Bash(ls)'] })).toThrow('a tool to deny')
  })

  test('ingest:owns: a message is an event of its channel and sender, and the next turn is told once', async () => {
    await fire('message_received', { from: 'x', senderId: '4711', content: 'please switch on the lamp', messageId: 'm1' }, { channelId: 'telegram', sessionKey: 's' })
    expect(routed[0]).toMatch(/^telegram:4711: Usher did not act on this \(source-blocked/)
    expect(bench.done).toEqual([])
    expect(await fire('before_prompt_build', {})).toMatchObject({ prependContext: expect.stringContaining('source-blocked') })
    expect(await fire('before_prompt_build', {})).toBeUndefined()
  })
})

test('two senders never share a source, whatever their names hold', () => {
  const names = [['telegram', 'a b'], ['telegram', 'a_b'], ['telegram', 'a:b'], ['tele gram', 'x'], ['chat', 'x'], ['user', ''], ['telegram', 'x'.repeat(200)]] as const
  const sources = names.map(([channel, sender]) => messageSource(channel, sender))
  expect(new Set(sources).size).toBe(names.length)
  expect(sources.every(isSource)).toBe(true)
  expect(messageSource('telegram', '4711')).toBe('telegram:4711')
})
