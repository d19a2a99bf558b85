/** Everything the log knows about one event, decision, call or effect. */
import { endedDecisions, type EndedDecision } from './announced.ts'
import { callById, callsOf, causesOf, decisionById, decisionsOf, effectBySeq, effectsOf, eventById, outcomesOf, type CauseStep } from './lookups.ts'
import type { CallRecord, DecisionRecord, EffectRecord, EventRecord, OutcomeRecord } from './records.ts'
import type { LogReader } from './reader.ts'
import { resolveId, type FoundId } from './resolve-id.ts'

export interface ExplainedCall {
  readonly call: CallRecord
  /** The one that counts; undefined: still in flight. */
  readonly outcome?: OutcomeRecord
  /** More than one where a call was first held for lost. Oldest first. */
  readonly outcomes: readonly OutcomeRecord[]
  readonly effects: readonly EffectRecord[]
}

export interface Explanation {
  readonly asked: FoundId
  readonly event?: EventRecord
  readonly decisions: readonly EndedDecision[]
  readonly calls: readonly ExplainedCall[]
  /** The effect that was asked about. */
  readonly effect?: EffectRecord
  /** What caused the event, nearest first: empty where nothing of Usher's did. */
  readonly causes: readonly CauseStep[]
}

export type Explained = { readonly kind: 'found', readonly explanation: Explanation } | { readonly kind: 'none' } | { readonly kind: 'many', readonly found: readonly FoundId[] }

/** @param id an event's, a decision's, a call's or an effect's, or its unique first characters */
export function explainById(reader: LogReader, id: string): Explained {
  const match = resolveId(reader.db, id)
  if (match.kind !== 'one') return match
  const { found } = match
  const parts = partsOf(reader, found)
  const eventId = parts.eventId
  const event = eventId === undefined ? undefined : eventById(reader.db, eventId)
  return {
    kind: 'found',
    explanation: {
      asked: found, decisions: endsOf(reader, parts.decisions), calls: parts.calls.map(call => explainCall(reader, call)), causes: causesOf(reader.db, event?.causedBy),
      ...(event ? { event } : {}), ...(parts.effect ? { effect: parts.effect } : {}),
    },
  }
}

/** With their true ends: one alone may have been closed by another of its event. */
function endsOf({ db }: LogReader, decisions: readonly DecisionRecord[]): readonly EndedDecision[] {
  const asked = new Set(decisions.flatMap(decision => [decision.decisionId, decision.answers]))
  const events = [...new Set(decisions.map(decision => decision.eventId))]
  return events.flatMap(eventId => endedDecisions(db, decisionsOf(db, eventId))).filter(decision => asked.has(decision.decisionId))
}

export function explainCall(reader: LogReader, call: CallRecord): ExplainedCall {
  const outcomes = outcomesOf(reader.db, call.callId)
  const outcome = outcomes.at(-1)
  return { call, outcomes, effects: effectsOf(reader.db, call.callId), ...(outcome ? { outcome } : {}) }
}

interface Parts { readonly eventId: string | undefined, readonly decisions: readonly DecisionRecord[], readonly calls: readonly CallRecord[], readonly effect?: EffectRecord }

function partsOf({ db }: LogReader, found: FoundId): Parts {
  if (found.kind === 'event') return { eventId: found.id, decisions: decisionsOf(db, found.id), calls: callsOf(db, found.id) }
  if (found.kind === 'decision') {
    const decision = decisionById(db, found.id)
    const call = decision?.callId === undefined ? undefined : callById(db, decision.callId)
    return { eventId: decision?.eventId, decisions: decision ? [decision] : [], calls: call ? [call] : [] }
  }
  const effect = found.kind === 'effect' ? effectBySeq(db, Number(found.id.slice('effect-'.length))) : undefined
  const callId = found.kind === 'call' ? found.id : effect?.callId
  const call = typeof callId === 'string' ? callById(db, callId) : undefined
  const decision = call?.decisionId === undefined ? undefined : decisionById(db, call.decisionId)
  return { eventId: call?.eventId ?? decision?.eventId, decisions: decision ? [decision] : [], calls: call ? [call] : [], ...(effect ? { effect } : {}) }
}
