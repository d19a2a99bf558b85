/**
 * Events from a stream. A message is acknowledged after its outcome's row is committed, never before; what is sent again is answered from the
 * log. The source of an event is in its subject, which the server's rights bind to a credential; the payload cannot claim another.
 */
import { UsherError } from '../errors.ts'
import { parseEvent, parseEventLine } from '../ingest/parse.ts'
import { isSource } from '../ingest/source.ts'
import type { CallLog, Clock, Handled } from '../ports.ts'
import type { Event } from '../types.ts'
import { newId } from '../util/ids.ts'
import { capped } from '../util/mask.ts'
import type { NatsConsumer, NatsMessage } from './nats.ts'

export interface SourceParts {
  readonly consumer: NatsConsumer
  readonly handle: (event: Event) => Promise<Handled>
  readonly log: CallLog
  readonly clock: Clock
  /** What stands before the source in a subject: `events` makes `events.chat.alice` the source `chat:alice`. */
  readonly prefix: string
  /** Deliveries before a message that cannot be handled is parked. */
  readonly tries: number
  /** Where outcomes are told, one JSON text each. Default: nowhere. */
  readonly outcomes?: string
  readonly onDone?: (event: Event, handled: Handled) => void
  readonly onTrouble?: (what: string) => void
}

/** Ms between two signs of life for the message that is being worked on. */
const WORKING = 5000
/** Ms before a message that could not be handled comes again; times the number of tries. */
const PAUSE = 500
const KEPT = 2000

/** `events.chat.alice` -> `chat:alice`; undefined where the subject names no source. */
export function sourceOf(subject: string, prefix: string): string | undefined {
  if (!subject.startsWith(`${prefix}.`)) return undefined
  const [kind, ...sender] = subject.slice(prefix.length + 1).split('.')
  const source = sender.length === 0 ? kind : `${kind}:${sender.join('.')}`
  return source !== undefined && isSource(source) ? source : undefined
}

/** Handles one message after the other until the consumer stops. */
export async function runSource(parts: SourceParts): Promise<void> {
  for await (const message of parts.consumer.messages()) {
    const alive = setInterval(() => { message.working() }, WORKING)
    try {
      await one(message, parts)
    } catch (error) {
      await failed(message, parts, error)
    } finally {
      clearInterval(alive)
    }
  }
}

async function one(message: NatsMessage, parts: SourceParts): Promise<void> {
  const read = eventOf(message, parts)
  if (read.kind === 'malformed') {
    await keepMalformed(message, parts, read.reason, read.why)
    message.park()
    return
  }
  const handled = await parts.handle(read.event)
  // Told before the acknowledgement: a machine that dies in between tells it twice under one id, which the stream drops.
  if (parts.outcomes !== undefined) await parts.consumer.publish(parts.outcomes, JSON.stringify({ id: read.event.id, source: read.event.source, eventId: handled.eventId, outcomes: handled.outcomes }), `${read.event.source}/${read.event.id}`).catch((error: unknown) => { parts.onTrouble?.(`an outcome could not be told: ${words(error)}`) })
  // Where the acknowledgement is lost the message comes again, and is answered from the log.
  await message.ack().catch((error: unknown) => { parts.onTrouble?.(`not acknowledged: ${words(error)}`) })
  parts.onDone?.(read.event, handled)
}

async function failed(message: NatsMessage, parts: SourceParts, error: unknown): Promise<void> {
  parts.onTrouble?.(`message ${message.seq} (delivery ${message.delivery}): ${words(error)}`)
  // The log or another machine is in the way: that says nothing about the message.
  const notItsFault = UsherError.is(error) && ['LOG_WRITE_FAILED', 'LOG_OPEN_FAILED', 'ALREADY_HANDLED', 'CLOSED', 'QUEUE_FULL'].includes(error.code)
  if (notItsFault || message.delivery < parts.tries) { message.again(PAUSE * Math.min(10, message.delivery)); return }
  const why = `not handled after ${message.delivery} tries: ${words(error)}`
  try {
    await parts.log.act({ who: 'usher', act: 'event.parked', about: `${message.subject}#${message.seq}`, detail: { why, bytes: message.bytes.length }, at: parts.clock.now() })
    message.park()
  } catch {
    // Nobody would know of it: it stays in the stream.
    message.again(PAUSE * 10)
  }
}

type Read = { readonly kind: 'event', readonly event: Event } | { readonly kind: 'malformed', readonly reason: string, readonly why: string }

function eventOf(message: NatsMessage, parts: SourceParts): Read {
  const source = sourceOf(message.subject, parts.prefix)
  if (source === undefined) return { kind: 'malformed', reason: 'shape', why: `the subject ${JSON.stringify(message.subject)} names no source; it should be like "${parts.prefix}.webhook" or "${parts.prefix}.chat.alice"` }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message.bytes)
  } catch {
    return { kind: 'malformed', reason: 'encoding', why: 'not valid UTF-8' }
  }
  const door = { source, now: () => message.at }
  const parsed = text.trimStart().startsWith('{') ? parseEventLine(text, door) : parseEvent({ text }, door)
  if (parsed.kind === 'malformed') return parsed
  // A sender's own id first, then the header by which the stream drops doubles, then the place in the stream: each is the same at a redelivery.
  const own = parsed.event.id.startsWith('e-') && !hasId(text) ? message.id ?? `stream-${message.seq}` : parsed.event.id
  return { kind: 'event', event: { ...parsed.event, id: own } }
}

function hasId(text: string): boolean {
  try {
    const body = JSON.parse(text) as unknown
    return typeof body === 'object' && body !== null && Object.hasOwn(body, 'id')
  } catch {
    return false
  }
}

async function keepMalformed(message: NatsMessage, parts: SourceParts, reason: string, why: string): Promise<void> {
  const { log } = parts
  const eventId = newId('e')
  const source = sourceOf(message.subject, parts.prefix) ?? 'stream'
  const text = new TextDecoder().decode(message.bytes.subarray(0, KEPT * 4))
  await log.event({ eventId, senderId: `stream-${message.seq}`, source, text: capped(text, KEPT).toWellFormed(), textLength: text.length, at: message.at, malformed: why })
  await log.decision({ decisionId: newId('d'), eventId, nth: 0, kind: 'malformed', reason, why, nearMisses: [], gate: [], reading: [], origins: {}, tableHash: '', encoderId: '', at: parts.clock.now() })
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
