/** One table of API calls, run in every mode: what is recorded, what is stopped, and what really happened. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installObserver, type InstalledObserver } from '../../src/effects/observer.ts'
import { UsherError } from '../../src/errors.ts'
import type { Effect } from '../../src/types.ts'
import { FILE_CASES } from './tables/files.ts'
import { DNS_CASES, NETWORK_CASES } from './tables/network.ts'
import { PROCESS_CASES } from './tables/processes.ts'
import { THREAD_CASES } from './tables/threads.ts'
import { makeWorld, type World } from './tables/world.ts'

const CASES = [...FILE_CASES, ...PROCESS_CASES, ...NETWORK_CASES, ...THREAD_CASES]
const TABLE = CASES.map(row => [row.api, row] as const)

let world: World
let observer: InstalledObserver
let seen: Effect[]
let detach: () => void

beforeEach(async () => {
  world = await makeWorld()
  observer = installObserver()
  seen = []
  detach = observer.attach(effect => { if (effect.background !== 'test') seen.push(effect) })
})
afterEach(async () => {
  detach()
  observer.uninstall()
  await world.close()
})

/** The error that ended the work, or the one in its cause (fetch wraps it). */
async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return UsherError.is(error) || !(error instanceof Error) || error.cause === undefined ? error : error.cause
  }
}

describe('observe', () => {
  test.each(TABLE)('effect:observed: %s is recorded with its call and really happens', async (_, { act, kind, target, happened }) => {
    await observer.run({ callId: 'c1', mode: 'observe', allowed: null }, async () => { await act(world) })
    expect(seen.filter(effect => effect.kind === kind && effect.target === target(world))).toEqual([
      expect.objectContaining({ callId: 'c1', blocked: false, watcher: 'node' }),
    ])
    expect(observer.of('c1')).toEqual(seen)
    expect(observer.background('test', () => happened(world))).toBe(true)
  })
})

describe('enforce', () => {
  test.each(TABLE)('effect:bounded: %s is stopped before it happens, and recorded as blocked', async (_, { act, kind, target, happened }) => {
    const error = await errorOf(observer.run({ callId: 'c2', mode: 'enforce', allowed: [] }, async () => { await act(world) }))
    expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
    expect(seen.filter(effect => effect.kind === kind && effect.target === target(world))).toEqual([
      expect.objectContaining({ callId: 'c2', blocked: true, detail: expect.objectContaining({ reason: 'not-allowed' }) as unknown }),
    ])
    // Whatever was under way on the loopback has arrived by then.
    if (kind.startsWith('net.') || kind.startsWith('udp.')) await new Promise(done => { setTimeout(done, 10) })
    expect(happened(world)).toBe(false)
  })

  test.each(TABLE)('effect:bounded: %s happens where its kind and target are allowed', async (_, { act, kind, target, happened }) => {
    const allowed = [`${kind}:${target(world)}`, `fs.rename:${world.old}`, `fs.write:${world.dir}/*`]
    await observer.run({ callId: 'c3', mode: 'enforce', allowed }, async () => { await act(world) })
    expect(happened(world)).toBe(true)
    expect(seen.every(effect => !effect.blocked)).toBe(true)
  })
})

describe('off', () => {
  test.each(TABLE)('effect:observed: %s happens and is not recorded when the observer is off for the call', async (_, { act, happened }) => {
    await observer.run({ callId: 'c4', mode: 'off', allowed: null }, async () => { await act(world) })
    expect(seen).toEqual([])
    expect(happened(world)).toBe(true)
  })
})

describe('name look-ups', () => {
  const table = DNS_CASES.map(row => [row.api, row] as const)
  test.each(table)('effect:observed: %s is recorded with its call', async (_, { act }) => {
    const error = await errorOf(observer.run({ callId: 'c5', mode: 'observe', allowed: null }, async () => { await act(world) }))
    expect(error).toBeDefined()
    expect(UsherError.is(error)).toBe(false)
    expect(seen).toEqual([expect.objectContaining({ kind: 'dns.lookup', target: 'a.invalid', callId: 'c5', blocked: false })])
  })

  test.each(table)('effect:bounded: %s is stopped before it happens', async (_, { act }) => {
    const error = await errorOf(observer.run({ callId: 'c6', mode: 'enforce', allowed: [] }, async () => { await act(world) }))
    expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
    expect(seen).toEqual([expect.objectContaining({ kind: 'dns.lookup', target: 'a.invalid', callId: 'c6', blocked: true })])
  })
})
