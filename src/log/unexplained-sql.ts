/**
 * Which side effects had no explicit ask behind them? One statement, which is the owner's view and the program's answer alike.
 *
 * An effect is explained by an asked call (an explicit ask of an allowed source, a person, an approval): its own, as far as the tool declared
 * and the route allowed it, or one that caused the event behind it, at any depth, as far as that one's route allowed such an effect.
 * Background work explains only what no call did.
 */
import { coversSql, FULFILS_CTE } from './covers-sql.ts'

/** Why something stands in the list, worst first. */
export const UNEXPLAINED_REASONS = ['no-call', 'unlogged-call', 'no-ask', 'beyond-declared', 'unknown-outcome'] as const

const ASKED = '(json_extract(c.body, \'$.explicit\') = 1 OR json_extract(c.body, \'$.by\') IN (\'person\', \'approval\'))'
/** Scalar subqueries, not joins: inside a recursion SQLite would build an index anew for every step. */
const CALL_SEQ = (id: string) => `(SELECT min(seq) FROM rows WHERE kind = 'call' AND call_id = ${id})`
const CAUSE = (id: string) => `(SELECT e.caused_by FROM rows e WHERE e.kind = 'event' AND e.event_id = (SELECT k.event_id FROM rows k WHERE k.kind = 'call' AND k.call_id = ${id} ORDER BY k.seq LIMIT 1) ORDER BY e.seq LIMIT 1)`
const ACCEPTED = (id: string) => `EXISTS (SELECT 1 FROM rows a WHERE a.kind IN ('act', 'checkpoint') AND json_extract(a.body, '$.act') = 'accept' AND json_extract(a.body, '$.about') = ${id})`

const NEXT = `CASE f.reason
    WHEN 'no-call' THEN 'find what did it: ' || coalesce(nullif(f.evidence, ''), 'no stack was kept') || '; name the work with usher.background() if it is yours'
    WHEN 'unlogged-call' THEN 'run usher verify: the row of this call is missing'
    WHEN 'no-ask' THEN 'usher explain ' || f.call_id || ' shows why it ran; make its route explicit or take its effect away'
    WHEN 'beyond-declared' THEN 'declare the effect in the tool and allow it in the route, or mend the tool'
    ELSE 'check by hand whether it took effect; usher explain ' || f.call_id || ' shows what it was to do'
  END`

/** The observer let it pass as part of a permission that the call has: a look-up for an allowed connection, a connection for an allowed request. */
const CARRIED = `EXISTS (SELECT 1 FROM json_each(coalesce(json_extract(c.body, '$.allowed'), '[]')) a WHERE a.value = json_extract(h.detail, '$.carriedBy'))`

/** The code that did it, where the watcher kept that; else all that it knows. */
const WHERE_FROM = 'CASE WHEN json_extract(j.detail, \'$.by\') IS NULL THEN coalesce(j.detail, \'\') ELSE coalesce(json_extract(j.detail, \'$.api\') || \' at \', \'\') || json_extract(j.detail, \'$.by\') END'

/** @param since SQL giving the earliest time (ms), or '' for all */
export function unexplainedSql(since = ''): string {
  const after = (at: string) => since === '' ? '' : ` AND ${at} >= ${since}`
  return `WITH RECURSIVE ${FULFILS_CTE},
  happened AS MATERIALIZED (
    SELECT seq, at, call_id, json_extract(body, '$.kind') AS kind, json_extract(body, '$.target') AS target, json_extract(body, '$.detail') AS detail
    FROM rows WHERE kind = 'effect' AND json_extract(body, '$.blocked') = 0 AND json_extract(body, '$.of') IS NULL AND (call_id IS NOT NULL OR json_extract(body, '$.background') IS NULL)${after('at')}
  ),
  own AS MATERIALIZED (
    SELECT h.*, c.seq AS call_seq, ${ASKED} AS asked, (${coversSql('json_extract(c.body, \'$.allowed\')', 'h.kind', 'h.target')} OR ${CARRIED}) AS within
    FROM happened h LEFT JOIN rows c ON c.seq = ${CALL_SEQ('h.call_id')}
  ),
  chain(seq, call_id) AS (
    SELECT seq, call_id FROM own WHERE call_seq IS NOT NULL AND NOT asked
    UNION
    SELECT seq, ${CAUSE('chain.call_id')} FROM chain WHERE call_id IS NOT NULL
  ),
  explained AS MATERIALIZED (
    SELECT DISTINCT o.seq AS seq FROM chain JOIN own o ON o.seq = chain.seq JOIN rows c ON c.seq = ${CALL_SEQ('chain.call_id')}
    WHERE ${ASKED} AND ${coversSql('json_extract(c.body, \'$.allowed\')', 'o.kind', 'o.target')}
  ),
  judged AS MATERIALIZED (
    SELECT own.*, CASE
      WHEN call_id IS NULL THEN 'no-call'
      WHEN call_seq IS NULL THEN 'unlogged-call'
      WHEN NOT asked AND seq NOT IN (SELECT seq FROM explained) THEN 'no-ask'
      WHEN NOT within THEN 'beyond-declared'
    END AS reason FROM own
  ),
  found AS (
    SELECT j.seq AS seq, 'effect-' || j.seq AS id, j.at AS at, j.reason AS reason, j.kind AS kind, j.target AS target, j.call_id AS call_id, c.tool AS tool, c.route AS route, c.event_id AS event_id,
      CASE j.reason WHEN 'no-call' THEN ${WHERE_FROM} WHEN 'beyond-declared' THEN 'allowed: ' || coalesce(json_extract(c.body, '$.allowed'), 'nothing was declared')
        WHEN 'no-ask' THEN 'called by ' || json_extract(c.body, '$.by') || ' without an explicit ask' ELSE 'no row of call ' || j.call_id END AS evidence
    FROM judged j LEFT JOIN rows c ON c.seq = j.call_seq WHERE j.reason IS NOT NULL
    UNION ALL
    SELECT o.seq, o.call_id, o.at, 'unknown-outcome', NULL, NULL, o.call_id, c.tool, c.route, c.event_id, json_extract(o.body, '$.reason') || ': ' || json_extract(o.body, '$.why')
    FROM rows o LEFT JOIN rows c ON c.seq = ${CALL_SEQ('o.call_id')}
    WHERE o.kind = 'outcome' AND json_extract(o.body, '$.kind') = 'unknown'${after('o.at')}
      AND NOT EXISTS (SELECT 1 FROM rows l WHERE l.kind = 'outcome' AND l.call_id = o.call_id AND l.seq > o.seq)
  )
  SELECT f.seq AS seq, f.id AS id, datetime(f.at / 1000, 'unixepoch', 'localtime') AS time, f.at AS at, f.reason AS reason, f.kind AS kind, f.target AS target, f.call_id AS call_id, f.tool AS tool, f.route AS route,
    f.event_id AS event_id, e.source AS source, e.text AS text, f.evidence AS evidence, ${NEXT} AS next_step
  FROM found f LEFT JOIN rows e ON e.seq = (SELECT min(seq) FROM rows WHERE kind = 'event' AND event_id = f.event_id)
  WHERE NOT ${ACCEPTED('f.id')}
  ORDER BY CASE f.reason WHEN 'no-call' THEN 0 WHEN 'unlogged-call' THEN 1 WHEN 'no-ask' THEN 2 WHEN 'beyond-declared' THEN 3 ELSE 4 END, f.seq`
}
