/** The rows that say what people decided and what was called, as they come, also from other processes: stops, breakers and limits are derived from them. */
import type { JsonObject } from '../types.ts'
import type { Db } from './db.ts'

export interface OwnerRow { readonly seq: number, readonly kind: 'act' | 'call' | 'outcome', readonly at: number, readonly body: JsonObject }

interface Raw { readonly seq: number, readonly kind: OwnerRow['kind'], readonly body: string }

const COLUMNS = 'seq, kind, body'
function toRow({ seq, kind, body: text }: Raw): OwnerRow {
  const body = JSON.parse(text) as JsonObject
  return { seq, kind, at: Number(body['at']), body }
}

/** On the log's own connection nothing has to be read from the file again that it wrote itself. */
export class OwnerRows {
  readonly #db: Db
  readonly #after

  constructor(db: Db) {
    this.#db = db
    // A checkpoint is an act too, and none that decides here.
    this.#after = db.prepare(`SELECT ${COLUMNS} FROM rows WHERE seq > ? AND kind IN ('act', 'call', 'outcome') ORDER BY seq`)
  }

  /** Every act, and the calls since a time (ms) with their outcomes; in order. */
  first(since: number): readonly OwnerRow[] {
    const acts = this.#db.prepare(`SELECT ${COLUMNS} FROM rows WHERE kind IN ('act', 'checkpoint') ORDER BY seq`).all() as Raw[]
    const calls = this.#db.prepare(`SELECT ${COLUMNS} FROM rows WHERE kind = 'call' AND at >= ? ORDER BY seq`).all(since) as Raw[]
    const outcomes = this.#db.prepare(`SELECT ${COLUMNS} FROM rows WHERE kind = 'outcome' AND call_id IN (SELECT call_id FROM rows WHERE kind = 'call' AND at >= ?) ORDER BY seq`).all(since) as Raw[]
    return [...acts.filter(row => row.kind === 'act'), ...calls, ...outcomes].sort((a, b) => a.seq - b.seq).map(toRow)
  }

  /** All three kinds after a row, in order. */
  after(seq: number): readonly OwnerRow[] {
    return (this.#after.all(seq) as Raw[]).map(toRow)
  }

  close(): void { /* The connection is whose it was. */ }
}
