import { execFileSync, execSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installObserver, type InstalledObserver } from '../../src/effects/observer.ts'
import { UsherError } from '../../src/errors.ts'
import type { Effect } from '../../src/types.ts'
import { sleeper } from './tables/threads.ts'

let observer: InstalledObserver
let other: Awaited<ReturnType<typeof sleeper>>
let seen: Effect[]

beforeEach(async () => {
  other = await sleeper()
  observer = installObserver()
  seen = []
  observer.attach(effect => { seen.push(effect) })
})
afterEach(async () => {
  observer.uninstall()
  await other.end()
})

test('effect:observed: a signal to another process is recorded with its call', async () => {
  await observer.run({ callId: 'c', mode: 'observe', allowed: null }, async () => { process.kill(other.pid, 'SIGUSR2') })
  expect(seen).toEqual([expect.objectContaining({ kind: 'process.signal', target: String(other.pid), callId: 'c', detail: expect.objectContaining({ signal: 'SIGUSR2' }) as unknown })])
})

test('effect:bounded: a signal to another process is stopped before it is sent', async () => {
  const error: unknown = await observer.run({ callId: 'c', mode: 'enforce', allowed: [] }, async () => { process.kill(other.pid, 'SIGKILL') }).catch((error: unknown) => error)
  expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
  await later(30)
  expect(other.alive()).toBe(true)
})

test('effect:observed: a start is recorded with its arguments, in every form alike', async () => {
  await observer.run({ callId: 'c', mode: 'observe', allowed: null }, async () => {
    await once(spawn('true', ['a', 'b c']), 'close')
    await once(spawn('true a "b c"', { shell: true }), 'close')
    spawnSync('true', ['a', 'b c'])
    execFileSync('true', ['a', 'b c'])
    execSync('true a \'b c\'')
    spawnSync('true', ['a', '"b c"'], { shell: true })
  })
  expect(observer.of('c').map(({ target, detail }) => [target, detail?.['args']])).toEqual(Array.from({ length: 6 }, () => ['true', ['a', 'b c']]))
})

test('effect:observed: asking whether a process lives, and signals to oneself, are no effects', async () => {
  await observer.run({ callId: 'c', mode: 'enforce', allowed: [] }, async () => {
    process.kill(other.pid, 0)
    process.once('SIGUSR2', () => undefined)
    process.kill(process.pid, 'SIGUSR2')
  })
  expect(seen).toEqual([])
})

test('effect:bounded: a call that may start a program may end it, and no other', async () => {
  const start = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const foreign = observer.background('test', start)
  const error: unknown = await observer.run({ callId: 'c', mode: 'enforce', allowed: ['process.start'] }, async () => {
    const own = start()
    await once(own, 'spawn')
    own.kill()
    await once(own, 'exit')
    foreign.kill()
  }).catch((error: unknown) => error)
  expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
  expect(observer.of('c').map(({ kind, blocked, detail }) => [kind, blocked, detail?.['part']])).toEqual([
    ['process.start', false, undefined], ['process.signal', false, 'process.start'], ['process.signal', true, undefined],
  ])
  observer.background('test', () => { foreign.kill('SIGKILL') })
  await once(foreign, 'exit')
})
