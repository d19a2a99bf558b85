/** What a gate rule sees, and what it may say. */
import type { Ask, Candidate, EffectPattern, Event, GateStep, Limits, NotAsk, OutcomeKind, Route, Tool } from '../types.ts'

/** A route that the event may be about, with what speaks for it. */
export interface Pursuit {
  readonly route: Route
  readonly tool: Tool
  /** Its best phrase by meaning, where the index found one. */
  readonly candidate?: Candidate
  /** The best phrase of any other route. */
  readonly runnerUp?: Candidate
  readonly ask?: Ask
  readonly notAsk?: NotAsk
}

/** What happened before, read from the log just before the rules run. */
export interface History {
  /** Routes in the chain of causes of this event, nearest first. */
  readonly causes: readonly { readonly callId: string, readonly route?: string }[]
  /** Times of this route's calls in the last day, newest first. */
  readonly callTimes: readonly number[]
  /** The same words fired this route a moment ago. */
  readonly justFired: boolean
  /** The text is what a call just returned. */
  readonly echo: boolean
}

/** What the owner's switches say now, and what is under way: read from the log just before the rules run. */
export interface OwnerView {
  readonly stopped?: { readonly reason: 'kill-switch' | 'halted', readonly why: string }
  /** Why this route's breaker is open. */
  readonly breaker?: string
  /** Calls of this route that did not end yet. */
  readonly inFlight: number
  /** Of all routes together; times of the last day, newest first. */
  readonly all: { readonly callTimes: readonly number[], readonly inFlight: number }
}

export interface GateInput extends Pursuit {
  readonly event: Event
  readonly history: History
  /** Usher's clock, never the event's: limits and age are measured with it. */
  readonly now: number
  /** Facts that the host keeps up to date, for `when.state`. */
  readonly hostState: ReadonlyMap<string, unknown>
  readonly timeZone: string
  /** Effects that this route could cause: of its preset, and of every key that the filler might set. */
  readonly effects: readonly EffectPattern[]
  /** Why they are unknown although the tool's contract says something. */
  readonly doubt?: string
  /** Armed defaults of the tool's schema that the route does not preset: with them even an empty call has an effect. */
  readonly armedDefaults: readonly string[]
  readonly maxDepth: number
  /** Absent: the log knows no switches. */
  readonly owner?: OwnerView
  /** Limits over all routes together. */
  readonly limits?: Limits
}

export interface Hold { readonly kind: OutcomeKind, readonly reason: string, readonly why: string }

/** A rule passes (with the figures it looked at), or holds. */
export type RuleResult = { readonly passed: string } | { readonly hold: Hold }
export interface GateRule { readonly name: string, readonly look: (input: GateInput) => RuleResult }

export type Verdict =
  | { readonly kind: 'pass', readonly steps: readonly GateStep[], readonly explicit: boolean }
  | { readonly kind: 'hold', readonly steps: readonly GateStep[], readonly hold: Hold }

export const pass = (detail: string): RuleResult => ({ passed: detail })
export const hold = (kind: OutcomeKind, reason: string, why: string): RuleResult => ({ hold: { kind, reason, why } })
