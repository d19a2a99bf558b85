/** What a runtime's model gets to see of an outcome: the result of a call that ran, or one plain object that says why nothing ran. */
import { loggable } from '../dispatch/result.ts'
import type { Json, Outcome } from '../types.ts'
import { capped, visible } from '../util/mask.ts'
import { OUTCOMES } from '../vocabulary/outcomes.ts'

/** Longest sentence of ours that a model gets; a handler's own result is bounded by the log's cap. */
const MAX_WHY = 500

/** Stands where a result would stand: a model must not take a refusal for an answer. */
export interface NotCalled {
  readonly called: false
  readonly outcome: Outcome['kind']
  readonly reason: string
  readonly why: string
  /** What a required value's owner is to be asked. */
  readonly question?: string
}

export type Shown = { readonly kind: 'result', readonly value: Json } | { readonly kind: 'not-called', readonly value: NotCalled }

export function shown(outcome: Outcome): Shown {
  if (outcome.kind === 'called') return { kind: 'result', value: outcome.result === undefined ? null : loggable(outcome.result) }
  return { kind: 'not-called', value: notCalled(outcome.kind, outcome.reason, outcome.why, outcome.question) }
}

export function notCalled(outcome: Outcome['kind'], reason: string, why: string, question?: string): NotCalled {
  return { called: false, outcome, reason, why: capped(visible(why), MAX_WHY), ...(question ? { question: capped(visible(question), MAX_WHY) } : {}) }
}

/** One line for a model's context about what Usher did, or did not do, with a message before the model saw it. */
export function noteOf(outcomes: readonly Outcome[]): string {
  return outcomes.filter(outcome => outcome.kind !== 'no-match').map(outcome => {
    const about = outcome.tool ? `${visible(outcome.tool)}: ` : ''
    if (outcome.kind === 'called') return `Usher has already done this, do not do it again: ${about}${capped(visible(JSON.stringify(loggable(outcome.result)) ?? ''), MAX_WHY)}`
    return `Usher did not act on this (${outcome.kind}: ${OUTCOMES[outcome.kind].means}). ${about}${capped(visible(outcome.why), MAX_WHY)}${outcome.question ? ` Ask the user: ${visible(outcome.question)}` : ''}`
  }).join('\n')
}
