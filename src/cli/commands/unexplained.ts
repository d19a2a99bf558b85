/** `usher unexplained`: which side effects had no explicit ask behind them? Ends with 1 if there are any, so that cron can mail it. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { openLogReader } from '../../log/reader.ts'
import { type StoppedEffect, stoppedEffects } from '../../log/stopped-effects.ts'
import { unexplained } from '../../log/unexplained.ts'
import { capped, quoted, visible } from '../../util/mask.ts'
import { withDesk, type DeskCommandOptions } from '../desk.ts'
import { writableLog } from '../fleet-log.ts'
import type { Io } from '../io.ts'
import { mustBePerson, type PersonOptions } from '../person.ts'
import { existingLog } from '../setup.ts'
import { sinceOption } from '../since.ts'
import { table } from '../table.ts'

export function registerUnexplained(program: Command, io: Io): void {
  const command = program.command('unexplained')
  registerAccept(command, io)
  command
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--since <when>', 'a duration (90m, 7d), a date, or "today"')
    .option('--stopped', 'instead: effects that were stopped before they happened, by tool and target')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Shown: effects with no call; effects of a call that nobody asked for; effects beyond what was declared and allowed; calls that were cut off.
What was stopped before it happened is no part of the list and of the exit code: a line says how much there was, and --stopped lists it.

Examples:
  $ usher unexplained
  $ usher unexplained --since 1d --json
  $ usher unexplained --stopped --since today
  $ usher unexplained accept effect-41 --why "my own backup script"

Exit code: 0 none, 1 there are some, 2 used wrongly.`)
    .action((options: ListOptions) => {
      const reader = openLogReader(existingLog(options.log))
      try {
        const since = options.since === undefined ? undefined : sinceOption(options.since)
        const stopped = stoppedEffects(reader, since)
        if (options.stopped) { io.out(options.json ? JSON.stringify(stopped, null, 2) : stoppedTable(io, stopped)); return }
        const found = unexplained(reader, since)
        if (found.length > 0) io.exit(1)
        if (options.json) { io.out(JSON.stringify(found, null, 2)); return }
        const hint = stoppedHint(stopped)
        if (found.length === 0) { io.out(`${io.paint('green', 'none: every effect in the log has an explicit ask behind it')}${hint}`); return }
        const rows = found.map(one => [new Date(one.at).toISOString().replace('T', ' ').slice(0, 19), one.reason, one.kind ? `${one.kind} ${one.target ?? ''}` : `call of ${one.tool ?? '?'}`, one.evidence, one.nextStep, one.id])
        io.out(table(io, ['time (UTC)', 'reason', 'what', 'evidence', 'next', 'id'], rows, [19, 15, 30, 'rest', 36, 14]))
        io.out(`\n${found.length} unexplained${hint}`)
      } finally {
        reader.close()
      }
    })
}

interface ListOptions { readonly log?: string, readonly since?: string, readonly stopped?: true, readonly json?: true }

/** Nothing came of them, but somebody tried. */
function stoppedHint(stopped: readonly StoppedEffect[]): string {
  const [last] = stopped
  if (!last) return ''
  const times = stopped.reduce((all, one) => all + one.times, 0)
  return `\n${times} ${times === 1 ? 'effect was' : 'effects were'} stopped before ${times === 1 ? 'it' : 'they'} happened, the last: ${last.kind} ${capped(visible(last.target), 80)}${last.tool ? ` by ${last.tool}` : ''}; usher unexplained --stopped lists ${times === 1 ? 'it' : 'them'}`
}

function stoppedTable(io: Io, stopped: readonly StoppedEffect[]): string {
  if (stopped.length === 0) return 'none: nothing was stopped'
  const rows = stopped.map(one => [new Date(one.last).toISOString().replace('T', ' ').slice(0, 19), `${one.kind} ${one.target}`, one.tool ?? '', one.route ?? '', String(one.times), one.reason === 'not-declared' ? 'the tool does not declare it' : one.reason === 'not-allowed' ? 'the route does not allow it' : '', one.callId ?? ''])
  return table(io, ['last (UTC)', 'what', 'tool', 'route', 'times', 'why', 'last call'], rows, [19, 'rest', 16, 16, 5, 28, 18])
}

interface AcceptOptions extends DeskCommandOptions, PersonOptions { readonly why: string, readonly json?: true }

/** An act of a person, on record: what was accepted stays in the log, and leaves the list. */
function registerAccept(parent: Command, io: Io): void {
  parent.command('accept <id...>')
    .description('A person looked at these and accepts them: they leave the list, and the log says who and why.')
    .requiredOption('--why <words>', 'why it is all right, in your words')
    .option('--as <person>', 'your name (default: the user who runs this)')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--state <folder>', 'the state folder')
    .option('--key <file>', 'sign with this SSH key instead of a passphrase')
    .option('--signers <file>', 'the allowed_signers file with your key')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher unexplained accept effect-41 effect-42 --why "my own backup script"\n\nExit code: 0 accepted, 1 no such item or your proof was refused, 2 used wrongly.')
    .action(async (ids: string[], given: AcceptOptions, self: Command) => {
      // The list has options of the same names: a subcommand sees its own and its parent's.
      const options = { ...given, ...self.optsWithGlobals<AcceptOptions>() }
      if (options.why.trim() === '') throw new UsherError('BAD_OPTION', '--why must say why, in your words')
      const reader = openLogReader(existingLog(options.log))
      const listed = new Set(unexplained(reader).map(one => one.id))
      reader.close()
      const unknown = ids.filter(id => !listed.has(id))
      if (unknown.length > 0) {
        io.exit(1)
        io.err(`not in the list: ${unknown.map(quoted).join(', ')}; "usher unexplained" shows what is, with its id`)
        return
      }
      await withDesk(options, async ({ proof }) => {
        const who = await mustBePerson(io, proof, { act: 'accept', about: ids.join(' ') }, options)
        const log = await writableLog(existingLog(options.log), options.state === undefined ? {} : { stateDir: resolve(options.state) })
        try {
          for (const about of ids) await log.act({ who, act: 'accept', about, detail: { why: options.why }, at: Date.now() })
        } finally {
          await log.close()
        }
      })
      io.out(options.json ? JSON.stringify({ accepted: ids }) : `${io.paint('green', 'accepted')}  ${ids.join(', ')}`)
    })
}
