/**
 * A line of `journalctl -o json` as an event. What the journal itself vouches for (fields that begin with `_`: systemd.journal-fields(7)) may name the
 * source; what the program wrote about itself (identifier, priority) is only data. `journald` is a source like any other: no route hears it unless it says so.
 */
import type { JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { parseEvent, readJsonLine, type Door, type Parsed } from './parse.ts'
import { isSource } from './source.ts'

export const JOURNAL_SOURCE = 'journald'
const PRIORITIES = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const

/** `own`: what this very run of the service printed. Read as events it would print again, without end. */
export type ParsedEntry = Parsed | { readonly kind: 'own' }

/**
 * Never throws. The cursor is the event's id, so that a journal that is read twice fires nothing twice; the entry's own time is data, the event's the door's.
 * @param invocation `$INVOCATION_ID` of this process, where systemd started it
 */
export function parseJournalLine(line: string, door: Pick<Door, 'now'>, invocation?: string): ParsedEntry {
  const read = readJsonLine(line)
  if (read.kind === 'malformed') return read
  const entry = read.value
  if (!isRecord(entry)) return { kind: 'malformed', reason: 'shape', why: 'a journal entry is an object, as journalctl -o json prints it' }
  if (invocation && only(entry, '_SYSTEMD_INVOCATION_ID') === invocation) return { kind: 'own' }
  const text = words(entry)
  if (typeof text !== 'string') return text
  const cursor = only(entry, '__CURSOR')
  const unit = only(entry, '_SYSTEMD_UNIT')
  // Not the unit of a user's own manager: any user may call one sshd.service.
  const named = `${JOURNAL_SOURCE}:${unit ?? ''}`
  return parseEvent({ text, data: dataOf(entry), ...(cursor === undefined ? {} : { id: cursor }) }, { ...door, source: isSource(named) ? named : JOURNAL_SOURCE })
}

/** The message: text, or its bytes where it holds what JSON or a terminal could not show. */
function words(entry: JsonObject): string | Extract<Parsed, { kind: 'malformed' }> {
  const message = Object.hasOwn(entry, 'MESSAGE') ? entry['MESSAGE'] : undefined
  if (typeof message === 'string') return message
  if (message === null) return { kind: 'malformed', reason: 'too-big', why: '"MESSAGE" was too long for journalctl to print; give it --all' }
  if (Array.isArray(message) && message.every(byte => typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte <= 255)) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(message as readonly number[]))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return { kind: 'malformed', reason: 'shape', why: '"MESSAGE" holds bytes that are not valid UTF-8' }
    }
  }
  return { kind: 'malformed', reason: 'shape', why: '"MESSAGE" must be one text, as journalctl -o json prints it' }
}

function dataOf(entry: JsonObject): JsonObject {
  const time = Number(only(entry, '__REALTIME_TIMESTAMP')) / 1000
  const given = {
    unit: only(entry, '_SYSTEMD_UNIT'), userUnit: only(entry, '_SYSTEMD_USER_UNIT'), identifier: only(entry, 'SYSLOG_IDENTIFIER'),
    priority: PRIORITIES[Number(only(entry, 'PRIORITY'))], pid: only(entry, '_PID'), uid: only(entry, '_UID'), host: only(entry, '_HOSTNAME'),
    time: Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : undefined,
  }
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]))
}

/** A field that was given once; a program may give its own fields several times, and then it is a list. */
function only(entry: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(entry, name) ? entry[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
