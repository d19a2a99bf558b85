/** The rows that say what people decided and what was called, as they come, also from other processes. */
import { openLogReader } from '../log/reader.ts'
import type { MaybePromise } from '../ports.ts'
import type { JsonObject } from '../types.ts'

export interface LogRow { readonly seq: number, readonly kind: 'act' | 'call' | 'outcome', readonly at: number, readonly body: JsonObject }

/** What owner-state.ts needs of a log, whatever it keeps its rows in. */
export interface LogRows {
  /** Every act, and the calls since a time (ms) with their outcomes; in order. */
  first(since: number): MaybePromise<readonly LogRow[]>
  /** All three kinds after a row, in order. */
  after(seq: number): MaybePromise<readonly LogRow[]>
  close(): void
}

interface Raw { readonly seq: number, readonly kind: LogRow['kind'], readonly at: number, readonly body: string }

const toRow = ({ seq, kind, at, body }: Raw): LogRow => ({ seq, kind, at, body: JSON.parse(body) as JsonObject })
/** A checkpoint is an act too, and none that decides here. */
const KINDS = '(\'act\', \'call\', \'outcome\')'

/** Throws LOG_OPEN_FAILED where there is no such log. */
export function sqliteLogRows(file: string): LogRows {
  const reader = openLogReader(file, { recover: false })
  const after = reader.db.prepare(`SELECT seq, kind, at, body FROM rows WHERE seq > ? AND kind IN ${KINDS} ORDER BY seq`)
  return {
    first: since => {
      const { db } = reader
      const acts = db.prepare('SELECT seq, kind, at, body FROM rows WHERE kind IN (\'act\', \'checkpoint\') ORDER BY seq').all() as Raw[]
      const calls = db.prepare('SELECT seq, kind, at, body FROM rows WHERE kind = \'call\' AND at >= ? ORDER BY seq').all(since) as Raw[]
      const outcomes = db.prepare('SELECT seq, kind, at, body FROM rows WHERE kind = \'outcome\' AND call_id IN (SELECT call_id FROM rows WHERE kind = \'call\' AND at >= ?) ORDER BY seq').all(since) as Raw[]
      return [...acts.filter(row => row.kind === 'act'), ...calls, ...outcomes].sort((a, b) => a.seq - b.seq).map(toRow)
    },
    after: seq => (after.all(seq) as Raw[]).map(toRow),
    close: () => reader.close(),
  }
}
