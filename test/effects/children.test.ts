import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { childEnv, ChildReports } from '../../src/effects/children.ts'
import { makeWorld, type World } from './tables/world.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/effects/${name}`, import.meta.url))
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.addaudithook']).status === 0

let world: World
let report: string
let reports: ChildReports

beforeEach(async () => {
  world = await makeWorld()
  report = join(world.dir, 'report.jsonl')
  reports = new ChildReports(report)
})
afterEach(async () => {
  reports.close()
  await world.close()
})

/** Runs a child to its end, beside the servers of the world in this process. */
async function run(command: string, args: readonly string[], env = childEnv(report)): Promise<{ readonly stdout: string, readonly stderr: string, readonly signal: string | null }> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => { stdout += text })
  child.stderr.setEncoding('utf8').on('data', (text: string) => { stderr += text })
  const [, signal] = await once(child, 'close') as [number | null, string | null]
  return { stdout, stderr, signal }
}

type Row = readonly [act: string, target: (world: World) => string, kind: string, seen: (world: World) => string]
const fresh = (of: World) => of.fresh
const old = (of: World) => of.old
const none = () => ''
const there = (of: World) => `127.0.0.1:${of.port}`
const COMMON: readonly Row[] = [
  ['write', fresh, 'fs.write', fresh],
  ['delete', old, 'fs.delete', old],
  ['start', none, 'process.start', () => 'true'],
  ['connect', none, 'net.connect', there],
  ['lookup', none, 'dns.lookup', () => 'a.invalid'],
  ['fetch', none, 'http.request', of => `GET http://${there(of)}`],
  ['fetch', none, 'net.connect', there],
  ['crash', fresh, 'fs.write', fresh],
]
const NODE: readonly Row[] = [...COMMON,
  ['worker', fresh, 'worker.start', () => fixture('worker.mjs')],
  ['worker', fresh, 'fs.write', fresh],
]
const PYTHON: readonly Row[] = [...COMMON,
  ['rename', old, 'fs.rename', of => `${of.old}.new`],
  ['chmod', old, 'fs.chmod', old],
  ['folder', fresh, 'fs.write', fresh],
  ['shell', none, 'process.start', () => 'true'],
  ['database', fresh, 'fs.write', fresh],
  ['closed', fresh, 'fs.write', fresh],
]

function reportsEach(watcher: string, command: string, file: string, rows: readonly Row[]): void {
  test.each(rows)('effect:observed: a child\'s %s is reported (%#)', async (act, target, kind, seen) => {
    const { stderr, stdout, signal } = await run(command, [fixture(file), act, target(world), String(world.port)])
    const effects = reports.read('c1')
    expect(effects.filter(effect => effect.kind === kind && effect.target === seen(world))).toEqual([
      expect.objectContaining({ callId: 'c1', blocked: false, watcher }),
    ])
    expect({ stdout, stderr, signal }).toEqual(act === 'crash' ? { stdout: '', stderr: '', signal: 'SIGKILL' } : { stdout: 'done\n', stderr: '', signal: null })
    expect(reports.reported).toBe(true)
    expect(reports.malformed).toBe(0)
  })

  test('effect:observed: a child that does nothing reports that it is watched, and no effect', async () => {
    await run(command, [fixture(file), 'nothing'])
    expect(reports.read(null)).toEqual([])
    expect(reports.children).toEqual([expect.objectContaining({ watcher })])
  })
}

describe('Node children', () => {
  reportsEach('node-child', process.execPath, 'acts.mjs', NODE)

  test('effect:observed: a detached grandchild reports after its parent has gone', async () => {
    await run(process.execPath, [fixture('acts.mjs'), 'detached', world.fresh])
    for (let tries = 0; tries < 200 && !existsSync(world.fresh); tries++) await later(10)
    expect(reports.read('c').map(({ kind, target }) => `${kind} ${target}`)).toEqual([`process.start ${process.execPath}`, `fs.write ${world.fresh}`])
    expect(reports.children).toHaveLength(2)
  })

  test('effect:observed: a child that drops the environment is seen not to report', async () => {
    await run(process.execPath, [fixture('acts.mjs'), 'write', world.fresh], { PATH: process.env['PATH'] ?? '' })
    expect(existsSync(world.fresh)).toBe(true)
    expect(reports.read('c')).toEqual([])
    expect(reports.reported).toBe(false)
  })

  test('effect:observed: options that the child had are kept', () => {
    const env = childEnv('/r', { NODE_OPTIONS: '--no-warnings', PYTHONPATH: '/p', HOME: '/h', GONE: undefined })
    expect(env['NODE_OPTIONS']).toMatch(/^--no-warnings --import=file:/)
    expect(env['PYTHONPATH']).toMatch(/effects\/python:\/p$/)
    expect(env['HOME']).toBe('/h')
    expect(env).not.toHaveProperty('GONE')
  })
})

describe.skipIf(!hasPython)('Python children', () => {
  reportsEach('python-child', 'python3', 'acts.py', PYTHON)

  test('effect:observed: a sitecustomize of the owner\'s runs as well', async () => {
    const folder = join(world.dir, 'site')
    mkdirSync(folder)
    writeFileSync(join(folder, 'sitecustomize.py'), 'import builtins\nbuiltins.own_site = True\n')
    const { stdout } = await run('python3', ['-c', 'import builtins, sitecustomize; print(builtins.own_site, sitecustomize.__file__)'], childEnv(report, { ...process.env, PYTHONPATH: folder }))
    expect(stdout).toBe(`True ${join(folder, 'sitecustomize.py')}\n`)
    reports.read(null)
    expect(reports.reported).toBe(true)
  })

  test('effect:observed: an isolated Python is seen not to report', async () => {
    const { stdout } = await run('python3', ['-I', fixture('acts.py'), 'write', world.fresh])
    expect(stdout).toBe('done\n')
    expect(reports.read('c').filter(({ watcher }) => watcher === 'python-child')).toEqual([])
    expect(reports.reported).toBe(false)
  })

  test('effect:observed: a report that cannot be written does not disturb the child', async () => {
    const { stdout, stderr } = await run('python3', [fixture('acts.py'), 'write', world.fresh], childEnv(join(world.dir, 'no', 'such')))
    expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' })
  })
})

describe('reading reports', () => {
  test('effect:observed: the file is its owner\'s alone', () => {
    expect(statSync(report).mode & 0o777).toBe(0o600)
  })

  test('effect:observed: lines that are no report are counted and never become effects', () => {
    const hello = { pid: 1, ppid: 0, watcher: 'node-child', hello: 1, argv: ['x', 3], at: 5 }
    const effect = { pid: 1, watcher: 'node-child', kind: 'fs.write', target: '/a', at: 6, detail: { api: 'x' } }
    const lines = [hello, effect, { ...effect, kind: 'toString' }, { ...effect, watcher: 'strace' }, { ...effect, target: 3 }, { ...effect, pid: 'x' }, null, [], 'x', { ...hello, at: 'x' }]
    appendFileSync(report, `${lines.map(line => JSON.stringify(line)).join('\n')}\n{"torn\n`)
    expect(reports.read('c')).toEqual([{ kind: 'fs.write', target: '/a', blocked: false, callId: 'c', at: 6, watcher: 'node-child', detail: { api: 'x', pid: 1 } }])
    expect(reports.children).toEqual([{ pid: 1, ppid: 0, watcher: 'node-child', argv: ['x'], at: 5 }])
    expect(reports.malformed).toBe(9)
  })

  test('effect:observed: a line that is still being written is read when it is whole, and each line once', () => {
    const line = JSON.stringify({ pid: 1, watcher: 'python-child', kind: 'fs.delete', target: '/ä', at: 6 })
    const bytes = Buffer.from(`${line}\n`)
    const seen = []
    for (const byte of bytes) {
      appendFileSync(report, Buffer.from([byte]))
      seen.push(...reports.read(null))
    }
    expect(seen.map(({ target }) => target)).toEqual(['/ä'])
    expect(reports.read(null)).toEqual([])
  })
})
