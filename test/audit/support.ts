/** Audits of fixture servers as the command line runs them, in this process. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { audit, type AuditOptions } from '../../src/audit/audit.ts'
import { meansOfThisSystem } from '../../src/audit/isolate.ts'
import type { AuditReport, AuditTool } from '../../src/audit/report.ts'
import { flagText, toolLines } from '../../src/audit/text.ts'

export const zoo = (name: string): string => fileURLToPath(new URL(`../fixtures/zoo/${name}`, import.meta.url))
export const server = (name: string): string => fileURLToPath(new URL(`../fixtures/servers/${name}.mjs`, import.meta.url))
export const HAS = { strace: meansOfThisSystem().strace.ok, unshare: meansOfThisSystem().unshare.ok, python: spawnSync('python3', ['-c', 'import sys; sys.addaudithook']).status === 0, cc: spawnSync('cc', ['--version']).status === 0 }

export function auditOf(command: readonly string[], options: Partial<AuditOptions> = {}): Promise<AuditReport> {
  return audit({ kind: 'command', command }, { all: true, timeout: 15_000, settle: 1500, ...options })
}

export const node = (file: string, ...args: readonly string[]): readonly string[] => [process.execPath, file, ...args]

export function tool(report: AuditReport, name: string): AuditTool {
  const found = report.tools.find(one => one.name === name)
  if (!found) throw new Error(`no tool ${name} in ${JSON.stringify(report, null, 1)}`)
  return found
}

/** The lines of the report for its tools, without the reasons of flags. */
export const lines = (report: AuditReport): readonly string[] => report.tools.flatMap(one => [...one.flags.map(flag => `FLAG ${flagText(one.name, flag)}`), ...toolLines({ ...one, flags: [] }, (_style, text) => text)])
