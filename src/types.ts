/**
 * The nouns of Usher. Everything else imports them; they import nothing.
 *
 * One record follows an event through the flow: Event -> Candidate -> Ask -> Filled -> Call -> Outcome, and Effects beside it.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject { readonly [key: string]: Json }

/** A JSON Schema of any draft, as it came: it is walked, never trusted. */
export type JsonSchema = JsonObject | boolean

/** Half-open range [start, end) in UTF-16 units of an event's text. */
export interface Span { readonly start: number, readonly end: number }

/* ---------------------------------------------------------------- events */

/**
 * Something the runtime saw. `source`, `causedBy` and `at` are set by the door that the event came through and never read
 * from its body (`ingest:owns`).
 */
export interface Event {
  /** Unique for its source; the same id twice is handled once. */
  readonly id: string
  /** Who speaks: `user`, `voice`, `notification`, `webhook`, `chat:alice`, `model`, ... The part before `:` is the kind. */
  readonly source: string
  readonly text: string
  /** Receipt time in ms since 1970, by the door's clock. */
  readonly at: number
  /** The call whose effect this event is, where the door knows. */
  readonly causedBy?: string
  readonly data?: JsonObject
}

/* ---------------------------------------------------------------- effects */

/**
 * `kind` or `kind:target`, e.g. `browser.open`, `net.connect:example.org:443`, `fs.write:/home/me/notes/*`. The kinds are the closed list
 * in vocabulary/effects.ts; `*` in a target stands for any characters.
 */
export type EffectPattern = string

/** What a tool says it does: key -> effects that the key arms; `always` -> effects of every call. `{}`: no effect at all. */
export interface ToolEffects {
  readonly always?: readonly EffectPattern[]
  /** A key that arms: any value but false, null, absent. The object form names the values that arm, as JSON text or plain string. */
  readonly [key: string]: readonly EffectPattern[] | { readonly [value: string]: readonly EffectPattern[] } | undefined
}

/** Something that really happened (or was stopped before it did), as the observer saw it. */
export interface Effect {
  readonly kind: string
  /** What it touched: a program, `host:port`, an absolute path, ... */
  readonly target: string
  /** True when it was stopped before it happened. */
  readonly blocked: boolean
  /** The call in flight, or null: nobody asked for it. */
  readonly callId: string | null
  /** The host's or Usher's own named background work, where `callId` is null. */
  readonly background?: string
  readonly at: number
  /** Which watcher saw it: `node`, `node-child`, `python-child`, `strace`. */
  readonly watcher: string
  readonly detail?: JsonObject
  /** In the log, where the same effect happened again in the same call: this row counts so many of them, and `of` names the first. */
  readonly times?: number
  readonly of?: string
}

/* ---------------------------------------------------------------- tools */

/** Who is behind a call. `router` is the only automatic one; `approval` is a person's yes to exact bytes. */
export type CallBy = 'router' | 'model' | 'person' | 'proxy' | 'approval' | 'replay'

/** What a handler is told about its call. */
export interface CallContext {
  readonly callId: string
  readonly by: CallBy
  readonly route?: string
  readonly event?: Event
  readonly signal: AbortSignal
}

/** A tool as the router knows it, wherever it came from. `run` is reached only through the dispatcher (`trace:every-way`). */
export interface Tool {
  readonly name: string
  readonly description: string
  /** What a model and the filler see: a JSON Schema of an object. */
  readonly visible: JsonObject
  /** What only a route's preset (or an approved call) may set: property name -> JSON Schema. */
  readonly presetOnly: { readonly [key: string]: JsonSchema }
  /** undefined: nobody said, so it counts as destructive. */
  readonly effects: ToolEffects | undefined
  /** Why `effects` is undefined although somebody said something, after the tool's name: `has no effect in its contract, while its server says ...`. */
  readonly doubt?: string
  /** `code` (defineTool), or the server a contract names. */
  readonly origin: { readonly kind: 'code' } | { readonly kind: 'mcp', readonly server: string, readonly contractHash: string }
  /** Asked before each call of a tool from outside: why its contract does not hold now (a reason of `contract-refused`), or undefined. */
  readonly admit?: () => Promise<{ readonly reason: string, readonly why: string } | undefined>
  readonly run: (args: JsonObject, call: CallContext) => unknown
}

/* ---------------------------------------------------------------- routes */

export type RouteMode = 'shadow' | 'ask' | 'fire'

/** `{name}`, `{name:type}`, `{name:list}`, `{name:rest}` in a trigger. */
export interface Slot {
  readonly name: string
  /** Undefined: free text that the words around it bound. `rest`: all that follows. */
  readonly type?: SlotType | undefined
  /** The name of one of the route's lists. */
  readonly list?: string | undefined
}
export type SlotType = 'rest' | 'number' | 'integer' | 'duration' | 'date' | 'time' | 'datetime' | 'email' | 'url' | 'path' | 'phone' | 'money' | 'word'

export type PhrasePart = { readonly kind: 'text', readonly text: string } | { readonly kind: 'slot', readonly slot: Slot }

/** One sentence that a trigger template expands to. */
export interface Phrase {
  /** With slots shown as `{name}`: what people read, and the phrase's identity. */
  readonly text: string
  readonly parts: readonly PhrasePart[]
  /** The template as written. */
  readonly template: string
  readonly line?: number
}

/** One entry of a slot list: any of the `in` words stands for the `out` value. */
export interface ListValue { readonly in: readonly string[], readonly out: string | number | boolean }

export interface Limits {
  /** Milliseconds between two calls of the route. */
  readonly cooldown?: number
  readonly perMinute?: number
  readonly perHour?: number
  readonly perDay?: number
  /** Most calls within ten seconds. */
  readonly burst?: number
  /** Most calls in flight at once. */
  readonly concurrent?: number
  /** How many calls may lie behind an event. */
  readonly depth?: number
}

/** When a route may fire: local hours `[from, to)` in minutes of the day, days 0 (Sunday) to 6, and host state that must be equal. */
export interface When {
  readonly hours?: readonly { readonly from: number, readonly to: number }[]
  readonly days?: readonly number[]
  readonly state?: JsonObject
}

/** One route, with every default filled in by the loader. */
export interface Route {
  readonly name: string
  /** `tool` or `server/tool`. */
  readonly tool: string
  /** As written, for lint; the loader sets it. */
  readonly triggers?: readonly string[]
  readonly phrases: readonly Phrase[]
  /** Near misses that must never fire. */
  readonly not: readonly string[]
  /** Sources that may fire it: `user`, `chat`, `chat:alice`. */
  readonly from: readonly string[]
  readonly preset: JsonObject
  /** RFC 8785 bytes of `preset` as text: the same in the route, the call and the log (`preset:verbatim`). */
  readonly presetBytes: string
  readonly allow: readonly EffectPattern[]
  readonly mode: RouteMode
  /** `ask: true`: a near miss is `offered`. */
  readonly ask: boolean
  /** `approve: always`: an ask becomes `needs-approval`. */
  readonly approve: 'never' | 'always'
  /** How long a card of this route stands, in ms; default 10 min. */
  readonly approveWithin?: number
  /** `fire`: the trained second reader alone may fire it; `offer`: what it is sure of is offered. */
  readonly reader: 'offer' | 'fire'
  /** Cosine that a read-only route needs, and that a near miss of an effectful one is reported from. */
  readonly threshold: number
  /** The route file names a number: nearest phrases only, no head. Absent: `auto`. */
  readonly thresholdSet?: true
  readonly margin: number
  readonly limits: Limits
  /** Age in ms beyond which an event is `expired` for an effectful route. */
  readonly maxAge: number
  readonly when?: When
  readonly lists: ReadonlyMap<string, readonly ListValue[]>
  /** Synonyms of enum values for the filler: visible property -> list name. */
  readonly synonyms: ReadonlyMap<string, string>
  readonly mustFire: readonly string[]
  readonly mustNotFire: readonly string[]
  readonly file?: string
  readonly line?: number
}

export interface RouteTable {
  readonly routes: ReadonlyMap<string, Route>
  /** SHA-256 of the canonical routes: two tables with one hash decide alike. */
  readonly hash: string
  readonly files: readonly string[]
}

/* ---------------------------------------------------------------- matching */

/** The nearest phrase of one route. `score`: cosine in [-1, 1]; `exact`: equal after normalisation. */
export interface Candidate {
  readonly route: string
  readonly phrase: string
  readonly score: number
  readonly exact: boolean
  /** Where the table has a head: how sure it is that the text asks for this route, in (0, 1). Candidates then come in its order. */
  readonly probability?: number
  /** The route has a head: its probability decides, not the score. */
  readonly head?: HeadReading
}

/** What a fitted head says of one text and one route, and what the route's threshold rests on. */
export interface HeadReading {
  readonly hash: string
  readonly probability: number
  /** Probability that fires the route. */
  readonly threshold: number
  readonly by: 'budget' | 'never' | 'calibrated' | 'kept'
  /** Phrases judged by the others, and how many of them reach the threshold as this route. */
  readonly phrases: number
  readonly hits: number
  /** Part of the events for no route that may fire one. */
  readonly budget: number
  /** Neutral texts judged, how many of them would fire a route, and the upper 95 % bound of their share. */
  readonly neutral: number
  readonly fired: number
  readonly bound: number
  /** The neutral texts are too few to show so small a budget. */
  readonly thin: boolean
}

/** The text that a slot of a trigger captured. */
export interface Capture { readonly slot: Slot, readonly text: string, readonly span: Span }

/** The words ask for this route, now, of this listener. */
export interface Ask {
  readonly kind: 'ask'
  readonly route: string
  readonly phrase: Phrase
  /** The clause that asks. */
  readonly span: Span
  readonly captures: readonly Capture[]
  /** How the clause was read, step by step, for people: `wrapper "could you please"`, `slip "teh" = "the"`. */
  readonly steps: readonly string[]
  /** Where the second reader alone takes the words for an ask (its owner's leave, or no effects): what the rules said of them. */
  readonly readerAlone?: string
}

/** The words come near a route but do not ask for it. */
export interface NotAsk {
  readonly kind: 'not-ask'
  readonly route: string
  readonly phrase: Phrase
  /** One of the reasons under `not-explicit` in vocabulary/outcomes.ts, e.g. `abstain:negation`. */
  readonly reason: string
  readonly why: string
  readonly span?: Span
  /** Near enough that a route with `ask: true` should offer it to its owner. */
  readonly offer: boolean
  /** What the slots would have captured; given with an offer where known. */
  readonly captures: readonly Capture[]
  readonly steps: readonly string[]
  /** Nothing in the text comes near the route: it only keeps the route out, should something else bring it up. */
  readonly bars?: true
}

/** What the explicit check read in one text, asks in the order of the text. */
export interface AskReading {
  readonly asks: readonly Ask[]
  readonly notAsks: readonly NotAsk[]
  /** Nothing was asked, and no word could be an order: of routes that `notAsks` does not name, nobody need be asked. */
  readonly talk?: true
}

/* ---------------------------------------------------------------- arguments */

/** Where an argument came from. No other origin exists: no default, no guess (`fill:evidence`). */
export type ArgOrigin =
  | { readonly kind: 'event', readonly span: Span, readonly how: string }
  | { readonly kind: 'preset' }
  | { readonly kind: 'caller' }

export interface FilledValue { readonly path: string, readonly value: Json, readonly start: number, readonly end: number, readonly how: string }
export interface EmptyValue { readonly path: string, readonly reason: string, readonly question?: string }

export type Filled =
  | { readonly kind: 'filled', readonly args: JsonObject, readonly filled: readonly FilledValue[], readonly empty: readonly EmptyValue[] }
  | { readonly kind: 'unfilled', readonly filled: readonly FilledValue[], readonly empty: readonly EmptyValue[], readonly question: string }

/* ---------------------------------------------------------------- outcomes */

/** The closed list (`outcome:distinct`); vocabulary/outcomes.ts has the reasons of each and what a person may do next. */
export type OutcomeKind =
  | 'called' | 'failed' | 'unknown' | 'no-match' | 'ambiguous' | 'not-explicit' | 'source-blocked' | 'unfilled' | 'needs-approval'
  | 'denied' | 'expired' | 'limited' | 'duplicate' | 'contract-refused' | 'self-caused' | 'malformed' | 'offered' | 'stopped' | 'blocked'

export interface NearMiss {
  readonly route: string
  readonly phrase: string
  readonly score: number
  readonly threshold: number
  readonly reason: string
}

/** One step of the gate: which rule looked, what it said, on which figures. */
export interface GateStep { readonly rule: string, readonly passed: boolean, readonly detail: string }

/** What became of an event (of each ask in it), or of a call. */
export interface Outcome {
  readonly kind: OutcomeKind
  /** A word from the table of reasons. */
  readonly reason: string
  /** One sentence for people. */
  readonly why: string
  readonly eventId?: string
  readonly decisionId?: string
  readonly route?: string
  readonly tool?: string
  readonly callId?: string
  readonly args?: JsonObject
  readonly result?: unknown
  readonly nearMisses: readonly NearMiss[]
  /** For `unfilled`: what to ask the owner. */
  readonly question?: string
}
