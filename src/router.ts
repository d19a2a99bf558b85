/**
 * START HERE: the way of an event, step by step. Every way out of here is a row in the log.
 *
 *   ingest -> embed -> match -> read the words -> choose -> gate -> fill -> dispatch
 */
import { routeEffects } from './decide/effects.ts'
import { Memory } from './decide/memory.ts'
import { choose, nearness } from './decide/pursuits.ts'
import { noteControlDenied, receiveData, type ProposalPlace } from './contract/proposals.ts'
import { directCall, type Caller } from './decide/direct.ts'
import { duplicate } from './decide/duplicate.ts'
import { beginReading } from './decide/known.ts'
import { originsOf } from './decide/origins.ts'
import { answer, questionOf, unfilledReason, Questions, ANSWER_WINDOW, type Question } from './decide/questions.ts'
import { decisionRow, type Finding, type Ground } from './decide/row.ts'
import { beginSecondReading, withSecondReading } from './decide/second.ts'
import { breachOf, stoppedNow, type Switches } from './decide/switches.ts'
import { asksPerson, capturesOf, cardDraft, keepCard, type CardDraft } from './decide/waiting.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import type { CallRequest, ReadyCall } from './dispatch/request.ts'
import { fill } from './fill/fill.ts'
import { gate } from './gate/gate.ts'
import { DAY } from './gate/limits.ts'
import type { GateInput, Hold, Pursuit, Verdict } from './gate/rule.ts'
import type { ApprovalDesk, AskReader, AskScorer, CallLog, Clock, DecisionRow, Embedded, Embedder, Handled, Matcher } from './ports.ts'
import type { Event, JsonObject, Limits, Outcome, Route, RouteTable, Tool } from './types.ts'
import { armedDefaults } from './schema/arming.ts'
import { newId } from './util/ids.ts'
import { isBlank, normalise } from './util/text.ts'

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
  /** Limits over all routes together; default: none. */
  readonly limits?: Limits
  /** The owner's switches and what is under way, derived from the log; absent: there are none. */
  readonly owner?: Switches
  /** Where an event's proposal of other words or another schema for a tool is kept for a person; absent: it is dropped and logged. */
  readonly proposals?: ProposalPlace | undefined
  /** Where what waits for a person goes; absent: it is only logged. */
  readonly desk?: ApprovalDesk
}

/** One decision, before anything happens: what would be called, or why nothing is. */
export interface Decision {
  readonly row: DecisionRow
  readonly ready?: ReadyCall
  /** A person is asked for exactly this call. */
  readonly card?: CardDraft
  /** What the next utterance of the same source may answer. */
  readonly question?: Question
  /** The words themselves asked. */
  readonly asked?: true
}

export class Router {
  #parts: RouterParts
  readonly #memory = new Memory()
  readonly #questions = new Questions()
  #effects = new WeakMap<Route, Pick<GateInput, 'effects' | 'doubt' | 'armedDefaults'>>()
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
    if (before && before.length > 0) return { eventId, outcomes: [await duplicate(this.#parts, event, eventId, before)] }
    await receiveData({ log, now: () => clock.now(), proposals: this.#parts.proposals }, 'event', event.data)
    const outcomes: Outcome[] = []
    for (const decision of await this.#decideOrAnswer(event, eventId)) {
      await log.decision(decision.row)
      await noteControlDenied(log, 'event', decision.row, clock.now())
      if (decision.question) this.#questions.ask(decision.question)
      if (!decision.ready) { outcomes.push(await keepCard(this.#parts, decision.row, decision.card)); continue }
      const outcome = await this.#parts.dispatcher.run(decision.ready, decision.row.decisionId)
      this.#memory.called(decision.row.route ?? '', normalise(event.text), outcome.result, clock.now())
      await this.#parts.owner?.settle(decision.ready.request.tool, decision.row.route)
      outcomes.push({ ...outcome, nearMisses: decision.row.nearMisses })
    }
    return { eventId, outcomes }
  }

  /** Words that ask for something are decided as themselves; other words may answer the question that their source was asked a moment ago. */
  async #decideOrAnswer(event: Event, eventId: string): Promise<readonly Decision[]> {
    const question = this.#questions.take(event.source, this.#parts.clock.now())
    const decisions = await this.decide(event, eventId)
    if (!question || !decisions.every(decision => isAboutNothing(decision))) return decisions
    const answered = await this.#answer(event, eventId, question)
    return answered ? [answered] : decisions
  }

  async #answer(event: Event, eventId: string, question: Question): Promise<Decision | undefined> {
    const { table, timeZone, clock, embedder } = this.#parts
    const { pursuit, decisionId } = question
    const route = table.routes.get(pursuit.route.name)
    // Routes may have been swapped in between: the question was about another one then.
    if (route !== pursuit.route || this.#parts.tools.get(route.tool) !== pursuit.tool) return undefined
    const heard = answer(question, event.text, eventId, { at: event.at, timeZone, lists: route.lists, synonyms: route.synonyms })
    if (!heard) return undefined
    const at = clock.now()
    const base: Ground = { eventId, candidates: [], reading: { asks: [], notAsks: [] }, table, encoderId: embedder.id, at }
    // The words that asked are the first event's: no span of this one.
    const link = ({ row: { span: _asked, ...row }, ...decision }: Decision): Decision => ({ ...decision, row: { ...row, answers: decisionId } })
    const verdict = gate({ ...pursuit, event, now: at, ...this.#effectsOf(pursuit), ...await this.#surroundings(event, pursuit, at) })
    if (verdict.kind === 'hold' && verdict.hold.kind !== 'needs-approval') return link({ row: decisionRow(base, 0, { ...verdict.hold, pursuit, gate: verdict.steps }) })
    if (heard.kind === 'unfilled') {
      const row = decisionRow(base, 0, { kind: 'unfilled', reason: 'missing', why: heard.question, question: heard.question, pursuit, gate: verdict.steps })
      const next = heard.empty[0] && { ...question, decisionId: row.decisionId, values: heard.values, empty: heard.empty, asked: heard.empty[0].path, until: at + ANSWER_WINDOW }
      return link({ row, ...next ? { question: next } : {} })
    }
    return link(await this.#proceed(event, base, pursuit, 0, verdict, heard.args, originsOf(heard.values, route.preset, eventId), 'answer'))
  }

  /** Says what would happen; calls and logs nothing. */
  async decide(event: Event, eventId: string = newId('e')): Promise<readonly Decision[]> {
    const { table, tools, embedder, matcher, reader, clock } = this.#parts
    const at = clock.now()
    const ground = (more: Partial<Ground>): Ground => ({ eventId, candidates: [], reading: { asks: [], notAsks: [] }, table, encoderId: embedder.id, at, ...more })
    const none = (base: Ground, finding: Finding) => [{ row: decisionRow(base, 0, finding) }]
    if (table.routes.size === 0) return none(ground({}), { kind: 'no-match', reason: 'no-routes', why: 'no route is loaded' })
    if (isBlank(event.text)) return none(ground({}), { kind: 'no-match', reason: 'empty', why: 'nothing is left of the text once it is cleaned' })
    const phrase = matcher.vectorOf?.(event.text)
    const more = matcher.further?.(event.text)
    // Begun here and awaited below: the words are read while the encoder works.
    const coming = phrase ? { vector: phrase } : embedder.embed(event.text).catch((error: unknown) => error)
    const comingMore = more === undefined ? undefined : embedder.embed(more).catch((error: unknown) => error)
    const begun = beginReading(reader, event.text)
    const scorer = this.#parts.scorer && beginSecondReading(this.#parts.scorer, table, event, begun.asks)
    const embedded = await coming
    const failed = (error: unknown) => none(ground({}), { kind: 'no-match', reason: 'encoder-failed', why: `the encoder failed, so nothing was compared and nothing fires: ${error instanceof Error ? error.message : String(error)}` })
    if (!isEmbedded(embedded)) return failed(embedded)
    const { vector, cutAt } = embedded
    const further = await comingMore
    if (further !== undefined && !isEmbedded(further)) return failed(further)
    const candidates = matcher.match(event.text, vector, undefined, further?.vector)
    const second = await withSecondReading({ table, tools, ...scorer ? { scorer } : {}, effectful: (route, tool) => this.#effectsOf({ route, tool }).effects.length > 0 }, event, begun.finish(candidates), candidates)
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
  call(tool: string, args: JsonObject, who: Caller): Promise<Outcome> {
    return directCall({ ...this.#parts, encoderId: this.#parts.embedder.id }, tool, args, who)
  }

  async #pursue(event: Event, base: Ground, pursuit: Pursuit, nth: number): Promise<Decision> {
    const { route, tool } = pursuit
    const verdict = gate({ ...pursuit, event, now: base.at, ...this.#effectsOf(pursuit), ...await this.#surroundings(event, pursuit, base.at) })
    const asked = pursuit.ask ? { asked: true as const } : {}
    const gated = { pursuit, gate: verdict.steps }
    if (verdict.kind === 'hold' && !(this.#parts.desk && asksPerson(verdict.hold, pursuit))) return { ...asked, row: decisionRow(base, nth, { ...verdict.hold, ...gated }) }
    const filled = fill({ visible: tool.visible, text: event.text, captures: capturesOf(pursuit), at: event.at, timeZone: this.#parts.timeZone, lists: route.lists, synonyms: route.synonyms, presetKeys: new Set(Object.keys(route.preset)) })
    if (filled.kind === 'unfilled') {
      // A near miss asks no questions back.
      if (verdict.kind === 'hold' && verdict.hold.kind === 'offered') return { row: decisionRow(base, nth, { ...verdict.hold, ...gated }) }
      const row = decisionRow(base, nth, { kind: 'unfilled', ...unfilledReason(filled), question: filled.question, ...gated })
      const question = questionOf(pursuit, event, base.eventId, row.decisionId, filled, base.at)
      return { ...asked, row, ...question ? { question } : {} }
    }
    const origins = originsOf(filled.filled.map(value => ({ value, eventId: base.eventId })), route.preset, base.eventId)
    return { ...asked, ...await this.#proceed(event, base, pursuit, nth, verdict, filled.args, origins, verdict.kind !== 'pass' || !verdict.explicit ? 'match' : pursuit.ask?.readerAlone === undefined ? 'ask' : 'reader') }
  }

  /** Every argument is there: a card where a person is asked, else the call. */
  async #proceed(event: Event, base: Ground, pursuit: Pursuit, nth: number, verdict: Verdict, args: JsonObject, origins: JsonObject, reason: 'ask' | 'reader' | 'match' | 'answer'): Promise<Decision> {
    const { route, tool } = pursuit
    const gated = { pursuit, gate: verdict.steps, origins }
    if (verdict.kind === 'hold') return this.#wait(event, base, pursuit, nth, verdict.hold, args, gated)
    const broken = await breachOf(tool, this.#parts.owner)
    if (broken) return { row: decisionRow(base, nth, { ...broken, ...gated }) }
    const request: CallRequest = { by: 'router', tool: tool.name, args, preset: route.preset, presetBytes: route.presetBytes, route: route.name, event, eventId: base.eventId, explicit: verdict.explicit, ...pursuit.ask?.readerAlone === undefined ? {} : { askedBy: 'reader' }, origins, allow: route.allow }
    const prepared = this.#parts.dispatcher.prepare(request)
    if (prepared.kind === 'refused') return prepared.outcome.kind === 'needs-approval' ? this.#wait(event, base, pursuit, nth, prepared.outcome, args, gated) : { row: decisionRow(base, nth, { ...prepared.outcome, ...gated }) }
    const why = reason === 'answer' ? 'answers the question about a missing value' : reason === 'reader' ? `the second reader alone takes it for an ask, as "${pursuit.ask?.phrase.text}"` : verdict.explicit ? `asks for it, as "${pursuit.ask?.phrase.text}"` : `near "${pursuit.candidate?.phrase}" (${pursuit.candidate ? nearness(pursuit.candidate) : 'no score'}), no effects`
    const row = decisionRow(base, nth, { kind: 'called', reason, why, args: prepared.args, ...gated })
    return { row: { ...row, callId: prepared.callId }, ready: prepared }
  }

  /** For a person, where there is a desk that has room, and the arguments would be taken. */
  async #wait(event: Event, base: Ground, pursuit: Pursuit, nth: number, hold: Hold, args: JsonObject, gated: { readonly pursuit: Pursuit, readonly gate: Verdict['steps'], readonly origins: JsonObject }): Promise<Decision> {
    const { route, tool } = pursuit
    const { desk, dispatcher } = this.#parts
    const plain = { row: decisionRow(base, nth, { ...hold, ...gated, args }) }
    if (!desk) return plain
    const wanted = dispatcher.prepare({ by: 'approval', tool: tool.name, args, preset: route.preset, route: route.name, event, eventId: base.eventId, explicit: true, origins: {} })
    const offered = hold.kind === 'offered'
    if (wanted.kind === 'refused') return offered ? plain : { row: decisionRow(base, nth, { ...wanted.outcome, ...gated, args }) }
    const full = offered && await stoppedNow(this.#parts.owner) ? 'auto-invocation is stopped' : await desk.full?.(event.source, route.name)
    if (full !== undefined) return offered ? plain : { row: decisionRow(base, nth, { kind: 'limited', reason: 'cards', why: full, ...gated, args }) }
    return { ...plain, card: cardDraft(event, base.eventId, pursuit, args, hold, gated.origins) }
  }

  /** What a call of this route could cause; the same for every event, so it is found once. */
  #effectsOf({ route, tool }: Pursuit) {
    let found = this.#effects.get(route)
    if (!found) this.#effects.set(route, found = { effects: routeEffects(route, tool), ...(tool.doubt === undefined ? {} : { doubt: tool.doubt }), armedDefaults: armedDefaults(tool.visible, new Set(Object.keys(route.preset))).map(({ path, value }) => `${path} defaults to ${JSON.stringify(value)}`) })
    return found
  }

  async #surroundings(event: Event, { route }: Pursuit, now: number) {
    const { log, timeZone, hostState, maxDepth, owner, limits } = this.#parts
    const said = normalise(event.text)
    await owner?.state.look()
    return {
      timeZone, hostState, maxDepth, ...owner ? { owner: owner.state.view(route.name) } : {}, ...limits ? { limits } : {},
      history: {
        causes: event.causedBy ? await log.causes(event.causedBy) : [],
        callTimes: await log.callTimes(route.name, now - DAY),
        justFired: this.#memory.justFired(route.name, said, now),
        echo: this.#memory.isEcho(said, now),
      },
    }
  }
}

/** Words in which nothing was read, neither an ask nor an objection: only such may answer a question. What says no to one route must not say yes to it as an answer. */
function isAboutNothing({ asked, ready, row }: Decision): boolean {
  return !asked && !ready && ((row.kind === 'no-match' && row.reason !== 'encoder-failed') || (row.kind === 'not-explicit' && row.reason === 'abstain:similar'))
}

function isEmbedded(value: unknown): value is Embedded {
  return typeof value === 'object' && value !== null && 'vector' in value
}
