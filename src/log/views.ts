/** Plain views for whoever opens the file with sqlite3: one per kind of row, and the question that Usher exists for. */
import { closingOf, endOfDecision, isClosing, isUnbegun } from './announced.ts'
import type { Db } from './db.ts'
import { unexplainedSql } from './unexplained-sql.ts'

const field = (name: string, as = name) => `json_extract(body, '$.${name}') AS ${as}`
const of = (row: string, name: string, as = name) => `json_extract(${row}.body, '$.${name}') AS ${as}`
/** Of what closed the decision `d`, where its call never began. */
const ofClosing = (name: string) => `(SELECT json_extract(x.body, '$.${name}') FROM rows x WHERE x.seq = ${closingOf('d')} AND ${isUnbegun('d')})`

export const VIEWS: ReadonlyMap<string, string> = new Map([
  ['events', `SELECT seq, datetime(at / 1000, 'unixepoch', 'localtime') AS time, at, event_id, source, text, sender_id, caused_by, data,
    ${field('textLength', 'text_length')}, ${field('malformed')}, coalesce(json_extract(body, '$.masked'), coalesce(instr(text, '[masked:'), 0) > 0) AS masked FROM rows WHERE kind = 'event'`],
  ['decisions', `SELECT d.seq, datetime(d.at / 1000, 'unixepoch', 'localtime') AS time, d.at, d.decision_id, d.event_id, ${of('d', 'nth')}, ${endOfDecision('d')} AS outcome,
    coalesce(${ofClosing('reason')}, CASE ${endOfDecision('d')} WHEN 'denied' THEN iif(${isUnbegun('d')}, 'log-failed', NULL) END, json_extract(d.body, '$.reason')) AS reason, coalesce(${ofClosing('why')}, json_extract(d.body, '$.why')) AS why,
    d.route, d.tool, d.call_id, ${of('d', 'phrase')}, ${of('d', 'score')}, ${of('d', 'margin')}, ${of('d', 'runnerUp', 'runner_up')}, ${of('d', 'nearMisses', 'near_misses')}, ${of('d', 'gate')}, ${of('d', 'reading')},
    ${of('d', 'args')}, ${of('d', 'origins')}, ${of('d', 'presetBytes', 'preset')}, ${of('d', 'question')}, ${of('d', 'answers')}, ${of('d', 'tableHash', 'table_hash')}, ${of('d', 'encoderId', 'encoder')}
    FROM rows d WHERE d.kind = 'decision' AND NOT ${isClosing('d')}`],
  ['outcomes', `SELECT seq, datetime(at / 1000, 'unixepoch', 'localtime') AS time, at, call_id, ${field('kind', 'outcome')}, ${field('reason')}, ${field('why')}, ${field('result')}, ${field('ms')} FROM rows WHERE kind = 'outcome'`],
  ['calls', `SELECT c.seq, datetime(c.at / 1000, 'unixepoch', 'localtime') AS time, c.at, c.call_id, c.tool, c.route, json_extract(c.body, '$.by') AS by, json_extract(c.body, '$.who') AS who,
    json_extract(c.body, '$.explicit') AS explicit, c.event_id, c.decision_id, json_extract(c.body, '$.args') AS args, json_extract(c.body, '$.presetBytes') AS preset,
    json_extract(c.body, '$.allowed') AS allowed, json_extract(c.body, '$.ignoredKeys') AS ignored_keys, json_extract(c.body, '$.contractHash') AS contract_hash,
    coalesce(json_extract(o.body, '$.kind'), 'in-flight') AS outcome, json_extract(o.body, '$.reason') AS reason, json_extract(o.body, '$.why') AS why, json_extract(o.body, '$.ms') AS ms
    FROM rows c LEFT JOIN rows o ON o.seq = (SELECT max(l.seq) FROM rows l WHERE l.kind = 'outcome' AND l.call_id = c.call_id) WHERE c.kind = 'call'`],
  ['effects', `SELECT seq, 'effect-' || seq AS effect_id, datetime(at / 1000, 'unixepoch', 'localtime') AS time, at, ${field('kind')}, ${field('target')}, json_extract(body, '$.blocked') AS blocked, call_id,
    ${field('background')}, ${field('watcher')}, ${field('detail')}, coalesce(json_extract(body, '$.times'), 1) AS times, json_extract(body, '$.of') AS repeat_of FROM rows WHERE kind = 'effect'`],
  ['acts', `SELECT seq, datetime(at / 1000, 'unixepoch', 'localtime') AS time, at, ${field('who')}, ${field('act')}, ${field('about')}, ${field('detail')} FROM rows WHERE kind IN ('act', 'checkpoint')`],
  ['unexplained', unexplainedSql()],
])

/** What the view's row in sqlite_master must say. */
export function viewSql(name: string, select: string): string {
  return `CREATE VIEW ${name} AS ${select}`
}

/** Inside the opening transaction: a view that an older (or another) Usher made is made anew. */
export function installViews(db: Db): void {
  const find = db.prepare('SELECT sql FROM sqlite_master WHERE type = \'view\' AND name = ?').pluck()
  for (const [name, select] of VIEWS) {
    const sql = viewSql(name, select)
    if (find.get(name) === sql) continue
    db.exec(`DROP VIEW IF EXISTS ${name}`)
    db.exec(sql)
  }
}
