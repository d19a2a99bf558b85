/** Lists for `usher log`: events with their decisions and calls, newest last, filtered. */
import { UsherError } from '../errors.ts'
import type { OutcomeKind } from '../types.ts'
import { endedDecisions, endOfDecision, isClosing, type EndedDecision } from './announced.ts'
import { explainCall, type ExplainedCall } from './explain.ts'
import { callById, decisionsOf, eventById } from './lookups.ts'
import { toPlain } from './plain.ts'
import type { EventRecord } from './records.ts'
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
  readonly decision?: EndedDecision
  readonly call?: ExplainedCall
}

const NAMES = ['since', 'until', 'outcome', 'tool', 'route', 'source', 'limit']

/** The last outcome of a call counts. */
const END_OF = (callId: string) => `coalesce((SELECT json_extract(o.body, '$.kind') FROM rows o WHERE o.kind = 'outcome' AND o.call_id = ${callId} ORDER BY o.seq DESC LIMIT 1), 'in-flight')`
const IS_CALLED = 'EXISTS (SELECT 1 FROM rows c WHERE c.kind = \'call\' AND c.call_id = r.call_id)'
const IS_DECIDED = 'EXISTS (SELECT 1 FROM rows d WHERE d.kind = \'decision\' AND d.event_id = r.event_id AND (r.kind = \'event\' OR d.call_id = r.call_id))'

/** One pass over the rows from the newest back, which ends at the limit: a join would first build the whole list. */
const ENTRIES = `SELECT seq, at, event_id AS eventId, decision_id AS decisionId, call_id AS callId, outcome FROM (
    SELECT r.seq, r.at, r.event_id, r.call_id, r.route, r.tool, CASE r.kind WHEN 'decision' THEN r.decision_id END AS decision_id,
      CASE r.kind WHEN 'event' THEN r.source ELSE (SELECT e.source FROM rows e WHERE e.kind = 'event' AND e.event_id = r.event_id ORDER BY e.seq LIMIT 1) END AS source,
      CASE r.kind WHEN 'event' THEN 'malformed' WHEN 'call' THEN ${END_OF('r.call_id')} ELSE CASE WHEN ${IS_CALLED} THEN ${END_OF('r.call_id')} ELSE ${endOfDecision('r')} END END AS outcome
    FROM rows r
    WHERE (r.kind = 'decision' AND NOT ${isClosing('r')}) OR (r.kind = 'call' AND NOT ${IS_DECIDED}) OR (r.kind = 'event' AND json_extract(r.body, '$.malformed') IS NOT NULL AND NOT ${IS_DECIDED})
  )
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
  const decision = row.decisionId === null || row.eventId === null ? undefined : endedDecisions(reader.db, decisionsOf(reader.db, row.eventId)).find(found => found.seq === row.seq)
  const call = row.callId === null ? undefined : callById(reader.db, row.callId)
  return { seq: row.seq, at: row.at, outcome: row.outcome, ...(event ? { event } : {}), ...(decision ? { decision } : {}), ...(call ? { call: explainCall(reader, call) } : {}) }
}
