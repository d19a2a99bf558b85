/** `usher verify`, `usher anchor`, `usher prune`: is the log what was written, and how long is it kept? */
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { pruneLog } from '../../log/prune.ts'
import { anchorLine, verifyLog } from '../../log/verify.ts'
import type { Io } from '../io.ts'
import { existingLog } from '../setup.ts'
import { sinceOption } from '../since.ts'

export function registerVerify(program: Command, io: Io): void {
  program.command('verify')
    .description('Check the chain of rows, and its head against an anchor outside the file.')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--anchor <line>', 'a line that "usher anchor" printed (default: the anchors in the state folder)')
    .option('--no-anchor', 'without any anchor, e.g. for an older copy')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher verify
  $ usher verify --log backup.sqlite --anchor "$(cat anchor.txt)"

Exit code: 0 whole, 1 changed, or nothing outside the file says that it is whole, 2 used wrongly.`)
    .action((options: { log?: string, anchor?: string | boolean, json?: true }) => {
      const verdict = verifyLog(existingLog(options.log), options.anchor === undefined || options.anchor === true ? {} : { anchor: options.anchor })
      if (verdict.kind !== 'ok') io.exit(1)
      if (options.json) { io.out(JSON.stringify(verdict, null, 2)); return }
      switch (verdict.kind) {
        case 'ok': io.out(`${io.paint('green', 'ok')}  ${verdict.rows} rows, head ${verdict.head.hash.slice(0, 16)}, anchored at row ${verdict.anchoredAt}`); break
        case 'unanchored': io.out(`${io.paint('yellow', 'unanchored')}  ${verdict.rows} rows hold together, head ${verdict.head.hash.slice(0, 16)}; ${verdict.why}`); break
        case 'broken': io.out(`${io.paint('red', 'broken')}  row ${verdict.first.seq}: ${verdict.first.kind}; ${verdict.first.detail}`); break
        default: verdict satisfies never
      }
    })
}

export function registerAnchor(program: Command, io: Io): void {
  program.command('anchor')
    .description('Print one line that fixes the head of the log: keep it elsewhere, and give it to "usher verify --anchor".')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .addHelpText('after', `
Example:
  $ usher anchor >> /media/stick/anchors.txt`)
    .action((options: { log?: string }) => { io.out(anchorLine(existingLog(options.log))) })
}

export function registerPrune(program: Command, io: Io): void {
  program.command('prune')
    .description('Cut old rows under a checkpoint, so that the chain still verifies. Unexplained effects stay.')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--older-than <age>', 'rows older than this (90d, 12h, a date)')
    .option('--texts-older-than <age>', 'only the texts of events that fired nothing, older than this')
    .option('--even-unexplained', 'cut unexplained effects too')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher prune --older-than 90d
  $ usher prune --texts-older-than 7d`)
    .action((options: { log?: string, olderThan?: string, textsOlderThan?: string, evenUnexplained?: true, json?: true }) => {
      if (options.olderThan === undefined && options.textsOlderThan === undefined) throw new UsherError('BAD_OPTION', 'say how old: --older-than 90d, or --texts-older-than 7d')
      const pruned = pruneLog(existingLog(options.log), {
        ...(options.olderThan === undefined ? {} : { before: sinceOption(options.olderThan, '--older-than') }),
        ...(options.textsOlderThan === undefined ? {} : { textsBefore: sinceOption(options.textsOlderThan, '--texts-older-than') }),
        ...(options.evenUnexplained ? { evenUnexplained: true } : {}),
      })
      io.out(options.json ? JSON.stringify(pruned) : `${pruned.cut} rows cut, ${pruned.kept} old rows kept (unexplained, in flight, or needed by later ones), ${pruned.texts} texts dropped`)
    })
}
