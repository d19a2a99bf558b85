/** Lists for `usher log`: events with their decisions and calls, newest last, filtered. */
import { UsherError } from '../errors.ts'
import type { OutcomeKind } from '../types.ts'
import { explainCall, type ExplainedCall } from './explain.ts'
import { callById, decisionsOf, eventById } from './lookups.ts'
import { toPlain } from './plain.ts'
import type { DecisionRecord, EventRecord } from './records.ts'
import type { LogReader } from './reader.ts'

export interface LogFilter {
  /** Ms since 1970. */
  readonly since?: number
  readonly until?: number
  readonly outcome?: OutcomeKind
  readonly tool?: string
  readonly route?: string
  /** `chat` finds `chat:alice` too. */
  readonly source?: string
  /** The newest so many. Default 100. */
  readonly limit?: number
}

/** One line of the list: a decision on an event, or a call that came from no event. */
export interface LogEntry {
  readonly seq: number
  readonly at: number
  /** What became of it in the end: of a call its own outcome, `in-flight` while it runs. */
  readonly outcome: OutcomeKind | 'in-flight'
  readonly event?: EventRecord
  readonly decision?: DecisionRecord
  readonly call?: ExplainedCall
}

const NAMES = ['since', 'until', 'outcome', 'tool', 'route', 'source', 'limit']

const ENTRIES = `WITH last AS (SELECT call_id, max(seq) AS seq FROM rows WHERE kind = 'outcome' GROUP BY call_id),
  entries AS (
    SELECT d.seq, d.at, d.event_id, d.decision_id, d.call_id, d.route, d.tool, e.source AS source,
      CASE WHEN c.seq IS NULL THEN json_extract(d.body, '$.kind') ELSE coalesce(json_extract(o.body, '$.kind'), 'in-flight') END AS outcome
    FROM rows d LEFT JOIN rows e ON e.seq = (SELECT min(seq) FROM rows WHERE kind = 'event' AND event_id = d.event_id)
      LEFT JOIN rows c ON c.kind = 'call' AND c.call_id = d.call_id LEFT JOIN last ON last.call_id = d.call_id LEFT JOIN rows o ON o.seq = last.seq
    WHERE d.kind = 'decision'
    UNION ALL
    SELECT c.seq, c.at, c.event_id, NULL, c.call_id, c.route, c.tool, e.source, coalesce(json_extract(o.body, '$.kind'), 'in-flight')
    FROM rows c LEFT JOIN rows e ON e.seq = (SELECT min(seq) FROM rows WHERE kind = 'event' AND event_id = c.event_id) LEFT JOIN last ON last.call_id = c.call_id LEFT JOIN rows o ON o.seq = last.seq
    WHERE c.kind = 'call' AND NOT EXISTS (SELECT 1 FROM rows d WHERE d.kind = 'decision' AND d.event_id IS c.event_id AND d.call_id = c.call_id)
    UNION ALL
    SELECT e.seq, e.at, e.event_id, NULL, NULL, NULL, NULL, e.source, 'malformed' FROM rows e
    WHERE e.kind = 'event' AND json_extract(e.body, '$.malformed') IS NOT NULL AND NOT EXISTS (SELECT 1 FROM rows d WHERE d.kind = 'decision' AND d.event_id = e.event_id)
  )
  SELECT seq, at, event_id AS eventId, decision_id AS decisionId, call_id AS callId, outcome FROM entries
  WHERE (:since IS NULL OR at >= :since) AND (:until IS NULL OR at < :until) AND (:outcome IS NULL OR outcome = :outcome) AND (:tool IS NULL OR tool = :tool)
    AND (:route IS NULL OR route = :route) AND (:source IS NULL OR source = :source OR substr(source, 1, length(:source) + 1) = :source || ':')
  ORDER BY seq DESC LIMIT :limit`

interface Found { readonly seq: number, readonly at: number, readonly eventId: string | null, readonly decisionId: string | null, readonly callId: string | null, readonly outcome: LogEntry['outcome'] }

/** Throws BAD_OPTION for an unknown filter. */
export function queryLog(reader: LogReader, filter: LogFilter = {}): readonly LogEntry[] {
  for (const name of Object.keys(filter)) if (!NAMES.includes(name)) throw new UsherError('BAD_OPTION', `unknown log filter ${JSON.stringify(name)}; known: ${NAMES.join(', ')}`)
  const limit = filter.limit ?? 100
  if (!(Number.isInteger(limit) && limit > 0)) throw new UsherError('BAD_OPTION', `limit must be a whole number above 0, got ${limit}`)
  const text = (value: string | undefined) => value === undefined ? null : toPlain(value)
  const found = reader.db.prepare(ENTRIES).all({
    since: filter.since ?? null, until: filter.until ?? null, outcome: filter.outcome ?? null, tool: text(filter.tool), route: text(filter.route), source: text(filter.source), limit,
  }) as Found[]
  return found.toReversed().map(row => toEntry(reader, row))
}

function toEntry(reader: LogReader, row: Found): LogEntry {
  const event = row.eventId === null ? undefined : eventById(reader.db, row.eventId)
  const decision = row.decisionId === null || row.eventId === null ? undefined : decisionsOf(reader.db, row.eventId).find(found => found.seq === row.seq)
  const call = row.callId === null ? undefined : callById(reader.db, row.callId)
  return { seq: row.seq, at: row.at, outcome: row.outcome, ...(event ? { event } : {}), ...(decision ? { decision } : {}), ...(call ? { call: explainCall(reader, call) } : {}) }
}
