/** `usher verify`, `usher anchor`, `usher prune`: is the log what was written, and how long is it kept? */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { isPostgresUrl } from '../../log/open.ts'
import { pruneLog } from '../../log/prune.ts'
import { anchorText } from '../../log/anchors.ts'
import { signAnchor } from '../../log/signed-anchor.ts'
import { anchorOf, verifyLog } from '../../log/verify.ts'
import type { Io } from '../io.ts'
import { existingLog } from '../setup.ts'
import { sinceOption } from '../since.ts'

export function registerVerify(program: Command, io: Io): void {
  program.command('verify')
    .description('Check the chain of rows, and its head against an anchor outside the file.')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--anchor <line>', 'a line that "usher anchor" printed, or a file of such lines (default: the anchors in the state folder)')
    .option('--signers <file>', 'an allowed_signers file: the anchor must be signed by one of its keys')
    .option('--no-anchor', 'without any anchor, e.g. for an older copy')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher verify
  $ usher verify --log backup.sqlite --anchor "$(tail -n 1 anchors.txt)"
  $ usher verify --anchor anchors.txt --signers allowed_signers

Exit code: 0 whole, 1 changed, or nothing outside the file says that it is whole, 2 used wrongly.`)
    .action(async (options: { log?: string, anchor?: string | boolean, signers?: string, json?: true }) => {
      const shared = fleetAddress(options.log)
      if (shared !== undefined) return verifyFleet(io, shared, options.json === true)
      const verdict = verifyLog(existingLog(options.log), { ...anchorLines(options.anchor), ...options.signers === undefined ? {} : { signers: textOf(options.signers) } })
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

/** `--anchor` takes a line, or a file of lines that were taken over time. */
function anchorLines(option: string | boolean | undefined): { readonly anchor?: string | false } {
  if (option === undefined || option === true) return {}
  return { anchor: option !== false && !option.startsWith('usher-anchor-') && existsSync(option) ? textOf(option) : option }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

interface AnchorOptions { readonly log?: string, readonly sign?: string, readonly to?: string, readonly run?: string }

export function registerAnchor(program: Command, io: Io): void {
  program.command('anchor')
    .description('Print one line that fixes the head of the log: keep it elsewhere, and give it to "usher verify --anchor".')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--sign <key>', 'sign it with this SSH key (its public half, where an agent holds it)')
    .option('--to <file>', 'add the line to this file')
    .option('--run <command>', 'give the line to this command on its standard input: a mail, another machine')
    .addHelpText('after', `
Examples:
  $ usher anchor >> /media/stick/anchors.txt
  $ usher anchor --sign ~/.ssh/id_ed25519 --run 'ssh backup "cat >> anchors.txt"'

Exit code: 0 done, 1 the command failed, 2 used wrongly.`)
    .action(async (options: AnchorOptions) => {
      const log = options.log ?? process.env['USHER_LOG']
      if (log !== undefined && isPostgresUrl(log)) throw new UsherError('BAD_OPTION', 'an anchor is for a log in a file; in a fleet the writers note each other\'s heads: usher verify --log postgres://...')
      const plain = anchorOf(existingLog(options.log))
      const line = anchorText(options.sign === undefined ? plain : await signAnchor(plain, options.sign))
      if (options.to !== undefined) appendFileSync(options.to, `${line}\n`, { mode: 0o600 })
      if (options.run !== undefined) {
        const { status } = spawnSync(options.run, { shell: true, input: `${line}\n`, stdio: ['pipe', 'inherit', 'inherit'] })
        if (status !== 0) { io.exit(1); io.err(`the command ended with ${status ?? 'a signal'}: the anchor below was not kept by it`) }
      }
      io.out(line)
    })
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
