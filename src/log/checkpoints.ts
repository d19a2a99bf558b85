/** What retention took out of the file, as its checkpoint rows say: only this may be missing. */
import type { Db } from './db.ts'

/** Rows `from` to `to` were cut; `hash` is the hash of row `to`, which the next row was chained on. */
export interface CutRange { readonly from: number, readonly to: number, readonly hash: string }

export interface CheckpointDetail {
  readonly ranges?: readonly CutRange[]
  /** Events whose text and data were dropped. */
  readonly texts?: readonly number[]
  /** Events whose text was masked later: the digest of what stands there now. */
  readonly redacted?: readonly { readonly seq: number, readonly contentHash: string }[]
  /** Older than this (ms) was asked for. */
  readonly before?: number
  /** How many rows were cut. */
  readonly rows?: number
}

export interface Removed {
  /** First cut row -> range. */
  readonly ranges: ReadonlyMap<number, CutRange>
  readonly texts: ReadonlySet<number>
  readonly redacted: ReadonlyMap<number, string>
}

export function readCheckpoints(db: Db): Removed {
  const ranges = new Map<number, CutRange>()
  const texts = new Set<number>()
  const redacted = new Map<number, string>()
  const details = db.prepare('SELECT json_extract(body, \'$.detail\') FROM rows WHERE kind = \'checkpoint\' ORDER BY seq').pluck().all() as string[]
  for (const text of details) {
    const detail = JSON.parse(text) as CheckpointDetail
    for (const range of detail.ranges ?? []) ranges.set(range.from, range)
    for (const seq of detail.texts ?? []) texts.add(seq)
    for (const { seq, contentHash } of detail.redacted ?? []) redacted.set(seq, contentHash)
  }
  return { ranges, texts, redacted }
}
