/** `usher verify`, `usher anchor`, `usher prune`: is the log what was written, and how long is it kept? */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { isPostgresUrl } from '../../log/address.ts'
import { pruneLog } from '../../log/prune.ts'
import { deliverAnchor } from '../../log/anchor-delivery.ts'
import { type AnchorSettings, writeAnchorSettings } from '../../log/anchor-settings.ts'
import { defaultStateDir } from '../../log/state.ts'
import { anchorOf, verifyLog } from '../../log/verify.ts'
import type { Io } from '../io.ts'
import { existingLog } from '../setup.ts'
import { parseDuration } from '../../routes/units.ts'
import { sinceOption } from '../since.ts'

const STATE_WORDS = 'the state folder, with the anchors (default: $USHER_STATE, else $XDG_STATE_HOME/usher)'

export function registerVerify(program: Command, io: Io): void {
  program.command('verify')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--anchor <line>', 'a line that "usher anchor" printed, or a file of such lines (default: the anchors in the state folder)')
    .option('--signers <file>', 'an allowed_signers file: the anchor must be signed by one of its keys')
    .option('--state <folder>', STATE_WORDS)
    .option('--no-anchor', 'without any anchor, e.g. for an older copy')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher verify
  $ usher verify --log backup.sqlite --anchor "$(tail -n 1 anchors.txt)"
  $ usher verify --anchor anchors.txt --signers allowed_signers

Exit code: 0 whole, 1 changed, or nothing outside the file says that it is whole, 2 used wrongly.`)
    .action(async (options: { log?: string, anchor?: string | boolean, signers?: string, state?: string, json?: true }) => {
      const shared = fleetAddress(options.log)
      if (shared !== undefined) return verifyFleet(io, shared, options.json === true)
      const verdict = verifyLog(existingLog(options.log), { ...anchorLines(options.anchor), ...options.signers === undefined ? {} : { signers: textOf(options.signers) }, ...options.state === undefined ? {} : { stateDir: resolve(options.state) } })
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

interface AnchorOptions { readonly log?: string, readonly state?: string, readonly sign?: string, readonly to?: string, readonly run?: string, readonly always?: true, readonly every?: string, readonly never?: true }

export function registerAnchor(program: Command, io: Io): void {
  program.command('anchor')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--state <folder>', STATE_WORDS)
    .option('--sign <key>', 'sign it with this SSH key (its public half, where an agent holds it)')
    .option('--to <file>', 'add the line to this file')
    .option('--run <command>', 'give the line to this command on its standard input: a mail, another machine')
    .option('--always', 'and from now on by itself, while a log with this state folder is written')
    .option('--every <duration>', 'with --always: at most so often', '10m')
    .option('--never', 'not by itself any more')
    .addHelpText('after', `
Examples:
  $ usher anchor >> /media/stick/anchors.txt
  $ usher anchor --sign ~/.ssh/id_ed25519 --run 'ssh backup "cat >> anchors.txt"'
  $ usher anchor --sign ~/.ssh/id_ed25519.pub --to /mnt/backup/anchors.txt --always --every 1h

Exit code: 0 done, 1 it could not be signed or kept there, 2 used wrongly.`)
    .action(async (options: AnchorOptions) => {
      const log = options.log ?? process.env['USHER_LOG']
      if (log !== undefined && isPostgresUrl(log)) throw new UsherError('BAD_OPTION', 'an anchor is for a log in a file; in a fleet the writers note each other\'s heads: usher verify --log postgres://...')
      const state = resolve(options.state ?? defaultStateDir())
      if (options.never) {
        writeAnchorSettings(state, undefined)
        io.out('no anchor leaves this machine by itself any more')
        return
      }
      const settings = anchorSettings(options)
      try {
        io.out(await deliverAnchor(anchorOf(existingLog(options.log)), settings, 'inherit'))
      } catch (error) {
        if (!UsherError.is(error) || error.code !== 'LOG_WRITE_FAILED') throw error
        io.exit(1)
        io.err(error.message)
        return
      }
      // Only what worked once: nobody would be there to see that it does not.
      if (options.always) writeAnchorSettings(state, settings)
    })
}

/** Absolute, since it is run from wherever a log is written. */
function anchorSettings({ sign, to, run, always, every = '10m' }: AnchorOptions): AnchorSettings {
  if (always && sign === undefined && to === undefined && run === undefined) throw new UsherError('BAD_OPTION', '--always needs to know where to: --to FILE or --run COMMAND')
  const ms = parseDuration(every)
  if (ms === undefined) throw new UsherError('BAD_OPTION', `--every must be a duration such as 10m or 1h, got ${JSON.stringify(every)}`)
  return { every: ms, ...sign === undefined ? {} : { sign: resolve(sign) }, ...to === undefined ? {} : { to: resolve(to) }, ...run === undefined ? {} : { run } }
}

export function registerPrune(program: Command, io: Io): void {
  program.command('prune')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--older-than <age>', 'rows older than this (90d, 12h, a date)')
    .option('--texts-older-than <age>', 'only the texts of events that fired nothing, older than this')
    .option('--even-unexplained', 'cut unexplained effects too')
    .option('--state <folder>', STATE_WORDS)
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher prune --older-than 90d
  $ usher prune --texts-older-than 7d`)
    .action(async (options: { log?: string, olderThan?: string, textsOlderThan?: string, evenUnexplained?: true, state?: string, json?: true }) => {
      if (options.olderThan === undefined && options.textsOlderThan === undefined) throw new UsherError('BAD_OPTION', 'say how old: --older-than 90d, or --texts-older-than 7d')
      const shared = fleetAddress(options.log)
      if (shared !== undefined) return pruneFleet(io, shared, options)
      const pruned = pruneLog(existingLog(options.log), {
        ...(options.olderThan === undefined ? {} : { before: sinceOption(options.olderThan, '--older-than') }),
        ...(options.textsOlderThan === undefined ? {} : { textsBefore: sinceOption(options.textsOlderThan, '--texts-older-than') }),
        ...(options.evenUnexplained ? { evenUnexplained: true } : {}),
        ...(options.state === undefined ? {} : { stateDir: resolve(options.state) }),
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

async function pruneFleet(io: Io, url: string, options: { readonly olderThan?: string, readonly textsOlderThan?: string, readonly evenUnexplained?: true, readonly state?: string, readonly json?: true }): Promise<void> {
  if (options.olderThan === undefined || options.textsOlderThan !== undefined) throw new UsherError('BAD_OPTION', 'a log in PostgreSQL is cut by whole rows: --older-than 90d')
  const { pruneFleetLog } = await import('../../log/postgres/prune.ts')
  const pruned = await pruneFleetLog(url, { before: sinceOption(options.olderThan, '--older-than'), ...(options.evenUnexplained ? { evenUnexplained: true } : {}), ...(options.state === undefined ? {} : { stateDir: resolve(options.state) }) })
  io.out(options.json ? JSON.stringify(pruned) : `${pruned.cut} rows cut, ${pruned.kept} old rows kept (unexplained, in flight, or needed by later ones)`)
}
