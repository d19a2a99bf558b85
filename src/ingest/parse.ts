/**
 * What a sender may say of an event, and what it may not. `id`, `text` and `data` are the sender's; source, cause and receipt time are set by the
 * door that the event came through (`ingest:owns`). A door that trusts its file (a replay) says so, and only then they are read from the body.
 */
import { inspectWire } from '../contract/wire.ts'
import type { Event, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { newId } from '../util/ids.ts'
import { isSource } from './source.ts'

/** The largest event line, in UTF-16 units. */
export const MAX_LINE = 4 * 1024 * 1024

export interface Door {
  readonly source: string
  readonly causedBy?: string
  /** Read source, causedBy and time from the body: for files that the owner wrote. */
  readonly trustBody?: boolean
  readonly now: () => number
}

export type Parsed =
  | { readonly kind: 'event', readonly event: Event }
  | { readonly kind: 'malformed', readonly reason: 'json' | 'shape' | 'too-big', readonly why: string }

const malformed = (reason: 'json' | 'shape' | 'too-big', why: string): Extract<Parsed, { kind: 'malformed' }> => ({ kind: 'malformed', reason, why })

/** One JSON line. Never throws. */
export function parseEventLine(line: string, door: Door): Parsed {
  const read = readJsonLine(line)
  return read.kind === 'malformed' ? read : parseEvent(read.value, door)
}

/** What a line holds, whatever it means. Never throws. */
export function readJsonLine(line: string): { readonly kind: 'value', readonly value: unknown } | Extract<Parsed, { kind: 'malformed' }> {
  if (line.length > MAX_LINE) return malformed('too-big', `the line has ${line.length} characters; at most ${MAX_LINE} are read`)
  const read = inspectWire(line)
  if (read.kind === 'bad') return malformed('json', read.why)
  // Of two equal members JSON keeps the last: a person could read one text, and another one would fire.
  const breach = read.breaches.find(found => found.reason === 'repeated-member' || found.reason === 'depth')
  if (breach) return malformed('json', breach.why)
  return { kind: 'value', value: read.value }
}

/** A body that was JSON already. Never throws. */
export function parseEvent(body: unknown, door: Door): Parsed {
  if (!isRecord(body)) return malformed('shape', `an event is an object like {"text": "..."}, this is ${Array.isArray(body) ? 'an array' : JSON.stringify(body)?.slice(0, 40)}`)
  const text = field(body, 'text')
  if (typeof text !== 'string') return malformed('shape', `"text" must be a string, it is ${describe(text)}`)
  const id = field(body, 'id')
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > 200)) return malformed('shape', `"id" must be a string of 1 to 200 characters, it is ${describe(id)}`)
  const data = field(body, 'data')
  if (data !== undefined && !isRecord(data)) return malformed('shape', `"data" must be an object, it is ${describe(data)}`)
  const base = { id: id ?? newId('e'), text, ...(data ? { data: data as JsonObject } : {}) }
  return door.trustBody ? trusted(base, body, door) : { kind: 'event', event: { ...base, source: door.source, at: door.now(), ...(door.causedBy ? { causedBy: door.causedBy } : {}) } }
}

function trusted(base: { id: string, text: string }, body: JsonObject, door: Door): Parsed {
  const source = field(body, 'source') ?? door.source
  if (typeof source !== 'string' || !isSource(source)) return malformed('shape', `"source" must be a name like "user" or "chat:alice", it is ${describe(source)}`)
  const given = field(body, 'at')
  const at = given === undefined ? door.now() : typeof given === 'number' ? given : typeof given === 'string' ? Date.parse(given) : Number.NaN
  if (!Number.isFinite(at)) return malformed('shape', `"at" must be an ISO date or milliseconds, it is ${describe(given)}`)
  const causedBy = field(body, 'causedBy')
  if (causedBy !== undefined && typeof causedBy !== 'string') return malformed('shape', `"causedBy" must be a call id, it is ${describe(causedBy)}`)
  return { kind: 'event', event: { ...base, source, at, ...(causedBy ? { causedBy } : {}) } }
}

function field(body: JsonObject, name: string): unknown {
  return Object.hasOwn(body, name) ? body[name] : undefined
}

function describe(value: unknown): string {
  return value === undefined ? 'missing' : `${JSON.stringify(value)}`.slice(0, 60)
}
