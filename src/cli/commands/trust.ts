/** `usher verify`, `usher anchor`, `usher prune`: is the log what was written, and how long is it kept? */
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { isPostgresUrl } from '../../log/open.ts'
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
    .action(async (options: { log?: string, anchor?: string | boolean, json?: true }) => {
      const shared = fleetAddress(options.log)
      if (shared !== undefined) return verifyFleet(io, shared, options.json === true)
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
    .action(async (options: { log?: string, olderThan?: string, textsOlderThan?: string, evenUnexplained?: true, json?: true }) => {
      if (options.olderThan === undefined && options.textsOlderThan === undefined) throw new UsherError('BAD_OPTION', 'say how old: --older-than 90d, or --texts-older-than 7d')
      const shared = fleetAddress(options.log)
      if (shared !== undefined) return pruneFleet(io, shared, options)
      const pruned = pruneLog(existingLog(options.log), {
        ...(options.olderThan === undefined ? {} : { before: sinceOption(options.olderThan, '--older-than') }),
        ...(options.textsOlderThan === undefined ? {} : { textsBefore: sinceOption(options.textsOlderThan, '--texts-older-than') }),
        ...(options.evenUnexplained ? { evenUnexplained: true } : {}),
      })
      io.out(options.json ? JSON.stringify(pruned) : `${pruned.cut} rows cut, ${pruned.kept} old rows kept (unexplained, in flight, or needed by later ones), ${pruned.texts} texts dropped`)
    })
}

/** The address, where the log is one that several machines write. */
function fleetAddress(option: string | undefined): string | undefined {
  const location = option ?? process.env['USHER_LOG']
  return location !== undefined && isPostgresUrl(location) ? location : undefined
}

async function verifyFleet(io: Io, url: string, json: boolean): Promise<void> {
  const { verifyFleetLog } = await import('../../log/postgres/verify.ts')
  let told = Date.now()
  const verdict = await verifyFleetLog(url, { onProgress: rows => { if (io.terminal && Date.now() - told > 2000) { told = Date.now(); io.err(`checking rows: ${rows}`) } } })
  if (verdict.kind !== 'ok') io.exit(1)
  if (json) { io.out(JSON.stringify(verdict, null, 2)); return }
  if (verdict.kind === 'ok') { io.out(`${io.paint('green', 'ok')}  ${verdict.rows} rows in the chains of ${verdict.writers} writers; other writers noted the heads of ${verdict.noted}`); return }
  for (const fault of verdict.faults) io.out(`${io.paint('red', 'broken')}  ${fault.writer === '' ? 'tables' : `writer ${fault.writer}, row ${fault.seq}`}: ${fault.kind}; ${fault.detail}`)
}

async function pruneFleet(io: Io, url: string, options: { readonly olderThan?: string, readonly textsOlderThan?: string, readonly evenUnexplained?: true, readonly json?: true }): Promise<void> {
  if (options.olderThan === undefined || options.textsOlderThan !== undefined) throw new UsherError('BAD_OPTION', 'a log in PostgreSQL is cut by whole rows: --older-than 90d')
  const { pruneFleetLog } = await import('../../log/postgres/prune.ts')
  const pruned = await pruneFleetLog(url, { before: sinceOption(options.olderThan, '--older-than'), ...(options.evenUnexplained ? { evenUnexplained: true } : {}) })
  io.out(options.json ? JSON.stringify(pruned) : `${pruned.cut} rows cut, ${pruned.kept} old rows kept (unexplained, in flight, or needed by later ones)`)
}
