/** What the page needs from its host, and what it shows. The host sits higher: it gives these as values and functions. */
import type { Explanation } from '../log/explain.ts'
import type { ActRecord, EventRecord } from '../log/records.ts'
import type { RouteStats } from '../log/stats.ts'
import type { Unexplained } from '../log/unexplained.ts'
import type { MaybePromise } from '../ports.ts'
import type { EffectPattern, JsonObject, OutcomeKind, RouteTable } from '../types.ts'

/* ---------------------------------------------------------------- reading the log */

/** What the list shows; every field narrows it. */
export interface Filter {
  /** `chat` finds `chat:alice` too. */
  readonly source?: string
  readonly outcome?: EntryOutcome
  readonly route?: string
  readonly tool?: string
  /** Words of the event, whatever the case of their ASCII letters. */
  readonly text?: string
  /** Ms since 1970: `[since, until)`. */
  readonly since?: number
  readonly until?: number
  /** Only calls with an effect, seen or stopped. */
  readonly effects?: true
}

export type EntryOutcome = OutcomeKind | 'in-flight'

/** One line of the list: a decision on an event, a call that came from no decided event, or a malformed event. */
export interface Entry {
  readonly seq: number
  readonly at: number
  /** An id that `event` finds. */
  readonly id: string
  readonly source: string
  /** At most `ENTRY_TEXT` characters; null: retention dropped it; undefined: no event is behind it. */
  readonly text?: string | null
  readonly textLength?: number
  readonly outcome: EntryOutcome
  readonly route?: string
  readonly tool?: string
  readonly why: string
  /** Effects that happened, and that were stopped before they did. */
  readonly effects: number
  readonly stopped: number
}

export interface EntryPage {
  /** Newest first. */
  readonly entries: readonly Entry[]
  /** Give it as `before` for the next older page; undefined: this is the last. */
  readonly older?: number
}

/** One square of the picture. */
export interface Bucket { readonly source: string, readonly at: number, readonly fired: number, readonly held: number, readonly effects: number, readonly stopped: number }

/** How far the reader is: the log is read once, from its first row, and then row by row as they come. */
export interface Progress { readonly seq: number, readonly last: number }

export interface Overview extends EntryPage, Progress {
  readonly buckets: readonly Bucket[]
  /** Time of the newest line of all; undefined: the log has none. */
  readonly newest?: number
  /** What the list's filter finds in all; undefined where counting would have read every text. */
  readonly total?: number
  readonly unexplained: readonly Unexplained[]
  /** All of them; `unexplained` is cut. */
  readonly unexplainedTotal: number
  readonly sources: readonly string[]
  readonly routes: readonly string[]
  readonly tools: readonly string[]
}

/** `text` is cut to `EVIDENCE_TEXT` characters of `textLength`. */
export interface Evidence extends Omit<Explanation, 'event'> {
  readonly event?: EventRecord
  /** What people did about the event, its decisions and its calls: reports, approvals. */
  readonly acts: readonly ActRecord[]
}

export type FoundEvidence = { readonly kind: 'found', readonly evidence: Evidence } | { readonly kind: 'none' } | { readonly kind: 'many', readonly found: readonly { readonly kind: string, readonly id: string }[] }

export interface OverviewQuery {
  readonly filter: Filter
  /** Start of the picture and its columns: `edges[i]` to `edges[i + 1]`, ms since 1970. */
  readonly edges: readonly number[]
  readonly before?: number
  readonly limit: number
}

/** Calls of one route in the last minute, hour and day: what its limits count. */
export interface RecentCalls { readonly route: string, readonly minute: number, readonly hour: number, readonly day: number }

/** Questions to the log, answered away from the host's event loop, on a read-only connection. */
export interface ConsoleReads {
  overview(query: OverviewQuery): Promise<Overview>
  evidence(id: string): Promise<FoundEvidence>
  /** The whole text of an event; null: dropped; undefined: no such event. */
  text(eventId: string): Promise<string | null | undefined>
  unexplained(): Promise<readonly Unexplained[]>
  stats(since: number): Promise<readonly RouteStats[]>
  recent(now: number): Promise<readonly RecentCalls[]>
  /** The newest row, and how many list lines came after `after`. */
  news(after: number): Promise<{ readonly seq: number, readonly entries: number }>
  close(): Promise<void>
}

export const ENTRY_TEXT = 240
export const EVIDENCE_TEXT = 20_000

/* ---------------------------------------------------------------- what else is shown */

/** The routes that are in use, and what is wrong with the files on disk, if they are not what is in use. */
export interface RoutesView { readonly table?: RouteTable, readonly problems: readonly string[] }

export interface ContractLine {
  readonly tool: string
  readonly signedBy: string
  readonly signedAt?: number
  /** `ready`, `drifted`, `unsigned`, `refused`, `not-asked`, ... */
  readonly state: string
  /** undefined: nobody asked the server. */
  readonly equal?: boolean
  readonly why: string
  readonly hash?: string
}
export interface ContractsView { readonly lines: readonly ContractLine[], readonly problems: readonly string[] }

/* ---------------------------------------------------------------- what a person may do */

export interface ApprovalCard {
  readonly id: string
  readonly state: 'waiting' | 'approved' | 'denied' | 'expired' | 'changed'
  readonly tool: string
  /** What the handler would get, with the route's preset apart: the bytes in a form to read. */
  readonly args?: JsonObject
  readonly presetBytes?: string
  /** What the tool says that it does with these arguments; `unknown` counts as destructive. */
  readonly effects?: readonly EffectPattern[]
  /** Exactly what a yes is bound to: canonical bytes. Empty once it is decided. */
  readonly bytes: string
  /** Of the bytes: what an approval is bound to. */
  readonly hash: string
  readonly route?: string
  readonly eventId: string
  readonly source: string
  readonly words: string
  readonly matched?: string
  readonly why: string
  readonly at: number
  readonly expiresAt: number
  /** Who decided it. */
  readonly by?: string
}

export interface Breaker { readonly route: string, readonly state: 'open' | 'closed', readonly why: string, readonly since?: number }

export type ActAnswer = { readonly kind: 'done', readonly said: string } | { readonly kind: 'refused', readonly why: string }

/** What only a person may do: each act that widens carries the passphrase that was typed for it. Absent: the page only reads. */
export interface ConsoleDesk {
  /** `none`: nobody set a passphrase, so whoever runs as this user can approve. */
  secret(): MaybePromise<'set' | 'none'>
  /** Those that wait, and the newest that were decided. */
  cards(): MaybePromise<readonly ApprovalCard[]>
  halted(): MaybePromise<{ readonly since: number, readonly who: string, readonly why: string } | undefined>
  breakers(): MaybePromise<readonly Breaker[]>
  /** @param hash of the bytes that the page showed */
  /** @param caller what the host saw of the process that sent the form: kept with the yes */
  approve(id: string, hash: string, secret: string, caller?: JsonObject): MaybePromise<ActAnswer>
  /** The passphrase may be empty: a no only narrows. */
  deny(id: string, secret: string, why: string): MaybePromise<ActAnswer>
  /** Needs no passphrase: it only narrows. */
  stop(why: string): MaybePromise<ActAnswer>
  resume(secret: string): MaybePromise<ActAnswer>
  closeBreaker(route: string, secret: string): MaybePromise<ActAnswer>
  report(callId: string, wrong: string, secret: string): MaybePromise<ActAnswer>
}
