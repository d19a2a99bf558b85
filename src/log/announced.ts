/**
 * Decisions that announce a call are written before it begins, and say `called`. What came of it is told by the call's row; where the call was
 * refused at the last moment (a stop, another process that was faster, a log that could not be written), by a closing decision of the same
 * event, which `answers` the first. No list may say `called` of what never began.
 */
import type { Db } from './db.ts'
import { toPlain } from './plain.ts'
import type { DecisionRecord } from './records.ts'

/** Place of the closing decision of the decision `d`, the last one, as SQL; NULL: there is none. */
export const closingOf = (d: string): string => `(SELECT max(z.seq) FROM rows z WHERE z.kind = 'decision' AND z.event_id = ${d}.event_id AND json_extract(z.body, '$.answers') = ${d}.decision_id)`

/** Is the row `r` itself such a closing? What answers a question to a person (a card that was denied, or expired) is an outcome of its own. */
export const isClosing = (r: string): string => `(json_extract(${r}.body, '$.answers') IS NOT NULL AND EXISTS (SELECT 1 FROM rows f WHERE f.kind = 'decision' AND f.event_id = ${r}.event_id AND f.decision_id = json_extract(${r}.body, '$.answers') AND json_extract(f.body, '$.kind') = 'called'))`

/** Does the decision `d` announce a call that has no row? */
export const isUnbegun = (d: string): string => `(json_extract(${d}.body, '$.kind') = 'called' AND ${d}.call_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM rows k WHERE k.kind = 'call' AND k.call_id = ${d}.call_id))`

/** Of an unbegun call without a closing: where its process is named it may be about to begin (a dead one is closed by recovery), else it never will. */
const openEnd = (d: string): string => `CASE WHEN json_extract(${d}.body, '$.process') IS NULL THEN 'denied' ELSE 'in-flight' END`

/** The true outcome of a decision that led to no call row. */
export const endOfDecision = (d: string): string => `CASE WHEN ${isUnbegun(d)} THEN coalesce((SELECT json_extract(y.body, '$.kind') FROM rows y WHERE y.seq = ${closingOf(d)}), ${openEnd(d)}) ELSE json_extract(${d}.body, '$.kind') END`

/** Why a decision that an older Usher left open is no call. */
const NEVER_BEGUN = { kind: 'denied', reason: 'log-failed', why: 'it was decided to call, and no row of a call was written: it did not run' } as const

/** A decision as it ended. `announced`: what it said before its call was refused. `unbegun`: its call has no row yet. */
export type EndedDecision = DecisionRecord & { readonly announced?: Pick<DecisionRecord, 'kind' | 'reason' | 'why'>, readonly unbegun?: true }

/** Decisions of one event with their true ends; closings are part of what they close. @param all every decision of the event */
export function endedDecisions(db: Db, all: readonly DecisionRecord[]): readonly EndedDecision[] {
  const ids = new Set(all.flatMap(decision => decision.kind === 'called' ? [decision.decisionId] : []))
  const closings = new Map(all.flatMap(decision => decision.answers !== undefined && ids.has(decision.answers) ? [[decision.answers, decision] as const] : []))
  const closed = new Set(closings.values())
  return all.filter(decision => !closed.has(decision)).map(decision => ended(db, decision, closings.get(decision.decisionId)))
}

function ended(db: Db, decision: DecisionRecord, closing: DecisionRecord | undefined): EndedDecision {
  if (decision.kind !== 'called' || decision.callId === undefined) return decision
  if (db.prepare('SELECT 1 FROM rows WHERE kind = \'call\' AND call_id = ? LIMIT 1').get(toPlain(decision.callId)) !== undefined) return decision
  const named = closing === undefined && db.prepare('SELECT json_extract(body, \'$.process\') FROM rows WHERE seq = ?').pluck().get(decision.seq) !== null
  if (named) return { ...decision, unbegun: true }
  const { kind, reason, why } = closing ?? NEVER_BEGUN
  return { ...decision, kind, reason, why, announced: { kind: decision.kind, reason: decision.reason, why: decision.why } }
}
