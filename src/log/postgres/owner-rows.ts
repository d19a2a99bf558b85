/** The rows that say what people decided and what was called, as they come, from every machine: stops, breakers and limits count over the fleet. */
import type { JsonObject } from '../../types.ts'
import type { OwnerRow } from '../owner-rows.ts'
import type { PgConnection } from './client.ts'

interface Raw { readonly kind: OwnerRow['kind'], readonly at: number, readonly body: string, readonly xid: number, readonly place: number }

/** Only rows below the oldest transaction that still runs: one with a lower number could appear behind them. */
const SETTLED = 'xid < pg_snapshot_xmin(pg_current_snapshot())'

type Ask = <T>(question: (connection: PgConnection) => Promise<T>) => Promise<T>

/** `seq` counts what was read here: machines share no numbers. */
export class PgOwnerRows {
  readonly #ask: Ask
  #cursor: { readonly xid: number, readonly place: number } = { xid: 0, place: 0 }
  #seq = 0
  constructor(ask: Ask) { this.#ask = ask }

  async first(since: number): Promise<readonly OwnerRow[]> {
    const rows = await this.#ask(connection => connection.query<Raw>(`SELECT kind, at, body, xid, place FROM usher.rows r WHERE ${SETTLED}
      AND (kind = 'act' OR (kind = 'call' AND at >= $1) OR (kind = 'outcome' AND EXISTS (SELECT 1 FROM usher.rows c WHERE c.kind = 'call' AND c.call_id = r.call_id AND c.at >= $1))) ORDER BY xid, place`, [since]))
    return this.#take(rows)
  }

  /** Everything since the last look. */
  async after(_seq: number): Promise<readonly OwnerRow[]> {
    const { xid, place } = this.#cursor
    return this.#take(await this.#ask(connection => connection.query<Raw>(`SELECT kind, at, body, xid, place FROM usher.rows
      WHERE (xid, place) > ($1::text::xid8, $2) AND ${SETTLED} AND kind IN ('act', 'call', 'outcome') ORDER BY xid, place`, [String(xid), place])))
  }

  close(): void { /* The connection is the log's. */ }

  /** Two askers of one would each get only what the other did not: a stop could pass by unheard. */
  another(): PgOwnerRows { return new PgOwnerRows(this.#ask) }

  #take(rows: readonly Raw[]): readonly OwnerRow[] {
    const last = rows.at(-1)
    if (last) this.#cursor = last
    return rows.map(({ kind, at, body }) => ({ seq: ++this.#seq, kind, at, body: JSON.parse(body) as JsonObject }))
  }
}
