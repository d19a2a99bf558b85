/** The tables. Forward only: a migration that was released is never changed, a new one is added. */

/** "ushr" in ASCII, SQLite's application_id: another program's database is not written into. */
export const APPLICATION_ID = 0x75736872

const ROWS = `
CREATE TABLE rows (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  text TEXT,
  data TEXT,
  salt TEXT,
  at NUMERIC GENERATED ALWAYS AS (json_extract(body, '$.at')) VIRTUAL,
  event_id TEXT GENERATED ALWAYS AS (json_extract(body, '$.eventId')) VIRTUAL,
  decision_id TEXT GENERATED ALWAYS AS (json_extract(body, '$.decisionId')) VIRTUAL,
  call_id TEXT GENERATED ALWAYS AS (json_extract(body, '$.callId')) VIRTUAL,
  source TEXT GENERATED ALWAYS AS (json_extract(body, '$.source')) VIRTUAL,
  sender_id TEXT GENERATED ALWAYS AS (json_extract(body, '$.senderId')) VIRTUAL,
  caused_by TEXT GENERATED ALWAYS AS (json_extract(body, '$.causedBy')) VIRTUAL,
  route TEXT GENERATED ALWAYS AS (json_extract(body, '$.route')) VIRTUAL,
  tool TEXT GENERATED ALWAYS AS (json_extract(body, '$.tool')) VIRTUAL
);
CREATE INDEX events_by_id ON rows(event_id) WHERE kind = 'event';
CREATE INDEX events_by_sender ON rows(source, sender_id) WHERE kind = 'event';
CREATE INDEX decisions_by_event ON rows(event_id) WHERE kind = 'decision';
CREATE INDEX calls_by_id ON rows(call_id) WHERE kind = 'call';
CREATE INDEX calls_by_route ON rows(route, at) WHERE kind = 'call';
CREATE INDEX calls_by_event ON rows(event_id) WHERE kind = 'call';
CREATE INDEX outcomes_by_call ON rows(call_id) WHERE kind = 'outcome';
CREATE INDEX effects_by_call ON rows(call_id) WHERE kind = 'effect';
CREATE INDEX acts_in_order ON rows(seq) WHERE kind IN ('act', 'checkpoint');
`

/** Append only, also for whoever opens the file with sqlite3. INSERT OR REPLACE deletes without a delete trigger, hence the third. */
export const TRIGGERS: ReadonlyMap<string, string> = new Map([
  ['rows_no_update', `CREATE TRIGGER rows_no_update BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'the log is append only'); END`],
  ['rows_no_delete', `CREATE TRIGGER rows_no_delete BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'the log is append only'); END`],
  ['rows_in_order', `CREATE TRIGGER rows_in_order BEFORE INSERT ON rows WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM rows) BEGIN SELECT RAISE(ABORT, 'the log is append only'); END`],
])

/**
 * Every index that a row stands in is a page more to write before its call may run. What belongs to one event, and to one call, now stands side by
 * side in one index each; a direct call, whose sender's id is our own and cannot come again, is looked up by no sender.
 */
const FEWER_INDEXES = `
CREATE INDEX rows_by_event ON rows(event_id, kind) WHERE kind = 'event' OR kind = 'decision' OR kind = 'call';
CREATE INDEX rows_by_call ON rows(call_id, kind) WHERE kind = 'call' OR kind = 'outcome';
DROP INDEX events_by_id;
DROP INDEX decisions_by_event;
DROP INDEX calls_by_event;
DROP INDEX calls_by_id;
DROP INDEX outcomes_by_call;
DROP INDEX events_by_sender;
CREATE INDEX events_by_sender ON rows(source, sender_id) WHERE kind = 'event' AND sender_id <> event_id;
`

/** Migration n brings a file from version n to n + 1. */
export const MIGRATIONS: readonly string[] = [
  ROWS,
  [...TRIGGERS.values()].map(sql => `${sql};`).join('\n'),
  'CREATE INDEX decisions_by_id ON rows(decision_id) WHERE kind = \'decision\';',
  FEWER_INDEXES,
]

/** What came later only made questions faster: such a file is read as it is. */
export const OLDEST_READABLE = 2

export const SCHEMA_VERSION = MIGRATIONS.length
