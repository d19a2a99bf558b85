/** `usher console`: serves the call log page until it is interrupted. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import type { ContractsView, RoutesView } from '../../console/ports.ts'
import { startConsole } from '../../console/server.ts'
import { contractKey } from '../../contract/contract.ts'
import { ContractStore } from '../../contract/store.ts'
import { openLogReader } from '../../log/reader.ts'
import { readRoutes } from '../../routes/load.ts'
import { problemText } from '../../routes/problem.ts'
import { type ContractFileOptions, pathsOf } from '../contract-options.ts'
import type { Io } from '../io.ts'
import { existingLog, routesFolder } from '../setup.ts'

interface ConsoleCommand extends ContractFileOptions { readonly log?: string, readonly port: string, readonly routes?: readonly string[] }

export function registerConsole(program: Command, io: Io): void {
  program.command('console')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--port <n>', 'default: a free one', '0')
    .option('--routes <path...>', 'route files or folders, for the page of routes')
    .option('--contracts <file>', 'the contract file, for the page of contracts (default: tools.allow.json, if there is one)')
    .option('--signers <file>', 'who may sign (default: beside the contract file)')
    .option('--revoked <file>', 'keys that no longer count (default: beside the contract file)')
    .addHelpText('after', `
Examples:
  $ usher console
  $ usher console --port 8123 --log day.sqlite
  $ curl -H "Authorization: Bearer TOKEN" http://127.0.0.1:8123/      TOKEN stands behind # in the printed address`)
    .action(async (options: ConsoleCommand) => {
      const port = Number(options.port)
      if (!(Number.isInteger(port) && port >= 0 && port <= 65535)) throw new UsherError('BAD_OPTION', `--port must be from 0 to 65535, got ${JSON.stringify(options.port)}`)
      const log = existingLog(options.log)
      // Marks what a dead process left in flight, once; the page itself writes nothing.
      openLogReader(log).close()
      const server = await startConsole({ log, port, routes: () => routesView(options.routes), ...contractsOf(options) }).catch((cause: unknown) => {
        throw new UsherError('BAD_OPTION', `the page cannot listen on port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
      })
      io.out(server.address)
      await new Promise<void>(done => { process.once('SIGINT', () => done()); process.once('SIGTERM', () => done()) })
      await server.close()
    })
}

/** As they are on disk now. Without their tools: this page calls nothing. */
function routesView(paths: readonly string[] | undefined): RoutesView {
  const read = readRoutes(routesFolder(paths))
  return read.kind === 'table' ? { table: read.table, problems: [] } : { problems: read.problems.map(problemText) }
}

function contractsOf(options: ConsoleCommand): { contracts?: () => ContractsView } {
  const paths = pathsOf(options)
  if (options.contracts === undefined && !existsSync(paths.file)) return {}
  return { contracts: () => contractsView(options) }
}

/** On paper: no server is asked, and nothing is kept. */
function contractsView(options: ConsoleCommand): ContractsView {
  const paths = pathsOf(options)
  const store = new ContractStore({ paths })
  const { signedAt } = store
  return {
    problems: store.problems.map(found => found.message),
    lines: store.readable.map(contract => ({
      tool: contractKey(contract), signedBy: contract.signedBy, hash: contract.contractHash, state: store.status === 'ok' ? 'signed' : store.status,
      why: contract.server ? 'no server was asked: usher contract list' : 'a local command', ...(signedAt === undefined ? {} : { signedAt }),
    })),
  }
}
