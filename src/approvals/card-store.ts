/**
 * Cards on disk, in the state folder and not in the log: the log masks secrets, and a card must hold the very bytes. Mode 0600; the bytes are
 * dropped when the card is decided. Each change of state is one conditional UPDATE, so of two processes one wins.
 */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../errors.ts'
import { openDatabase, type Db } from '../log/db.ts'
import type { Card, CardState } from './card.ts'

const TABLES = `
CREATE TABLE IF NOT EXISTS cards (
  id TEXT PRIMARY KEY, log TEXT NOT NULL, state TEXT NOT NULL, mode TEXT NOT NULL, hash TEXT NOT NULL, tool TEXT NOT NULL, route TEXT, source TEXT NOT NULL,
  at INTEGER NOT NULL, expires_at INTEGER NOT NULL, body TEXT NOT NULL, decided_by TEXT, decided_at INTEGER, call_id TEXT, replaced_by TEXT
);
CREATE INDEX IF NOT EXISTS cards_by_state ON cards(log, state, at);
CREATE INDEX IF NOT EXISTS cards_by_hash ON cards(log, hash) WHERE state = 'approved';
CREATE TABLE IF NOT EXISTS runtimes (process TEXT NOT NULL, log TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (process, log));
CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS used (hash TEXT PRIMARY KEY, at INTEGER NOT NULL);
`

interface Row {
  readonly id: string, readonly state: CardState, readonly mode: Card['mode'], readonly hash: string, readonly tool: string, readonly route: string | null, readonly at: number, readonly expires_at: number
  readonly body: string, readonly decided_by: string | null, readonly decided_at: number | null, readonly call_id: string | null, readonly replaced_by: string | null
}

type Body = Pick<Card, 'args' | 'effects' | 'event' | 'eventId' | 'by' | 'why' | 'origins' | 'bytes'> & Partial<Pick<Card, 'presetBytes' | 'who'>>

export interface Decided { readonly who?: string, readonly at: number, readonly callId?: string, readonly replacedBy?: string }

export class CardStore {
  readonly file: string
  readonly #db: Db
  readonly #log: string

  /** @param log where the log is: cards of one log are no other's. Throws CARDS_FAILED. */
  constructor(stateFolder: string, log: string) {
    this.file = join(stateFolder, 'cards.sqlite')
    this.#log = log
    this.#db = this.#guarded(() => {
      mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
      closeSync(openSync(this.file, 'a', 0o600))
      chmodSync(this.file, 0o600)
      const db = openDatabase(this.file, { timeout: 5000 })
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = FULL')
      db.pragma('secure_delete = ON')
      db.exec(TABLES)
      return db
    })
  }

  add(card: Card): void {
    const { args, effects, event, eventId, by, why, origins, bytes, presetBytes, who } = card
    const body: Body = { args, effects, event, eventId, by, why, origins, bytes, ...presetBytes === undefined ? {} : { presetBytes }, ...who === undefined ? {} : { who } }
    this.#guarded(() => this.#db.prepare('INSERT INTO cards (id, log, state, mode, hash, tool, route, source, at, expires_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(card.id, this.#log, card.state, card.mode, card.hash, card.tool, card.route ?? null, event.source, card.at, card.expiresAt, JSON.stringify(body)))
  }

  /** Oldest first. */
  list(states: readonly CardState[], limit = 200): readonly Card[] {
    const marks = states.map(() => '?').join(', ')
    return this.#guarded(() => (this.#db.prepare(`SELECT * FROM cards WHERE log = ? AND state IN (${marks}) ORDER BY at, id LIMIT ?`).all(this.#log, ...states, limit) as Row[]).map(toCard))
  }

  /** The whole id, or its unique first characters. */
  find(typed: string): Card | 'none' | 'many' {
    return this.#guarded(() => {
      const whole = this.#db.prepare('SELECT * FROM cards WHERE log = ? AND id = ?').get(this.#log, typed) as Row | undefined
      const rows = whole ? [whole] : typed === '' ? [] : this.#db.prepare('SELECT * FROM cards WHERE log = ? AND substr(id, 1, length(?)) = ? LIMIT 2').all(this.#log, typed, typed) as Row[]
      const [first] = rows
      return first === undefined ? 'none' : rows.length > 1 ? 'many' : toCard(first)
    })
  }

  /** A yes that was not used, to exactly these bytes; oldest first. */
  granted(hash: string): Card | undefined {
    const row = this.#guarded(() => this.#db.prepare('SELECT * FROM cards WHERE log = ? AND hash = ? AND state = \'approved\' ORDER BY at LIMIT 1').get(this.#log, hash) as Row | undefined)
    return row && toCard(row)
  }

  /** The one change of state that wins: false where another was first. What is decided loses its bytes. */
  move(id: string, from: CardState, to: CardState, decided: Decided): boolean {
    return this.#guarded(() => this.#db.prepare(`UPDATE cards SET state = :to, decided_by = coalesce(:who, decided_by), decided_at = :at, call_id = coalesce(:call, call_id), replaced_by = coalesce(:next, replaced_by),
      body = CASE WHEN :to = 'approved' THEN body ELSE json_set(body, '$.args', json('{}'), '$.bytes', '', '$.origins', json('{}')) END WHERE log = :log AND id = :id AND state = :from`)
      .run({ id, from, to, log: this.#log, who: decided.who ?? null, at: decided.at, call: decided.callId ?? null, next: decided.replacedBy ?? null }).changes === 1)
  }

  counts(since: number): { readonly waiting: number, readonly bySource: ReadonlyMap<string, number> } {
    return this.#guarded(() => {
      const waiting = Number(this.#db.prepare('SELECT count(*) FROM cards WHERE log = ? AND state = \'waiting\'').pluck().get(this.#log))
      const rows = this.#db.prepare('SELECT source, count(*) AS n FROM cards WHERE log = ? AND at >= ? GROUP BY source').all(this.#log, since) as { source: string, n: number }[]
      return { waiting, bySource: new Map(rows.map(row => [row.source, row.n])) }
    })
  }

  /** The processes that run tools, as `processText` writes them. */
  runtimes(): readonly string[] {
    return this.#guarded(() => this.#db.prepare('SELECT DISTINCT process FROM runtimes').pluck().all() as string[])
  }

  /** @param gone forgets the runtimes that are certainly dead */
  register(process: string, at: number, gone: (process: string) => boolean): void {
    this.#guarded(() => {
      for (const other of this.runtimes()) if (gone(other)) this.#db.prepare('DELETE FROM runtimes WHERE process = ?').run(other)
      this.#db.prepare('INSERT OR REPLACE INTO runtimes (process, log, at) VALUES (?, ?, ?)').run(process, this.#log, at)
    })
  }

  unregister(process: string): void {
    this.#guarded(() => this.#db.prepare('DELETE FROM runtimes WHERE process = ? AND log = ?').run(process, this.#log))
  }

  /** Counts an attempt before its outcome is known, so that guesses side by side are counted too. Undefined: too many since `since`. */
  attempt(at: number, since: number, most: number): number | undefined {
    return this.#guarded(() => this.#db.transaction(() => {
      this.#db.prepare('DELETE FROM attempts WHERE at < ?').run(since)
      const count = Number(this.#db.prepare('SELECT count(*) FROM attempts').pluck().get())
      return count >= most ? undefined : Number(this.#db.prepare('INSERT INTO attempts (at) VALUES (?)').run(at).lastInsertRowid)
    }).immediate())
  }

  succeeded(attempt: number): void {
    this.#guarded(() => this.#db.prepare('DELETE FROM attempts WHERE id = ?').run(attempt))
  }

  /** False: this signature was used before. */
  useOnce(hash: string, at: number): boolean {
    return this.#guarded(() => this.#db.prepare('INSERT OR IGNORE INTO used (hash, at) VALUES (?, ?)').run(hash, at).changes === 1)
  }

  close(): void { this.#db.close() }

  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (cause) {
      if (UsherError.is(cause)) throw cause
      throw new UsherError('CARDS_FAILED', `the cards in ${this.file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}; nothing was approved`, { cause })
    }
  }
}

function toCard(row: Row): Card {
  const body = JSON.parse(row.body) as Body
  return {
    id: row.id, state: row.state, mode: row.mode, tool: row.tool, hash: row.hash, at: row.at, expiresAt: row.expires_at, ...body,
    ...row.route === null ? {} : { route: row.route }, ...row.decided_by === null ? {} : { decidedBy: row.decided_by }, ...row.decided_at === null ? {} : { decidedAt: row.decided_at },
    ...row.call_id === null ? {} : { callId: row.call_id }, ...row.replaced_by === null ? {} : { replacedBy: row.replaced_by },
  }
}
