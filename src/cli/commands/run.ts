/** `usher run`: events from a file or standard input through the router. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { isSource } from '../../ingest/source.ts'
import { UsherError } from '../../errors.ts'
import { alertCommand } from '../alert.ts'
import { cardCommand } from '../card-command.ts'
import { contractFiles, type ContractRecorder, openStore } from '../contract-options.ts'
import { refuseWidened } from '../accepted-routes.ts'
import { controlGuard } from '../control-guard.ts'
import { JOURNAL_SOURCE, parseJournalLine } from '../../ingest/journal.ts'
import { eventBytes, runEvents, type Handled, type LineReader } from '../events.ts'
import type { Io } from '../io.ts'
import { LateActs } from '../late-acts.ts'
import { withUsher } from '../open.ts'
import { runTable } from '../run-table.ts'
import { routesFolder } from '../setup.ts'
import { WATCH_FLAG, WATCH_WORDS, watchChildren } from '../watch-children.ts'

interface RunOptions { readonly events: string, readonly source?: string, readonly from: string, readonly trustFile?: true, readonly replayClock?: true, readonly routes?: string[], readonly tools?: string, readonly contracts?: string, readonly iOwnThisMachine?: true, readonly log?: string, readonly realOpener?: true, readonly alert?: string, readonly onCard?: string, readonly state?: string, readonly watchChildren?: string, readonly reader: boolean, readonly json?: true }

export function registerRun(program: Command, io: Io): void {
  program.command('run')
    .option('--events <file>', 'a JSON lines file, or "-" for standard input', '-')
    .option('--source <name>', 'where these events come from; what a line says of itself is not believed (default: stdin)')
    .option('--from <format>', 'what the lines are: json, or journald for those of journalctl -o json, whose source is journald:UNIT', 'json')
    .option('--trust-file', 'believe source, time and cause in the lines: for files that you wrote yourself, and for replays')
    .option('--replay-clock', 'with --trust-file: measure ages and limits in the file\'s own time; without it what is old is expired')
    .option('--routes <path...>', 'route files or folders (default: ./routes, else the examples)')
    .option('--tools <module>', 'a module whose default export is an array of tools (default: the example tools)')
    .option('--contracts <file>', 'tools of MCP servers, under the contracts of this file')
    .option('--i-own-this-machine', 'the running user may own the contract files, and some of the other files that decide')
    .option('--log <file>', 'the call log (default: .usher/log.sqlite)')
    .option('--real-opener', 'let the example tools open the desktop\'s browser; default: only write down what would have been opened')
    .option('--alert <command>', 'run this at once for an effect that was stopped or that nobody asked for; the effect comes as JSON on its standard input')
    .option('--on-card <command>', 'run this for each call that waits for you; USHER_CARD says which')
    .option(WATCH_FLAG, WATCH_WORDS)
    .option('--state <folder>', 'the state folder, with the cards (default: $XDG_STATE_HOME/usher)')
    .option('--no-reader', 'without the trained second reader: the rules alone')
    .option('--json', 'one JSON line for each event')
    .addHelpText('after', `
Examples:
  $ echo '{"text":"take a note: call the plumber"}' | usher run --source user
  $ usher run --events events.jsonl --source webhook --json
  $ journalctl -f -o json | usher run --from journald --routes routes
  $ usher run --events yesterday.jsonl --trust-file --replay-clock --log replay.sqlite

Exit code: 0 done, 1 some line was no event, 2 used wrongly.`)
    .action(async (options: RunOptions) => {
      const source = sourceOf(options)
      if (options.replayClock && !options.trustFile) throw new UsherError('BAD_OPTION', '--replay-clock needs --trust-file: only a trusted file has times of its own')
      const bytes = eventBytes(options.events)
      const more = { ...(options.replayClock ? { clock: replayClock } : {}), ...(options.alert ? { onAlert: alertCommand(options.alert, io) } : {}), ...(options.onCard ? { onCard: cardCommand(options.onCard, io) } : {}), ...(options.state ? { state: resolve(options.state) } : {}), ...(options.reader ? {} : { secondReader: false as const }) }
      const { contracts, watchChildren: how, ...rest } = options
      const watch = watchChildren(how)
      const acts = new LateActs(io)
      refuseWidened(options)
      const guard = controlGuard(io, { routes: routesFolder(options.routes), tools: options.tools, ownMachine: options.iOwnThisMachine }, row => acts.act(row))
      const record: ContractRecorder = (act, about, detail) => acts.act({ who: 'owner', act, about, detail, at: Date.now() })
      const outside = contracts === undefined ? {} : { contracts: openStore(io, options, record), watchChildren: watch, onServerFailed: (server: string, error: Error) => { io.err(`server ${server}: ${error.message}`) } }
      await withUsher({ ...rest, ...outside, console: true, onNote: words => io.err(`${io.paint('yellow', 'note')}  ${words}`), ring: name => io.err(`timer: ${name} is over`) }, { ...more, checkFiles: guard.changed, controlFiles: [...guard.paths, ...contracts === undefined ? [] : contractFiles(options)] }, async usher => {
        await acts.open(usher.log)
        const door = { source, now: () => Date.now(), ...(options.trustFile ? { trustBody: true } : {}) }
        const shown = runTable(io, Intl.DateTimeFormat().resolvedOptions().timeZone)
        if (!options.json) shown.head()
        for await (const handled of runEvents(bytes, door, usher, event => { replayClock.at = event.at }, options.from === 'journald' ? journalReader(io) : undefined)) {
          if (options.json) io.out(JSON.stringify(jsonLine(handled)))
          else shown.row(handled)
          if (handled.outcomes.some(outcome => outcome.kind === 'malformed')) { io.exit(1); if (!options.json) io.err(handled.outcomes[0]?.why ?? '') }
        }
      })
    })
}

function sourceOf({ source, from, trustFile }: RunOptions): string {
  if (from !== 'json' && from !== 'journald') throw new UsherError('BAD_OPTION', `--from must be json or journald, got ${JSON.stringify(from)}`)
  if (from === 'journald' && (source !== undefined || trustFile)) throw new UsherError('BAD_OPTION', `--from journald names the source itself, journald or journald:UNIT; leave ${trustFile ? '--trust-file' : '--source'} out, and give a route that should hear it from: [journald]`)
  if (source !== undefined && !isSource(source)) throw new UsherError('BAD_OPTION', `--source must be a name like "user" or "chat:alice", got ${JSON.stringify(source)}`)
  return source ?? (from === 'journald' ? JOURNAL_SOURCE : 'stdin')
}

/** As a service, what is printed here lands in the journal that is read. */
function journalReader(io: Io): LineReader {
  let told = false
  return (line, door) => {
    const parsed = parseJournalLine(line, door, process.env['INVOCATION_ID'])
    if (parsed.kind === 'own' && !told) {
      told = true
      io.err('note: what this service itself prints into the journal is passed over')
    }
    return parsed
  }
}

/** Limits and ages of a replay are measured in its own time. */
const replayClock = { at: Date.now(), now(): number { return this.at } }

export function jsonLine(handled: Handled): object {
  const { event, eventId, outcomes, line } = handled
  return { line, eventId, id: event.id, source: event.source, at: new Date(event.at).toISOString(), text: event.text, outcomes }
}
