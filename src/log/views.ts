/** Plain views for whoever opens the file with sqlite3: one per kind of row, and the question that Usher exists for. */
import type { Db } from './db.ts'
import { unexplainedSql } from './unexplained-sql.ts'

const field = (name: string, as = name) => `json_extract(body, '$.${name}') AS ${as}`

export const VIEWS: ReadonlyMap<string, string> = new Map([
  ['events', `SELECT seq, datetime(at / 1000, 'unixepoch', 'localtime') AS time, at, event_id, source, text, sender_id, caused_by, data,
    ${field('textLength', 'text_length')}, ${field('malformed')}, coalesce(json_extract(body, '$.masked'), coalesce(instr(text, '[masked:'), 0) > 0) AS masked FROM rows WHERE kind = 'event'`],
  ['decisions', `SELECT seq, datetime(at / 1000, 'unixepoch', 'localtime') AS time, at, decision_id, event_id, ${field('nth')}, ${field('kind', 'outcome')}, ${field('reason')}, ${field('why')},
    route, tool, call_id, ${field('phrase')}, ${field('score')}, ${field('margin')}, ${field('runnerUp', 'runner_up')}, ${field('nearMisses', 'near_misses')}, ${field('gate')}, ${field('reading')},
    ${field('args')}, ${field('origins')}, ${field('presetBytes', 'preset')}, ${field('question')}, ${field('tableHash', 'table_hash')}, ${field('encoderId', 'encoder')} FROM rows WHERE kind = 'decision'`],
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
