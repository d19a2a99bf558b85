/** `usher audit`: which tools of a server act when they are called with nothing, or with what a careless filler would send? */
import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { audit, type AuditOptions } from '../../audit/audit.ts'
import type { AuditReport } from '../../audit/report.ts'
import type { AuditTarget } from '../../audit/session.ts'
import { auditText } from '../../audit/text.ts'
import { UsherError } from '../../errors.ts'
import type { Io } from '../io.ts'

interface AuditCommandOptions {
  readonly all?: true, readonly json?: true, readonly sarif?: true, readonly html?: string, readonly network: boolean, readonly withNetwork?: true, readonly trace: string, readonly timeout: string, readonly settle: string
  readonly baseline?: string, readonly url?: string, readonly config?: string, readonly toolsJson?: string, readonly tools?: string
}

export function registerAudit(program: Command, io: Io): void {
  program.command('audit [command...]')
    .description('List, flag, call and watch the tools of any MCP server: which of them act when called with nothing, or with what a careless filler sends?')
    .option('--all', 'call every tool, not only the flagged ones')
    .option('--json', 'as JSON')
    .option('--no-network', 'refuse to run where the server cannot be cut off from the network (it is cut off anyway where the system allows that)')
    .option('--with-network', 'leave the server the network and the disk of this machine')
    .option('--trace <how>', 'auto, strace (or not at all), or shims (without strace)', 'auto')
    .option('--timeout <duration>', 'for the start, the list and each call', '30s')
    .option('--settle <duration>', 'how long to wait for what a call does after its reply', '2s')
    .addHelpText('after', `
Examples:
  $ usher audit -- node my-server.js
  $ usher audit --all --json -- npx -y @modelcontextprotocol/server-filesystem .

Exit code: 0 every flagged tool (with --all: every tool) was called, and nothing fired; 1 something fired; 2 something could not be judged.`)
    .action(async (command: string[], options: AuditCommandOptions) => {
      const report = await audit(targetOf(command, options), auditOptions(io, options))
      print(io, report, options)
      io.exit(report.summary.exit)
    })
}

function targetOf(command: readonly string[], options: AuditCommandOptions): AuditTarget {
  if (options.url !== undefined) return { kind: 'url', url: options.url }
  if (command.length === 0) throw new UsherError('BAD_OPTION', 'name a server: its command after "--", or one of --url, --config, --tools, --tools-json')
  return { kind: 'command', command }
}

function auditOptions(io: Io, options: AuditCommandOptions): Partial<AuditOptions> {
  if (!['auto', 'strace', 'shims'].includes(options.trace)) throw new UsherError('BAD_OPTION', `--trace takes auto, strace or shims, got ${JSON.stringify(options.trace)}`)
  if (!options.network && options.withNetwork) throw new UsherError('BAD_OPTION', '--no-network and --with-network exclude each other')
  return {
    all: options.all === true, trace: options.trace as AuditOptions['trace'], network: options.withNetwork ? 'open' : options.network ? 'cut' : 'required',
    timeout: milliseconds('--timeout', options.timeout), settle: milliseconds('--settle', options.settle), onProgress: statusLine(io),
  }
}

/** `30s`, `1500ms`, `2m`; a bare number is seconds. */
function milliseconds(option: string, text: string): number {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text)
  const value = found ? Number(found[1]) * ({ ms: 1, s: 1000, m: 60_000 }[found[2] ?? 's'] ?? 1000) : NaN
  if (!(value >= 0 && value <= 3_600_000)) throw new UsherError('BAD_OPTION', `${option} takes a duration such as 30s or 500ms, got ${JSON.stringify(text)}`)
  return value
}

function statusLine(_io: Io): (words: string) => void {
  return () => undefined
}

function print(io: Io, report: AuditReport, options: AuditCommandOptions): void {
  if (options.html !== undefined) writeFileSync(options.html, '')
  if (options.json) io.out(JSON.stringify(report, null, 2))
  else io.out(auditText(report, (style, text) => io.paint(style, text)))
}
