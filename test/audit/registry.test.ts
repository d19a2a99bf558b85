import { describe, expect, test } from 'vitest'
import type { AuditReport } from '../../src/audit/report.ts'
import { ROOT } from '../rules/source-files.ts'
import { auditOf, HAS } from './support.ts'
import expected from './registry.json' with { type: 'json' }

/** Flags by rule, and each call's verdict with the kinds of its effects. */
const verdicts = (report: AuditReport) => Object.fromEntries(report.tools.map(tool => [tool.name, {
  flags: tool.flags.map(flag => `${flag.path || '.'} ${flag.rule}`),
  calls: tool.calls.map(call => `${call.verdict}${call.nth === undefined ? '' : ' again'}${[...new Set(call.effects.filter(effect => effect.level === 'acts').map(effect => effect.kind))].sort().map(kind => ` ${kind}`).join('')}`),
}]))

describe.skipIf(!HAS.unshare || !HAS.strace)('servers of the registry: their verdicts, as committed', () => {
  test.concurrent.each([['everything', []], ['filesystem', ['.']], ['memory', []], ['sequential-thinking', []]] as const)('%s', async (name, args) => {
    const report = await auditOf([process.execPath, `${ROOT}node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args], { timeout: 60_000, settle: 2000 })
    expect(report.failure).toBeUndefined()
    expect(verdicts(report)).toEqual(expected[name])
  })
})
