/** One page of the list, newest first, and the squares of the picture: both from the index, words and reasons from the log itself. */
import { closingOf, isUnbegun } from '../../log/announced.ts'
import type { Db } from '../../log/db.ts'
import { fromPlain, toPlain } from '../../log/plain.ts'
import { ENTRY_TEXT, type Bucket, type Entry, type EntryOutcome, type EntryPage, type Filter } from '../ports.ts'

interface Found {
  readonly seq: number, readonly at: number, readonly id: string, readonly source: string, readonly text: string | null, readonly text_length: number | null, readonly event_seq: number | null, readonly outcome: EntryOutcome
  readonly route: string | null, readonly tool: string | null, readonly why: string | null, readonly effects: number, readonly stopped: number
}

/** A text stored as `json:` is decoded whole; of any other no more is read than is shown. */
const CUT = `CASE WHEN substr(t.text, 1, 5) = 'json:' THEN t.text ELSE substr(t.text, 1, ${ENTRY_TEXT}) END`
const WHY = `coalesce((SELECT json_extract(o.body, '$.why') FROM rows o WHERE o.kind = 'outcome' AND o.call_id = e.call_id ORDER BY o.seq DESC LIMIT 1), CASE WHEN ${isUnbegun('r')} THEN (SELECT json_extract(z.body, '$.why') FROM rows z WHERE z.seq = ${closingOf('r')}) END, json_extract(r.body, '$.why'), json_extract(r.body, '$.malformed'))`

/** Conditions on `entries e`, and what they are bound to. */
function conditions(filter: Filter): { readonly where: string, readonly bound: { readonly [name: string]: string | number } } {
  const where: string[] = []
  const bound: { [name: string]: string | number } = {}
  const equal = (column: 'route' | 'tool' | 'outcome', value: string | undefined): void => {
    if (value === undefined) return
    where.push(`e.${column} = :${column}`)
    bound[column] = toPlain(value)
  }
  equal('route', filter.route)
  equal('tool', filter.tool)
  equal('outcome', filter.outcome)
  if (filter.source !== undefined) {
    // `;` comes after `:`: all that begins with the kind and a colon.
    where.push('(e.source = :source OR (e.source > :source || \':\' AND e.source < :source || \';\'))')
    bound['source'] = toPlain(filter.source)
  }
  if (filter.since !== undefined) { where.push('e.at >= :since'); bound['since'] = filter.since }
  if (filter.until !== undefined) { where.push('e.at < :until'); bound['until'] = filter.until }
  if (filter.effects) where.push('(e.effects > 0 OR e.stopped > 0)')
  if (filter.text !== undefined) {
    where.push('EXISTS (SELECT 1 FROM rows x WHERE x.seq = e.event_seq AND x.text LIKE :text ESCAPE \'\\\')')
    bound['text'] = `%${filter.text.replace(/[\\%_]/g, sign => `\\${sign}`)}%`
  }
  return { where: where.join(' AND ') || '1', bound }
}

export function listEntries(db: Db, filter: Filter, limit: number, before?: number): EntryPage {
  const { where, bound } = conditions(filter)
  const rows = db.prepare(`SELECT e.seq AS seq, e.at AS at, coalesce(e.decision_id, e.call_id, e.event_id) AS id, e.source AS source, ${CUT} AS text, json_extract(t.body, '$.textLength') AS text_length, e.event_seq AS event_seq,
      e.outcome AS outcome, e.route AS route, e.tool AS tool, ${WHY} AS why, e.effects AS effects, e.stopped AS stopped
    FROM (SELECT * FROM temp.entries e WHERE ${where}${before === undefined ? '' : ' AND e.seq < :before'} ORDER BY e.seq DESC LIMIT :limit) e
    JOIN rows r ON r.seq = e.seq LEFT JOIN rows t ON t.seq = e.event_seq ORDER BY e.seq DESC`).all({ ...bound, limit: limit + 1, ...(before === undefined ? {} : { before }) }) as Found[]
  const entries = rows.slice(0, limit).map(toEntry)
  const last = entries.at(-1)
  return { entries, ...(rows.length > limit && last ? { older: last.seq } : {}) }
}

function toEntry(row: Found): Entry {
  return {
    seq: row.seq, at: row.at, id: fromPlain(row.id), source: fromPlain(row.source), outcome: row.outcome, why: row.why ?? '', effects: row.effects, stopped: row.stopped,
    ...(row.event_seq === null ? {} : { text: row.text === null ? null : fromPlain(row.text).slice(0, ENTRY_TEXT) }), ...(row.text_length === null ? {} : { textLength: row.text_length }),
    ...(row.route === null ? {} : { route: fromPlain(row.route) }), ...(row.tool === null ? {} : { tool: fromPlain(row.tool) }),
  }
}

/** How many lines a filter finds; undefined for words, where every text would have to be read. */
export function countEntries(db: Db, filter: Filter): number | undefined {
  if (filter.text !== undefined) return undefined
  const { where, bound } = conditions(filter)
  return db.prepare(`SELECT count(*) FROM temp.entries e WHERE ${where}`).pluck().get(bound) as number
}

/** By kind of source. @param edges of the columns, ascending */
export function countBuckets(db: Db, edges: readonly number[]): readonly Bucket[] {
  const [first] = edges
  const last = edges.at(-1)
  if (first === undefined || last === undefined || edges.length < 2) return []
  const rows = db.prepare(`WITH edge(at, next) AS (SELECT value, lead(value) OVER (ORDER BY value) FROM json_each(:edges))
    SELECT CASE WHEN instr(e.source, ':') = 0 THEN e.source ELSE substr(e.source, 1, instr(e.source, ':') - 1) END AS source, edge.at AS at,
      sum(e.begun) AS fired, count(*) AS total, sum(e.effects) AS effects, sum(e.stopped) AS stopped
    FROM edge JOIN temp.entries e ON e.at >= edge.at AND e.at < edge.next WHERE edge.next IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`)
    .all({ edges: JSON.stringify(edges) }) as (Omit<Bucket, 'held'> & { total: number })[]
  return rows.map(({ total, ...row }) => ({ ...row, source: fromPlain(row.source), held: total - row.fired }))
}

/** What the filters offer: what is in the log, not all of it where it is too much for a choice. */
export function choices(db: Db, column: 'source' | 'route' | 'tool'): readonly string[] {
  return (db.prepare(`SELECT DISTINCT ${column} FROM temp.entries WHERE ${column} IS NOT NULL AND ${column} <> '' ORDER BY 1 LIMIT 500`).pluck().all() as string[]).map(fromPlain)
}
