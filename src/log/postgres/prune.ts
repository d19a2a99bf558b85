/** Retention of a fleet's log, by its owner's role: old rows are cut, and a checkpoint row says which, so that the chains still verify. Never cut: what is unexplained, calls in flight, and whatever a row that stays refers to. */
import { UsherError } from '../../errors.ts'
import { rowHash, GENESIS_PREV } from '../chain.ts'
import type { CutRange } from '../checkpoints.ts'
import { checkpointBytes } from '../checkpoint-bytes.ts'
import { openForReading } from '../connection.ts'
import { stillNeeded } from '../needed.ts'
import { Secrets } from '../secrets.ts'
import { serialise } from '../serialise.ts'
import { defaultStateDir, maskKey } from '../state.ts'
import { connect, pgError, publicUrl, type PgConnection } from './client.ts'
import { mirrorLog } from './mirror.ts'
import { lookupColumns } from './journal.ts'

export interface FleetPruneOptions { readonly before: number, readonly evenUnexplained?: boolean, readonly stateDir?: string, readonly now?: number, readonly timeoutMs?: number }
export interface FleetPruned { readonly cut: number, readonly kept: number }

interface Origin { readonly seq: number, readonly kind: string, readonly writer: string, readonly writer_seq: number }

/** The chain that retention writes its checkpoints into. */
const WRITER = 'retention'

/** Throws LOG_OPEN_FAILED (also for a role that does not own the tables), LOG_WRITE_FAILED; then nothing was cut. */
export async function pruneFleetLog(url: string, options: FleetPruneOptions): Promise<FleetPruned> {
  if (!Number.isFinite(options.before)) throw new UsherError('BAD_OPTION', `before must be a time in ms, got ${options.before}`)
  const stateDir = options.stateDir ?? defaultStateDir()
  const { file } = await mirrorLog(url, { stateDir })
  const { cut, kept } = oldRows(file, options)
  if (cut.length === 0) return { cut: 0, kept }
  const connection = await connect(url, { name: 'usher prune', timeoutMs: options.timeoutMs ?? 120_000 })
  try {
    await connection.query('BEGIN')
    await connection.query('ALTER TABLE usher.rows DISABLE TRIGGER rows_append_only')
    const writers = await remove(connection, cut)
    await connection.query('ALTER TABLE usher.rows ENABLE TRIGGER rows_append_only')
    await checkpoint(connection, writers, cut.length, options, new Secrets(maskKey(stateDir)))
    await connection.query('DELETE FROM usher.heartbeats WHERE at < $1', [options.before])
    await connection.query('COMMIT')
    return { cut: cut.length, kept }
  } catch (cause) {
    throw pgError('LOG_WRITE_FAILED', `cannot cut old rows from ${publicUrl(url)} (it takes the role that owns the tables)`, cause)
  } finally {
    await connection.end()
  }
}

function oldRows(file: string, options: FleetPruneOptions): { readonly cut: readonly Origin[], readonly kept: number } {
  const db = openForReading(file)
  try {
    const first = db.prepare('SELECT min(seq) FROM rows WHERE at >= ? AND kind NOT IN (\'genesis\', \'checkpoint\')').pluck().get(options.before) as number | null
    const last = first === null ? Number(db.prepare('SELECT coalesce(max(seq), 0) FROM rows').pluck().get()) : first - 1
    const needed = stillNeeded(db, last, options.evenUnexplained ?? false)
    const old = db.prepare('SELECT r.seq, r.kind, o.writer, o.writer_seq FROM rows r JOIN origins o ON o.seq = r.seq WHERE r.seq <= ? ORDER BY o.writer, o.writer_seq').all(last) as Origin[]
    // A writer goes on from its last row in the table: were that gone, its numbers would be given out again.
    const heads = new Map((db.prepare('SELECT writer, max(writer_seq) AS seq FROM origins GROUP BY writer').all() as { writer: string, seq: number }[]).map(each => [each.writer, each.seq]))
    const cut = old.filter(row => !needed.has(row.seq) && row.kind !== 'genesis' && row.kind !== 'checkpoint' && row.writer_seq !== heads.get(row.writer))
    return { cut, kept: old.length - cut.length }
  } finally {
    db.close()
  }
}

/** Deletes, and gives the cut ranges of each writer with the hash that the next row was chained on. */
async function remove(connection: PgConnection, rows: readonly Origin[]): Promise<ReadonlyMap<string, readonly CutRange[]>> {
  const gone = await connection.query<{ writer: string, seq: number, hash: string }>(`DELETE FROM usher.rows r USING unnest($1::text[], $2::bigint[]) AS c (writer, seq) WHERE r.writer = c.writer AND r.seq = c.seq RETURNING r.writer, r.seq, r.hash`, [rows.map(row => row.writer), rows.map(row => row.writer_seq)])
  const ranges = new Map<string, CutRange[]>()
  for (const row of [...gone].sort((a, b) => a.writer < b.writer ? -1 : a.writer > b.writer ? 1 : a.seq - b.seq)) {
    const list = ranges.get(row.writer) ?? []
    if (list.length === 0) ranges.set(row.writer, list)
    const open = list.at(-1)
    if (open && open.to === row.seq - 1) list[list.length - 1] = { from: open.from, to: row.seq, hash: row.hash }
    else list.push({ from: row.seq, to: row.seq, hash: row.hash })
  }
  return ranges
}

async function checkpoint(connection: PgConnection, writers: ReadonlyMap<string, readonly CutRange[]>, rows: number, options: FleetPruneOptions, secrets: Secrets): Promise<void> {
  const at = options.now ?? Date.now()
  const detail = { writers: Object.fromEntries(writers), rows, before: options.before }
  await connection.query('SELECT pg_advisory_xact_lock(8319950247519)')
  const [head] = await connection.query<{ seq: number, hash: string }>('SELECT seq, hash FROM usher.rows WHERE writer = $1 ORDER BY seq DESC LIMIT 1', [WRITER])
  const body = serialise({ who: 'usher', act: 'prune', about: 'fleet', detail, at, keyId: secrets.keyId, mac: secrets.digest('checkpoint-v1', checkpointBytes('prune', 'fleet', detail, at)) })
  let { seq, hash } = head ?? { seq: 0, hash: GENESIS_PREV }
  for (const [kind, text] of head ? [['checkpoint', body]] as const : [['genesis', serialise({ logId: WRITER, at })], ['checkpoint', body]] as const) {
    const prev = hash
    seq++
    hash = rowHash(seq, kind, text, prev)
    const [rowAt, ...ids] = lookupColumns(text)
    await connection.query('INSERT INTO usher.rows (writer, seq, kind, body, prev, hash, at, event_id, decision_id, call_id, source, sender_id, caused_by, route, tool) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)', [WRITER, seq, kind, text, prev, hash, rowAt, ...ids])
  }
}
