/** `POST /events`: one JSON object, or JSON lines. All of a request's events get in, or none of them. */
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeStrict } from '../contract/read-file.ts'
import type { CallLog, Clock } from '../ports.ts'
import type { Event, Outcome } from '../types.ts'
import { readLines } from '../util/lines.ts'
import { eventAnswer, outcomeJson } from './answer-json.ts'
import type { Bodies } from './body.ts'
import type { Answer, Door, Intake } from './intake.ts'
import { readPrefer } from './prefer.ts'
import { keepMalformed, readEvent, type ReadEvent } from './read-event.ts'
import type { Spool } from './spool.ts'
import type { Answers } from './tokens.ts'

export interface EventsParts { readonly intake: Intake, readonly spool: Spool, readonly log: CallLog, readonly clock: Clock, readonly bodies: Bodies }

/** Who sends: of a token, or of the Unix socket. */
export interface Sender { readonly source: string, readonly answers: Answers, readonly door: Door }

const JSON_TYPE = /^application\/(?:json|[a-z0-9.+-]+\+json)\s*(?:;|$)/i
const LINES_TYPE = /^application\/(?:x-ndjson|jsonl|x-jsonlines|json-lines|json-seq)\s*(?:;|$)/i

type Item = { readonly kind: 'event', readonly event: Event, readonly ignored: readonly string[] } | { readonly kind: 'malformed', readonly line: number, readonly outcome: Outcome }

export async function eventsRequest(incoming: IncomingMessage, sender: Sender, parts: EventsParts): Promise<Response> {
  const type = incoming.headers['content-type'] ?? ''
  const many = LINES_TYPE.test(type)
  if (!many && !JSON_TYPE.test(type)) return problem(415, 'BAD_EVENT', 'send one event as content-type: application/json, or one a line as application/x-ndjson')
  const body = await parts.bodies.read(incoming)
  if (body.kind === 'too-big') return problem(413, 'BAD_EVENT', `a request may have ${body.limit} bytes; send fewer events at once`)
  if (body.kind === 'busy') return problem(503, 'QUEUE_FULL', 'too many large requests at once; send it again later', { 'retry-after': '1' })
  const items = many ? await readMany(body.bytes, sender, parts) : [await readOne(body.bytes, sender, parts)]
  const events = items.flatMap(item => item.kind === 'event' ? [item.event] : [])
  if (events.length > parts.intake.share) return problem(413, 'BAD_EVENT', `${events.length} events at once; one request may have ${parts.intake.share}`)
  const prefer = readPrefer(headerText(incoming.headers['prefer']))
  const kept = prefer.kind !== 'wait'
  const admission = admit(events, sender.door, kept, parts)
  if (admission.kind === 'full') return problem(429, 'QUEUE_FULL', `${admission.waiting} events wait already; nothing of this request was taken, send it again later`, { 'retry-after': String(admission.retryAfter) })
  if (admission.kind === 'closed') return problem(503, 'CLOSED', 'the server is going down; nothing of this request was taken', { 'retry-after': '5' })
  if (prefer.kind === 'async') return accepted(events)
  if (prefer.kind === 'at-most') {
    const done = await Promise.race([Promise.all(admission.answers).then(() => true), sleep(prefer.seconds * 1000, false)])
    if (!done) return accepted(events)
  }
  return many ? answerLines(items, admission.answers, sender.answers) : answerOne(items[0] as Item, admission.answers[0], sender.answers)
}

/** What a 202 will promise is on the disk before it may run. */
function admit(events: readonly Event[], door: Door, kept: boolean, { intake, spool }: EventsParts): ReturnType<Intake['admit']> {
  if (!kept) return intake.admit(events, door)
  const room = intake.wouldAdmit(events)
  if (room.kind !== 'room') return room
  spool.keep(events)
  return intake.admit(events, door)
}

async function readOne(bytes: Buffer, sender: Sender, parts: EventsParts): Promise<Item> {
  const text = decodeStrict(bytes)
  return item(text ?? bytes.toString('utf8'), text === undefined ? { kind: 'malformed', reason: 'encoding', why: 'not valid UTF-8' } : readEvent(text, sender.source, parts.clock), 1, sender, parts)
}

async function readMany(bytes: Buffer, sender: Sender, parts: EventsParts): Promise<Item[]> {
  const items: Item[] = []
  for await (const line of readLines(once(bytes))) {
    if (line.valid && line.text.trim() === '') continue
    items.push(await item(line.text, line.valid ? readEvent(line.text, sender.source, parts.clock) : { kind: 'malformed', reason: 'encoding', why: 'not valid UTF-8' }, line.number, sender, parts))
  }
  return items
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> { yield bytes }

async function item(text: string, read: ReadEvent, line: number, sender: Sender, { log, clock }: EventsParts): Promise<Item> {
  if (read.kind === 'event') return read
  return { kind: 'malformed', line, outcome: await keepMalformed(log, text, sender.source, clock.now(), read) }
}

async function answerOne(one: Item, waiting: Promise<Answer> | undefined, answers: Answers): Promise<Response> {
  if (one.kind === 'malformed' || !waiting) return json(400, malformedAnswer(one, answers))
  const answer = await waiting
  return json(answer.kind === 'handled' ? 200 : 503, eventAnswer(one.event, answer, answers, one.ignored), answer.kind === 'handled' ? {} : { 'retry-after': '5' })
}

/** Each line as soon as it is known, in the order of the request. */
function answerLines(items: readonly Item[], waiting: readonly Promise<Answer>[], answers: Answers): Response {
  const lines = (async function* () {
    let next = 0
    for (const one of items) {
      const answer = one.kind === 'event' ? await waiting[next++] : undefined
      yield `${JSON.stringify(one.kind === 'event' && answer ? eventAnswer(one.event, answer, answers, one.ignored) : malformedAnswer(one, answers))}\n`
    }
  })()
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  return new Response(stream, { status: 200, headers: { 'content-type': 'application/x-ndjson' } })
}

function malformedAnswer(one: Item, answers: Answers): object {
  return one.kind === 'malformed' ? { line: one.line, ...(one.outcome.eventId ? { eventId: one.outcome.eventId } : {}), outcomes: [outcomeJson(one.outcome, answers)] } : { outcomes: [] }
}

function accepted(events: readonly Event[]): Response {
  return json(202, { accepted: events.map(({ id, source }) => ({ id, source })) }, { 'preference-applied': 'respond-async' })
}

function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(',')
}

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: { ...headers, 'content-type': 'application/json' } })
}

export function problem(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return json(status, { error: { code, message } }, headers)
}
