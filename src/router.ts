/**
 * START HERE: the way of an event, step by step. Every way out of here is a row in the log.
 *
 *   ingest -> embed -> match -> read the words -> choose -> gate -> fill -> dispatch
 */
import { routeEffects } from './decide/effects.ts'
import { Memory } from './decide/memory.ts'
import { choose } from './decide/pursuits.ts'
import { decisionRow, outcomeOf, type Finding, type Ground } from './decide/row.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import type { CallRequest, ReadyCall } from './dispatch/request.ts'
import { fill } from './fill/fill.ts'
import { gate } from './gate/gate.ts'
import { sourceAllowed } from './gate/words.ts'
import { DAY } from './gate/limits.ts'
import type { GateInput, Pursuit } from './gate/rule.ts'
import type { AskReader, AskScorer, CallLog, Clock, DecisionRow, Embedded, Embedder, Handled, Matcher, SeenDecision } from './ports.ts'
import type { AskReading, CallBy, Candidate, Event, Filled, Json, JsonObject, Outcome, Route, RouteTable, Tool } from './types.ts'
import { secondReading } from './reader/second.ts'
import { armedDefaults } from './schema/arming.ts'
import { newId } from './util/ids.ts'
import { normalise } from './util/text.ts'
import { isReason } from './vocabulary/outcomes.ts'

export interface RouterParts {
  readonly table: RouteTable
  readonly tools: ReadonlyMap<string, Tool>
  readonly embedder: Embedder
  readonly matcher: Matcher
  readonly reader: AskReader
  /** The trained second reader, where there is one. */
  readonly scorer?: AskScorer
  readonly log: CallLog
  readonly dispatcher: Pick<Dispatcher, 'prepare' | 'run'>
  readonly clock: Clock
  readonly timeZone: string
  readonly hostState: ReadonlyMap<string, unknown>
  /** How many calls may lie behind an event; default 3. */
  readonly maxDepth: number
}

/** One decision, before anything happens: what would be called, or why nothing is. */
export interface Decision { readonly row: DecisionRow, readonly ready?: ReadyCall }

export class Router {
  #parts: RouterParts
  readonly #memory = new Memory()
  #effects = new WeakMap<Route, Pick<GateInput, 'effects' | 'armedDefaults'>>()
  constructor(parts: RouterParts) { this.#parts = parts }

  /** Another table, between two events: what fired lately stays known. */
  reload(parts: Pick<RouterParts, 'table' | 'matcher' | 'reader'>): void {
    this.#parts = { ...this.#parts, ...parts }
    // The same route may call another tool of the same name now.
    this.#effects = new WeakMap()
  }

  /** The whole way of one event. Rejects only where the log cannot take the event itself: then nothing was called. */
  async handle(event: Event): Promise<Handled> {
    const { log, clock } = this.#parts
    const before = await log.seen(event.source, event.id)
    const eventId = newId('e')
    await log.event({ eventId, senderId: event.id, source: event.source, text: event.text, textLength: event.text.length, at: event.at, ...(event.causedBy ? { causedBy: event.causedBy } : {}), ...(event.data ? { data: event.data } : {}) })
    // Logged and never decided means that it was cut off then: it is decided now.
    if (before && before.length > 0) return { eventId, outcomes: [await this.#duplicate(event, eventId, before)] }
    const outcomes: Outcome[] = []
    for (const decision of await this.decide(event, eventId)) {
      await log.decision(decision.row)
      if (!decision.ready) { outcomes.push(outcomeOf(decision.row)); continue }
      const outcome = await this.#parts.dispatcher.run(decision.ready, decision.row.decisionId)
      this.#memory.called(decision.row.route ?? '', normalise(event.text), outcome.result, clock.now())
      outcomes.push({ ...outcome, nearMisses: decision.row.nearMisses })
    }
    return { eventId, outcomes }
  }

  /** Says what would happen; calls and logs nothing. */
  async decide(event: Event, eventId: string = newId('e')): Promise<readonly Decision[]> {
    const { table, tools, embedder, matcher, reader, clock } = this.#parts
    const at = clock.now()
    const ground = (more: Partial<Ground>): Ground => ({ eventId, candidates: [], reading: { asks: [], notAsks: [] }, table, encoderId: embedder.id, at, ...more })
    const none = (base: Ground, finding: Finding) => [{ row: decisionRow(base, 0, finding) }]
    if (table.routes.size === 0) return none(ground({}), { kind: 'no-match', reason: 'no-routes', why: 'no route is loaded' })
    if (normalise(event.text) === '') return none(ground({}), { kind: 'no-match', reason: 'empty', why: 'nothing is left of the text once it is cleaned' })
    const phrase = matcher.vectorOf?.(event.text)
    const embedded = phrase ? { vector: phrase } : await embedder.embed(event.text).catch((error: unknown) => error)
    if (!isEmbedded(embedded)) return none(ground({}), { kind: 'no-match', reason: 'encoder-failed', why: `the encoder failed, so nothing was compared and nothing fires: ${embedded instanceof Error ? embedded.message : String(embedded)}` })
    const { vector, cutAt } = embedded
    const candidates = matcher.match(event.text, vector)
    const second = await this.#secondReading(event, reader.read(event.text, candidates), candidates)
    const { reading } = second
    const base = ground({ candidates, reading, ...second.record, ...(cutAt === undefined ? {} : { cutAt }) })
    const choice = choose(table, tools, candidates, reading)
    if (choice.kind === 'none') return none(base, { kind: 'no-match', reason: 'below-threshold', why: choice.why })
    if (choice.kind === 'ambiguous') return none(base, { kind: 'ambiguous', reason: 'two-asks', why: choice.why })
    const decisions: Decision[] = []
    for (const pursuit of choice.pursuits) decisions.push(await this.#pursue(event, base, pursuit, decisions.length))
    return decisions
  }

  /** A model's, a person's or a proxy's call: the same dispatcher, the same log. */
  async call(tool: string, args: JsonObject, who: { readonly by: Exclude<CallBy, 'router'>, readonly who?: string, readonly causedBy?: string }): Promise<Outcome> {
    const { log, clock, dispatcher, table, embedder } = this.#parts
    const eventId = newId('e')
    const event: Event = { id: eventId, source: `call:${who.by}`, text: '', at: clock.now(), data: { tool }, ...(who.causedBy ? { causedBy: who.causedBy } : {}) }
    await log.event({ eventId, senderId: eventId, source: event.source, text: '', textLength: 0, at: event.at, data: { tool }, ...(who.causedBy ? { causedBy: who.causedBy } : {}) })
    const explicit = who.by === 'person' || who.by === 'approval'
    const broken = await contractBreach(this.#parts.tools.get(tool))
    const prepared = broken ? { kind: 'refused' as const, outcome: broken } : dispatcher.prepare({ by: who.by, tool, args, event, eventId, explicit, origins: Object.fromEntries(Object.keys(args).map(key => [`/${key}`, { kind: 'caller' }])), ...(who.who ? { who: who.who } : {}) })
    const finding: Finding = prepared.kind === 'ready' ? { kind: 'called', reason: 'direct', why: `${who.who ?? `a ${who.by}`} called ${tool}`, args: prepared.args } : prepared.outcome
    const row = decisionRow({ eventId, candidates: [], reading: { asks: [], notAsks: [] }, table, encoderId: embedder.id, at: clock.now() }, 0, finding)
    const full: DecisionRow = { ...row, tool, ...(prepared.kind === 'ready' ? { callId: prepared.callId } : {}) }
    await log.decision(full)
    return prepared.kind === 'ready' ? dispatcher.run(prepared, full.decisionId) : outcomeOf(full)
  }

  /** Logged like every other way out; its row names what became of the first one. */
  async #duplicate(event: Event, eventId: string, before: readonly SeenDecision[]): Promise<Outcome> {
    const { log, table, embedder, clock } = this.#parts
    const [first] = before
    const why = `${event.source} sent this id before${first ? `; it was ${first.kind}${first.tool ? ` (${first.tool})` : ''} then` : ''}`
    const row = decisionRow({ eventId, candidates: [], reading: { asks: [], notAsks: [] }, table, encoderId: embedder.id, at: clock.now() }, 0, { kind: 'duplicate', reason: 'id', why })
    await log.decision({ ...row, ...(first?.route ? { route: first.route } : {}), ...(first?.tool ? { tool: first.tool } : {}) })
    return { ...outcomeOf(row), ...(first?.route ? { route: first.route } : {}), ...(first?.tool ? { tool: first.tool } : {}), ...(first?.callId ? { callId: first.callId } : {}) }
  }

  async #pursue(event: Event, base: Ground, pursuit: Pursuit, nth: number): Promise<Decision> {
    const { route, tool } = pursuit
    const verdict = gate({ ...pursuit, event, now: base.at, ...this.#effectsOf(pursuit), ...await this.#surroundings(event, pursuit, base.at) })
    if (verdict.kind === 'hold') return { row: decisionRow(base, nth, { ...verdict.hold, pursuit, gate: verdict.steps }) }
    const gated = { pursuit, gate: verdict.steps }
    const broken = await contractBreach(tool)
    if (broken) return { row: decisionRow(base, nth, { ...broken, ...gated }) }
    const filled = fill({ visible: tool.visible, text: event.text, captures: pursuit.ask?.captures ?? [], at: event.at, timeZone: this.#parts.timeZone, lists: route.lists, synonyms: route.synonyms, presetKeys: new Set(Object.keys(route.preset)) })
    if (filled.kind === 'unfilled') return { row: decisionRow(base, nth, { kind: 'unfilled', ...unfilledReason(filled), question: filled.question, ...gated }) }
    const origins = originsOf(filled, route.preset)
    const request: CallRequest = { by: 'router', tool: tool.name, args: filled.args, preset: route.preset, presetBytes: route.presetBytes, route: route.name, event, eventId: base.eventId, explicit: verdict.explicit, origins, allow: route.allow }
    const prepared = this.#parts.dispatcher.prepare(request)
    if (prepared.kind === 'refused') return { row: decisionRow(base, nth, { ...prepared.outcome, origins, ...gated }) }
    const why = verdict.explicit ? `asks for it, as "${pursuit.ask?.phrase.text}"` : `near "${pursuit.candidate?.phrase}" (${pursuit.candidate?.score.toFixed(2)}), no effects`
    const row = decisionRow(base, nth, { kind: 'called', reason: verdict.explicit ? 'ask' : 'match', why, args: prepared.args, origins, ...gated })
    return { row: { ...row, callId: prepared.callId }, ready: prepared }
  }

  /** The trained reader, where there is one: it may object, and bring a near miss to its owner; it fires nothing with effects by itself. */
  async #secondReading(event: Event, first: AskReading, candidates: readonly Candidate[]): Promise<{ reading: AskReading, record: { reader?: JsonObject } }> {
    const { table, tools, scorer } = this.#parts
    if (!scorer) return { reading: first, record: {} }
    const { reading, scores } = await secondReading(event.text, first, candidates, {
      scorer, routes: table.routes,
      allowed: name => sourceAllowed(event.source, table.routes.get(name)?.from ?? []),
      mayFire: name => {
        const route = table.routes.get(name)
        const tool = route && tools.get(route.tool)
        return route !== undefined && tool !== undefined && (route.reader === 'fire' || this.#effectsOf({ route, tool }).effects.length === 0)
      },
    })
    if (scores.length === 0) return { reading, record: {} }
    const said = scores.map(score => ({ route: score.route, kind: score.kind, ...(score.kind === 'read' ? { probability: score.probability } : {}) }))
    return { reading, record: { reader: { id: scorer.id, thresholds: { ...scorer.thresholds }, scores: said } } }
  }

  /** What a call of this route could cause; the same for every event, so it is found once. */
  #effectsOf({ route, tool }: Pursuit) {
    let found = this.#effects.get(route)
    if (!found) this.#effects.set(route, found = { effects: routeEffects(route, tool), armedDefaults: armedDefaults(tool.visible, new Set(Object.keys(route.preset))).map(({ path, value }) => `${path} defaults to ${JSON.stringify(value)}`) })
    return found
  }

  async #surroundings(event: Event, { route }: Pursuit, now: number) {
    const { log, timeZone, hostState, maxDepth } = this.#parts
    const said = normalise(event.text)
    return {
      timeZone, hostState, maxDepth,
      history: {
        causes: event.causedBy ? await log.causes(event.causedBy) : [],
        callTimes: await log.callTimes(route.name, now - DAY),
        justFired: this.#memory.justFired(route.name, said, now),
        echo: this.#memory.isEcho(said, now),
      },
    }
  }
}

/** A tool from outside is asked before each call whether its contract still holds (`contract:human`). */
async function contractBreach(tool: Tool | undefined): Promise<{ kind: 'contract-refused', reason: string, why: string } | undefined> {
  const refused = await tool?.admit?.()
  return refused && { kind: 'contract-refused', reason: isReason('contract-refused', refused.reason) ? refused.reason : 'file', why: refused.why }
}

function isEmbedded(value: unknown): value is Embedded {
  return typeof value === 'object' && value !== null && 'vector' in value
}

function unfilledReason(filled: Extract<Filled, { kind: 'unfilled' }>): { reason: string, why: string } {
  const first = filled.empty.find(value => value.question !== undefined) ?? filled.empty[0]
  return { reason: first && isReason('unfilled', first.reason) ? first.reason : 'missing', why: filled.question }
}

/** JSON Pointer -> origin, for every argument: the event's words, or the preset. */
function originsOf(filled: Extract<Filled, { kind: 'filled' }>, preset: JsonObject): { [path: string]: Json } {
  return Object.fromEntries([
    ...filled.filled.map(({ path, start, end, how }) => [path, { kind: 'event', span: { start, end }, how }] as const),
    ...Object.keys(preset).map(key => [`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, { kind: 'preset' }] as const),
  ])
}
