/** `usher stop`, `usher resume`, `usher breaker`: the owner's switches. They hold for every process that shares the log, and after a restart. */
import type { Command } from 'commander'
import { stoppedWords } from '../../approvals/owner-state.ts'
import { type DeskCommandOptions, withDesk } from '../desk.ts'
import type { Io } from '../io.ts'
import { mustBePerson, personName, type PersonOptions } from '../person.ts'
import { table } from '../table.ts'

type Options = DeskCommandOptions & PersonOptions

const common = (command: Command): Command => command.option('--as <person>', 'your name (default: the user who runs this)').option('--log <file>', 'the call log (default: .usher/log.sqlite)').option('--state <folder>', 'the state folder')
const proven = (command: Command): Command => common(command).option('--key <file>', 'sign with this SSH key instead of a passphrase').option('--signers <file>', 'the allowed_signers file with your key')

export function registerStop(program: Command, io: Io): void {
  common(program.command('stop'))
    .option('--why <words>', 'for the log').option('--status', 'only say whether it is stopped')
    .addHelpText('after', '\nExamples:\n  $ usher stop --why "it opens tabs again"\n  $ usher stop --status\n\nExit code: 0 stopped, with --status 0 it goes on, 1 it is stopped.')
    .action((options: Options & { why?: string, status?: true }) => withDesk(options, async ({ owner }) => {
      if (!options.status) await owner.stop(personName(options), options.why)
      const stopped = await owner.stopped()
      if (options.status && stopped) io.exit(1)
      io.out(stopped ? `${io.paint('red', 'stopped')}  ${stoppedWords(stopped)}` : `${io.paint('green', 'goes on')}  nothing is stopped`)
    }))
}

export function registerResume(program: Command, io: Io): void {
  proven(program.command('resume'))
    .addHelpText('after', '\nExample:\n  $ usher resume\n\nExit code: 0 it goes on, 1 your proof was refused.')
    .action((options: Options) => withDesk(options, async ({ owner, proof }) => {
      const stopped = await owner.stopped()
      if (!stopped) { io.out('nothing is stopped'); return }
      io.err(stoppedWords(stopped))
      await owner.resume(await mustBePerson(io, proof, { act: 'resume', about: 'all' }, options))
      io.out(`${io.paint('green', 'goes on')}`)
    }))
}

export function registerBreaker(program: Command, io: Io): void {
  const breaker = program.command('breaker')
  breaker.command('list')
    .description('The breakers that are open.')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)').option('--state <folder>', 'the state folder').option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher breaker list\n\nExit code: 0 none is open, 1 some are.')
    .action((options: DeskCommandOptions & { json?: true }) => withDesk(options, async ({ owner }) => {
      const open = await owner.breakers()
      if (open.length > 0) io.exit(1)
      if (options.json) { io.out(JSON.stringify(open, null, 2)); return }
      io.out(open.length === 0 ? 'no breaker is open' : table(io, ['route', 'open since', 'reason', 'why'], open.map(one => [one.name, new Date(one.at).toISOString(), one.reason, one.why]), [undefined, 24, undefined, 'rest']))
    }))
  proven(breaker.command('close <route>').description('Close one, after you looked at what opened it.'))
    .addHelpText('after', '\nExample:\n  $ usher breaker close open-console\n\nExit code: 0 closed, 1 it was not open, or your proof was refused.')
    .action((route: string, options: Options) => withDesk(options, async ({ owner, proof }) => {
      if (!(await owner.breakers()).some(one => one.name === route)) { io.exit(1); io.err(`the breaker of ${JSON.stringify(route)} is not open`); return }
      await owner.closeBreaker(route, await mustBePerson(io, proof, { act: 'breaker.close', about: route }, options))
      io.out(`${io.paint('green', 'closed')}  ${route}`)
    }))
}
