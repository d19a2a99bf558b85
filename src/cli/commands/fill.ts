/** `usher fill`: what the filler does with any schema. */
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { visible } from '../../util/mask.ts'
import type { Io } from '../io.ts'
import { table } from '../table.ts'
import { readJson } from '../read-json.ts'

export function registerFill(program: Command, io: Io): void {
  program.command('fill')
    .requiredOption('--schema <file>', 'a JSON Schema of an object, of any draft from 04 to 2020-12')
    .requiredOption('--text <text>', 'the event\'s words')
    .option('--at <time>', 'the event\'s time, for "tomorrow" (ISO; default: now)')
    .option('--time-zone <name>', 'the owner\'s time zone, like Europe/Berlin (default: the system\'s)')
    .option('--json', 'as JSON: { filled, empty, armed, outcome }')
    .addHelpText('after', `
Examples:
  $ usher fill --schema schema.json --text "a table for four tomorrow at 9"
  $ usher fill --schema schema.json --text "in 20 minutes" --at 2026-03-03T12:00:00Z --json

Exit code: 0 filled, 1 a required value is missing or the schema is refused, 2 used wrongly.`)
    .action(async (options: { schema: string, text: string, at?: string, timeZone?: string, json?: true }) => {
      const at = options.at === undefined ? Date.now() : Date.parse(options.at)
      if (Number.isNaN(at)) throw new UsherError('BAD_OPTION', `--at must be an ISO time like 2026-03-03T12:00:00Z, got ${JSON.stringify(options.at)}`)
      const { fillReport } = await import('../../fill/report.ts')
      const report = fillReport({ schema: readJson(options.schema), text: options.text, at, ...(options.timeZone === undefined ? {} : { timeZone: timeZone(options.timeZone) }) })
      if (report.outcome !== 'filled') io.exit(1)
      if (options.json) { io.out(JSON.stringify(report, null, 2)); return }
      io.out(`${io.paint(report.outcome === 'filled' ? 'green' : 'yellow', report.outcome)}${report.question ? `  ${report.question}` : ''}${report.reason ? `  ${report.reason}` : ''}`)
      if (report.filled.length > 0) io.out(`\n${table(io, ['filled', 'value', 'from the words'], report.filled.map(one => [one.path, JSON.stringify(one.value), `"${options.text.slice(one.start, one.end)}" (${one.start} to ${one.end})`]))}`)
      if (report.empty.length > 0) io.out(`\n${table(io, ['left empty', 'reason'], report.empty.map(one => [one.path, one.reason]))}`)
      if (report.armed.length > 0) io.out(`\n${table(io, ['never filled', 'value', 'rule'], report.armed.map(one => [visible(one.path), JSON.stringify(one.value), one.rule]))}`)
    })
}

function timeZone(name: string): string {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `--time-zone must be a name like Europe/Berlin, got ${JSON.stringify(name)}`, { cause })
  }
}
