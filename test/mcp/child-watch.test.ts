/** What servers and local commands really do, in the log: under the call in flight, under the start, or under nobody. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import { installObserver, type InstalledObserver } from '../../src/effects/observer.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { openSqliteLog, type SqliteLog } from '../../src/log/sqlite.ts'
import { unexplained } from '../../src/log/unexplained.ts'
import { fileHash } from '../../src/mcp/identity.ts'
import { McpToolSource, type SourceOptions } from '../../src/mcp/tool-source.ts'
import type { CallBy, Effect, JsonObject, Outcome, Tool } from '../../src/types.ts'
import { scratch } from '../contract/keys.ts'
import { command, noteTool, signed } from './support.ts'

vi.setConfig({ testTimeout: 120_000 })

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.addaudithook']).status === 0
const hasStrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
const hasCompiler = spawnSync('cc', ['--version']).status === 0
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/servers/${name}`, import.meta.url))
/** A launcher such as pyenv's is a script run by a shell, and no tool's process. */
const python = (): string => execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()

let folder: string
let file: string
let log: SqliteLog
let observer: InstalledObserver
let source: McpToolSource | undefined
const seen: Effect[] = []
let detach: () => void

beforeEach(() => {
  folder = scratch()
  file = join(scratch(), 'log.sqlite')
  seen.length = 0
  observer = installObserver()
  log = openSqliteLog(file, { stateDir: scratch(), background: (name, work) => observer.background(`usher:${name}`, work) })
  detach = observer.attach(effect => { seen.push(effect); log.effect(effect) })
})
afterEach(async () => {
  await source?.close()
  source = undefined
  detach()
  observer.uninstall()
  log.close()
})

/** Calls the server's one tool as the dispatcher does. */
async function calling(words: readonly string[], effects: JsonObject, options: Partial<SourceOptions> = {}, change: JsonObject = {}): Promise<(id: string, by?: CallBy) => Promise<Outcome>> {
  source = new McpToolSource({
    store: options.store ?? await signed(words, [noteTool], () => ({ effects, privileges: ['fs.write', 'process.start'], ...change })), server: 'notes', startTimeout: 20_000, listTimeout: 20_000, callTimeout: 20_000,
    sandbox: 'off', background: (name, work) => observer.background(`usher:${name}`, work), ...options,
  })
  const [tool] = await source.tools() as [Tool]
  const dispatcher = new Dispatcher({ tools: new Map([[tool.name, tool]]), log, observer, clock: { now: () => Date.now() } })
  return async (id, by = 'router') => {
    const ready = dispatcher.prepare({ by, tool: tool.name, args: { id }, route: 'r', event: { id: 'e', source: 'user', text: id, at: 1 }, eventId: 'e', explicit: true, origins: {}, allow: effects['always'] as string[] })
    if (ready.kind === 'refused') throw new Error(ready.outcome.why)
    return dispatcher.run(ready, 'd')
  }
}
/** Of the server itself: its file writes, as `who name`. */
const written = (): string[] => seen.filter(effect => effect.kind === 'fs.write' && effect.target.startsWith(`${folder}/`) && effect.watcher !== 'node')
  .map(effect => `${effect.callId === null ? effect.background ?? 'nobody' : 'call'} ${effect.target.slice(folder.length + 1)}${effect.blocked ? ' stopped' : ''} ${effect.watcher}`)
/** Of the server's folder: the test's own writes are nobody's too. */
function nobodys(): string[] {
  const reader = openLogReader(file)
  try {
    return unexplained(reader).filter(found => found.target?.startsWith(`${folder}/`)).map(found => `${found.reason} ${found.target?.slice(folder.length + 1)}`)
  } finally {
    reader.close()
  }
}
const compiled = async (...flags: readonly string[]): Promise<{ readonly program: string, readonly change: JsonObject }> => {
  const program = join(scratch(), 'acting')
  execFileSync('cc', [...flags, '-o', program, fixture('acting.c')])
  return { program, change: { server: { name: 'notes', command: [program, folder], pins: [{ path: program, sha256: await fileHash(program) }] } } }
}
const textOf = (outcome: Outcome): string => (outcome.result as { content: { text: string }[] }).content[0]?.text ?? ''

describe.each([
  ['node-child', () => command('acting', folder), true],
  ['python-child', () => [python(), fixture('acting.py'), folder], hasPython],
] as const)('a server whose processes report (%s)', (watcher, words, here) => {
  test.skipIf(!here)('effect:observed: its start, its call and what it does of itself are told apart, in the log, and only the last is unexplained', async () => {
    const call = await calling(words(), { always: [`fs.write:${folder}/*`] })
    const outcome = await call('a')
    expect(outcome).toMatchObject({ kind: 'called' })
    expect(textOf(outcome)).toBe('written')
    expect(written()).toEqual([`usher:mcp:start at-start ${watcher}`, `call a ${watcher}`])
    const reader = openLogReader(file)
    expect(reader.db.prepare('SELECT call_id, watcher FROM effects WHERE target = ?').all(join(folder, 'a'))).toEqual([{ call_id: outcome.callId, watcher }])
    reader.close()
    expect(nobodys()).toEqual([])
  })

  test.skipIf(!here)('effect:bounded: what the call may not do is stopped inside the child, before it happens, and the outcome says so', async () => {
    const call = await calling(words(), { always: [`fs.write:${folder}/ok*`] })
    expect(await call('ok')).toMatchObject({ kind: 'called' })
    const outcome = await call('other')
    expect(outcome).toMatchObject({ kind: 'blocked', reason: 'undeclared-effect' })
    expect(existsSync(join(folder, 'other'))).toBe(false)
    expect(written()).toEqual([`usher:mcp:start at-start ${watcher}`, `call ok ${watcher}`, `call other stopped ${watcher}`])
    // A person's own call is watched and not held back.
    expect(await call('other', 'person')).toMatchObject({ kind: 'called' })
    expect(existsSync(join(folder, 'other'))).toBe(true)
  })
})

describe('the rest of what a server does', () => {
  test('effect:observed: what it does after it has answered is nobody\'s, and unexplained', async () => {
    const call = await calling(command('acting', folder), { always: [`fs.write:${folder}/*`] })
    await call('late')
    for (let tries = 0; tries < 300 && !written().some(line => line.includes('after-the-answer')); tries++) await delay(20)
    expect(written()).toEqual(['usher:mcp:start at-start node-child', 'call late node-child', 'nobody after-the-answer node-child'])
    expect(nobodys()).toEqual(['no-call after-the-answer'])
  })

  test('effect:observed: a shell that it starts is an effect of the call', async () => {
    const call = await calling(command('acting', folder), { always: [`fs.write:${folder}/*`, 'process.start:sh'] })
    const outcome = await call('shell')
    expect(textOf(outcome)).toBe('ran')
    expect(seen.filter(effect => effect.kind === 'process.start' && effect.callId === outcome.callId)).toEqual([expect.objectContaining({ target: '/bin/sh', watcher: 'node-child' })])
  })

  test.skipIf(!hasCompiler)('effect:observed: a compiled server does not report: that is an effect of its start, and the source says it', async () => {
    const { program, change } = await compiled()
    const call = await calling(command('acting', folder), { always: [`fs.write:${folder}/*`] }, {}, change)
    await call('x')
    expect(seen.filter(effect => effect.detail?.['reports'] === false)).toEqual([expect.objectContaining({ kind: 'process.start', target: program, background: 'usher:mcp:start' })])
    expect(source?.missing).toContainEqual(expect.stringContaining('no preload reports'))
    expect(existsSync(join(folder, 'compiled'))).toBe(true)
  })

  test.skipIf(!hasCompiler || !hasStrace)('effect:observed: strace, where it is asked for, sees a compiled server under its call', async () => {
    const { change } = await compiled('-static')
    const call = await calling(command('acting', folder), { always: [`fs.write:${folder}/*`] }, { watch: 'strace' }, change)
    await call('x')
    expect(written()).toEqual(['usher:mcp:start at-start strace', 'call compiled strace'])
    expect(source?.missing.filter(words => words.includes('report'))).toEqual([])
  })

  test('effect:observed: in a sandbox without writing the child reports all the same, and nothing is left when it ends', async () => {
    const before = readdirSync(tmpdir()).filter(name => name.startsWith('usher-watch-'))
    const store = await signed(command('acting', folder), [noteTool], () => ({ effects: { always: [] }, privileges: ['compute'] }))
    const call = await calling(command('acting', folder), { always: [`fs.write:${folder}/*`] }, { sandbox: 'auto', store })
    const outcome = await call('a', 'person')
    expect(seen.filter(effect => effect.watcher === 'node-child' && effect.callId === outcome.callId).map(effect => effect.target)).toEqual([join(folder, 'a')])
    await source?.close()
    expect(readdirSync(tmpdir()).filter(name => name.startsWith('usher-watch-') && !before.includes(name))).toEqual([])
  })

  test('a child that writes nonsense into its reports disturbs nobody', async () => {
    const call = await calling(command('acting', folder), { always: [`fs.write:${folder}/*`] })
    for (const name of readdirSync(tmpdir()).filter(one => one.startsWith('usher-watch-'))) {
      try { writeFileSync(join(tmpdir(), name, 'report.jsonl'), '\u0000{"pid":1}\n[1,2]\n', { flag: 'a' }) } catch { /* another test's, gone by now */ }
    }
    expect(await call('a')).toMatchObject({ kind: 'called' })
  })
})
