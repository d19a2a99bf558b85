/**
 * The tables of a log that several machines write. Append only by rights (the runtime's role may insert and select), and by triggers for
 * whoever has more rights. Forward only, as in schema.ts of the SQLite log.
 */
import type { PgConnection } from './client.ts'
import { pgViews } from './views.ts'

export const PG_SCHEMA_VERSION = 1
/** A role that cannot log in: logins are made members of it. */
export const RUNTIME_ROLE = 'usher_runtime'

/**
 * `rows`: one chain for each writer (a process). `xid` is what readers page by: a row with a lower number may become visible later than
 * one with a higher, so they read only below the oldest transaction that still runs.
 * `event_claims`: who decides an event; the highest generation counts. `call_claims`: one row for each (event, route, clause) that was called.
 */
const TABLES = `
CREATE SCHEMA usher;
CREATE TABLE usher.meta (version integer NOT NULL, log_id text NOT NULL, made timestamptz NOT NULL DEFAULT now());
CREATE TABLE usher.rows (
  writer text NOT NULL, seq bigint NOT NULL, kind text NOT NULL, body text NOT NULL, prev text NOT NULL, hash text NOT NULL, text text, data text, salt text,
  at double precision, event_id text, decision_id text, call_id text, source text, sender_id text, caused_by text, route text, tool text,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(), place bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (writer, seq)
);
CREATE INDEX rows_in_order ON usher.rows (xid, place);
CREATE INDEX events_by_id ON usher.rows (event_id) WHERE kind = 'event';
CREATE INDEX events_by_sender ON usher.rows (source, sender_id) WHERE kind = 'event';
CREATE INDEX decisions_by_event ON usher.rows (event_id) WHERE kind = 'decision';
CREATE INDEX calls_by_id ON usher.rows (call_id) WHERE kind = 'call';
CREATE INDEX calls_by_route ON usher.rows (route, at) WHERE kind = 'call';
CREATE INDEX outcomes_by_call ON usher.rows (call_id) WHERE kind = 'outcome';
CREATE INDEX effects_by_call ON usher.rows (call_id) WHERE kind = 'effect';
CREATE INDEX acts_in_order ON usher.rows (place) WHERE kind IN ('act', 'checkpoint');
CREATE TABLE usher.event_claims (event_key text NOT NULL, generation integer NOT NULL, writer text NOT NULL, at double precision NOT NULL, source text NOT NULL, sender_id text NOT NULL, PRIMARY KEY (event_key, generation));
CREATE TABLE usher.call_claims (event_key text NOT NULL, route text NOT NULL, clause integer NOT NULL, call_id text NOT NULL, writer text NOT NULL, at double precision NOT NULL, PRIMARY KEY (event_key, route, clause));
CREATE TABLE usher.recoveries (call_id text PRIMARY KEY, writer text NOT NULL, at double precision NOT NULL);
CREATE TABLE usher.heartbeats (writer text NOT NULL, at double precision NOT NULL, detail text NOT NULL, PRIMARY KEY (writer, at));
CREATE TABLE usher.pins (place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, table_hash text NOT NULL, encoder text NOT NULL, who text NOT NULL, at double precision NOT NULL);
CREATE FUNCTION usher.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the log is append only' USING ERRCODE = 'insufficient_privilege'; END $$;
`

/** Everything that may only grow. */
export const APPEND_ONLY = ['rows', 'event_claims', 'call_claims', 'recoveries', 'pins'] as const

const triggers = APPEND_ONLY.map(table => `
CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON usher.${table} FOR EACH ROW EXECUTE FUNCTION usher.refuse();
CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON usher.${table} FOR EACH STATEMENT EXECUTE FUNCTION usher.refuse();`).join('')

const GRANTS = `
DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${RUNTIME_ROLE}') THEN CREATE ROLE ${RUNTIME_ROLE} NOLOGIN; END IF; END $$;
GRANT USAGE ON SCHEMA usher TO ${RUNTIME_ROLE};
GRANT SELECT, INSERT ON usher.rows, usher.event_claims, usher.call_claims, usher.recoveries, usher.heartbeats TO ${RUNTIME_ROLE};
GRANT SELECT ON usher.meta, usher.pins TO ${RUNTIME_ROLE};
`

/** Makes the tables, or leaves those that are there. Runs as their owner. Gives the log's id. */
export async function createTables(connection: PgConnection, logId: string): Promise<string> {
  await connection.query('BEGIN')
  try {
    await connection.query('SELECT pg_advisory_xact_lock(8319950247518)')
    const [there] = await connection.query('SELECT 1 FROM pg_namespace WHERE nspname = \'usher\'')
    if (!there) {
      await connection.query(TABLES + triggers)
      await connection.query('INSERT INTO usher.meta (version, log_id) VALUES ($1, $2)', [PG_SCHEMA_VERSION, logId])
    }
    await connection.query(pgViews())
    await connection.query(`${GRANTS}GRANT SELECT ON ALL TABLES IN SCHEMA usher TO ${RUNTIME_ROLE};`)
    const [meta] = await connection.query<{ log_id: string }>('SELECT log_id FROM usher.meta')
    await connection.query('COMMIT')
    return meta?.log_id ?? logId
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** What of the protection is gone, in words: an empty list is as it should be. */
export async function missingProtection(connection: PgConnection): Promise<readonly string[]> {
  const found = await connection.query<{ name: string, on: boolean }>(`SELECT t.tgname AS name, t.tgenabled <> 'D' AS on FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'usher' AND NOT t.tgisinternal`)
  const on = new Set(found.filter(trigger => trigger.on).map(trigger => trigger.name))
  return APPEND_ONLY.flatMap(table => [`${table}_append_only`, `${table}_no_truncate`]).filter(name => !on.has(name)).map(name => `the trigger ${name} is missing or switched off`)
}
