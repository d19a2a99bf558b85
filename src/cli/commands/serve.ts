/** `usher serve`: the runtime beside an agent. Prints one line, its address; runs until it is told to stop. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { UsherError } from '../../errors.ts'
import { defaultStateDir } from '../../log/state.ts'
import type { ServeOptions } from '../../serve/options.ts'
import { startServe, type Serving } from '../../serve/serve.ts'
import { alertCommand } from '../alert.ts'
import { cardCommand } from '../card-command.ts'
import { contractFiles, type ContractRecorder, openStore } from '../contract-options.ts'
import { controlGuard, pinnedFiles } from '../control-guard.ts'
import { progress, type Io } from '../io.ts'
import { portNumber, secondsOption, wholeNumber } from '../number-option.ts'
import { LateActs } from '../late-acts.ts'
import { besideLog, loadTools, logFile, routesFolder } from '../setup.ts'
import { acceptedRoutesFolder } from '../route-guard.ts'
import { WATCH_FLAG, WATCH_WORDS, watchChildren } from '../watch-children.ts'

interface ServeCommandOptions {
  readonly routes?: string[], readonly tools?: string, readonly contracts?: string, readonly iOwnThisMachine?: true, readonly log?: string, readonly port: string, readonly tokenFile?: string, readonly state?: string
  readonly stdin?: string, readonly watch?: string, readonly watchSource?: string, readonly socketSource: string, readonly queue: string, readonly events?: string, readonly stream: string, readonly consumer: string, readonly subjects: string, readonly credentials?: string, readonly inFlight: string, readonly tries: string, readonly outcomes?: string, readonly grace: string, readonly realOpener?: true, readonly alert?: string, readonly onCard?: string, readonly signers?: string, readonly watchChildren?: string, readonly reader: boolean, readonly json?: true
}

export function registerServe(program: Command, io: Io): void {
  program.command('serve')
    .option('--routes <path...>', 'route files or folders (default: ./routes, else the examples)')
    .option('--tools <module>', 'a module whose default export is an array of tools (default: the example tools)')
    .option('--contracts <file>', 'tools of MCP servers, under the contracts of this file')
    .option('--i-own-this-machine', 'the running user may own the contract files, and some of the other files that decide')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--port <n>', 'on 127.0.0.1; 0: a free one', '0')
    .option('--token-file <file>', 'where the page\'s token is kept, mode 0600 (default: page.token in the state folder)')
    .option('--state <folder>', 'secrets, socket and lock, mode 0700 (default: $XDG_STATE_HOME/usher)')
    .option('--stdin <source>', 'take events from standard input, one JSON object a line, as this source; each is answered with a line')
    .option('--watch <folder>', 'take events from files that appear here').option('--watch-source <name>', 'the source of those')
    .option('--socket-source <name>', 'the source of events over the Unix socket that come without a token', 'local')
    .option('--events <url>', 'take events from NATS JetStream, nats://..., shared with other machines').option('--stream <name>', 'the stream', 'EVENTS').option('--consumer <name>', 'its durable consumer (usher fleet init makes both)', 'usher')
    .option('--subjects <prefix>', 'the source of an event is what follows in its subject: events.chat.alice is chat:alice', 'events').option('--credentials <file>', 'NATS credentials')
    .option('--in-flight <n>', 'messages that this machine holds at once', '32').option('--tries <n>', 'deliveries before a message that cannot be handled is parked', '5').option('--outcomes <subject>', 'tell outcomes on this subject')
    .option('--queue <n>', 'events that may wait', '1000')
    .option('--grace <seconds>', 'how long a shutdown waits for the call in flight', '30')
    .option('--real-opener', 'let the example tools open the desktop\'s browser; default: only write down what would have been opened')
    .option('--alert <command>', 'run this at once for an effect that was stopped or that nobody asked for; the effect comes as JSON on its standard input')
    .option('--on-card <command>', 'run this for each call that waits for you; USHER_CARD says which').option('--signers <file>', 'the allowed_signers file: its keys may approve over the socket')
    .option(WATCH_FLAG, WATCH_WORDS)
    .option('--no-reader', 'without the trained second reader: the rules alone')
    .option('--json', 'the address line as JSON')
    .addHelpText('after', `
Examples:
  $ usher serve
  $ usher token add ci --source webhook          # once: prints a token for POST /events
  $ curl -H "Authorization: Bearer $TOKEN" --json '{"text":"the build is done"}' http://127.0.0.1:PORT/events
  $ usher serve --log postgres://runner@db/usher --events nats://127.0.0.1:4222   # one of several machines
  $ usher serve --port 8123 --watch ~/inbox --watch-source mail --json

SIGTERM or Ctrl-C finishes the event that runs; a second one ends at once, and the log says "unknown" of what ran.
Exit code: 0 stopped, 1 cannot start or a call had to be left, 2 used wrongly.`)
    .action(async (options: ServeCommandOptions) => {
      const bar = progress('embedding phrases:')
      const acts = new LateActs(io)
      const serving = await startServe(serveOptions(io, options, bar, acts)).finally(() => bar.end())
      await acts.open(serving.usher.log)
      announce(io, serving, options.json === true)
      await untilStopped(io, serving)
    })
}

function serveOptions(io: Io, options: ServeCommandOptions, bar: ReturnType<typeof progress>, acts: LateActs): ServeOptions {
  const state = resolve(options.state ?? defaultStateDir())
  const log = logFile(options.log)
  if ((options.watch === undefined) !== (options.watchSource === undefined)) throw new UsherError('BAD_OPTION', '--watch and --watch-source go together: whoever writes into the folder speaks as that source')
  const record: ContractRecorder = (act, about, detail) => acts.act({ who: 'owner', act, about, detail, at: Date.now() })
  const guard = controlGuard(io, { routes: routesFolder(options.routes), tools: options.tools, settings: [options.signers, options.credentials], ownMachine: options.iOwnThisMachine, routesReload: true }, row => acts.act(row))
  return {
    state, log, port: portNumber('--port', options.port), routes: routesFolder(options.routes), socketSource: options.socketSource, capacity: wholeNumber('--queue', options.queue, 1), grace: secondsOption('--grace', options.grace),
    ...(options.tokenFile === undefined ? {} : { tokenFile: options.tokenFile }),
    acceptedFolder: acceptedRoutesFolder(state), watchChildren: watchChildren(options.watchChildren),
    tools: (page, openAddress) => loadTools({ folder: besideLog(log, state), consoleAddress: page, openAddress, ...(options.tools ? { tools: options.tools } : {}), ...(options.realOpener ? { realOpener: true } : {}), ring: name => io.err(`timer: ${name} is over`) }),
    ...(options.contracts === undefined ? {} : { contracts: () => openStore(io, options as { contracts: string }, record) }),
    ...(options.watch === undefined || options.watchSource === undefined ? {} : { folder: { path: resolve(options.watch), source: options.watchSource } }),
    ...(options.stdin === undefined ? {} : { lines: { bytes: process.stdin, source: options.stdin, answer: line => io.out(JSON.stringify(line)) } }),
    ...(options.events === undefined ? {} : { stream: streamOf({ ...options, events: options.events }) }),
    routeBreaches: guard.routeBreaches, pinned: pinnedFiles(routesFolder(options.routes), options.tools),
    usher: { onProgress: bar.step, checkFiles: guard.changed, controlFiles: [...guard.paths, ...options.contracts === undefined ? [] : contractFiles(options as { contracts: string })], ...(options.alert ? { onAlert: alertCommand(options.alert, io) } : {}), ...(options.onCard ? { onCard: cardCommand(options.onCard, io) } : {}), ...(options.signers ? { signers: resolve(options.signers) } : {}), ...(options.reader ? {} : { secondReader: false as const }) },
    onNote: note => io.err(note),
  }
}

function streamOf(options: ServeCommandOptions & { readonly events: string }): NonNullable<ServeOptions['stream']> {
  return {
    url: options.events, stream: options.stream, consumer: options.consumer, prefix: options.subjects, inFlight: wholeNumber('--in-flight', options.inFlight, 1, 999_999), tries: wholeNumber('--tries', options.tries, 1, 999_999),
    ...(options.credentials === undefined ? {} : { credentials: resolve(options.credentials) }), ...(options.outcomes === undefined ? {} : { outcomes: options.outcomes }),
  }
}

/** A reader of the first line knows that events are taken from now on. */
function announce(io: Io, { address, link, socket, tokenFile }: Serving, json: boolean): void {
  // At a terminal a person follows it within a minute; anywhere else it would only be kept.
  io.out(json ? JSON.stringify({ address, socket, tokenFile, pid: process.pid }) : io.terminal ? link() : address)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function untilStopped(io: Io, serving: Serving): Promise<void> {
  const next = () => new Promise<string>(got => { for (const signal of SIGNALS) process.once(signal, () => got(signal)) })
  const first = await next()
  const again = next().then(async signal => { await serving.abandon(`${signal}, the second`); return false })
  // Whatever is left open by a failure, such as a log that is gone, must not keep the process.
  const finished = await Promise.race([serving.stop(first), again]).catch((error: unknown) => { io.err(error instanceof Error ? `${UsherError.is(error) ? `${error.code}: ` : ''}${error.message}` : String(error)); process.exit(1) })
  if (!finished) {
    io.err('ended with a call in flight: the log says "unknown" of it')
    // The call's own timers and sockets would keep the process.
    process.exit(1)
  }
  process.stdin.destroy()
}
