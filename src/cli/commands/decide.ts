/** `usher decide`: what would happen, and nothing happens. */
import type { Command } from 'commander'
import { isSource } from '../../ingest/source.ts'
import { UsherError } from '../../errors.ts'
import type { Io } from '../io.ts'
import { explanation } from '../explanation.ts'
import { outcomeStyle } from '../outcome-style.ts'
import { withScratchUsher } from '../open.ts'

export function registerDecide(program: Command, io: Io): void {
  program.command('decide <text...>')
    .option('--source <name>', 'where the event would come from', 'user')
    .option('--routes <path>', 'a route file or folder; may be given more than once', (path: string, before: readonly string[] | undefined) => [...before ?? [], path])
    .option('--tools <module>', 'a tools module')
    .option('--no-reader', 'without the trained second reader: the rules alone')
    .option('--json', 'the decisions as JSON')
    .addHelpText('after', `
Examples:
  $ usher decide "please open the console"
  $ usher decide --source notification "open the console"

Exit code: 0 it would call something, 1 it would not, 2 used wrongly.`)
    .action(async (words: string[], options: { source: string, routes?: string[], tools?: string, reader: boolean, json?: true }) => {
      if (!isSource(options.source)) throw new UsherError('BAD_OPTION', `--source must be a name like "user" or "chat:alice", got ${JSON.stringify(options.source)}`)
      const decisions = await withScratchUsher(options, usher => usher.decide({ source: options.source, text: words.join(' ') }), options.reader ? {} : { secondReader: false })
      if (!decisions.some(decision => decision.ready)) io.exit(1)
      if (options.json) { io.out(JSON.stringify(decisions.map(({ row, ready }) => ({ wouldCall: ready !== undefined, ...row })), null, 2)); return }
      for (const { row, ready } of decisions) io.out(`${ready ? io.paint('green', 'would call') : io.paint(outcomeStyle(row.kind), row.kind)}${row.tool ? `  ${row.tool}` : ''}\n${explanation(io, row)}\n`)
    })
}
