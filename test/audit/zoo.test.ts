import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditReport } from '../../src/audit/report.ts'
import { auditOf, HAS, lines, node, tool, zoo } from './support.ts'

const OUTSIDE = '/etc/usher-zoo-was-here'
const acts = (name: string): boolean => !name.includes('quiet')

/** Every tool that acts is found, and no other. */
function expectVerdicts(report: AuditReport): void {
  const fired = report.tools.filter(one => one.calls.some(call => call.verdict === 'fail')).map(one => one.name)
  expect(fired).toEqual(report.tools.map(one => one.name).filter(acts))
  expect(report.tools.filter(one => !acts(one.name)).flatMap(one => one.calls.filter(call => call.verdict !== 'ok'))).toEqual([])
  expect(report.summary).toMatchObject({ exit: 1, share: 100 })
}

describe.skipIf(!HAS.unshare)('the zoo in JavaScript, behind namespaces', () => {
  let report: AuditReport
  beforeAll(async () => {
    report = await auditOf(node(zoo('beast.mjs')), { settle: 2500 })
  })

  test('effect:observed: every tool that acts fails, on every page, and no harmless one does', () => {
    expect(report.tools).toHaveLength(28)
    expectVerdicts(report)
  })

  test.each([
    ['by_fetch', 'http.request', 'POST http://fetch.example'],
    ['by_https', 'net.connect', 'secure.example:443'],
    ['by_socket', 'net.connect', '203.0.113.7:8123'],
    ['by_udp', 'udp.send', '203.0.113.8:8125'],
    ['by_dns', 'dns.lookup', 'secret-data.exfil.example'],
    ['by_mail', 'net.connect', '203.0.113.9:25'],
    ['by_absolute_path', 'process.start', '/usr/bin/env'],
    ['by_file_at_home', 'fs.write', '{scratch}/home/.profile'],
    ['by_file_outside', 'fs.write', OUTSIDE],
    ['by_delete', 'fs.delete', '{scratch}/work/precious.txt'],
    ['by_open_connection', 'net.connect', 'unix:{scratch}/work/door.sock'],
    ['by_other_process', 'net.connect', 'unix:{scratch}/work/door.sock'],
  ])('effect:observed: %s is seen as %s %s', (name, kind, target) => {
    expect(tool(report, name).calls.flatMap(call => call.effects)).toContainEqual(expect.objectContaining({ kind, target }))
  })

  test('what is not encrypted is in the report: a request with its body, a mail with its text', () => {
    const sent = (name: string) => tool(report, name).calls.flatMap(call => call.effects.flatMap(effect => effect.sent ?? []))
    expect(sent('by_fetch')).toContain('POST /hook\ntoken=abc')
    expect(sent('by_mail').join('')).toContain('the secret')
  })

  test('what happens after the reply belongs to the call, and says so', () => {
    for (const name of ['by_late_timer', 'by_detached_child']) expect(tool(report, name).calls[0]?.effects).toContainEqual(expect.objectContaining({ kind: 'process.start', afterReply: true }))
  })

  test('a tool that acts only at its second call is told apart', () => {
    expect(tool(report, 'by_second_call').calls.map(({ verdict, nth }) => [verdict, nth])).toEqual([['ok', undefined], ['fail', 2]])
  })

  test('arguments get past the server\'s own checks, and its refusals are no ok', () => {
    expect(tool(report, 'by_required_value').calls.map(call => call.verdict)).toEqual(['not-exercised', 'not-exercised', 'fail', 'ok'])
  })

  test('a flag two levels deep is reached', () => {
    expect(lines(report)).toContain('FAIL by_deep_flag {"options":{"delivery":{"send_now":true}}} with process.start sendmail -t')
  })

  test('temporary files are no reason to fail', () => {
    expect(tool(report, 'quiet_temp').calls[0]?.effects.every(effect => effect.level === 'look here')).toBe(true)
  })

  test('start-up has its own list', () => {
    expect(report.startUp.map(effect => effect.kind)).toContain('fs.write')
  })

  test('the real disk is as it was', () => {
    expect(existsSync(OUTSIDE)).toBe(false)
  })
})

describe.skipIf(!HAS.unshare || !HAS.python)('the zoo in Python', () => {
  test('effect:observed: every tool that acts fails, and no harmless one does', async () => {
    const report = await auditOf(['python3', zoo('beast.py')])
    expectVerdicts(report)
    expect(report.watchers.find(watcher => watcher.name === 'python-child')?.active).toBe(true)
    expect(tool(report, 'py_fetch').calls[0]?.effects).toContainEqual(expect.objectContaining({ kind: 'http.request', target: 'POST http://python.example', sent: 'POST /hook\ntoken=abc' }))
  })
})

describe.skipIf(!HAS.unshare || !HAS.cc)('the zoo in C: nothing reports from inside', () => {
  let folder: string
  let binary: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'usher-zoo-'))
    binary = join(folder, 'beast')
    spawnSync('cc', ['-O1', '-o', binary, zoo('beast.c')])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.skipIf(!HAS.strace)('effect:observed: with strace every tool that acts fails, and no harmless one does', async () => {
    expectVerdicts(await auditOf([binary]))
  })

  test('without strace, what the namespaces show is found, and what they cannot show is not watched', async () => {
    const report = await auditOf([binary], { trace: 'shims' })
    expect(tool(report, 'c_start').calls.map(({ verdict, unwatched }) => ({ verdict, unwatched }))).toContainEqual({ verdict: 'not-watched', unwatched: ['process'] })
    for (const name of ['c_connect', 'c_sink', 'c_udp', 'c_write', 'c_outside', 'c_delete']) expect(tool(report, name).calls.map(call => call.verdict)).toContain('fail')
    for (const name of ['c_quiet', 'c_quiet_work']) expect(tool(report, name).calls.map(call => call.verdict)).toEqual(['ok'])
    expect(tool(report, 'c_sink').calls[0]?.effects).toContainEqual(expect.objectContaining({ kind: 'http.request', target: 'POST http://c.example', watcher: 'sink' }))
    expect(report.watchers.find(watcher => watcher.name === 'strace')?.active).toBe(false)
  })
})
