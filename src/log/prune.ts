/**
 * Retention. Old rows are cut and a checkpoint row says which, so that the chain still verifies. Never cut: what is unexplained, calls in
 * flight, and whatever a row that stays refers to.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsherError } from '../errors.ts'
import { AnchorKeeper } from './anchor-keeper.ts'
import type { CutRange } from './checkpoints.ts'
import { openForWriting } from './connection.ts'
import { checkpointRow, emptyWal, withoutTrigger } from './cutting.ts'
import type { Db } from './db.ts'
import { Journal } from './journal.ts'
import { stillNeeded } from './needed.ts'
import { resolveLogOptions } from './options.ts'
import { Secrets } from './secrets.ts'
import { maskKey } from './state.ts'

export interface PruneOptions {
  /** Cut what was logged before this time (ms since 1970). */
  readonly before?: number
  /** Drop text and data of events that fired nothing and were logged before this time. */
  readonly textsBefore?: number
  /** Cut unexplained effects, and what belongs to them, as well. Default false. */
  readonly evenUnexplained?: boolean
  readonly stateDir?: string
  /** Default: the system's time. */
  readonly now?: number
}

export interface Pruned {
  readonly cut: number
  /** Old rows that stayed, because they are unexplained, in flight, or needed by what stays. */
  readonly kept: number
  readonly texts: number
  /** True when a reader kept what was cut alive in the write-ahead log; it goes at the next checkpoint. */
  readonly walHeld: boolean
}

/** While others write, too. Throws BAD_OPTION, LOG_OPEN_FAILED, LOG_WRITE_FAILED; then nothing was cut. */
export function pruneLog(file: string, options: PruneOptions): Pruned {
  for (const name of ['before', 'textsBefore'] as const) {
    const time = options[name]
    if (time !== undefined && !Number.isFinite(time)) throw new UsherError('BAD_OPTION', `${name} must be a time in ms, got ${time}`)
  }
  const path = resolve(file)
  if (!existsSync(path)) throw new UsherError('LOG_OPEN_FAILED', `there is no log at ${path}; name the file`)
  const settings = resolveLogOptions(options.stateDir === undefined ? {} : { stateDir: options.stateDir })
  const now = options.now ?? settings.clock.now()
  const { db } = openForWriting(path, settings.busyTimeoutMs)
  try {
    const journal = new Journal(db, path)
    const secrets = new Secrets(maskKey(settings.stateDir))
    const result = journal.within(append => {
      const texts = options.textsBefore === undefined ? [] : dropTexts(db, options.textsBefore)
      const rows = options.before === undefined ? { cut: [], kept: 0 } : rowsToCut(db, options.before, options.evenUnexplained ?? false)
      if (texts.length > 0) append([checkpointRow('prune.texts', path, { texts, ...(options.textsBefore === undefined ? {} : { before: options.textsBefore }) }, now, secrets)])
      if (rows.cut.length > 0) {
        // Before the rows go: were they the last ones, their numbers would be given out again, and the anchor would call the log cut.
        append([checkpointRow('prune', path, { ranges: toRanges(rows.cut), rows: rows.cut.length, ...(options.before === undefined ? {} : { before: options.before }) }, now, secrets)])
        removeRows(db, rows.cut)
      }
      return { cut: rows.cut.length, kept: rows.kept, texts: texts.length }
    })
    const walHeld = !emptyWal(db)
    new AnchorKeeper(db, settings).anchor(journal.head())
    return { ...result, walHeld }
  } finally {
    db.close()
  }
}

/** The last row of the old part: up to the first one that is young enough. A clock that was set back for a while makes no row old. */
function lastOld(db: Db, before: number): number {
  const first = db.prepare('SELECT min(seq) FROM rows WHERE at >= ? AND kind NOT IN (\'genesis\', \'checkpoint\')').pluck().get(before) as number | null
  return first === null ? Number(db.prepare('SELECT coalesce(max(seq), 0) FROM rows').pluck().get()) : first - 1
}

function dropTexts(db: Db, before: number): readonly number[] {
  const seqs = db.prepare(`SELECT seq FROM rows e WHERE kind = 'event' AND seq <= ? AND salt IS NOT NULL AND NOT EXISTS (SELECT 1 FROM rows c WHERE c.kind = 'call' AND c.event_id = e.event_id) ORDER BY seq`)
    .pluck().all(lastOld(db, before)) as number[]
  if (seqs.length === 0) return seqs
  withoutTrigger(db, 'rows_no_update', () => {
    const update = db.prepare('UPDATE rows SET text = NULL, data = NULL, salt = NULL WHERE seq = ?')
    for (const seq of seqs) update.run(seq)
  })
  return seqs
}

interface OldRow {
  readonly seq: number
  readonly kind: string
  readonly hash: string
}

function rowsToCut(db: Db, before: number, evenUnexplained: boolean): { readonly cut: readonly OldRow[], readonly kept: number } {
  const last = lastOld(db, before)
  const needed = stillNeeded(db, last, evenUnexplained)
  const old = db.prepare('SELECT seq, kind, hash FROM rows WHERE seq <= ? ORDER BY seq').all(last) as OldRow[]
  const cut = old.filter(row => !needed.has(row.seq) && row.kind !== 'genesis' && row.kind !== 'checkpoint')
  return { cut, kept: old.length - cut.length }
}

function removeRows(db: Db, rows: readonly OldRow[]): void {
  withoutTrigger(db, 'rows_no_delete', () => {
    const remove = db.prepare('DELETE FROM rows WHERE seq = ?')
    for (const row of rows) remove.run(row.seq)
  })
}

function toRanges(rows: readonly { readonly seq: number, readonly hash: string }[]): readonly CutRange[] {
  const ranges: CutRange[] = []
  for (const { seq, hash } of rows) {
    const open = ranges.at(-1)
    if (open !== undefined && open.to === seq - 1) ranges[ranges.length - 1] = { from: open.from, to: seq, hash }
    else ranges.push({ from: seq, to: seq, hash })
  }
  return ranges
}
