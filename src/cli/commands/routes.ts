/** `usher routes`: what changed since a person accepted the routes, and their yes to it. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { defaultStateDir } from '../../log/state.ts'
import { acceptRoutes } from '../../serve/acceptance.ts'
import { contractKey } from '../../contract/contract.ts'
import { readContractFile } from '../../contract/read-file.ts'
import type { Finding } from '../../routes/finding.ts'
import { toolTable } from '../../tools/table.ts'
import type { Tool } from '../../types.ts'
import { pinnedFiles } from '../control-guard.ts'
import { provenPerson } from '../desk.ts'
import { writableLog } from '../fleet-log.ts'
import type { Io } from '../io.ts'
import { acceptedRoutesFolder, routeStanding, type RouteStanding } from '../route-guard.ts'
import { loadTools, logFile, routesFolder } from '../setup.ts'

interface RoutesOptions { readonly routes?: string[], readonly tools?: string, readonly contracts?: string, readonly state?: string, readonly json?: true }

const TOOLS = ['--tools <module>', 'check the routes against these tools, and accept the module as it is'] as const
const CONTRACTS = ['--contracts <file>', 'and against the tools under these contracts'] as const

export function registerRoutes(program: Command, io: Io): void {
  const routes = program.command('routes')
  routes.command('diff')
    .description('What changed since the routes were accepted. Changes that let more happen wait for a person.')
    .option('--routes <path...>', 'route files or folders').option(...TOOLS).option(...CONTRACTS).option('--state <folder>', 'the state folder (default: $XDG_STATE_HOME/usher)').option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  $ usher routes diff\n  $ usher routes diff --tools tools.mjs\n\nExit code: 0 nothing waits, 1 something does, 2 used wrongly.')
    .action(async (options: RoutesOptions) => {
      const standing = await standingOf(io, options)
      if (standing.waits) io.exit(1)
      show(io, standing, options.json === true)
    })
  routes.command('accept')
    .description('Accept the routes as they are now: shows the difference first.')
    .requiredOption('--as <person>', 'your name, for the record').option('--routes <path...>', 'route files or folders').option(...TOOLS).option(...CONTRACTS).option('--state <folder>', 'the state folder (default: $XDG_STATE_HOME/usher)')
    .option('--yes', 'you have read the difference').option('--log <file>', 'the call log (default: .usher/log.sqlite)').option('--key <file>', 'sign with this SSH key instead of a passphrase').option('--signers <file>', 'the allowed_signers file with your key')
    .addHelpText('after', '\nExamples:\n  $ usher routes accept --as alice --yes\n  $ usher routes accept --as alice --tools tools.mjs --yes   # the routes hold with these tools, and the module is accepted too')
    .action(async (options: RoutesOptions & { as: string, yes?: true, log?: string, key?: string, signers?: string }) => {
      if (/^\s*(?:model\s*:.*)?$/i.test(options.as.normalize('NFKC'))) throw new UsherError('BAD_OPTION', `--as must name a person, got ${JSON.stringify(options.as)}`)
      const standing = await standingOf(io, options)
      show(io, standing, false)
      if (standing.waits && !options.yes) throw new UsherError('BAD_OPTION', 'nothing was accepted: read the difference, then give --yes')
      await provenPerson(io, { act: 'routes.accept', about: standing.table.hash }, options)
      await record(standing, options)
      io.out(`accepted by ${options.as}: ${standing.table.routes.size} routes`)
    })
}

/** With tools, the routes are checked against them, as a server does when it loads them. */
async function standingOf(io: Io, options: RoutesOptions): Promise<RouteStanding> {
  const paths = routesFolder(options.routes)
  const own = options.tools === undefined ? [] : await loadTools({ tools: options.tools, folder: '.usher', consoleAddress: 'http://127.0.0.1/' })
  const outside = options.contracts === undefined ? [] : contractedTools(resolve(options.contracts))
  const tools = options.tools === undefined && options.contracts === undefined ? {} : { tools: toolTable([...own, ...outside]), onWarning: (finding: Finding) => io.err(`${io.paint('yellow', finding.rule)}  ${finding.message}`) }
  return routeStanding(paths, acceptedRoutesFolder(options.state ?? defaultStateDir()), { ...tools, pinned: pinnedFiles(paths, options.tools) })
}

/** For checks of routes only: no server is started, and nothing can be called. */
function contractedTools(file: string): readonly Tool[] {
  const { contracts, problems } = readContractFile(file)
  if (problems.length > 0) throw new UsherError('CONTRACT_INVALID', problems.map(found => found.message).join('; '))
  return contracts.map((contract): Tool => ({
    name: contractKey(contract), description: contract.description ?? '', visible: contract.inputSchema, presetOnly: contract.presetOnly, effects: contract.effects,
    origin: { kind: 'mcp', server: contract.server?.name ?? '', contractHash: contract.contractHash }, run: () => { throw new UsherError('CLOSED', 'nothing is called here') },
  }))
}

/** Copies for the next comparison, and their digest in the log: a server takes no other record. */
async function record({ table, before }: RouteStanding, options: RoutesOptions & { readonly as: string, readonly log?: string }): Promise<void> {
  const state = options.state ?? defaultStateDir()
  const log = await writableLog(logFile(options.log), { stateDir: resolve(state) })
  try {
    await acceptRoutes(acceptedRoutesFolder(state), table, log, options.as, Date.now(), pinnedFiles(routesFolder(options.routes), options.tools), before?.pinned)
  } finally {
    await log.close()
  }
}

function show(io: Io, standing: RouteStanding, json: boolean): void {
  const { before, changes, files, waits } = standing
  if (json) {
    io.out(JSON.stringify({ acceptedBy: before?.who ?? null, acceptedAt: before ? new Date(before.at).toISOString() : null, waits, changes, files }, null, 2))
    return
  }
  io.out(before ? `accepted by ${before.who} at ${new Date(before.at).toISOString()}` : 'nothing was accepted yet')
  for (const change of changes) io.out(`${change.widens ? io.paint('red', 'widens') : io.paint('green', 'narrows')}  ${change.sentence}`)
  for (const words of files) io.out(`${io.paint('red', 'changed')}  ${words}`)
  if (changes.length === 0 && files.length === 0) io.out('no change')
}
