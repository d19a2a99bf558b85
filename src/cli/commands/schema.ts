/** `usher schema`: how big the visible schemas are, how much of them is described, and whether that got worse. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { parseRatchet, ratchetText, tightened } from '../../schema/ratchet.ts'
import { schemaReport, type SchemaReport } from '../../schema/report.ts'
import type { JsonObject, JsonSchema } from '../../types.ts'
import { isRecord } from '../../util/records.ts'
import type { Io } from '../io.ts'
import { loadTools } from '../setup.ts'
import { table } from '../table.ts'
import { readJson } from '../read-json.ts'

interface SchemaOptions { readonly tools?: string, readonly toolsJson?: string, readonly maxChars: string, readonly minDescribed: string, readonly ratchet?: string, readonly accept?: readonly string[], readonly write?: true, readonly json?: true }
interface Measured { readonly name: string, readonly description: string, readonly visible: JsonObject, readonly presetOnly?: { readonly [key: string]: JsonSchema } }

export function registerSchema(program: Command, io: Io): void {
  program.command('schema [command...]')
    .option('--tools <module>', 'a tools module (default: the example tools)')
    .option('--tools-json <file>', 'a file with a tools array: [{ name, description, inputSchema }]')
    .option('--max-chars <n>', 'a schema that reaches this many UTF-16 units is over', '16384')
    .option('--min-described <share>', 'least share of nested properties with a description', '0.55')
    .option('--ratchet <file>', 'figures that may only get better; better fails too, until --write')
    .option('--write', 'write the figures into the ratchet file; it only tightens')
    .option('--accept <name...>', 'preset-only parameters that a description may name: you have read it')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher schema --tools my-tools.js --ratchet schema-budget.json
  $ usher schema -- npx my-mcp-server
  $ usher schema --tools-json tools.json --json

Exit code: 0 within the budget, 1 over it or not level with the ratchet, 2 used wrongly.`)
    .action(async (command: string[], options: SchemaOptions) => {
      const limits = { maxChars: figure(options.maxChars, '--max-chars', value => Number.isInteger(value) && value > 0), minDescribed: figure(options.minDescribed, '--min-described', value => value >= 0 && value <= 1) }
      if (options.write && !options.ratchet) throw new UsherError('BAD_OPTION', '--write needs --ratchet FILE')
      const kept = options.ratchet && existsSync(options.ratchet) && !options.write ? parseRatchet(readFileSync(options.ratchet, 'utf8'), options.ratchet) : undefined
      if (options.ratchet && !options.write && !kept) throw new UsherError('BAD_OPTION', `there is no ratchet file ${options.ratchet}; make it with --write`)
      const report = schemaReport(await measured(command, options), { ...limits, ...(kept ? { ratchet: kept } : {}), ...(options.accept ? { accepted: new Set(options.accept) } : {}) })
      if (options.ratchet && options.write) writeFileSync(options.ratchet, ratchetText(existsSync(options.ratchet) ? tightened(report.figures, parseRatchet(readFileSync(options.ratchet, 'utf8'), options.ratchet)) : report.figures))
      if (!report.passed) io.exit(1)
      io.out(options.json ? JSON.stringify(report, null, 2) : schemaText(io, report))
    })
}

async function measured(command: readonly string[], options: SchemaOptions): Promise<readonly Measured[]> {
  if ([options.tools, options.toolsJson, command.length > 0 ? command : undefined].filter(one => one !== undefined).length > 1) throw new UsherError('BAD_OPTION', 'name one thing to measure: --tools, --tools-json or a command after "--"')
  if (options.toolsJson) return listed(readJson(options.toolsJson), options.toolsJson)
  if (command.length === 0) return await loadTools({ folder: '.usher', consoleAddress: 'http://127.0.0.1/', ...(options.tools ? { tools: options.tools } : {}) })
  const { ServerConnection } = await import('../../mcp/connection.ts')
  const { resolvedCommand } = await import('../../mcp/draft-server.ts')
  const connection = await ServerConnection.open({ kind: 'command', command: resolvedCommand(command) })
  try {
    return listed((await connection.listTools()).map(entry => entry.value), command.join(' '))
  } finally {
    await connection.close()
  }
}

function listed(data: unknown, where: string): Measured[] {
  const list = isRecord(data) && Array.isArray(data['tools']) ? data['tools'] : data
  if (!Array.isArray(list)) throw new UsherError('BAD_OPTION', `${where}: a tools array was wanted, like [{ "name": "...", "inputSchema": {} }]`)
  return list.map((tool: unknown, at) => {
    const schema = isRecord(tool) ? tool['inputSchema'] ?? tool['input_schema'] ?? (isRecord(tool['function']) ? tool['function']['parameters'] : tool['parameters']) : undefined
    if (!isRecord(tool) || !isRecord(schema)) throw new UsherError('BAD_OPTION', `${where}: tool ${at} has no input schema`)
    const inner = isRecord(tool['function']) ? tool['function'] : tool
    return { name: typeof inner['name'] === 'string' ? inner['name'] : `tool ${at}`, description: typeof inner['description'] === 'string' ? inner['description'] : '', visible: schema }
  })
}

function figure(text: string, name: string, ok: (value: number) => boolean): number {
  const value = Number(text)
  if (text.trim() === '' || !ok(value)) throw new UsherError('BAD_OPTION', `${name} cannot be ${JSON.stringify(text)}`)
  return value
}

function schemaText(io: Io, report: SchemaReport): string {
  const largest = [...report.tools].sort((a, b) => b.chars - a.chars).slice(0, 20)
  return [
    table(io, ['tool', report.unit, 'parts', 'described', ''], largest.map(tool => [tool.tool, String(tool.chars), String(tool.parts), tool.parts === 0 ? '' : `${Math.round(100 * tool.described / tool.parts)} %`, tool.over ? 'over' : '']), [40, 14, 7, 10, 6]),
    '', `${report.tools.length} tools, ${report.total} ${report.unit} in all, the largest ${report.largest}; ${report.described} of ${report.parts} nested properties described (${report.percent} %)`,
    ...report.advice, ...(report.ratchet && report.ratchet.kind !== 'equal' ? report.ratchet.lines : []), ...report.findings.map(found => `${io.paint('yellow', found.rule)}  ${found.tool}${found.at}  ${found.message}`),
    report.passed ? io.paint('green', 'within the budget') : io.paint('red', 'not within the budget'),
  ].join('\n')
}
