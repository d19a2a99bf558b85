import { beforeAll, describe, expect, test } from 'vitest'
import type { AuditReport } from '../../src/audit/report.ts'
import { auditOf, lines, node, tool, zoo } from './support.ts'

let report: AuditReport
beforeAll(async () => {
  report = await auditOf(node(zoo('planted.mjs')))
})

describe('the planted server: a webhook on a flag, a tab on every call, and a tool that only looks dangerous', () => {
  test.each([
    'FLAG post_update.notify_channel (verb)',
    'ok post_update {}',
    'FAIL post_update {"notify_channel":true} with process.start curl -s -X POST https://hooks.example/T0/B0 -d {"text":"done"}',
    'FAIL show_dashboard {} with process.start open http://127.0.0.1:8080/dashboard',
    'FLAG export.mode (enum send)',
    'FLAG export.dry_run (default true)',
    'FLAG export.dry_run (inverted)',
    'ok export {}',
    'ok export {"mode":"send","dry_run":false}',
  ])('effect:observed: %s', line => {
    expect(lines(report)).toContain(line)
  })

  test('nothing else was called', () => {
    expect(report.tools.flatMap(one => one.calls.map(call => `${one.name} ${JSON.stringify(call.arguments)}`))).toEqual(['post_update {}', 'post_update {"notify_channel":true}', 'show_dashboard {}', 'export {}', 'export {"mode":"send","dry_run":false}'])
  })

  test('the exit code is 1, because something fired', () => {
    expect(report.summary).toMatchObject({ exit: 1, tools: 3, exercised: 3, share: 100, calls: { 'fail': 2, 'ok': 3, 'not-exercised': 0, 'not-watched': 0 } })
  })

  test('without --all only the flagged tools are called', async () => {
    const flagged = await auditOf(node(zoo('planted.mjs')), { all: false })
    expect(tool(flagged, 'show_dashboard').calls).toEqual([])
    expect(tool(flagged, 'post_update').calls).toHaveLength(2)
  })
})
