/**
 * Stored rows as the port's rows again, with their place in the chain. Everything in them is plain JSON: a value that JSON cannot hold stands
 * there with its tag (serialise.ts), and revive.ts makes it again for whoever needs it.
 */
import type { ActRow, CallRow, DecisionRow, EventRow, OutcomeRow } from '../ports.ts'
import type { Effect, JsonObject } from '../types.ts'
import { fromPlain } from './plain.ts'

/** Secrets in it stand as keyed hashes. */
interface Stored { readonly seq: number, readonly masked: boolean }

/** `text: null`: retention dropped it. `notReplayable`: why the words cannot be decided again. */
export type EventRecord = Omit<EventRow, 'text'> & Stored & { readonly text: string | null, readonly notReplayable?: 'masked' | 'dropped' }
export type DecisionRecord = DecisionRow & Stored
export type OutcomeRecord = OutcomeRow & Stored
/** `argsDigest`, `presetDigest`: keyed hashes of the true bytes, where something is masked. */
export type CallRecord = CallRow & Stored & { readonly argsDigest?: string, readonly presetDigest?: string }
export type EffectRecord = Effect & Stored & { readonly effectId: string }
export type ActRecord = ActRow & Stored

export type LogRecord =
  | { readonly kind: 'event', readonly row: EventRecord }
  | { readonly kind: 'decision', readonly row: DecisionRecord }
  | { readonly kind: 'call', readonly row: CallRecord }
  | { readonly kind: 'outcome', readonly row: OutcomeRecord }
  | { readonly kind: 'effect', readonly row: EffectRecord }
  | { readonly kind: 'act', readonly row: ActRecord }

export interface RawRow { readonly seq: number, readonly kind: string, readonly body: string, readonly text: string | null, readonly data: string | null }
/** What `RawRow` needs. */
export const RAW = 'seq, kind, body, text, data'

const MASK = /\[masked:[0-9a-f]{24}\]/

const IDS = ['eventId', 'decisionId', 'callId', 'causedBy', 'source', 'senderId', 'route', 'tool']

/** Rows of the log's own (row 1) give undefined. */
export function toRecord(raw: RawRow): LogRecord | undefined {
  switch (raw.kind) {
    case 'event': return { kind: 'event', row: toEvent(raw) }
    case 'decision': return { kind: 'decision', row: toDecision(raw) }
    case 'call': return { kind: 'call', row: toCall(raw) }
    case 'outcome': return { kind: 'outcome', row: toOutcome(raw) }
    case 'effect': return { kind: 'effect', row: toEffect(raw) }
    case 'act':
    case 'checkpoint': return { kind: 'act', row: toAct(raw) }
    default: return undefined
  }
}

function fields(raw: RawRow): Record<string, unknown> {
  const { contentHash: _contentHash, contentDigest: _contentDigest, process: _process, masked, ...rest } = JSON.parse(raw.body) as Record<string, unknown>
  for (const id of IDS) if (typeof rest[id] === 'string') rest[id] = fromPlain(rest[id])
  return { ...rest, seq: raw.seq, masked: masked === 1 }
}

export function toEvent(raw: RawRow): EventRecord {
  const found = fields(raw) as unknown as EventRecord
  const dropped = raw.text === null
  // A text that was masked later has the mark only in itself.
  const masked = found.masked || MASK.test(raw.text ?? '') || MASK.test(raw.data ?? '')
  return {
    ...found, masked, text: dropped ? null : fromPlain(raw.text), ...(raw.data === null ? {} : { data: JSON.parse(raw.data) as JsonObject }),
    ...(dropped ? { notReplayable: 'dropped' as const } : masked ? { notReplayable: 'masked' as const } : {}),
  }
}

export const toDecision = (raw: RawRow): DecisionRecord => fields(raw) as unknown as DecisionRecord
export const toCall = (raw: RawRow): CallRecord => fields(raw) as unknown as CallRecord
export const toOutcome = (raw: RawRow): OutcomeRecord => fields(raw) as unknown as OutcomeRecord
export const toAct = (raw: RawRow): ActRecord => fields(raw) as unknown as ActRecord

export function toEffect(raw: RawRow): EffectRecord {
  const found = fields(raw) as unknown as EffectRecord & { blocked: unknown }
  return { ...found, blocked: (found.blocked as unknown) === 1, effectId: `effect-${raw.seq}` }
}
