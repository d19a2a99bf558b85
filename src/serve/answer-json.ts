/** What a sender is told of its event. */
import { loggable } from '../dispatch/result.ts'
import type { Event, Outcome } from '../types.ts'
import type { Answer } from './intake.ts'
import type { Answers } from './tokens.ts'

export interface EventAnswer { readonly id: string, readonly source: string, readonly eventId?: string, readonly duplicate?: true, readonly ignored?: readonly string[], readonly outcomes?: readonly object[], readonly error?: { readonly code: string, readonly message: string } }

/** @param ignored members of the body that were not believed */
export function eventAnswer(event: Pick<Event, 'id' | 'source'>, answer: Answer, answers: Answers, ignored: readonly string[] = []): EventAnswer {
  const base = { id: event.id, source: event.source, ...(ignored.length > 0 ? { ignored } : {}) }
  if (answer.kind === 'not-handled') return { ...base, error: { code: answer.code, message: answer.why } }
  return { ...base, eventId: answer.eventId, ...(answer.duplicate ? { duplicate: true as const } : {}), outcomes: answer.outcomes.map(outcome => outcomeJson(outcome, answers)) }
}

/** A result is JSON or a capped text of it, as in the log. */
export function outcomeJson(outcome: Outcome, answers: Answers): object {
  const { kind, reason, why, decisionId, callId, route, tool, args, question, nearMisses } = outcome
  const ids = { ...(decisionId === undefined ? {} : { decisionId }), ...(callId === undefined ? {} : { callId }) }
  if (answers === 'kind') return { kind, reason, ...ids }
  return {
    kind, reason, why, ...ids, ...(route === undefined ? {} : { route }), ...(tool === undefined ? {} : { tool }), ...(args === undefined ? {} : { args }),
    ...(outcome.result === undefined ? {} : { result: loggable(outcome.result) }), ...(question === undefined ? {} : { question }), nearMisses,
  }
}
