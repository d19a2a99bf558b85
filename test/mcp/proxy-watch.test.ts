/** What the server behind the proxy really does: under the call in flight and held to it, or under nobody. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import { installObserver } from '../../src/effects/observer.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { unexplained } from '../../src/log/unexplained.ts'
import { fileHash } from '../../src/mcp/identity.ts'
import { dispatchPort, type DispatchPortParts } from '../../src/mcp/proxy/dispatch-port.ts'
import { stdioFace } from '../../src/mcp/proxy/face.ts'
import { Proxy, type ProxyOptions } from '../../src/mcp/proxy/proxy.ts'
import { contractsFor } from '../../src/mcp/proxy/which.ts'
import { NO_SANDBOX } from '../../src/mcp/sandbox.ts'
import type { Effect, JsonObject, Tool } from '../../src/types.ts'
import { scratch } from '../contract/keys.ts'
import { LineClient } from './line-client.ts'
import { command, noteTool, signed } from './support.ts'

vi.setConfig({ testTimeout: 120_000 })

const hasStrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
const hasCompiler = spawnSync('cc', ['--version']).status === 0

const closers: (() => Promise<void>)[] = []
afterEach(async () => { for (const close of closers.splice(0).toReversed()) await close() })

/** A person who said yes to each call before. */
let cards = 0
const yes: NonNullable<DispatchPortParts['desk']> = { request: () => undefined, redeem: () => ({ card: `d-card-${++cards}`, who: 'owner' }) }

interface Watched { readonly client: LineClient, readonly folder: string, readonly seen: readonly Effect[], readonly nobodys: () => readonly string[] }

async function watched(effects: (folder: string) => readonly string[], process: Partial<ProxyOptions['process']> = {}, program?: (folder: string) => Promise<{ readonly words: readonly string[], readonly change: JsonObject }>): Promise<Watched> {
  const [folder, file] = [scratch(), join(scratch(), 'log.sqlite')]
  const { words, change } = await program?.(folder) ?? { words: command('acting', folder), change: {} }
  const store = await signed(command('acting', folder), [noteTool], () => ({ effects: { always: effects(folder) }, privileges: ['fs.write', 'process.start'], ...change }))
  const observer = installObserver()
  const log = openSqliteLog(file, { stateDir: scratch(), background: (name, work) => observer.background(`usher:${name}`, work) })
  const seen: Effect[] = []
  const detach = observer.attach(effect => { seen.push(effect); log.effect(effect) })
  const [table, clock, client] = [new Map<string, Tool>(), { now: () => Date.now() }, new LineClient()]
  const port = dispatchPort({ dispatcher: new Dispatcher({ tools: table, log, observer, clock }), log, clock, desk: yes })
  const proxy = await Proxy.start({ store, contracts: contractsFor(words), process: { command: words, sandbox: NO_SANDBOX, watch: 'preload', background: (name, work) => observer.background(`usher:${name}`, work), ...process }, face: stdioFace(client.input, client.output), port, table, callTimeout: 20_000, listTimeout: 20_000 })
  closers.push(async () => { await proxy.close(); detach(); log.close(); observer.uninstall() })
  await client.hello()
  return {
    client, folder, seen,
    nobodys: () => {
      const reader = openLogReader(file)
      try {
        return unexplained(reader).filter(found => found.target?.startsWith(`${folder}/`)).map(found => `${found.reason} ${found.target?.slice(folder.length + 1)}`)
      } finally {
        reader.close()
      }
    },
  }
}

/** The server's own file writes, as `who name`. */
const written = ({ seen, folder }: Watched): string[] => seen.filter(effect => effect.kind === 'fs.write' && effect.target.startsWith(`${folder}/`) && effect.watcher !== 'node')
  .map(effect => `${effect.callId === null ? effect.background ?? 'nobody' : 'call'} ${effect.target.slice(folder.length + 1)}${effect.blocked ? ' stopped' : ''} ${effect.watcher}`)
const textOf = (answer: JsonObject): string => (answer['result'] as { content: { text: string }[] }).content.map(block => block.text).join('\n')

test('effect:observed: what the server does stands under the client\'s call, under its start, or under nobody and is unexplained', async () => {
  const on = await watched(folder => [`fs.write:${folder}/*`])
  expect(textOf(await on.client.call('read_note', { id: 'late' }))).toBe('written')
  expect(written(on)).toEqual(['usher:mcp:start at-start node-child', 'call late node-child'])
  for (let tries = 0; tries < 300 && written(on).length < 3; tries++) await delay(20)
  expect(written(on).at(-1)).toBe('nobody after-the-answer node-child')
  expect(on.nobodys()).toEqual(['no-call after-the-answer'])
})

test('effect:bounded: a call that declares no effect has the server\'s write stopped inside the server, and the client hears so', async () => {
  const on = await watched(() => [])
  const answer = await on.client.call('read_note', { id: 'a' })
  expect(textOf(answer)).toContain('blocked (undeclared-effect)')
  expect((answer['result'] as JsonObject)['isError']).toBe(true)
  expect(existsSync(join(on.folder, 'a'))).toBe(false)
  expect(written(on)).toEqual(['usher:mcp:start at-start node-child', 'call a stopped node-child'])
})

test('effect:bounded: under a person\'s yes the call does what its tool declares and nothing else', async () => {
  const on = await watched(folder => [`fs.write:${folder}/ok*`])
  expect(textOf(await on.client.call('read_note', { id: 'ok' }))).toBe('written')
  expect(textOf(await on.client.call('read_note', { id: 'other' }))).toContain('blocked')
  expect([existsSync(join(on.folder, 'ok')), existsSync(join(on.folder, 'other'))]).toEqual([true, false])
})

test.skipIf(!hasCompiler || !hasStrace)('effect:observed: a compiled server behind the proxy is traced, where that is asked for', async () => {
  const on = await watched(folder => [`fs.write:${folder}/*`], { watch: 'strace' }, async folder => {
    const path = join(scratch(), 'acting')
    execFileSync('cc', ['-static', '-o', path, fileURLToPath(new URL('../fixtures/servers/acting.c', import.meta.url))])
    return { words: [path, folder], change: { server: { name: 'notes', command: [path, folder], pins: [{ path, sha256: await fileHash(path) }] } } }
  })
  await on.client.call('read_note', { id: 'x' })
  expect(written(on)).toEqual(['usher:mcp:start at-start strace', 'call compiled strace'])
})
