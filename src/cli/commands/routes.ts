/** `usher routes`: what changed since a person accepted the routes, and their yes to it. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { defaultStateDir } from '../../log/state.ts'
import { acceptRoutes } from '../../serve/acceptance.ts'
import { provenPerson } from '../desk.ts'
import { writableLog } from '../fleet-log.ts'
import type { Io } from '../io.ts'
import { acceptedRoutesFolder, routeStanding, type RouteStanding } from '../route-guard.ts'
import { logFile, routesFolder } from '../setup.ts'

interface RoutesOptions { readonly routes?: string[], readonly state?: string, readonly json?: true }

export function registerRoutes(program: Command, io: Io): void {
  const routes = program.command('routes')
  routes.command('diff')
    .description('What changed since the routes were accepted. Changes that let more happen wait for a person.')
    .option('--routes <path...>', 'route files or folders').option('--state <folder>', 'the state folder (default: $XDG_STATE_HOME/usher)').option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ usher routes diff\n\nExit code: 0 nothing waits, 1 something does, 2 used wrongly.')
    .action((options: RoutesOptions) => {
      const standing = routeStanding(routesFolder(options.routes), acceptedRoutesFolder(options.state ?? defaultStateDir()))
      if (standing.waits) io.exit(1)
      show(io, standing, options.json === true)
    })
  routes.command('accept')
    .description('Accept the routes as they are now: shows the difference first.')
    .requiredOption('--as <person>', 'your name, for the record').option('--routes <path...>', 'route files or folders').option('--state <folder>', 'the state folder (default: $XDG_STATE_HOME/usher)')
    .option('--yes', 'you have read the difference').option('--log <file>', 'the call log (default: .usher/log.sqlite)').option('--key <file>', 'sign with this SSH key instead of a passphrase').option('--signers <file>', 'the allowed_signers file with your key')
    .addHelpText('after', '\nExample:\n  $ usher routes accept --as alice --yes')
    .action(async (options: RoutesOptions & { as: string, yes?: true, log?: string, key?: string, signers?: string }) => {
      if (/^\s*(?:model\s*:.*)?$/i.test(options.as.normalize('NFKC'))) throw new UsherError('BAD_OPTION', `--as must name a person, got ${JSON.stringify(options.as)}`)
      const standing = routeStanding(routesFolder(options.routes), acceptedRoutesFolder(options.state ?? defaultStateDir()))
      show(io, standing, false)
      if (standing.waits && !options.yes) throw new UsherError('BAD_OPTION', 'nothing was accepted: read the difference, then give --yes')
      await provenPerson(io, { act: 'routes.accept', about: standing.table.hash }, options)
      await record(standing, options)
      io.out(`accepted by ${options.as}: ${standing.table.routes.size} routes`)
    })
}

/** Copies for the next comparison, and their digest in the log: a server takes no other record. */
async function record({ table }: RouteStanding, options: RoutesOptions & { readonly as: string, readonly log?: string }): Promise<void> {
  const state = options.state ?? defaultStateDir()
  const log = await writableLog(logFile(options.log), { stateDir: resolve(state) })
  try {
    await acceptRoutes(acceptedRoutesFolder(state), table, log, options.as, Date.now())
  } finally {
    await log.close()
  }
}

function show(io: Io, standing: RouteStanding, json: boolean): void {
  const { before, changes, waits } = standing
  if (json) {
    io.out(JSON.stringify({ acceptedBy: before?.who ?? null, acceptedAt: before ? new Date(before.at).toISOString() : null, waits, changes }, null, 2))
    return
  }
  io.out(before ? `accepted by ${before.who} at ${new Date(before.at).toISOString()}` : 'nothing was accepted yet')
  for (const change of changes) io.out(`${change.widens ? io.paint('red', 'widens') : io.paint('green', 'narrows')}  ${change.sentence}`)
  if (changes.length === 0) io.out('no change')
}
