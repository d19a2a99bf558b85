/** What retention took out of the file, as its checkpoint rows say: only this may be missing. */
import { checkpointBytes } from './checkpoint-bytes.ts'
import type { Db } from './db.ts'
import type { Secrets } from './secrets.ts'

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
  /** Checkpoint rows that no holder of the key wrote: what they claim counts for nothing. */
  readonly forged: readonly number[]
  /** The newest checkpoint row made with another key, or with no key at hand to check it; 0: none. */
  readonly unchecked: number
}

interface Stored { readonly seq: number, readonly body: string }

/** @param secrets with the key that the checkpoints were made with; undefined: whether they are genuine cannot be told */
export function readCheckpoints(db: Db, secrets: Secrets | undefined): Removed {
  const ranges = new Map<number, CutRange>()
  const texts = new Set<number>()
  const redacted = new Map<number, string>()
  const forged: number[] = []
  let unchecked = 0
  for (const { seq, body } of db.prepare('SELECT seq, body FROM rows WHERE kind = \'checkpoint\' ORDER BY seq').all() as Stored[]) {
    const row = JSON.parse(body) as { act: unknown, about: unknown, detail: CheckpointDetail, at: unknown, keyId: unknown, mac: unknown } | null
    // Anybody could have chained it on: it may hold anything.
    if (typeof row !== 'object' || row === null || !isDetail(row.detail)) {
      forged.push(seq)
      continue
    }
    if (!secrets || row.keyId !== secrets.keyId) unchecked = seq
    else if (secrets.digest('checkpoint-v1', checkpointBytes(row.act, row.about, row.detail, row.at)) !== row.mac) {
      forged.push(seq)
      continue
    }
    for (const range of row.detail.ranges ?? []) ranges.set(range.from, range)
    for (const text of row.detail.texts ?? []) texts.add(text)
    for (const text of row.detail.redacted ?? []) redacted.set(text.seq, text.contentHash)
  }
  return { ranges, texts, redacted, forged, unchecked }
}

function isDetail(detail: unknown): detail is CheckpointDetail {
  if (typeof detail !== 'object' || detail === null) return false
  const { ranges = [], texts = [], redacted = [] } = detail as { ranges?: unknown, texts?: unknown, redacted?: unknown }
  const records = (list: unknown) => Array.isArray(list) && list.every(item => typeof item === 'object' && item !== null)
  return records(ranges) && records(redacted) && Array.isArray(texts)
}
