/**
 * The lines of the list with what they are filtered by, beside the log: temporary tables of the reader's own connection, made from the rows
 * once and then kept up with them. The log has no index for such questions, since each would make its writer slower.
 */
import type { Db, Statement } from '../../log/db.ts'
import type { Progress } from '../ports.ts'

const TABLES = `
CREATE TEMP TABLE entries (seq INTEGER PRIMARY KEY, at, source TEXT, outcome TEXT, route TEXT, tool TEXT, event_seq INTEGER, event_id TEXT, decision_id TEXT, call_id TEXT,
  begun INTEGER NOT NULL, effects INTEGER NOT NULL, stopped INTEGER NOT NULL);
CREATE INDEX temp.entries_call ON entries(call_id);
CREATE INDEX temp.entries_event ON entries(event_id);
CREATE TEMP TABLE heard (event_id TEXT PRIMARY KEY, seq INTEGER, source TEXT) WITHOUT ROWID;
`
/** Made once the log was read to its end: filling them row by row takes half of the time of reading it. The first has all that the picture needs. */
const INDEXES = `
CREATE INDEX temp.entries_at ON entries(at, source, begun, effects, stopped);
CREATE INDEX temp.entries_decision ON entries(decision_id);
CREATE INDEX temp.entries_source ON entries(source, seq);
CREATE INDEX temp.entries_outcome ON entries(outcome, seq);
CREATE INDEX temp.entries_route ON entries(route, seq);
CREATE INDEX temp.entries_tool ON entries(tool, seq);
CREATE INDEX temp.entries_effects ON entries(seq) WHERE effects > 0 OR stopped > 0;
`
const DROP = 'DROP TABLE IF EXISTS temp.entries; DROP TABLE IF EXISTS temp.heard;'

interface Begun { readonly outcome: string, readonly effects: number, readonly stopped: number, readonly begun: number }
interface Raw { readonly seq: number, readonly kind: string, readonly body: string }
type Body = { readonly [field: string]: string | number | undefined }

/** Rows of one transaction while catching up. */
const SLICE = 2000

export class LogIndex {
  readonly #db: Db
  readonly #next: Statement
  readonly #last: Statement
  readonly #apply: (rows: readonly Raw[]) => void
  #put: Statements
  #seq = 0
  /** Rows that were there when the tables were made: what retention cut before is not in them. */
  #from = 0
  #indexed = false

  constructor(db: Db) {
    this.#db = db
    db.pragma('temp_store = MEMORY')
    this.#next = db.prepare(`SELECT seq, kind, body FROM rows WHERE seq > ? ORDER BY seq LIMIT ${SLICE}`)
    this.#last = db.prepare('SELECT coalesce(max(seq), 0) FROM rows').pluck()
    this.#put = this.#fresh()
    this.#apply = db.transaction((rows: readonly Raw[]) => { for (const row of rows) this.#row(row) })
  }

  /** Reads on until it has all rows or the time is over. @param budgetMs at least one slice is read */
  catchUp(budgetMs: number): Progress {
    const until = performance.now() + budgetMs
    for (;;) {
      const rows = this.#next.all(this.#seq) as Raw[]
      if (rows.length === 0) break
      // Retention took rows away and wrote this one: what was read before may be gone.
      if (rows.some(row => row.kind === 'checkpoint' && row.seq > this.#from)) { this.#put = this.#fresh(); continue }
      this.#apply(rows)
      this.#seq = rows.at(-1)?.seq ?? this.#seq
      if (rows.length < SLICE || performance.now() > until) break
    }
    const progress = { seq: this.#seq, last: this.#last.get() as number }
    if (!this.#indexed && progress.seq >= progress.last) { this.#db.exec(INDEXES); this.#indexed = true }
    return progress
  }

  #fresh(): Statements {
    this.#db.exec(DROP + TABLES)
    this.#seq = 0
    this.#indexed = false
    this.#from = this.#last.get() as number
    return statements(this.#db)
  }

  /** Which event an event's, a decision's or a call's id belongs to; undefined: none that the list has, or more than one kind has this id. */
  eventOf(id: string): { readonly kind: 'event' | 'decision' | 'call', readonly eventId: string } | undefined {
    const found = this.#put.owners.all({ id }) as { kind: 'event' | 'decision' | 'call', eventId: string }[]
    return found.length === 1 ? found[0] : undefined
  }

  #row({ seq, kind, body }: Raw): void {
    const row = JSON.parse(body) as Body
    switch (kind) {
      case 'event': return this.#event(seq, row)
      case 'decision': return this.#decision(seq, row)
      case 'call': return this.#call(seq, row)
      case 'outcome': { this.#put.end.run(row['kind'], row['callId']); return }
      case 'effect': { if (typeof row['callId'] === 'string') (row['blocked'] === 1 ? this.#put.stopped : this.#put.effect).run(row['callId']); return }
      default: return
    }
  }

  #event(seq: number, row: Body): void {
    this.#put.heard.run(row['eventId'], seq, row['source'])
    if (row['malformed'] !== undefined) this.#put.entry.run(entry(seq, row, { outcome: 'malformed', source: row['source'], event_seq: seq }))
  }

  #decision(seq: number, row: Body): void {
    const event = this.#put.event.get(row['eventId']) as { seq: number, source: string } | undefined
    // It tells how another one of its event ended, whose call never began: no line of its own.
    if (row['answers'] !== undefined && this.#put.close.run({ outcome: row['kind'], decision: row['answers'], event: row['eventId'] }).changes > 0) return
    // A call that was logged before its decision, a malformed event that was decided all the same: one line, not two.
    const begun = row['callId'] === undefined ? undefined : this.#put.begun.get(row['callId']) as Begun | undefined
    this.#put.drop.run({ event: row['eventId'], call: row['callId'] ?? null })
    this.#put.entry.run({ ...entry(seq, row, { outcome: announced(row), source: event?.source, event_seq: event?.seq }), ...begun })
  }

  #call(seq: number, row: Body): void {
    const known = this.#put.begin.run(row['callId'])
    if (known.changes > 0) return
    const event = row['eventId'] === undefined ? undefined : this.#put.event.get(row['eventId']) as { seq: number, source: string } | undefined
    // Without the decision that it names: that one's own line, if it comes, takes this one's place.
    this.#put.entry.run({ ...entry(seq, row, { outcome: 'in-flight', source: event?.source ?? `call:${row['by'] ?? ''}`, event_seq: event?.seq }), decision_id: null, begun: 1 })
  }
}

/** Until its call's row is there, nothing was called. */
function announced({ kind, callId, process }: Body): string | number | undefined {
  return kind === 'called' && callId !== undefined ? process === undefined ? 'denied' : 'in-flight' : kind
}

function entry(seq: number, row: Body, more: { readonly outcome: string | number | undefined, readonly source: string | number | undefined, readonly event_seq: number | undefined }) {
  return {
    seq, at: row['at'] ?? null, source: more.source ?? '', outcome: more.outcome ?? null, route: row['route'] ?? null, tool: row['tool'] ?? null, event_seq: more.event_seq ?? null,
    event_id: row['eventId'] ?? null, decision_id: row['decisionId'] ?? null, call_id: row['callId'] ?? null, begun: 0, effects: 0, stopped: 0,
  }
}

type Statements = ReturnType<typeof statements>

function statements(db: Db) {
  return {
    heard: db.prepare('INSERT OR IGNORE INTO temp.heard (event_id, seq, source) VALUES (?, ?, ?)'),
    owners: db.prepare(`SELECT 'event' AS kind, event_id AS eventId FROM temp.heard WHERE event_id = :id UNION SELECT 'decision', event_id FROM temp.entries WHERE decision_id = :id AND event_id IS NOT NULL
      UNION SELECT 'call', event_id FROM temp.entries WHERE call_id = :id AND event_id IS NOT NULL`),
    event: db.prepare('SELECT seq, source FROM temp.heard WHERE event_id = ?'),
    entry: db.prepare(`INSERT INTO temp.entries (seq, at, source, outcome, route, tool, event_seq, event_id, decision_id, call_id, begun, effects, stopped)
      VALUES (:seq, :at, :source, :outcome, :route, :tool, :event_seq, :event_id, :decision_id, :call_id, :begun, :effects, :stopped)`),
    begun: db.prepare('SELECT outcome, effects, stopped, begun FROM temp.entries WHERE call_id = ? AND begun = 1 LIMIT 1'),
    drop: db.prepare('DELETE FROM temp.entries WHERE decision_id IS NULL AND ((event_id = :event AND outcome = \'malformed\') OR (call_id = :call AND event_id = :event))'),
    begin: db.prepare('UPDATE temp.entries SET outcome = \'in-flight\', begun = 1 WHERE call_id = ?'),
    close: db.prepare('UPDATE temp.entries SET outcome = :outcome WHERE decision_id = :decision AND event_id = :event AND begun = 0'),
    end: db.prepare('UPDATE temp.entries SET outcome = ? WHERE call_id = ?'),
    effect: db.prepare('UPDATE temp.entries SET effects = effects + 1 WHERE call_id = ?'),
    stopped: db.prepare('UPDATE temp.entries SET stopped = stopped + 1 WHERE call_id = ?'),
  }
}
