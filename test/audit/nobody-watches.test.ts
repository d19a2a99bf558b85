import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditReport } from '../../src/audit/report.ts'
import { BIN } from '../cli/usher.ts'
import { HAS, zoo } from './support.ts'

/** With no means at all, around which there is a namespace all the same: a test reaches no network. */
describe.skipIf(!HAS.unshare || !HAS.cc)('a program that nobody can watch', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'usher-zoo-'))
    spawnSync('cc', ['-O1', '-o', join(folder, 'beast'), zoo('beast.c')])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is never called ok: each class that no watcher sees is named, and the exit code is 2 or 1', () => {
    const { stdout, status } = spawnSync('unshare', ['-rn', process.execPath, BIN, 'audit', '--all', '--json', '--with-network', '--trace', 'shims', '--', join(folder, 'beast'), join(folder, 'outside')], { encoding: 'utf8', cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } })
    const report = JSON.parse(stdout) as AuditReport
    const verdicts = new Map(report.tools.map(one => [one.name, one.calls.map(call => call.verdict)]))
    expect(verdicts.get('c_quiet')).toEqual(['not-watched'])
    expect(verdicts.get('c_connect')).toEqual(['not-watched'])
    expect(report.tools.flatMap(one => one.calls).filter(call => call.verdict === 'ok')).toEqual([])
    expect(report.tools.find(one => one.name === 'c_quiet')?.calls[0]?.unwatched).toEqual(['process', 'network', 'files'])
    // The scratch folder can be looked at without any help.
    expect(verdicts.get('c_write')).toContain('fail')
    expect(report.notes.join()).toContain('the network and the disk of this machine')
    expect(status).toBe(1)
  })
})
