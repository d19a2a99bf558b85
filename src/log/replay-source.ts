/** Every logged event with what was decided on it then, for deciding again. */
import { decisionsOf } from './lookups.ts'
import { RAW, toEvent, type DecisionRecord, type EventRecord, type RawRow } from './records.ts'
import type { LogReader } from './reader.ts'

export interface LoggedEvent { readonly event: EventRecord, readonly decisions: readonly DecisionRecord[] }

const PAGE = 100

/** In the order of the log. Events with `notReplayable` come too: whoever replays counts them. Malformed ones were no events. */
export function* loggedEvents(reader: LogReader, options: { readonly since?: number, readonly until?: number } = {}): Generator<LoggedEvent, void, undefined> {
  const page = reader.db.prepare(`SELECT ${RAW} FROM rows WHERE kind = 'event' AND seq > :after AND (:since IS NULL OR at >= :since) AND (:until IS NULL OR at < :until)
    AND json_extract(body, '$.malformed') IS NULL ORDER BY seq LIMIT ${PAGE}`)
  let after = 0
  for (;;) {
    const rows = page.all({ after, since: options.since ?? null, until: options.until ?? null }) as RawRow[]
    for (const raw of rows) {
      after = raw.seq
      const event = toEvent(raw)
      yield { event, decisions: decisionsOf(reader.db, event.eventId) }
    }
    if (rows.length < PAGE) return
  }
}
