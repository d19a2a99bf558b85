/** `usher replay LOG`: what would these routes have done with what was logged? */
import type { Command } from 'commander'
import { loggedEvents } from '../../log/replay-source.ts'
import { openLogReader } from '../../log/reader.ts'
import { replay, type ReplayReport } from '../../replay.ts'
import { progress, type Io } from '../io.ts'
import { withScratchUsher } from '../open.ts'
import { existingLog } from '../setup.ts'
import { sinceOption } from '../since.ts'
import { table } from '../table.ts'

export function registerReplay(program: Command, io: Io): void {
  program.command('replay [log]')
    .description('Decide every logged event again under other routes; call nothing; print the difference.')
    .option('--routes <path...>', 'the route files or folders to try')
    .option('--tools <module>', 'a tools module')
    .option('--since <when>', 'only events since then')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher replay .usher/log.sqlite --routes new-routes/
  $ usher replay --routes new-routes/ --since 7d --json

Exit code: 0 nothing with effects newly fires, 1 something does, 2 used wrongly.`)
    .action(async (log: string | undefined, options: { routes?: string[], tools?: string, since?: string, json?: true }) => {
      const reader = openLogReader(existingLog(log))
      const bar = progress('deciding again:')
      const clock = { at: 0, now(): number { return this.at } }
      try {
        const report = await withScratchUsher(options, async usher => replay(
          loggedEvents(reader, options.since === undefined ? {} : { since: sinceOption(options.since) }),
          async event => {
            clock.at = event.at
            const decisions = await usher.decide({ ...event })
            return decisions.map(({ row, ready }) => ({ row, fires: ready !== undefined, effectful: ready !== undefined && (ready.allowed === null || ready.allowed.length > 0) }))
          },
          done => bar.step(done, done),
        ), { clock })
        bar.end()
        if (report.changes.some(change => change.change === 'newly-fires' && change.effectful)) io.exit(1)
        io.out(options.json ? JSON.stringify(report, null, 2) : reportText(io, report))
      } finally {
        bar.end()
        reader.close()
      }
    })
}

function reportText(io: Io, report: ReplayReport): string {
  const rows = report.changes.map(change => [change.change, change.source, change.text, change.before, change.after])
  const head = `${report.events} events decided again: ${report.same} the same, ${report.changes.length} otherwise, ${report.notReplayable} not replayable`
  return rows.length === 0 ? head : `${table(io, ['change', 'source', 'text', 'before', 'after'], rows, [16, 13, 'rest', 32, 32])}\n\n${head}`
}
