/** `usher passphrase`: what approving, resuming, closing a breaker, adding a token, accepting a route change and signing ask for from then on. */
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { type DeskCommandOptions, withDesk } from '../desk.ts'
import type { Io } from '../io.ts'
import { personName, typed, type PersonOptions } from '../person.ts'

export function registerPassphrase(program: Command, io: Io): void {
  program.command('passphrase')
    .option('--as <person>', 'your name (default: the user who runs this)').option('--log <file>', 'the call log (default: .usher/log.sqlite)').option('--state <folder>', 'the state folder').option('--status', 'only say whether one is set')
    .addHelpText('after', '\nExamples:\n  $ usher passphrase\n  $ usher passphrase --status\n\nExit code: 0 set, 1 refused, or none is set (--status), 2 used wrongly.')
    .action((options: DeskCommandOptions & PersonOptions & { status?: true }) => withDesk(options, async ({ proof, stateFolder }) => {
      const notice = await proof.notice()
      if (options.status) {
        if (notice !== undefined) io.exit(1)
        io.out(notice ?? `a passphrase is set, in ${stateFolder}`)
        return
      }
      const who = personName(options)
      const old = notice === undefined ? { kind: 'passphrase' as const, who, passphrase: await typed('present passphrase: ') } : { kind: 'none' as const, who }
      const fresh = await typed('new passphrase: ')
      if (await typed('again: ') !== fresh) throw new UsherError('BAD_OPTION', 'the two are not the same; nothing was changed')
      await proof.setPassphrase(fresh, old)
      io.out(`${io.paint('green', 'set')}  from now on a person is asked for it`)
    }))
}
