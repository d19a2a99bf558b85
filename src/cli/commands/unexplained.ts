/** `usher unexplained`: which side effects had no explicit ask behind them? Ends with 1 if there are any, so that cron can mail it. */
import type { Command } from 'commander'
import { openLogReader } from '../../log/reader.ts'
import { unexplained } from '../../log/unexplained.ts'
import type { Io } from '../io.ts'
import { existingLog } from '../setup.ts'
import { sinceOption } from '../since.ts'
import { table } from '../table.ts'

export function registerUnexplained(program: Command, io: Io): void {
  program.command('unexplained')
    .description('Which side effects had no explicit ask behind them?')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--since <when>', 'a duration (90m, 7d), a date, or "today"')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Shown: effects with no call; effects of a call that nobody asked for; effects beyond what was declared and allowed; calls that were cut off.

Examples:
  $ usher unexplained
  $ usher unexplained --since 1d --json

Exit code: 0 none, 1 there are some, 2 used wrongly.`)
    .action((options: { log?: string, since?: string, json?: true }) => {
      const reader = openLogReader(existingLog(options.log))
      try {
        const found = unexplained(reader, options.since === undefined ? undefined : sinceOption(options.since))
        if (found.length > 0) io.exit(1)
        if (options.json) { io.out(JSON.stringify(found, null, 2)); return }
        if (found.length === 0) { io.out(io.paint('green', 'none: every effect in the log has an explicit ask behind it')); return }
        const rows = found.map(one => [new Date(one.at).toISOString().replace('T', ' ').slice(0, 19), one.reason, one.kind ? `${one.kind} ${one.target ?? ''}` : `call of ${one.tool ?? '?'}`, one.evidence, one.nextStep, one.id])
        io.out(table(io, ['time (UTC)', 'reason', 'what', 'evidence', 'next', 'id'], rows, [19, 15, 30, 'rest', 36, 14]))
        io.out(`\n${found.length} unexplained`)
      } finally {
        reader.close()
      }
    })
}
