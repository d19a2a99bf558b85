/** What became of an event id the first time it came: a sender that asks again hears the same. */
import type { Db } from '../log/db.ts'
import { outcomesOf } from '../log/lookups.ts'
import type { CallLog, SeenDecision } from '../ports.ts'
import type { Outcome } from '../types.ts'

/** Undefined: this source never sent it. Empty: it came, and nothing is decided yet. @param db the log, for reading */
export async function firstOutcomes(log: CallLog, db: Db, source: string, id: string): Promise<readonly Outcome[] | undefined> {
  const seen = log.look ? await log.look(source, id) : await log.seen(source, id)
  if (seen === undefined) return undefined
  const first = seen.filter(decision => decision.kind !== 'duplicate' || decision.reason !== 'id')
  return first.map(decision => outcomeOf(decision, db))
}

function outcomeOf(decision: SeenDecision, db: Db): Outcome {
  const { decisionId, route, tool, callId } = decision
  const end = callId === undefined ? undefined : outcomesOf(db, callId).at(-1)
  const { kind, reason, why } = end ?? decision
  return {
    kind, reason, why, decisionId, nearMisses: [],
    ...(route === undefined ? {} : { route }), ...(tool === undefined ? {} : { tool }), ...(callId === undefined ? {} : { callId }), ...(end?.result === undefined ? {} : { result: end.result }),
  }
}
