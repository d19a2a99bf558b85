/** What became of an event id the first time it came: a sender that asks again hears the same. */
import type { Db } from '../log/db.ts'
import { outcomesOf } from '../log/lookups.ts'
import type { CallLog, SeenDecision } from '../ports.ts'
import type { Outcome } from '../types.ts'

/** Undefined: this source never sent it. Empty: it came, and what becomes of it is not known yet. @param db the log, for reading */
export async function firstOutcomes(log: CallLog, db: Db, source: string, id: string): Promise<readonly Outcome[] | undefined> {
  const seen = log.look ? await log.look(source, id) : await log.seen(source, id)
  if (seen === undefined) return undefined
  const first = seen.filter(decision => decision.kind !== 'duplicate' || decision.reason !== 'id')
  const outcomes = first.map(decision => outcomeOf(decision, db))
  return outcomes.every(outcome => outcome !== undefined) ? outcomes : []
}

/** Undefined: its call has no end yet. A decision to call is no outcome. */
function outcomeOf(decision: SeenDecision, db: Db): Outcome | undefined {
  const { decisionId, route, tool, callId } = decision
  const end = callId === undefined ? undefined : outcomesOf(db, callId).at(-1)
  if (decision.kind === 'called' && !end) return undefined
  const { kind, reason, why } = end ?? decision
  return {
    kind, reason, why, decisionId, nearMisses: [],
    ...(route === undefined ? {} : { route }), ...(tool === undefined ? {} : { tool }), ...(callId === undefined ? {} : { callId }), ...(end?.result === undefined ? {} : { result: end.result }),
  }
}
