/** `usher doctor`: is everything there that Usher stands on? Each finding with what to do. */
import type { Command } from 'commander'
import { resolve } from 'node:path'
import { examine, type Found } from '../doctor-checks.ts'
import { progress, type Io, type Style } from '../io.ts'
import { DEFAULT_LOG } from '../setup.ts'
import { table } from '../table.ts'

interface Options { readonly log?: string, readonly routes?: string[], readonly contracts?: string, readonly signers?: string, readonly json?: true }

const STYLES: Readonly<Record<Found['status'], Style>> = { ok: 'green', note: 'yellow', wrong: 'red' }

export function registerDoctor(program: Command, io: Io): void {
  program.command('doctor')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--routes <path...>', 'route files or folders')
    .option('--contracts <file>', 'the contract file (default: tools.allow.json)')
    .option('--signers <file>', 'the allowed_signers file')
    .option('--json', 'as JSON')
    .addHelpText('after', `
Examples:
  $ usher doctor
  $ usher doctor --log ~/.usher/log.sqlite --json

Exit code: 0 nothing is wrong, 1 something is, 2 used wrongly.`)
    .action(async ({ log, json, ...rest }: Options) => {
      const bar = progress('looking:')
      const found = await examine({ ...rest, log: resolve(log ?? (process.env['USHER_LOG'] || DEFAULT_LOG)), now: Date.now() }, bar.step)
      bar.end()
      if (found.some(one => one.status === 'wrong')) io.exit(1)
      if (json) { io.out(JSON.stringify(found, null, 2)); return }
      io.out(table(io, ['check', '', 'what', 'what to do'], found.map(one => [one.check, one.status, one.what, one.next ?? '']), [12, 6, 'rest', 48],
        (row, column, cell) => column === 1 && found[row] ? io.paint(STYLES[found[row].status], cell) : cell))
      const bad = found.filter(one => one.status === 'wrong').length
      io.out(bad === 0 ? '\nnothing is wrong' : `\n${bad} ${bad === 1 ? 'thing is' : 'things are'} wrong`)
    })
}
