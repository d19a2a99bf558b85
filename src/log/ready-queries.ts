/** Ten queries for `sqlite3 FILE`: the README prints them, and a test runs each. */

export interface ReadyQuery { readonly name: string, readonly question: string, readonly sql: string }

export const READY_QUERIES: readonly ReadyQuery[] = [
  { name: 'unexplained', question: 'What happened that nobody asked for?', sql: 'SELECT time, reason, kind, target, tool, text, next_step FROM unexplained' },
  { name: 'today', question: 'What was called today, and by whom?', sql: 'SELECT time, by, tool, args, outcome FROM calls WHERE time >= date(\'now\', \'localtime\') ORDER BY seq' },
  { name: 'words', question: 'Which words made which call?', sql: 'SELECT c.time, e.source, e.text, c.tool, c.args, c.outcome FROM calls c JOIN events e ON e.event_id = c.event_id ORDER BY c.seq' },
  { name: 'held', question: 'What was held back, and why?', sql: 'SELECT d.time, d.outcome, d.reason, d.route, e.source, e.text, d.why FROM decisions d JOIN events e ON e.event_id = d.event_id WHERE d.outcome NOT IN (\'called\', \'in-flight\') ORDER BY d.seq' },
  { name: 'stopped', question: 'Which effects were stopped before they happened?', sql: 'SELECT e.time, e.kind, e.target, c.tool, c.route, c.allowed FROM effects e LEFT JOIN calls c ON c.call_id = e.call_id WHERE e.blocked = 1 ORDER BY e.seq' },
  { name: 'effects', question: 'What did each tool really do?', sql: 'SELECT coalesce(c.tool, e.background, \'(no call)\') AS tool, e.kind, e.target, count(*) AS times FROM effects e LEFT JOIN calls c ON c.call_id = e.call_id WHERE e.blocked = 0 GROUP BY 1, 2, 3 ORDER BY times DESC' },
  { name: 'near-misses', question: 'Which routes were nearly taken, and on which words?', sql: 'SELECT json_extract(m.value, \'$.route\') AS route, round(json_extract(m.value, \'$.score\'), 3) AS score, e.text FROM decisions d JOIN events e ON e.event_id = d.event_id, json_each(d.near_misses) m ORDER BY score DESC' },
  { name: 'unknown', question: 'Which calls were cut off, so that nobody knows whether they took effect?', sql: 'SELECT time, call_id, tool, args, reason, why FROM calls WHERE outcome = \'unknown\' ORDER BY seq' },
  { name: 'slow', question: 'Which tools take long?', sql: 'SELECT tool, count(*) AS calls, round(avg(ms)) AS mean_ms, max(ms) AS max_ms FROM calls WHERE ms IS NOT NULL GROUP BY tool ORDER BY mean_ms DESC' },
  { name: 'people', question: 'What did people decide?', sql: 'SELECT time, who, act, about, detail FROM acts WHERE who <> \'usher\' ORDER BY seq' },
]
