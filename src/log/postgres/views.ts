/** The owner's questions in PostgreSQL's own SQL: the same views as in the SQLite file, with `writer` beside each row. A test compares the answers. */
import { EFFECT_KINDS, FULFILS } from '../../vocabulary/effects.ts'

const quote = (text: string) => `'${text.replaceAll('\'', '\'\'')}'`

/** (meant, seen, target): a declared kind covers a seen kind, where given only with that target. */
function fulfilRows(): string {
  const rows = EFFECT_KINDS.map(kind => `(${quote(kind)}, ${quote(kind)}, NULL)`)
  for (const [meant, seen] of Object.entries(FULFILS)) {
    for (const pattern of seen as readonly string[]) {
      const colon = pattern.indexOf(':')
      rows.push(colon < 0 ? `(${quote(meant)}, ${quote(pattern)}, NULL)` : `(${quote(meant)}, ${quote(pattern.slice(0, colon))}, ${quote(pattern.slice(colon + 1))})`)
    }
  }
  return rows.join(', ')
}

/** `field`: NULL instead of an error for what PostgreSQL cannot hold as text (NUL), so that one odd row hides no other. Not parallel: a worker may not catch an error. */
const FUNCTIONS = `
CREATE OR REPLACE FUNCTION usher.field(body text, name text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE AS $$
BEGIN RETURN body::json ->> name; EXCEPTION WHEN others THEN RETURN NULL; END $$;
CREATE OR REPLACE FUNCTION usher.items(list text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE AS $$
BEGIN RETURN QUERY SELECT e #>> '{}' FROM json_array_elements(coalesce(list, '[]')::json) e WHERE json_typeof(e) = 'string'; EXCEPTION WHEN others THEN RETURN; END $$;
CREATE OR REPLACE FUNCTION usher.fits(pattern text, target text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT pattern IS NULL OR target LIKE replace(replace(replace(replace(pattern, '\\', '\\\\'), '%', '\\%'), '_', '\\_'), '*', '%') $$;
CREATE OR REPLACE FUNCTION usher.covers(allowed text, seen text, target text) RETURNS boolean LANGUAGE sql STABLE PARALLEL UNSAFE AS $$
SELECT EXISTS (
  SELECT 1 FROM (SELECT split_part(value, ':', 1) AS kind, CASE WHEN strpos(value, ':') = 0 THEN NULL ELSE substr(value, strpos(value, ':') + 1) END AS target FROM usher.items(allowed) value) p
  JOIN (VALUES ${fulfilRows()}) f (meant, seen, target) ON f.meant = p.kind AND f.seen = covers.seen
  WHERE p.target IS DISTINCT FROM ''
    AND (usher.fits(f.target, covers.target) OR (covers.seen = 'process.start' AND usher.fits(f.target, regexp_replace(covers.target, '^.*/', ''))))
    AND (usher.fits(p.target, covers.target) OR (covers.seen = 'process.start' AND usher.fits(p.target, regexp_replace(covers.target, '^.*/', ''))))
) $$;
`

const time = (at: string) => `to_timestamp(${at} / 1000) AS time`
const field = (name: string, as: string, body = 'body') => `usher.field(${body}, '${name}') AS ${as}`
const lastOutcome = (call: string) => `LEFT JOIN LATERAL (SELECT body FROM usher.rows l WHERE l.kind = 'outcome' AND l.call_id = ${call} ORDER BY l.xid DESC, l.place DESC LIMIT 1) o ON true`

const ASKED = `(usher.field(c.body, 'explicit') = 'true' OR usher.field(c.body, 'by') IN ('person', 'approval'))`
const CAUSE = (id: string) => `(SELECT e.caused_by FROM usher.rows e WHERE e.kind = 'event' AND e.event_id = (SELECT k.event_id FROM usher.rows k WHERE k.kind = 'call' AND k.call_id = ${id} LIMIT 1) LIMIT 1)`

const VIEWS: ReadonlyMap<string, string> = new Map([
  ['events', `SELECT writer, seq, ${time('at')}, at, event_id, source, text, sender_id, caused_by, data, ${field('malformed', 'malformed')} FROM usher.rows WHERE kind = 'event'`],
  ['decisions', `SELECT d.writer, d.seq, ${time('d.at')}, d.at, d.decision_id, d.event_id, ${field('nth', 'nth', 'd.body')}, coalesce(n.kind, usher.field(d.body, 'kind')) AS outcome, coalesce(n.reason, usher.field(d.body, 'reason')) AS reason,
    coalesce(n.why, usher.field(d.body, 'why')) AS why, d.route, d.tool, d.call_id, ${field('phrase', 'phrase', 'd.body')}, ${field('score', 'score', 'd.body')}, ${field('margin', 'margin', 'd.body')}, ${field('nearMisses', 'near_misses', 'd.body')},
    ${field('gate', 'gate', 'd.body')}, ${field('args', 'args', 'd.body')}, ${field('presetBytes', 'preset', 'd.body')}, ${field('tableHash', 'table_hash', 'd.body')}, ${field('encoderId', 'encoder', 'd.body')}, ${field('answers', 'answers', 'd.body')}
    FROM usher.rows d LEFT JOIN LATERAL (
      SELECT coalesce(usher.field(z.body, 'kind'), CASE WHEN usher.field(d.body, 'process') IS NULL THEN 'denied' ELSE 'in-flight' END) AS kind,
        coalesce(usher.field(z.body, 'reason'), CASE WHEN usher.field(d.body, 'process') IS NULL THEN 'log-failed' END) AS reason, usher.field(z.body, 'why') AS why
      FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT c.body FROM usher.rows c WHERE c.kind = 'decision' AND c.event_id = d.event_id AND usher.field(c.body, 'answers') = d.decision_id ORDER BY c.xid DESC, c.place DESC LIMIT 1) z ON true
      WHERE usher.field(d.body, 'kind') = 'called' AND d.call_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM usher.rows k WHERE k.kind = 'call' AND k.call_id = d.call_id)
    ) n ON true
    WHERE d.kind = 'decision' AND NOT (usher.field(d.body, 'answers') IS NOT NULL AND EXISTS (SELECT 1 FROM usher.rows f WHERE f.kind = 'decision' AND f.event_id = d.event_id AND f.decision_id = usher.field(d.body, 'answers')))`],
  ['outcomes', `SELECT writer, seq, ${time('at')}, at, call_id, ${field('kind', 'outcome')}, ${field('reason', 'reason')}, ${field('why', 'why')}, ${field('result', 'result')}, ${field('ms', 'ms')} FROM usher.rows WHERE kind = 'outcome'`],
  ['calls', `SELECT c.writer, c.seq, ${time('c.at')}, c.at, c.call_id, c.tool, c.route, ${field('by', 'by', 'c.body')}, ${field('who', 'who', 'c.body')}, ${field('explicit', 'explicit', 'c.body')}, c.event_id, c.decision_id, ${field('args', 'args', 'c.body')},
    ${field('presetBytes', 'preset', 'c.body')}, ${field('allowed', 'allowed', 'c.body')}, coalesce(usher.field(o.body, 'kind'), 'in-flight') AS outcome, ${field('reason', 'reason', 'o.body')}, ${field('why', 'why', 'o.body')} FROM usher.rows c ${lastOutcome('c.call_id')} WHERE c.kind = 'call'`],
  ['effects', `SELECT writer, seq, ${time('at')}, at, ${field('kind', 'kind')}, ${field('target', 'target')}, usher.field(body, 'blocked') = '1' AS blocked, call_id, ${field('background', 'background')}, ${field('watcher', 'watcher')}, ${field('detail', 'detail')} FROM usher.rows WHERE kind = 'effect'`],
  ['acts', `SELECT writer, seq, ${time('at')}, at, ${field('who', 'who')}, ${field('act', 'act')}, ${field('about', 'about')}, ${field('detail', 'detail')} FROM usher.rows WHERE kind IN ('act', 'checkpoint')`],
  ['unexplained', unexplained()],
])

/** The rules of unexplained-sql.ts. */
function unexplained(): string {
  return `WITH RECURSIVE happened AS MATERIALIZED (
    SELECT writer, seq, writer || '/' || seq AS id, at, call_id, usher.field(body, 'kind') AS kind, usher.field(body, 'target') AS target, usher.field(body, 'detail') AS detail
    FROM usher.rows WHERE kind = 'effect' AND usher.field(body, 'blocked') = '0' AND (call_id IS NOT NULL OR usher.field(body, 'background') IS NULL)
  ),
  own AS MATERIALIZED (
    SELECT h.*, c.body AS call_body, c.event_id, c.tool, c.route, ${ASKED} AS asked,
      usher.covers(usher.field(c.body, 'allowed'), h.kind, h.target) OR EXISTS (SELECT 1 FROM usher.items(usher.field(c.body, 'allowed')) a WHERE a = usher.field(h.detail, 'carriedBy')) AS within
    FROM happened h LEFT JOIN usher.rows c ON c.kind = 'call' AND c.call_id = h.call_id
  ),
  chain (id, call_id) AS (
    SELECT id, call_id FROM own WHERE call_body IS NOT NULL AND NOT asked
    UNION
    SELECT id, ${CAUSE('chain.call_id')} FROM chain WHERE call_id IS NOT NULL
  ),
  explained AS MATERIALIZED (
    SELECT DISTINCT o.id FROM chain JOIN own o ON o.id = chain.id JOIN usher.rows c ON c.kind = 'call' AND c.call_id = chain.call_id
    WHERE ${ASKED} AND usher.covers(usher.field(c.body, 'allowed'), o.kind, o.target)
  ),
  judged AS (
    SELECT own.*, CASE WHEN call_id IS NULL THEN 'no-call' WHEN call_body IS NULL THEN 'unlogged-call'
      WHEN NOT asked AND id NOT IN (SELECT id FROM explained) THEN 'no-ask' WHEN NOT within THEN 'beyond-declared' END AS reason FROM own
  ),
  found AS (
    SELECT writer, seq, id, at, reason, kind, target, call_id, tool, route, event_id FROM judged WHERE reason IS NOT NULL
    UNION ALL
    SELECT o.writer, o.seq, o.call_id, o.at, 'unknown-outcome', NULL, NULL, o.call_id, c.tool, c.route, c.event_id
    FROM usher.rows o LEFT JOIN usher.rows c ON c.kind = 'call' AND c.call_id = o.call_id
    WHERE o.kind = 'outcome' AND usher.field(o.body, 'kind') = 'unknown' AND NOT EXISTS (SELECT 1 FROM usher.rows l WHERE l.kind = 'outcome' AND l.call_id = o.call_id AND (l.xid, l.place) > (o.xid, o.place))
  )
  SELECT f.id, to_timestamp(f.at / 1000) AS time, f.at, f.reason, f.kind, f.target, f.call_id, f.tool, f.route, f.event_id, e.source, e.text, f.writer
  FROM found f LEFT JOIN LATERAL (SELECT source, text FROM usher.rows WHERE kind = 'event' AND event_id = f.event_id LIMIT 1) e ON true
  WHERE NOT EXISTS (SELECT 1 FROM usher.rows a WHERE a.kind IN ('act', 'checkpoint') AND usher.field(a.body, 'act') = 'accept' AND usher.field(a.body, 'about') = f.id)
  ORDER BY CASE f.reason WHEN 'no-call' THEN 0 WHEN 'unlogged-call' THEN 1 WHEN 'no-ask' THEN 2 WHEN 'beyond-declared' THEN 3 ELSE 4 END, f.at`
}

export const PG_VIEWS: readonly string[] = [...VIEWS.keys()]

export function pgViews(): string {
  return `${FUNCTIONS}${[...VIEWS].map(([name, select]) => `CREATE OR REPLACE VIEW usher.${name} AS ${select};`).join('\n')}`
}
