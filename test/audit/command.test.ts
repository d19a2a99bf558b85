import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AuditReport } from '../../src/audit/report.ts'
import { scratch } from '../cli/usher.ts'
import { ROOT } from '../rules/source-files.ts'
import { HAS, server, zoo } from './support.ts'

let here: ReturnType<typeof scratch>
beforeEach(() => { here = scratch() })
afterEach(() => { here.remove() })

describe('usher audit', () => {
  test('prints lines for people, writes the page, and gives 1 where something fired', () => {
    const { status, stdout } = here.run(['audit', '--html', 'page.html', '--', 'node', zoo('planted.mjs')])
    expect(stdout.split('\n')).toContain('FAIL post_update {"notify_channel":true} with process.start curl -s -X POST https://hooks.example/T0/B0 -d {"text":"done"}')
    expect(stdout).not.toContain('show_dashboard')
    expect(readFileSync(join(here.folder, 'page.html'), 'utf8')).toContain('notify_channel')
    expect(status).toBe(1)
  })

  test('--json has the documented shape', () => {
    const { status, json } = here.run(['audit', '--all', '--json', '--', 'node', server('honest')])
    const report = json() as AuditReport
    expect(Object.keys(report)).toEqual(expect.arrayContaining(['tools', 'watchers', 'summary']))
    expect(report.tools[0]).toEqual(expect.objectContaining({ name: expect.any(String) as string, flags: expect.any(Array) as object, calls: expect.any(Array) as object }))
    expect(report.tools.flatMap(one => one.flags).every(flag => 'path' in flag && 'rule' in flag && 'level' in flag && 'why' in flag)).toBe(true)
    expect(report.tools.flatMap(one => one.calls).every(call => 'arguments' in call && 'verdict' in call && 'effects' in call && 'reply' in call)).toBe(true)
    expect(report.watchers.every(watcher => typeof watcher.name === 'string' && typeof watcher.active === 'boolean' && typeof watcher.sees === 'string')).toBe(true)
    expect(status).toBe(report.summary.exit)
  })

  test('a dead server is 2', () => {
    expect(here.run(['audit', '--', 'node', server('dying'), 'at-start'])).toMatchObject({ status: 2, stdout: expect.stringContaining('no licence found') as string })
  })

  test('a second run against its own report shows nothing new', () => {
    const first = here.run(['audit', '--json', '--', 'node', zoo('planted.mjs')])
    writeFileSync(join(here.folder, 'known.json'), first.stdout)
    const second = here.run(['audit', '--baseline', 'known.json', '--', 'node', zoo('planted.mjs')])
    expect(second.stdout).not.toContain('FAIL')
    expect(second.status).toBe(0)
  })

  test('several servers of a configuration file; a secret of the owner\'s is not given away', () => {
    writeFileSync(join(here.folder, 'mcp.json'), JSON.stringify({ mcpServers: { good: { command: 'node', args: [server('honest')], env: { NOTES_TOKEN: 'the-real-one' } }, dead: { command: 'node', args: [server('dying'), 'at-start'] } } }))
    const { status, stdout } = here.run(['audit', '--config', 'mcp.json', '--json'])
    const report = JSON.parse(stdout) as AuditReport
    expect(new Set(report.tools.map(one => one.server))).toEqual(new Set(['good']))
    expect(report.failure).toContain('dead: ')
    expect(report.notes).toContain('good: the server got a fake NOTES_TOKEN')
    expect(stdout).not.toContain('the-real-one')
    expect(status).toBe(2)
  })

  test('own tools of a module are called through the dispatcher, under the same watchers', () => {
    mkdirSync(join(here.folder, 'tools'))
    writeFileSync(join(here.folder, 'tools', 'mine.mjs'), `
      import { spawnSync } from 'node:child_process'
      import { defineTool } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/tools/define.js')).href)}
      import { z } from ${JSON.stringify(pathToFileURL(join(ROOT, 'node_modules/zod/index.js')).href)}
      export default [
        defineTool({ name: 'look', description: 'Looks.', input: z.object({}), effects: {}, run: () => ({ seen: true }) }),
        defineTool({ name: 'tell', description: 'Tells.', input: z.object({ notify: z.boolean().optional() }), effects: {}, run: args => { if (args.notify) spawnSync('notify-send', ['hello']); return { told: true } } }),
      ]`)
    const { status, stdout } = here.run(['audit', '--all', '--tools', 'tools/mine.mjs'])
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['ok look {}', 'ok tell {}', 'FAIL tell {"notify":true} with process.start notify-send hello']))
    expect(status).toBe(1)
  })

  test('an audit that is interrupted leaves no process and no folder behind', async () => {
    const child = here.start(['audit', '--', 'node', server('dying'), 'silent-list'])
    const mine = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('usher-audit-') && existsSync(join(tmpdir(), name, 'watch', 'order.json')) && readFileSync(join(tmpdir(), name, 'watch', 'order.json'), 'utf8').includes('silent-list'))
    for (let tries = 0; tries < 300 && mine().length === 0; tries++) await later(100)
    const before = mine()
    child.kill('SIGINT')
    await once(child, 'exit')
    expect(before.length).toBeGreaterThan(HAS.unshare ? 0 : -1)
    for (let tries = 0; tries < 100 && mine().some(name => before.includes(name)); tries++) await later(50)
    expect(mine().filter(name => before.includes(name))).toEqual([])
  })

  test.each([
    [[], /name one thing to audit/],
    [['--url', 'http://127.0.0.1:1/', '--', 'node'], /name one thing to audit/],
    [['--url', 'file:///etc/passwd'], /http or https/],
    [['--trace', 'magic', '--', 'node'], /auto, strace or shims/],
    [['--timeout', 'soon', '--', 'node'], /duration/],
    [['--settle', '0', '--', 'node'], /duration/],
    [['--json', '--sarif', '--', 'node'], /exclude each other/],
    [['--no-network', '--with-network', '--', 'node'], /exclude each other/],
    [['--baseline', 'nowhere.json', '--', 'node'], /--baseline/],
    [['--config', 'nowhere.json'], /cannot be read/],
  ])('%j is wrong use', (args, words) => {
    const { status, stderr } = here.run(['audit', ...args])
    expect(stderr).toMatch(words)
    expect(status).toBe(2)
  })
})

test('a server at an address is called, and nothing about it reads ok', async () => {
  const child = spawn(process.execPath, [zoo('http.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = await once(child.stdout, 'data') as [Buffer]
    const { status, stdout } = here.run(['audit', '--url', `http://127.0.0.1:${String(port).trim()}/mcp`, '--settle', '100ms', '--timeout', '5s', '--json'])
    const report = JSON.parse(stdout) as AuditReport
    expect(report.failure).toBeUndefined()
    expect(report.tools[0]?.calls.map(call => [call.verdict, call.unwatched])).toEqual([['not-watched', ['process', 'network', 'files']], ['not-watched', ['process', 'network', 'files']]])
    expect(report.watchers.every(watcher => !watcher.active)).toBe(true)
    expect(status).toBe(2)
  } finally {
    child.kill('SIGKILL')
  }
})

test.skipIf(!HAS.unshare)('--no-network runs where the server can be cut off', () => {
  expect(here.run(['audit', '--all', '--no-network', '--', 'node', server('honest')]).stdout).toContain('watched by')
})
