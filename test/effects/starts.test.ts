/** What a start really runs, whatever it is called. */
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import * as inspector from 'node:inspector'
import { Session } from 'node:inspector/promises'
import module from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changedBy, fromPairs } from '../../src/effects/environment.ts'
import { installObserver, type InstalledObserver } from '../../src/effects/observer.ts'
import type { EffectPattern } from '../../src/types.ts'
import { makeWorld, type World } from './tables/world.ts'

let world: World
let observer: InstalledObserver
beforeEach(async () => {
  world = await makeWorld()
  for (const name of ['echo', 'sh']) {
    writeFileSync(join(world.dir, name), `#!/bin/sh\n/usr/bin/touch ${world.fresh}\n`)
    chmodSync(join(world.dir, name), 0o755)
  }
  writeFileSync(join(world.dir, 'start.sh'), `/usr/bin/touch ${world.fresh}\n`)
  observer = installObserver()
})
afterEach(async () => { observer.uninstall(); await world.close() })

/** Runs it as a call with one permission; gives the call's effects without their time. */
async function call(allowed: readonly EffectPattern[], act: () => unknown) {
  await observer.run({ callId: 'c', mode: 'enforce', allowed }, async () => { try { await act() } catch { /* The effects say it. */ } })
  return observer.of('c').map(({ kind, target, blocked, detail }) => ({ kind, target, blocked, detail }))
}

const own = (more: Record<string, string>) => ({ ...process.env, ...more })
const fake = () => ({ env: { PATH: world.dir } })

test.each<[string, () => unknown, string, readonly string[] | undefined]>([
  ['a shell of the tool\'s own', () => spawnSync('echo a', { shell: join(world.dir, 'sh') }), 'DIR/sh', undefined],
  ['a shell found by the tool\'s own PATH', () => spawnSync('sh', ['-c', 'echo a'], fake()), 'DIR/sh', ['PATH']],
  ['a program found by the tool\'s own PATH', () => spawnSync('echo', ['a'], fake()), 'DIR/echo', ['PATH']],
  ['the same, asynchronous', async () => { await once(spawn('echo', ['a'], fake()), 'close') }, 'DIR/echo', ['PATH']],
  ['a command of a shell with the tool\'s own PATH', () => spawnSync('echo a', { shell: '/bin/sh', ...fake() }), 'DIR/echo', ['PATH']],
  ['a start-up file of a shell', () => spawnSync('echo a', { shell: '/bin/bash', env: own({ BASH_ENV: join(world.dir, 'start.sh') }) }), 'echo', ['BASH_ENV']],
  ['a library loaded before', () => spawnSync('echo', ['a'], { env: own({ LD_PRELOAD: '/nowhere.so' }) }), 'echo', ['LD_PRELOAD']],
  ['an environment that the tool changed for all', () => { process.env['LD_LIBRARY_PATH'] = world.dir; try { spawnSync('echo', ['a']) } finally { delete process.env['LD_LIBRARY_PATH'] } }, 'echo', ['LD_LIBRARY_PATH']],
])('effect:bounded: %s is stopped where only the name is allowed', async (_what, act, target, env) => {
  const [effect, ...rest] = await call(['process.start:echo'], act)
  expect(rest).toEqual([])
  expect(effect).toMatchObject({ kind: 'process.start', target: target.replace('DIR', world.dir), blocked: true })
  expect(effect?.detail?.['env']).toEqual(env)
  expect(existsSync(world.fresh)).toBe(false)
})

test('effect:bounded: a plain process.start, or the variable by name, allows it, and the row says what it was', async () => {
  for (const allowed of [['process.start'], ['process.start:echo', 'process.start:env:LD_LIBRARY_PATH']]) {
    const effects = await call(allowed, () => spawnSync('echo', ['a'], { env: own({ LD_LIBRARY_PATH: world.dir }) }))
    expect(effects.at(-1)).toMatchObject({ target: 'echo', blocked: false, detail: { env: ['LD_LIBRARY_PATH'] } })
  }
})

test('effect:bounded: what the host had itself, a shorter PATH and other variables change nothing', async () => {
  const effects = await call(['process.start:echo'], () => {
    for (const env of [{ ...process.env }, { PATH: '/usr/bin:/bin' }, {}, own({ LANG: 'C', PAGER: 'cat', GIT_EDITOR: 'true', NODE_OPTIONS: '--max-old-space-size=512' })]) spawnSync('echo', ['a'], { env })
    spawnSync('echo a', { shell: true })
  })
  expect(effects.map(({ target, blocked }) => [target, blocked])).toEqual(Array.from({ length: 5 }, () => ['echo', false]))
})

test('effect:observed: the row names the file that a name leads to, through its links', async () => {
  symlinkSync('/usr/bin/touch', join(world.dir, 'linked'))
  const [effect] = await call(['process.start'], () => spawnSync('./linked', [], { cwd: world.dir }))
  expect(effect).toMatchObject({ target: './linked', detail: { path: expect.stringMatching(/\/(?:touch|coreutils|busybox)$/) as unknown } })
})

test('effect:bounded: names of the environment that are also names of objects, and pairs without a value, are read as they are', () => {
  expect(changedBy({ toString: 'x', constructor: 'y', LD_AUDIT: 'z', ENV: '' }, {})).toEqual(['LD_AUDIT'])
  expect(fromPairs(['A=1=2', '=C:=x', 'B='])).toEqual({ 'A': '1=2', '=C:': 'x', 'B': '' })
})

test.each<[string, () => unknown]>([
  ['connect', () => { new inspector.Session().connect() }],
  ['connect of the promise form', () => { new Session().connect() }],
  ['connectToMainThread', () => { new inspector.Session().connectToMainThread() }],
  ['SIGUSR1 to itself', () => { process.kill(process.pid, 'SIGUSR1') }],
])('effect:bounded: the inspector in the same process is an effect, and stopped: %s', async (_way, act) => {
  expect(await call([], act)).toMatchObject([{ kind: 'inspector.open', blocked: true }])
  expect(inspector.url()).toBeUndefined()
})

test('effect:bounded: loader hooks, which run in a thread of their own, are an effect', async () => {
  expect(await call([], () => { module.register('data:text/javascript,') })).toMatchObject([{ kind: 'worker.start', target: 'data:[inline]', blocked: true }])
})

test('effect:observed: a self-check within a call is no effect of the call', async () => {
  expect(await call([], () => observer.selfCheck())).toEqual([])
})

test('effect:observed: a datagram of a socket whose connection was stopped is stopped on its way to that place, and its careless sender lives', async () => {
  const socket = createSocket('udp4').on('error', () => undefined)
  const effects = await call([], () => new Promise<void>(resolve => { socket.connect(world.udpPort, '127.0.0.1', () => { socket.send('x'); resolve() }) }))
  socket.close()
  expect(effects.map(({ kind, target }) => [kind, target])).toEqual(Array.from({ length: 2 }, () => ['udp.send', `127.0.0.1:${world.udpPort}`]))
  expect(world.arrived.datagrams).toBe(0)
})
