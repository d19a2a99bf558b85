/** `usher audit`: which tools of a server act when they are called with nothing, or with what a careless filler would send? */
import { writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { audit, type AuditOptions } from '../../audit/audit.ts'
import { readBaseline, sinceBaseline } from '../../audit/baseline.ts'
import { htmlReport } from '../../audit/html.ts'
import { auditToolsJson, configTargets, type NamedTarget } from '../../audit/inputs.ts'
import { joined, type AuditReport } from '../../audit/report.ts'
import { sarifReport } from '../../audit/sarif.ts'
import { auditText } from '../../audit/text.ts'
import { UsherError } from '../../errors.ts'
import { builtFile } from '../../util/built.ts'
import { capped, visible } from '../../util/mask.ts'
import { packageVersion } from '../../util/version.ts'
import type { Io } from '../io.ts'

interface AuditCommandOptions {
  readonly all?: true, readonly json?: true, readonly sarif?: true, readonly html?: string, readonly network: boolean, readonly withNetwork?: true, readonly trace: string, readonly timeout: string, readonly settle: string
  readonly baseline?: string, readonly url?: string, readonly config?: string, readonly toolsJson?: string, readonly tools?: string
}

export function registerAudit(program: Command, io: Io): void {
  program.command('audit [command...]')
    .option('--url <address>', 'a server over streamable HTTP, in place of a command: it is called, and what it does cannot be watched')
    .option('--config <file>', 'every server of a client\'s configuration file (mcpServers)')
    .option('--tools <module>', 'your own defineTool tools, called under the same watchers')
    .option('--tools-json <file>', 'a tools array of OpenAI or Anthropic function calling: flags only, nothing is called')
    .option('--all', 'call every tool, not only the flagged ones')
    .option('--json', 'as JSON').option('--sarif', 'as SARIF 2.1.0, for code hosts').option('--html <file>', 'also write one self-contained page')
    .option('--baseline <file>', 'an earlier --json report: show only what is new')
    .option('--no-network', 'refuse to run where the server cannot be cut off from the network (it is cut off anyway where the system allows that)')
    .option('--with-network', 'leave the server the network and the disk of this machine')
    .option('--trace <how>', 'auto, strace (with it or not at all), or shims (without it)', 'auto')
    .option('--timeout <duration>', 'for the start, the list and each call', '30s')
    .option('--settle <duration>', 'how long to wait for what a call does after its reply; less where nothing can come', '2s')
    .addHelpText('after', `
The server runs in a scratch home and working folder with a clean environment; variables that look like secrets get fakes.

Examples:
  $ usher audit -- node my-server.js
  $ usher audit --all --html report.html -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31 .
  $ usher audit --config ~/.config/client/mcp.json --json > audit.json && usher contract review --audit audit.json

Exit code: 0 every flagged tool (with --all: every tool) was called, and nothing fired; 1 something fired; 2 something could not be judged.`)
    .action(async (command: string[], options: AuditCommandOptions) => {
      const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline)
      const whole = options.toolsJson === undefined ? await auditTargets(targetsOf(command, options), options) : toolsOnly(command, options, options.toolsJson)
      const report = baseline ? sinceBaseline(whole, baseline, options.all === true) : whole
      print(io, report, options, artifactOf(command, options))
      io.exit(report.summary.exit)
    })
}

function toolsOnly(command: readonly string[], options: AuditCommandOptions, file: string): AuditReport {
  if (command.length > 0 || [options.url, options.config, options.tools].some(one => one !== undefined)) throw onlyOne()
  return auditToolsJson(file)
}

const onlyOne = (): UsherError => new UsherError('BAD_OPTION', 'name one thing to audit: a command after "--", or one of --url, --config, --tools, --tools-json')

function targetsOf(command: readonly string[], { url, config, tools }: AuditCommandOptions): readonly NamedTarget[] {
  if ([command.length > 0 ? command : undefined, url, config, tools].filter(one => one !== undefined).length !== 1) throw onlyOne()
  if (config !== undefined) return configTargets(config)
  if (url !== undefined) return [{ name: url, target: { kind: 'url', url: checkedUrl(url) } }]
  if (tools !== undefined) return [{ name: tools, target: { kind: 'command', command: [process.execPath, fileURLToPath(builtFile(import.meta.url, '../audit-module.js')), resolve(tools)] } }]
  return [{ name: command.join(' '), target: { kind: 'command', command } }]
}

function checkedUrl(url: string): string {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) throw new UsherError('BAD_OPTION', `--url takes an http or https address, got ${JSON.stringify(url)}`)
  return url
}

async function auditTargets(targets: readonly NamedTarget[], options: AuditCommandOptions): Promise<AuditReport> {
  const checked = auditOptions(options)
  const status = statusLine()
  const reports: { name: string, report: AuditReport }[] = []
  // Through the exit handlers, which end the server and take its scratch folder away.
  const interrupted = (): void => process.exit(130)
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    for (const { name, target } of targets) reports.push({ name, report: await audit(target, { ...checked, onProgress: words => status.show(`${targets.length > 1 ? `${name}: ` : ''}${words}`) }) })
  } finally {
    status.end()
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
  return joined(reports, options.all === true)
}

function auditOptions(options: AuditCommandOptions): Partial<AuditOptions> {
  if (!['auto', 'strace', 'shims'].includes(options.trace)) throw new UsherError('BAD_OPTION', `--trace takes auto, strace or shims, got ${JSON.stringify(options.trace)}`)
  if (!options.network && options.withNetwork) throw new UsherError('BAD_OPTION', '--no-network and --with-network exclude each other')
  if (options.json && options.sarif) throw new UsherError('BAD_OPTION', '--json and --sarif exclude each other')
  return {
    all: options.all === true, trace: options.trace as AuditOptions['trace'], network: options.withNetwork ? 'open' : options.network ? 'cut' : 'required',
    timeout: milliseconds('--timeout', options.timeout), settle: milliseconds('--settle', options.settle),
  }
}

const UNITS: ReadonlyMap<string, number> = new Map([['ms', 1], ['s', 1000], ['m', 60_000]])

/** `30s`, `1500ms`, `2m`; a bare number is seconds. */
function milliseconds(option: string, text: string): number {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text)
  const value = found ? Number(found[1]) * (UNITS.get(found[2] ?? 's') ?? NaN) : NaN
  if (!(value > 0 && value <= 3_600_000)) throw new UsherError('BAD_OPTION', `${option} takes a duration such as 30s or 500ms, at most an hour, got ${JSON.stringify(text)}`)
  return value
}

/** What is being done right now, for a person who waits; nothing where nobody watches. */
function statusLine(): { show(words: string): void, end(): void } {
  const watched = process.stderr.isTTY === true
  const clear = '\r\u001B[K'
  return {
    show: words => { if (watched) process.stderr.write(`${clear}${visible(capped(words, Math.max(20, (process.stderr.columns || 80) - 25)))}`) },
    end: () => { if (watched) process.stderr.write(clear) },
  }
}

/** What stands for the server among the files of a repository, for SARIF. */
function artifactOf(command: readonly string[], { config, tools, toolsJson }: AuditCommandOptions): string {
  const file = config ?? tools ?? toolsJson ?? command.find(word => /\.[cm]?[jt]s$|\.py$/.test(word)) ?? 'mcp.json'
  return relative('.', resolve(file)) || file
}

function print(io: Io, report: AuditReport, options: AuditCommandOptions, artifact: string): void {
  if (options.html !== undefined) {
    try {
      writeFileSync(options.html, htmlReport(report, packageVersion()))
    } catch (cause) {
      throw new UsherError('BAD_OPTION', `--html ${options.html} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }
  if (options.json) io.out(JSON.stringify(report, null, 2))
  else if (options.sarif) io.out(JSON.stringify(sarifReport(report, packageVersion(), artifact), null, 2))
  else io.out(auditText(report, (style, text) => io.paint(style, text)))
}
