/** New rows as they come, also those of other processes. */
import { setTimeout as wait } from 'node:timers/promises'
import { RAW, toRecord, type LogRecord, type RawRow } from './records.ts'
import type { LogReader } from './reader.ts'

export interface FollowOptions {
  /** The last row that is known already. Default: the newest. */
  readonly after?: number
  /** Ms between two looks. Default 200. */
  readonly pollMs?: number
  readonly signal?: AbortSignal
}

const PAGE = 100

/** Ends when the signal aborts. */
export async function* followLog(reader: LogReader, options: FollowOptions = {}): AsyncGenerator<LogRecord, void, undefined> {
  const next = reader.db.prepare(`SELECT ${RAW} FROM rows WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`)
  let after = options.after ?? Number(reader.db.prepare('SELECT coalesce(max(seq), 0) FROM rows').pluck().get())
  const ended = () => options.signal?.aborted === true
  while (!ended()) {
    const rows = next.all(after) as RawRow[]
    for (const raw of rows) {
      after = raw.seq
      const record = toRecord(raw)
      if (record) yield record
    }
    if (rows.length === PAGE) continue
    try {
      await wait(options.pollMs ?? 200, undefined, options.signal ? { signal: options.signal } : {})
    } catch (error) {
      if (!ended()) throw error
    }
  }
}
