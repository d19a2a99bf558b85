/** The rows that say what people decided and what was called, as they come, also from other processes. */
import { OwnerRows, type OwnerRow } from '../log/owner-rows.ts'
import { openLogReader } from '../log/reader.ts'
import type { MaybePromise } from '../ports.ts'

export type LogRow = OwnerRow

/** What owner-state.ts needs of a log, whatever it keeps its rows in. */
export interface LogRows {
  /** Every act, and the calls since a time (ms) with their outcomes; in order. */
  first(since: number): MaybePromise<readonly LogRow[]>
  /** All three kinds after a row, in order. */
  after(seq: number): MaybePromise<readonly LogRow[]>
  close(): void
  /** For a second asker, where one remembers how far it was asked; absent: anybody may ask this one. */
  another?(): LogRows
}

/** Of a log that is not open here. Throws LOG_OPEN_FAILED where there is none. */
export function sqliteLogRows(file: string): LogRows {
  const reader = openLogReader(file, { recover: false })
  const rows = new OwnerRows(reader.db)
  return { first: since => rows.first(since), after: seq => rows.after(seq), close: () => reader.close() }
}
