/** The one file that picks implementations: everything behind a port is chosen here. */
import { join } from 'node:path'
import type { Card } from './approvals/card.ts'
import type { LogRows } from './approvals/log-rows.ts'
import { openDesk, type Desk } from './approvals/open.ts'
import type { BreakerOptions } from './approvals/owner-state.ts'
import type { ProposalPlace } from './contract/proposals.ts'
import { knowingMatcher, knowingReader } from './decide/known.ts'
import { PhraseAnswers } from './decide/phrase-answers.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { openEmbedder } from './embed/embedder.ts'
import { checkEncoder } from './embed/pinned.ts'
import { installObserver } from './effects/observer.ts'
import { UsherError } from './errors.ts'
import { WorkQueue } from './ingest/queue.ts'
import { isSource } from './ingest/source.ts'
import { isPostgresUrl } from './log/address.ts'
import { openCallLog } from './log/open.ts'
import { defaultStateDir } from './log/state.ts'
import { buildMatcher } from './match/matcher.ts'
import type { AskScorer, CallLog, Clock, Embedder, Handled, Matcher } from './ports.ts'
import { compileSchema } from './schema/ajv.ts'
import { openAskScorer } from './reader/scorer.ts'
import { Router, type Decision, type RouterParts } from './router.ts'
import { holdTests } from './route-tests-held.ts'
import { diffRoutes, type RouteChange } from './routes/diff.ts'
import { loadRoutes } from './routes/load.ts'
import { withHead, withHeadOf } from './table-heads.ts'
import { tableReader } from './table-reader.ts'
import { toolTable } from './tools/table.ts'
import type { CallBy, Effect, EffectPattern, Event, JsonObject, Limits, Outcome, RouteTable, Tool } from './types.ts'
import { newId } from './util/ids.ts'
import { quoted } from './util/mask.ts'
import { notPlain } from './util/plain.ts'
import { isRecord } from './util/records.ts'

export interface UsherOptions {
  /** Files or folders of route files, or a table that is loaded already. */
  readonly routes: readonly string[] | string | RouteTable
  readonly tools: readonly Tool[]
  /** The log's file, or a log that is open already (which `close` leaves open). */
  readonly log: string | CallLog
  /** Default: the model in the package, on worker threads. */
  readonly model?: Embedder
  /** The id of the encoder that the routes' thresholds were fitted with; default: the model in the package. Another model is refused without it. */
  readonly encoder?: string
  /** `must_fire` and `must_not_fire` at load: refuse routes whose tests do not hold (default), or skip them. */
  readonly routeTests?: 'refuse' | 'skip'
  /** Where trigger vectors and the index are kept between starts; default: beside the log's file. `false`: nowhere. */
  readonly cache?: string | false
  /** What usher calibrate wrote; default: `calibration.json` beside the route files, where there is one. `false`: none. */
  readonly calibration?: string | false
  /** Default: the system's time. A replay gives its own. */
  readonly clock?: Clock
  /** The owner's time zone; default: the system's. */
  readonly timeZone?: string
  /** The trained second reader: `auto` (default) uses the one in the package where it is there, `false` leaves the rules alone. */
  readonly secondReader?: AskScorer | 'auto' | false
  /** Told at once of an effect that was stopped, or that no call and no named work is behind. Must not throw. */
  readonly onAlert?: (effect: Effect) => void
  /** Targets of the host's own work, by name: effects outside any call that these patterns cover are not unexplained. */
  readonly baseline?: { readonly [name: string]: readonly EffectPattern[] }
  /** Where cards, the passphrase and the log's key are kept; default: `$USHER_STATE`, else the XDG state folder. */
  readonly state?: string
  /** Limits over all routes together; default: none. */
  readonly limits?: Limits
  /** When a route's breaker opens by itself. */
  readonly breaker?: BreakerOptions
  /** Told of each call that waits for a person. Must not throw. */
  readonly onCard?: (card: Card) => void
  /** Files and folders that only a person changes, beside the routes, the log and the state folder: no call that writes may name one. */
  readonly controlFiles?: readonly string[]
  /** Asked before each event: control files that are not those that were loaded, in words. Any: all auto-invocation halts until a person resumes. */
  readonly checkFiles?: () => readonly string[]
  /** Where a proposed change of a contract (from an event or a result) is kept as a draft for a person; default: it is dropped and logged. */
  readonly proposals?: ProposalPlace
  /** The owner's `allowed_signers`: its keys may sign approvals. */
  readonly signers?: string
  /** How many events may wait; default 1000. */
  readonly queue?: number
  /** How many calls may lie behind an event; default 3. */
  readonly maxDepth?: number
  /** How long a handler may take, in ms; default 60 s. */
  readonly timeout?: number
  /** Progress of embedding phrases that are new. */
  readonly onProgress?: (done: number, total: number) => void
}

/** An event as a host gives it: the host is the door, so it says where the event came from. */
export interface HostEvent {
  readonly source: string
  readonly text: string
  /** The sender's id: the same id twice is handled once. Default: a new one. */
  readonly id?: string
  /** Receipt time in ms; default: now. */
  readonly at?: number
  /** The call whose effect this event is. */
  readonly causedBy?: string
  readonly data?: JsonObject
}

export interface Usher {
  /** The whole way of an event: decides, calls, logs. One event at a time; rejects with QUEUE_FULL when too many wait. */
  handle(event: HostEvent): Promise<Handled>
  /** Says what would happen; calls and logs nothing. `head`: by the fitted head of this hash, as a row of the log names it; rejects with INDEX_INVALID where the cache no longer has it. */
  decide(event: HostEvent, how?: { readonly head?: string }): Promise<readonly Decision[]>
  /** A model's or a person's call, through the same dispatcher and log. A model reaches only what has no effects. */
  call(tool: string, args: JsonObject, who: { readonly by: Exclude<CallBy, 'router' | 'approval'>, readonly who?: string, readonly causedBy?: string }): Promise<Outcome>
  /** A fact for `when.state` of routes. */
  setState(name: string, value: unknown): void
  /** The host's own work: its effects are recorded under the name, and are not unexplained. */
  background<T>(name: string, work: () => T): T
  /**
   * Other routes or tools, swapped between two events; the encoder stays warm. Gives the difference, which is logged as `routes.reload`.
   * Rejects and changes nothing where a tool is invalid or the routes' own tests do not hold. What may be loaded is the caller's to judge.
   */
  reload(next: { readonly routes?: RouteTable, readonly tools?: readonly Tool[] }): Promise<readonly RouteChange[]>
  readonly table: RouteTable
  readonly log: CallLog
  /** Cards, the owner's switches, and the proof that a person is behind an act. */
  readonly desk: Desk
  /** Finishes what runs, and closes what it opened. */
  close(): Promise<void>
}

const OPTION_NAMES: ReadonlySet<string> = new Set(['routes', 'tools', 'log', 'model', 'encoder', 'routeTests', 'cache', 'calibration', 'clock', 'timeZone', 'secondReader', 'onAlert', 'baseline', 'state', 'limits', 'breaker', 'onCard', 'signers', 'controlFiles', 'checkFiles', 'proposals', 'queue', 'maxDepth', 'timeout', 'onProgress'])

/** Throws BAD_OPTION, ROUTES_INVALID, TOOL_INVALID, MODEL_CHANGED, ENCODER_MISMATCH or LOG_OPEN_FAILED; then nothing was opened. */
export async function createUsher(options: UsherOptions): Promise<Usher> {
  checkOptions(options)
  const observer = installObserver()
  // Changed in place by a reload: the dispatcher and the router hold this very map.
  const tools = new Map(toolTable(options.tools))
  let table = isTable(options.routes) ? options.routes : loadRoutes(typeof options.routes === 'string' ? [options.routes] : options.routes, { tools })
  const clock = options.clock ?? { now: () => Date.now() }
  const log = typeof options.log === 'string' ? await openCallLog(options.log, { clock, ...(options.state === undefined ? {} : { stateDir: options.state }), background: (name, work) => observer.background(`usher:${name}`, work) }) : options.log
  for (const [name, patterns] of Object.entries(options.baseline ?? {})) observer.accept(`host:${name}`, patterns)
  const detach = observer.attach(effect => {
    log.effect(effect)
    if (effect.blocked || (effect.callId === null && effect.background === undefined)) options.onAlert?.(effect)
  })
  const model = options.model ?? await openEmbedder()
  // The encoder starts processes of its own, at any embed: named, so that they do not look like nobody's.
  const embedder: Embedder = { id: model.id, dimension: model.dimension, embed: text => observer.background('usher:encoder', () => model.embed(text)), close: () => model.close() }
  let scorer: AskScorer | undefined
  let desk: Desk | undefined
  const undo = async () => { desk?.close(); const own = scorer !== options.secondReader ? scorer : undefined; await observer.background('usher:reader', () => own?.close()); detach(); observer.uninstall(); if (!options.model) await embedder.close(); if (typeof options.log === 'string') await log.close() }
  try {
    checkEncoder(embedder.id, options.encoder)
    const cacheDir = cacheFolder(options)
    const headParts = (next: RouteTable, nextTools: ReadonlyMap<string, Tool>) => ({ table: next, tools: nextTools, embedder, ...(cacheDir === undefined ? {} : { cacheDir }), ...(options.calibration === undefined ? {} : { calibration: options.calibration }), ...(options.onProgress ? { onProgress: options.onProgress } : {}) })
    const forTable = async (next: RouteTable, nextTools: ReadonlyMap<string, Tool>) => {
      const nearest = await observer.background('usher:index', () => buildPhrases(options, next, embedder, cacheDir))
      const matcher = await observer.background('usher:index', () => withHead(nearest, headParts(next, nextTools)))
      const reader = await observer.background('usher:index', () => tableReader(next.routes.values(), cacheDir))
      if (options.routeTests !== 'skip') await observer.background('usher:tests', () => holdTests({ table: next, tools: nextTools, embedder, matcher, reader, ...(scorer ? { scorer } : {}) }, cacheDir))
      const answers = new PhraseAnswers(matcher, reader, next.routes.values())
      return { table: next, nearest, answers, matcher: knowingMatcher(matcher, answers), reader: knowingReader(reader, answers) }
    }
    scorer = (options.secondReader ?? 'auto') === 'auto' ? await openAskScorer({ around: start => observer.background('usher:reader', start) }) : options.secondReader as AskScorer | false || undefined
    // It loads in a process of its own while the tables are made here.
    const encoderReady = table.routes.size > 0 ? observer.background('usher:encoder', () => model.warm?.()) : undefined
    let loaded = await forTable(table, tools)
    const dispatcher: Dispatcher = new Dispatcher({ tools, log, observer, clock, proposals: options.proposals, stopped: async () => desk?.owner.stopped(), controlFiles: () => [...table.files, ...routePaths(options.routes), ...options.controlFiles ?? [], log.location, ...desk ? [desk.stateFolder] : []], ...(options.timeout === undefined ? {} : { timeout: options.timeout }) })
    const open = desk = observer.background('usher:desk', () => openDesk({
      log, clock, runsTools: true, ...ownerRows(log), runtime: { tools, table: () => table, dispatcher }, ...(options.state === undefined ? {} : { stateFolder: options.state }), ...(options.breaker ? { breaker: options.breaker } : {}),
      ...(options.onCard ? { onCard: options.onCard } : {}), ...(options.signers === undefined ? {} : { signers: options.signers }),
    }))
    const hostState = new Map<string, unknown>()
    const parts = (): RouterParts => ({
      table: loaded.table, tools, embedder, matcher: loaded.matcher, reader: loaded.reader, ...(scorer ? { scorer } : {}), log, dispatcher, clock, hostState, proposals: options.proposals,
      timeZone: options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, maxDepth: options.maxDepth ?? 3,
      owner: open.owner, desk: open.approvals, ...(options.limits ? { limits: options.limits } : {}),
    })
    const router = new Router(parts())
    /** Routers of heads of before, for decisions that they made: by hash, until the routes change. */
    const byHead = new Map<string, Promise<Router>>()
    const routerOf = (head: string | undefined): Router | Promise<Router> => {
      if (head === undefined) return router
      const known = byHead.get(head) ?? withHeadOf(head, loaded.nearest, cacheDir).then(matcher => new Router({ ...parts(), matcher }))
      byHead.set(head, known)
      return known
    }
    // After the encoder, which every event needs: most events need no second reader, and three processes on two cores would all be late. A closed one is not started.
    if (table.routes.size > 0) void Promise.resolve(encoderReady).then(() => observer.background('usher:reader', () => scorer?.warm?.()))
    await log.act({ who: 'usher', act: 'routes.load', about: table.hash, detail: { routes: table.routes.size, encoder: embedder.id }, at: clock.now() })
    const queue = new WorkQueue(options.queue)
    const reload: Usher['reload'] = async next => {
      const nextTools = next.tools ? toolTable(next.tools) : new Map(tools)
      const made = await forTable(next.routes ?? table, nextTools)
      return queue.push(async () => {
        const changes = diffRoutes(table, made.table)
        await log.act({ who: 'usher', act: 'routes.reload', about: made.table.hash, detail: { before: table.hash, routes: made.table.routes.size, tools: nextTools.size, changes: changes.map(({ widens, sentence }) => ({ widens, sentence })) }, at: clock.now() })
        table = made.table
        tools.clear()
        for (const [name, tool] of nextTools) tools.set(name, tool)
        loaded.answers.stop()
        loaded = made
        loaded.answers.start()
        byHead.clear()
        router.reload(made)
        return changes
      })
    }
    // The first call's arguments need the validator's library, 0.1 s of loading: better while the encoder still loads than after it.
    setImmediate(warmValidator)
    loaded.answers.start()
    return {
      get table() { return table }, log, reload, desk: open,
      handle: event => queue.push(async () => {
        const changed = options.checkFiles?.() ?? []
        if (changed.length > 0) await open.owner.halt('control files', changed.join('; '))
        return router.handle(hostEvent(event, clock))
      }),
      decide: async (event, how) => await (await routerOf(how?.head)).decide(hostEvent(event, clock)),
      call: (tool, args, who) => queue.beside(() => router.call(tool, callArguments(tool, args), caller(who))),
      setState: (name, value) => { hostState.set(name, value) },
      background: (name, work) => observer.background(`host:${name}`, work),
      close: async () => { loaded.answers.stop(); await queue.close(); await dispatcher.idle(); await undo() },
    }
  } catch (error) {
    await undo()
    throw error
  }
}

/** Any schema that has a rule loads what all others need. Of our own making, so that it is not checked against the schema of schemas first. */
function warmValidator(): void {
  compileSchema({ type: 'object', properties: { loaded: { type: 'boolean' } }, additionalProperties: false }, '2020-12', '')
}

/** Folders as the host named them: a new file in one would be a route too. */
function routePaths(routes: UsherOptions['routes']): readonly string[] {
  return isTable(routes) ? [] : typeof routes === 'string' ? [routes] : routes
}

function cacheFolder(options: UsherOptions): string | undefined {
  const folder = options.cache ?? (typeof options.log === 'string' && options.log !== ':memory:' ? besideLog(options.log, options.state) : false)
  return folder === false ? undefined : folder
}

function besideLog(log: string, state: string | undefined): string {
  return isPostgresUrl(log) ? join(state ?? defaultStateDir(), 'index.cache') : `${log}.cache`
}

/** A log that several machines write says itself how its rows are read; any other is a file. */
function ownerRows(log: CallLog): { rows?: LogRows } {
  return 'ownerRows' in log && typeof log.ownerRows === 'function' ? { rows: log.ownerRows() as LogRows } : {}
}

function buildPhrases(options: UsherOptions, table: RouteTable, embedder: Embedder, cacheDir: string | undefined): Promise<Matcher> {
  const phrases = [...table.routes.values()].flatMap(route => route.phrases.map(phrase => ({ route: route.name, text: phrase.text })))
  return buildMatcher(phrases, embedder, { ...(cacheDir === undefined ? {} : { cacheDir }), ...(options.onProgress ? { onProgress: options.onProgress } : {}) })
}

/** Who may be behind a direct call. `approval` is not a host's to claim: it belongs to a person's yes to exact bytes. */
const CALLERS: ReadonlySet<string> = new Set(['model', 'person', 'proxy', 'replay'])

function caller(who: Parameters<Usher['call']>[2]): Parameters<Usher['call']>[2] {
  if (!isRecord(who) || !CALLERS.has(who.by)) throw new UsherError('BAD_OPTION', `call needs to know who calls: { by } is one of ${[...CALLERS].join(', ')}, got ${JSON.stringify(isRecord(who) ? who.by : who) ?? 'nothing'}`)
  return who
}

/** Plain JSON objects only: of anything else nobody could say which keys reach the handler. */
function callArguments(tool: string, args: unknown): JsonObject {
  if (!isRecord(args) || ![Object.prototype, null].includes(Object.getPrototypeOf(args) as object | null)) throw new UsherError('BAD_OPTION', `the arguments of ${JSON.stringify(tool)} must be a plain object like { "key": "value" }, got ${args === null ? 'null' : Array.isArray(args) ? 'an array' : typeof args}`)
  const odd = notPlain(args, 'args')
  if (odd !== undefined) throw new UsherError('BAD_OPTION', `the arguments of ${JSON.stringify(tool)} must be plain values, as JSON has them: ${quoted(odd)}; nothing was called`)
  return args
}

function hostEvent(event: HostEvent, clock: Clock): Event {
  if (typeof event !== 'object' || event === null || typeof event.text !== 'string') throw new UsherError('BAD_EVENT', 'an event needs `text`, a string')
  if (typeof event.source !== 'string' || !isSource(event.source)) throw new UsherError('BAD_EVENT', `an event needs \`source\`, a name like "user" or "chat:alice", got ${JSON.stringify(event.source)}`)
  if (event.at !== undefined && !(typeof event.at === 'number' && Number.isFinite(event.at))) throw new UsherError('BAD_EVENT', `\`at\` must be a time in ms since 1970, got ${typeof event.at === 'number' ? event.at : JSON.stringify(event.at)}`)
  if (event.id !== undefined && (typeof event.id !== 'string' || event.id === '')) throw new UsherError('BAD_EVENT', `\`id\` must be a text, got ${JSON.stringify(event.id)}`)
  return { id: event.id ?? newId('e'), source: event.source, text: event.text, at: event.at ?? clock.now(), ...(event.causedBy ? { causedBy: event.causedBy } : {}), ...(event.data ? { data: event.data } : {}) }
}

function isTable(routes: UsherOptions['routes']): routes is RouteTable {
  return typeof routes === 'object' && 'hash' in routes
}

function checkOptions(options: UsherOptions): void {
  for (const name of Object.keys(options)) if (!OPTION_NAMES.has(name)) throw new UsherError('BAD_OPTION', `unknown option "${name}"; the options are ${[...OPTION_NAMES].join(', ')}`)
  for (const name of ['routes', 'tools', 'log'] as const) if (options[name] === undefined) throw new UsherError('BAD_OPTION', `createUsher needs \`${name}\``)
  for (const name of ['queue', 'maxDepth', 'timeout'] as const) {
    const value = options[name]
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) throw new UsherError('BAD_OPTION', `\`${name}\` must be a whole number above 0, got ${value}`)
  }
  if (options.timeZone !== undefined) {
    try { Intl.DateTimeFormat('en', { timeZone: options.timeZone }) } catch (cause) { throw new UsherError('BAD_OPTION', `\`timeZone\` must be a name like "Europe/Berlin", got ${JSON.stringify(options.timeZone)}`, { cause }) }
  }
}
