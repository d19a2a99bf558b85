/**
 * What can be swapped. Interfaces only: no library is named here, and assemble.ts is the one file that picks implementations.
 */
import type {
  Ask, AskReading, CallBy, Candidate, Effect, EffectPattern, Event, GateStep, Json, JsonObject, NearMiss, Outcome, OutcomeKind, Route, RouteTable, Span, Tool,
} from './types.ts'

export type MaybePromise<T> = T | Promise<T>

/** A text's vector and what had to be done to get it. */
export interface Embedded {
  /** Unit length, `dimension` numbers. Not to be changed: it may be shared by a cache. */
  readonly vector: Float32Array
  /** Tokens kept, where the text had more than the model takes. */
  readonly cutAt?: number
}

export interface Embedder {
  /** Stable id of model, weights hash and quantisation: thresholds belong to it (`encoder:pinned`). */
  readonly id: string
  readonly dimension: number
  /** One text a run. Rejects with EMBED_FAILED. */
  embed(text: string): Promise<Embedded>
  /** Makes ready what the first text needs, beside other work, and never rejects: what goes wrong is told by the first text. Absent: nothing to make ready. */
  warm?(): MaybePromise<void>
  close(): Promise<void>
}

/** Nearest trigger phrases. Keys are small integers that the caller gives meaning to. */
export interface TriggerIndex {
  readonly size: number
  /** Best first, by cosine; ties by key. */
  search(vector: Float32Array, k: number): readonly { readonly key: number, readonly score: number }[]
}

/** Best phrase of each route, best route first. */
export interface Matcher {
  /** Hash of the fitted head that decisions rest on besides the routes, where there is one. */
  readonly head?: string
  /** The vector of a text that is a phrase (normalised equality), as the encoder would give it: such a text need not be embedded. */
  vectorOf?(text: string): Float32Array | undefined
  /** A further text whose vector `match` wants, for this text; absent: none. */
  further?(text: string): string | undefined
  match(text: string, vector: Float32Array, k?: number, further?: Float32Array): readonly Candidate[]
}

/** Does the text ask for a route, in words? Pure: the same text, table and candidates give the same reading. */
export interface AskReader {
  read(text: string, candidates: readonly Candidate[]): AskReading
  /** The same reading in two steps: all that needs no candidates now, so that it goes on while the encoder works. Absent: it is read in one. */
  begin?(text: string): BegunReading
}

export interface BegunReading {
  /** What the text asks for; the candidates change nothing of it. */
  readonly asks: readonly Ask[]
  /** What `read` would give of the text with these candidates. */
  finish(candidates: readonly Candidate[]): AskReading
}

/**
 * Probabilities at which the second reader speaks, by how the rules stand to the route before it is asked: what they read is evidence too. Below `object` it objects to an
 * ask; from `offer` on a near miss is put to the owner, and below it an offer of the rules is withdrawn; from `fire` on it fires alone a route without effects.
 */
export interface ReaderThresholds {
  /** `open`: an untyped slot took words and nothing else speaks for a request; `whole`: the fixed words of a phrase; `worked`: a wrapper, a slip, another order or typed slots only were read. */
  readonly object: Readonly<Record<AskStanding, number>>
  readonly offer: Readonly<Record<MissStanding, number>>
  readonly fire: Readonly<Record<MissStanding, number>>
  /** Below it for the nearest route, the text is no request: the next route is not asked about. Default 0: it always is. */
  readonly none?: number
}
export type AskStanding = 'open' | 'whole' | 'worked'
/** `near`: only similar; `wording`: the words are there, and some stay unaccounted for; `told`: a rule reads talk; `silent`: the rules say nothing of it. */
export type MissStanding = 'near' | 'wording' | 'told' | 'silent'

/** A trained second reader: does this text ask for the route that has these phrases, now? It comes after the rules and never decides alone where it counts. */
export interface AskScorer {
  /** Stable id of name, weights hash and quantisation: thresholds and replays belong to it. */
  readonly id: string
  readonly thresholds: ReaderThresholds
  /** Probability in (0, 1), one pair a run; undefined where the text is too long to be read whole. Rejects with READER_FAILED, MODEL_MISSING, MODEL_CHANGED or CLOSED. */
  score(phrases: readonly string[], text: string): Promise<number | undefined>
  /** As an Embedder's. */
  warm?(): MaybePromise<void>
  close(): Promise<void>
}

export interface ToolSource {
  tools(): Promise<readonly Tool[]>
  close(): Promise<void>
}

/* ---------------------------------------------------------------- call log */

export interface EventRow {
  /** Usher's own id of the event: `source` and the sender's id together are unique. */
  readonly eventId: string
  readonly senderId: string
  readonly source: string
  readonly text: string
  /** UTF-16 length before any cap. */
  readonly textLength: number
  readonly at: number
  readonly causedBy?: string
  readonly data?: JsonObject
  readonly malformed?: string
}

/** Everything that a decision rested on: enough for `explain` and for deciding again (`replay`). */
export interface DecisionRow {
  readonly decisionId: string
  readonly eventId: string
  /** 0 for the first ask of an event, 1 for the next. */
  readonly nth: number
  readonly kind: OutcomeKind
  readonly reason: string
  readonly why: string
  readonly route?: string
  readonly tool?: string
  readonly callId?: string
  readonly phrase?: string
  readonly score?: number
  readonly runnerUp?: { readonly route: string, readonly phrase: string, readonly score: number }
  readonly margin?: number
  readonly nearMisses: readonly NearMiss[]
  readonly gate: readonly GateStep[]
  /** How the words were read: steps of the explicit check. */
  readonly reading: readonly string[]
  /** The clause that asks, or the words that speak against it, in the event's text. */
  readonly span?: Span
  /** JSON Pointer -> where the argument came from. */
  readonly origins: JsonObject
  readonly args?: JsonObject
  readonly presetBytes?: string
  readonly tableHash: string
  readonly encoderId: string
  /** What the second reader said, where it was asked: its id, its thresholds, and a probability for each route. */
  readonly reader?: JsonObject
  /** The fitted head that the best route was read by: its hash, its probability, the threshold and what that rests on. */
  readonly head?: JsonObject
  /** Tokens the encoder kept, where it cut the text. */
  readonly cutAt?: number
  readonly question?: string
  /** The earlier decision that this one answers: a question about a missing value, or a card. */
  readonly answers?: string
  /** Masking hint from the tool's schema: JSON Pointers of secret arguments. */
  readonly secretPaths?: readonly string[]
  readonly at: number
}

/** Why a call that a decision announced was refused before its row was written. */
export interface RefusalRow { readonly decisionId: string, readonly eventId: string, readonly kind: OutcomeKind, readonly reason: string, readonly why: string, readonly at: number }

export interface CallRow {
  readonly callId: string
  readonly by: CallBy
  /** The person or model, where `by` says so and the host named it. */
  readonly who?: string
  readonly tool: string
  readonly route?: string
  readonly eventId?: string
  readonly decisionId?: string
  /** An explicit ask of an allowed source is behind it. */
  readonly explicit: boolean
  /** The second reader alone took the words for that ask; absent: the rules did. */
  readonly askedBy?: 'reader'
  readonly args: JsonObject
  readonly presetBytes?: string
  readonly origins: JsonObject
  /** Effects that the tool declares for these arguments and the route allows; null: nobody declared any. */
  readonly allowed: readonly EffectPattern[] | null
  readonly ignoredKeys?: readonly string[]
  readonly contractHash?: string
  /** The process that runs it, where that is another one (a runtime whose hook this is); null: not known which. Default: this process. */
  readonly pid?: number | null
  /** ms since 1970. Where another program tells how it ended: after this it is taken for one that never will. */
  readonly openUntil?: number
  /** The card that a person said yes to. */
  readonly card?: string
  /** Masking hint from the tool's schema: JSON Pointers of secret arguments. */
  readonly secretPaths?: readonly string[]
  readonly at: number
}

export interface OutcomeRow {
  readonly callId: string
  readonly kind: 'called' | 'failed' | 'unknown' | 'blocked'
  readonly reason: string
  readonly why: string
  readonly result?: Json
  readonly at: number
  readonly ms: number
}

/** What a person (or Usher's start) did: `start`, `routes.load`, `approve`, `deny`, `sign`, `breaker.close`, `stop`, `resume`, `report`. */
export interface ActRow { readonly who: string, readonly act: string, readonly about: string, readonly detail: JsonObject, readonly at: number }

/**
 * The append-only record. Writers throw LOG_WRITE_FAILED; whoever cannot write a call's row does not call (`trace:before`).
 * `begin` returns only when the row is durable.
 */
export interface CallLog {
  readonly location: string
  /** What opening it found otherwise than it should be, in words, for its owner. */
  readonly notes?: readonly string[]
  event(row: EventRow): MaybePromise<void>
  decision(row: DecisionRow): MaybePromise<void>
  begin(row: CallRow): MaybePromise<void>
  /** The same promise, for several calls at once: those that begin together may share one sync. */
  beginTogether?(row: CallRow): Promise<void>
  /** The call of a decision was refused at the last moment: no row may go on saying that it was called. */
  refused?(row: RefusalRow): MaybePromise<void>
  end(row: OutcomeRow): MaybePromise<void>
  /** The same promise, for several calls at once: those that end together may share one write. */
  endTogether?(row: OutcomeRow): Promise<void>
  /** Synchronous: called from inside a wrapped builtin, before the effect happens. */
  effect(effect: Effect): void
  act(row: ActRow): MaybePromise<void>
  /** The decisions that an event id got before, or undefined if this source never sent it. */
  seen(source: string, senderId: string): MaybePromise<readonly SeenDecision[] | undefined>
  /** The same without the claim to decide it, where a log of several machines takes `seen` for one. */
  look?(source: string, senderId: string): MaybePromise<readonly SeenDecision[] | undefined>
  /** Times (ms) of calls of a route since `since`, newest first: what limits count. */
  callTimes(route: string, since: number): MaybePromise<readonly number[]>
  /** The call's chain of causes, nearest first: call -> its event's causedBy -> ... (cycles end it). */
  causes(callId: string): MaybePromise<readonly { readonly callId: string, readonly route?: string, readonly eventId?: string }[]>
  close(): MaybePromise<void>
}
export interface SeenDecision { readonly decisionId: string, readonly kind: OutcomeKind, readonly reason: string, readonly why: string, readonly route?: string, readonly tool?: string, readonly callId?: string }

/* ---------------------------------------------------------------- effects */

export type ObserveMode = 'observe' | 'enforce' | 'off'

export interface EffectScope {
  readonly callId: string
  readonly mode: ObserveMode
  /** Patterns that may happen in this call; null with `enforce`: none. */
  readonly allowed: readonly EffectPattern[] | null
  /** What the tool declares for these arguments. Where given, an effect has to be within it too, and a refusal says which of the two stopped it. */
  readonly declared?: readonly EffectPattern[]
}

export interface EffectsObserver {
  /** Runs work so that every effect in its async context belongs to the call. A stopped effect throws EFFECT_BLOCKED inside it. */
  run<T>(scope: EffectScope, work: () => Promise<T>): Promise<T>
  /** The host's (or Usher's) own work: its effects are recorded under the name, and are not unexplained. */
  background<T>(name: string, work: () => T): T
  /** Effects of one call so far. */
  of(callId: string): readonly Effect[]
  /** Where the effects go. Returns a function that detaches it. */
  attach(sink: (effect: Effect) => void): () => void
  /** What was already wrapped or loaded before the observer, in words; empty: nothing missed. */
  selfCheck(): readonly string[]
}

/* ---------------------------------------------------------------- people */

/** A call that waits for a person's yes. Its id is that of the decision that asked. */
export interface CardRequest {
  readonly decisionId: string
  readonly tool: string
  /** RFC 8785 bytes of the arguments without the preset: they are kept as they are, unmasked, until the card is decided. */
  readonly argsBytes: string
  readonly event: Event
  /** Usher's own id of the event; default `event.id`. */
  readonly eventId?: string
  readonly route?: string
  readonly by?: CallBy
  readonly who?: string
  /** What matched, and why a person is asked, in one sentence. */
  readonly why?: string
  readonly origins?: JsonObject
  /** ms since 1970. */
  readonly expiresAt: number
  /** `execute` (default): a yes runs the call. `grant`: a yes lets the same call pass once, where only the asker can reach the tool. */
  readonly mode?: 'execute' | 'grant'
}

/** Holds what waits for a person. */
export interface ApprovalDesk {
  request(card: CardRequest): MaybePromise<void>
  /** Why no further card is taken now, or undefined: a sender must not bury its owner in questions. */
  full?(source: string, route: string | undefined): MaybePromise<string | undefined>
  /** Uses up the yes that a person gave to exactly this call: the card's id and the person, once; undefined where there is none. */
  redeem?(tool: string, argsBytes: string): MaybePromise<{ readonly card: string, readonly who: string } | undefined>
}

export interface Clock { now(): number }

/** What `decide` and `handle` give back: one outcome for each ask in the text, at least one. */
export interface Handled { readonly eventId: string, readonly outcomes: readonly Outcome[] }

export type { Route, RouteTable, Tool }
