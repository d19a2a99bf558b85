/**
 * One event of a body. The credential says which source speaks; the body may name a sender under that source and nothing else of who, when
 * or why (`ingest:owns`). What it says beyond that is named in the answer, not believed.
 */
import { parseEventLine } from '../ingest/parse.ts'
import { isSource } from '../ingest/source.ts'
import type { CallLog, Clock } from '../ports.ts'
import type { Event, Outcome } from '../types.ts'
import { newId } from '../util/ids.ts'
import { capped, visible } from '../util/mask.ts'
import { own } from '../util/own.ts'
import { isRecord } from '../util/records.ts'

export type ReadEvent =
  /** `hasId`: the sender gave one, so that the same event can come again. */
  | { readonly kind: 'event', readonly event: Event, readonly hasId: boolean, readonly ignored: readonly string[] }
  | { readonly kind: 'malformed', readonly reason: 'json' | 'shape' | 'too-big' | 'encoding', readonly why: string }

/** Members of a body that mean something. */
const KNOWN: ReadonlySet<string> = new Set(['id', 'text', 'data', 'sender'])
const MAX_NAMED = 10

/** @param source the credential's: `chat`, or `chat:alice`, which then is the only sender */
export function readEvent(text: string, source: string, clock: Clock): ReadEvent {
  const parsed = parseEventLine(text, { source, now: () => clock.now() })
  if (parsed.kind === 'malformed') return parsed
  const body: unknown = JSON.parse(text)
  if (!isRecord(body)) return { kind: 'malformed', reason: 'shape', why: 'an event is an object' }
  const sender = own(body, 'sender')
  const ignored = Object.keys(body).filter(key => !KNOWN.has(key)).slice(0, MAX_NAMED).map(key => capped(visible(key), 60))
  const hasId = Object.hasOwn(body, 'id')
  if (sender === undefined) return { kind: 'event', event: parsed.event, hasId, ignored }
  const full = `${source}:${String(sender)}`
  if (source.includes(':')) return { kind: 'malformed', reason: 'shape', why: `this token speaks for ${source} alone, so "sender" may not be given` }
  if (typeof sender !== 'string' || !isSource(full)) return { kind: 'malformed', reason: 'shape', why: `"sender" must be a name like "alice" (letters, digits, "_", "-", ".", "@", "+"), it is ${capped(visible(JSON.stringify(sender)), 60)}` }
  return { kind: 'event', event: { ...parsed.event, source: full }, hasId, ignored }
}

/** How much of what was no event the log keeps. */
const KEPT = 2_000

/** What is no event is kept all the same: text capped, length true. */
export async function keepMalformed(log: CallLog, text: string, source: string, at: number, found: { readonly reason: string, readonly why: string }): Promise<Outcome & { readonly eventId: string }> {
  const eventId = newId('e')
  const outcome = { kind: 'malformed' as const, reason: found.reason, why: found.why, eventId, decisionId: newId('d'), nearMisses: [] }
  await log.event({ eventId, senderId: eventId, source, text: capped(text, KEPT).toWellFormed(), textLength: text.length, at, malformed: found.why })
  await log.decision({ decisionId: outcome.decisionId, eventId, nth: 0, kind: 'malformed', reason: found.reason, why: found.why, nearMisses: [], gate: [], reading: [], origins: {}, tableHash: '', encoderId: '', at })
  return outcome
}
