/** `usher proxy`: between any MCP client and a server under contract. On stdio, stdout belongs to the protocol: people are told on stderr. */
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Desk, openDesk } from '../../approvals/open.ts'
import { Dispatcher } from '../../dispatch/dispatcher.ts'
import { installObserver } from '../../effects/observer.ts'
import { UsherError } from '../../errors.ts'
import { openSqliteLog } from '../../log/sqlite.ts'
import { dispatchPort, NO_ROUTES } from '../../mcp/proxy/dispatch-port.ts'
import { type Face, stdioFace } from '../../mcp/proxy/face.ts'
import { HttpProxy } from '../../mcp/proxy/http-face.ts'
import { SERVER_REQUESTS } from '../../mcp/proxy/methods.ts'
import { Proxy } from '../../mcp/proxy/proxy.ts'
import { contractsFor } from '../../mcp/proxy/which.ts'
import { NO_SANDBOX } from '../../mcp/sandbox.ts'
import type { Tool } from '../../types.ts'
import { cardCommand } from '../card-command.ts'
import { type ContractFileOptions, type ContractRecorder, DEFAULT_CONTRACTS, openStore, reviewOf } from '../contract-options.ts'
import type { Io } from '../io.ts'
import { portNumber, wholeNumber } from '../number-option.ts'
import { logFile } from '../setup.ts'
import { WATCH_FLAG, WATCH_WORDS, watchChildren } from '../watch-children.ts'

interface ProxyCommandOptions extends ContractFileOptions {
  readonly server?: string, readonly log?: string, readonly allowRequest?: string[], readonly perMinute: string, readonly env?: string[], readonly listen?: string, readonly sandbox: boolean, readonly iOwnThisMachine?: true, readonly state?: string, readonly onCard?: string, readonly watchChildren?: string
}

export function registerProxy(program: Command, io: Io): void {
  program.command('proxy <command...>')
    .option('--contracts <file>', 'the contract file', DEFAULT_CONTRACTS).option('--signers <file>', 'the allowed_signers file (default: beside the contracts)').option('--revoked <file>', 'keys that are revoked')
    .option('--server <name>', 'where the contracts name this command twice')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--allow-request <kind...>', 'what the server may ask of the client: sampling, elicitation, roots (default: nothing)')
    .option('--per-minute <n>', 'calls in a minute', '120').option('--env <name...>', 'environment variables that the server may have')
    .option('--listen <port>', 'streamable HTTP for the client on this machine, in place of stdio (0: a free port; USHER_PROXY_TOKEN asks for a token)')
    .option('--state <folder>', 'the state folder, with the cards of what waits for a person').option('--on-card <command>', 'run this for each call that waits for you; USHER_CARD says which')
    .option(WATCH_FLAG, WATCH_WORDS)
    .option('--no-sandbox', 'start the server with all that the system gives').option('--i-own-this-machine', 'the running user may own the contract files')
    .addHelpText('after', `
Examples:
  $ usher proxy --contracts tools.allow.json -- node notes-server.js
  $ usher proxy --watch-children strace -- ./compiled-server
  $ usher proxy --listen 8200 -- npx -y @scope/notes-server@1.2.3

Exit code: 0 the client went away, 1 refused or the server ended, 2 used wrongly.`)
    .action(async (command: string[], options: ProxyCommandOptions) => {
      const observer = installObserver()
      const clock = { now: () => Date.now() }
      const log = openSqliteLog(logFile(options.log), { clock, ...options.state === undefined ? {} : { stateDir: resolve(options.state) }, background: (name, work) => observer.background(`usher:${name}`, work) })
      for (const words of log.notes) io.err(`${io.paint('yellow', 'note')}  ${words}`)
      const detach = observer.attach(effect => log.effect(effect))
      const desks: Desk[] = []
      try {
        const open = (face: Face): Promise<Proxy> => openProxy(io, command, options, face, { observer, log, clock, keep: desk => { desks.push(desk); return desk } })
        if (options.listen === undefined) await overStdio(io, open)
        else await overHttp(io, open, options.listen)
      } finally {
        for (const desk of desks) desk.close()
        detach()
        await log.close()
        observer.uninstall()
      }
    })
}

interface Parts { readonly observer: ReturnType<typeof installObserver>, readonly log: ReturnType<typeof openSqliteLog>, readonly clock: { now(): number }, /** Closes it at the end. */ readonly keep: (desk: Desk) => Desk }

function openProxy(io: Io, command: readonly string[], options: ProxyCommandOptions, face: Face, parts: Parts): Promise<Proxy> {
  const { observer, log, clock } = parts
  const perMinute = wholeNumber('--per-minute', options.perMinute, 1)
  const requests = new Set(options.allowRequest)
  for (const name of requests) if (![...SERVER_REQUESTS.values()].includes(name)) throw new UsherError('BAD_OPTION', `--allow-request takes ${[...SERVER_REQUESTS.values()].join(', ')}, got ${JSON.stringify(name)}`)
  const watch = watchChildren(options.watchChildren)
  const env = Object.fromEntries((options.env ?? []).flatMap(name => process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const table = new Map<string, Tool>()
  // Above the proxy's own deadline: what the server never answers reads `unknown`, not `failed`.
  const dispatcher: Dispatcher = new Dispatcher({ tools: table, log, observer, clock, timeout: 660_000, stopped: async () => desk.owner.stopped(), controlFiles: () => control, onAttempt: attempt => port.attempted('tool-result', attempt) })
  const desk: Desk = parts.keep(observer.background('usher:desk', () => openDesk({ log, clock, runsTools: true, runtime: { tools: table, table: () => NO_ROUTES, dispatcher }, ...options.onCard === undefined ? {} : { onCard: cardCommand(options.onCard, io) }, ...options.state === undefined ? {} : { stateFolder: resolve(options.state) } })))
  // Throws where it cannot be written: then no server is started, and no call passes.
  const record: ContractRecorder = (act, about, detail) => {
    log.act({ who: 'owner', act, about, detail, at: clock.now() })
    if (act !== 'contract.halt') return
    desk.owner.halt(about, 'the contracts are not those that were loaded, or do not hold', detail['problems']).catch((error: unknown) => io.err(`the halt could not be logged: ${error instanceof Error ? error.message : String(error)}`))
  }
  // It keeps what was accepted: Usher's own work, which nobody has to explain.
  const store = observer.background('usher:contracts', () => openStore(io, options, record))
  const { file, signatures, signers, revoked } = store.paths
  const control = [file, signatures, signers, revoked, log.location, desk.stateFolder, resolve(dirname(file), '.usher')]
  const port: ReturnType<typeof dispatchPort> = dispatchPort({ dispatcher, log, clock, desk: desk.approvals, proposals: { reviewFolder: reviewOf(store.paths), current: () => store.readable }, switches: desk.owner, onNotice: (what, detail) => io.err(`${io.paint('yellow', what)}  ${JSON.stringify(detail)}`) })
  return Proxy.start({
    store, contracts: contractsFor(command, options.server), face, port, table, perMinute, allowRequests: requests,
    process: { command, env, watch, background: (name, work) => observer.background(`usher:${name}`, work), ...options.sandbox ? {} : { sandbox: NO_SANDBOX } },
  })
}

async function overStdio(io: Io, open: (face: Face) => Promise<Proxy>): Promise<void> {
  const proxy = await open(stdioFace(process.stdin, process.stdout))
  for (const words of proxy.missing) io.err(`${io.paint('yellow', 'sandbox')}  ${words}`)
  const stop = (): void => { void proxy.close('interrupted') }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const how = await proxy.ended
  if (how.startsWith('it ')) {
    io.err(`the server ended: ${how}`)
    io.exit(1)
  }
}

async function overHttp(io: Io, open: (face: Face) => Promise<Proxy>, listen: string): Promise<void> {
  const port = portNumber('--listen', listen)
  const token = process.env['USHER_PROXY_TOKEN']
  const server = await HttpProxy.start({ port, open, ...token ? { token } : {} })
  io.err(server.address)
  await new Promise<void>(resolve => { process.once('SIGINT', () => resolve()); process.once('SIGTERM', () => resolve()) })
  await server.close()
}
