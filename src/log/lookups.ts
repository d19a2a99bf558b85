/** Single rows and their relatives. */
import type { Db } from './db.ts'
import { toPlain } from './plain.ts'
import { RAW, toCall, toDecision, toEffect, toEvent, toOutcome, type CallRecord, type DecisionRecord, type EffectRecord, type EventRecord, type OutcomeRecord, type RawRow } from './records.ts'

const one = (db: Db, where: string, value: string | number): RawRow | undefined => db.prepare(`SELECT ${RAW} FROM rows WHERE ${where} ORDER BY seq LIMIT 1`).get(value) as RawRow | undefined
const all = (db: Db, where: string, value: string): readonly RawRow[] => db.prepare(`SELECT ${RAW} FROM rows WHERE ${where} ORDER BY seq`).all(value) as RawRow[]
const made = <T>(raw: RawRow | undefined, to: (raw: RawRow) => T): T | undefined => raw && to(raw)

export const eventById = (db: Db, id: string): EventRecord | undefined => made(one(db, 'kind = \'event\' AND event_id = ?', toPlain(id)), toEvent)
export const decisionById = (db: Db, id: string): DecisionRecord | undefined => made(one(db, 'kind = \'decision\' AND decision_id = ?', toPlain(id)), toDecision)
export const callById = (db: Db, id: string): CallRecord | undefined => made(one(db, 'kind = \'call\' AND call_id = ?', toPlain(id)), toCall)
export const effectBySeq = (db: Db, seq: number): EffectRecord | undefined => made(one(db, 'kind = \'effect\' AND seq = ?', seq), toEffect)
export const decisionsOf = (db: Db, eventId: string): readonly DecisionRecord[] => all(db, 'kind = \'decision\' AND event_id = ?', toPlain(eventId)).map(toDecision)
export const callsOf = (db: Db, eventId: string): readonly CallRecord[] => all(db, 'kind = \'call\' AND event_id = ?', toPlain(eventId)).map(toCall)
export const effectsOf = (db: Db, callId: string): readonly EffectRecord[] => all(db, 'kind = \'effect\' AND call_id = ?', toPlain(callId)).map(toEffect)
/** Oldest first; the last one counts. */
export const outcomesOf = (db: Db, callId: string): readonly OutcomeRecord[] => all(db, 'kind = \'outcome\' AND call_id = ?', toPlain(callId)).map(toOutcome)

const MAX_STEPS = 1000

/** One step back in the chain of causes. */
export interface CauseStep { readonly call: CallRecord, readonly event?: EventRecord }

/** The call, its event, the call that caused the event, and so on; a circle ends it. */
export function causesOf(db: Db, callId: string | undefined): readonly CauseStep[] {
  const steps: CauseStep[] = []
  const seen = new Set<string>()
  let next = callId
  while (next !== undefined && !seen.has(next) && steps.length < MAX_STEPS) {
    seen.add(next)
    const call = callById(db, next)
    if (!call) break
    const event = call.eventId === undefined ? undefined : eventById(db, call.eventId)
    steps.push({ call, ...(event ? { event } : {}) })
    next = event?.causedBy
  }
  return steps
}
