/** Events from a file or from standard input, one at a time: an outcome appears before the next event is read. */
import { createReadStream, statSync } from 'node:fs'
import type { Usher } from '../assemble.ts'
import { UsherError } from '../errors.ts'
import type { ParsedEntry } from '../ingest/journal.ts'
import { parseEventLine, type Door } from '../ingest/parse.ts'
import type { CallLog } from '../ports.ts'
import type { Event, Outcome } from '../types.ts'
import { newId } from '../util/ids.ts'
import { readLines, type Line } from '../util/lines.ts'
import { capped } from '../util/mask.ts'

export interface Handled { readonly line: number, readonly event: Event, readonly eventId: string, readonly outcomes: readonly Outcome[] }

/** How much of a malformed line the log keeps. */
const KEPT = 2_000

export function eventBytes(file: string): AsyncIterable<Uint8Array> {
  if (file === '-') return process.stdin
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new UsherError('BAD_OPTION', `there is no file ${file}; name one with --events, or "-" for standard input`)
  if (found.isDirectory()) throw new UsherError('BAD_OPTION', `${file} is a folder; name a file with --events, or watch the folder with usher serve --watch`)
  return fileBytes(file)
}

async function* fileBytes(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } catch (cause) {
    throw new UsherError('BAD_OPTION', `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** How a line is read; what is `own` is passed over. */
export type LineReader = (line: string, door: Door) => ParsedEntry

/**
 * @param before called with each event before it is handled: a replay sets its clock here
 */
export async function* runEvents(bytes: AsyncIterable<Uint8Array>, door: Door, usher: Usher, before: (event: Event) => void = () => undefined, read: LineReader = parseEventLine): AsyncGenerator<Handled> {
  for await (const line of readLines(bytes)) {
    if (line.text.trim() === '' && line.valid) continue
    const parsed = line.valid ? read(line.text, door) : { kind: 'malformed' as const, reason: 'encoding', why: 'not valid UTF-8' }
    if (parsed.kind === 'own') continue
    if (parsed.kind === 'malformed') {
      yield await keepMalformed(usher.log, line, door, parsed.reason, parsed.why)
      continue
    }
    before(parsed.event)
    const { event } = parsed
    const handled = await usher.handle({ ...event })
    yield { line: line.number, event, eventId: handled.eventId, outcomes: handled.outcomes }
  }
}

/** A line that is no event is kept all the same: text capped, length true. */
async function keepMalformed(log: CallLog, line: Line, door: Door, reason: string, why: string): Promise<Handled> {
  const eventId = newId('e')
  const event: Event = { id: eventId, source: door.source, text: capped(line.text, KEPT), at: door.now() }
  const outcome: Outcome = { kind: 'malformed', reason, why: `line ${line.number}: ${why}`, eventId, decisionId: newId('d'), nearMisses: [] }
  await log.event({ eventId, senderId: eventId, source: event.source, text: event.text.toWellFormed(), textLength: line.text.length, at: event.at, malformed: outcome.why })
  await log.decision({ decisionId: outcome.decisionId ?? eventId, eventId, nth: 0, kind: 'malformed', reason, why: outcome.why, nearMisses: [], gate: [], reading: [], origins: {}, tableHash: '', encoderId: '', at: event.at })
  return { line: line.number, event, eventId, outcomes: [outcome] }
}
