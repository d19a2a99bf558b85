import { spawnSync } from 'node:child_process'
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

/** One from Python's registry: `pip install mcp-server-time`; USHER_TEST_PYTHON names the interpreter that has it. */
const PYTHON = process.env['USHER_TEST_PYTHON'] ?? 'python3'
const hasTimeServer = spawnSync(PYTHON, ['-c', 'import mcp_server_time']).status === 0

describe.skipIf(!HAS.unshare || !HAS.strace)('servers of the registry: their verdicts, as committed', () => {
  const judged = async (command: readonly string[]) => {
    const report = await auditOf(command, { timeout: 60_000, settle: 2000 })
    return { failure: report.failure, verdicts: verdicts(report) }
  }
  // The puppeteer server is installed without a browser: its calls are refused, which is no pass.
  test.concurrent.each([['everything', []], ['filesystem', ['.']], ['memory', []], ['sequential-thinking', []], ['puppeteer', []]] as const)('%s', async (name, args) => {
    expect(await judged([process.execPath, `${ROOT}node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args])).toEqual({ failure: undefined, verdicts: expected[name] })
  })
  test.skipIf(!hasTimeServer)('time, in Python', async () => {
    expect(await judged([PYTHON, '-m', 'mcp_server_time', '--local-timezone', 'Europe/Berlin'])).toEqual({ failure: undefined, verdicts: expected.time })
  })
})
