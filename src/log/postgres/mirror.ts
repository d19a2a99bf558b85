/**
 * The fleet's rows in a SQLite file of this machine, so that every question that a log answers (`log`, `explain`, `unexplained`, `stats`,
 * `replay`, the page) is answered for a fleet by the same code. A copy for reading: the chains are verified where they are (verify.ts).
 *
 * Rows come in the order of their transactions. A transaction with a lower number may end later than one with a higher, so only rows below
 * the oldest one that still runs are taken; the next look takes the rest.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { UsherError } from '../../errors.ts'
import { openForWriting } from '../connection.ts'
import type { Db } from '../db.ts'
import { rowHash, GENESIS_PREV } from '../chain.ts'
import { defaultStateDir } from '../state.ts'
import { connect, pgError, publicUrl, type PgConnection } from './client.ts'

const PAGE = 2000

interface Copied { readonly writer: string, readonly seq: number, readonly kind: string, readonly body: string, readonly text: string | null, readonly data: string | null, readonly salt: string | null, readonly xid: number, readonly place: number }

export interface MirrorOptions { readonly stateDir?: string, readonly timeoutMs?: number, readonly onProgress?: (rows: number) => void }
export interface Mirrored { readonly file: string, readonly rows: number, readonly added: number }

/** Brings the copy up to date. Throws LOG_OPEN_FAILED. */
export async function mirrorLog(url: string, options: MirrorOptions = {}): Promise<Mirrored> {
  const mirror = keepMirror(url, options)
  try { return await mirror.refresh() } finally { await mirror.close() }
}

interface Opened { readonly connection: PgConnection, readonly db: Db, readonly file: string }

export interface Mirror {
  /** One at a time. Throws LOG_OPEN_FAILED; the next one connects again. */
  refresh(): Promise<Mirrored>
  close(): Promise<void>
}

/** For who looks again and again. A look that connects and opens the file is itself an effect that the observer writes to the log: what stays open leaves the log of an idle fleet as it is. */
export function keepMirror(url: string, options: MirrorOptions = {}): Mirror {
  let opened: Opened | undefined
  const close = async (): Promise<void> => {
    const was = opened
    opened = undefined
    was?.db.close()
    await was?.connection.end()
  }
  const refresh = async (): Promise<Mirrored> => {
    try {
      if (opened?.connection.alive === false) await close()
      const { connection, db, file } = opened ??= await openCopy(url, options)
      const added = await copyNew(connection, db, options.onProgress)
      return { file, added, rows: Number(db.prepare('SELECT coalesce(max(seq), 0) FROM rows').pluck().get()) }
    } catch (cause) {
      await close()
      throw pgError('LOG_OPEN_FAILED', `cannot read the log in ${publicUrl(url)}`, cause)
    }
  }
  return { refresh, close }
}

async function openCopy(url: string, options: MirrorOptions): Promise<Opened> {
  const connection = await connect(url, { name: 'usher mirror', timeoutMs: options.timeoutMs ?? 10_000 })
  let db: Db | undefined
  try {
    const [meta] = await connection.query<{ log_id: string }>('SELECT log_id FROM usher.meta')
    if (!meta) throw new UsherError('LOG_OPEN_FAILED', `there is no log in ${publicUrl(url)}; usher fleet init makes one`)
    const folder = join(options.stateDir ?? defaultStateDir(), 'fleet')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${createHash('sha256').update(meta.log_id).digest('hex').slice(0, 16)}.db`)
    db = openForWriting(file, options.timeoutMs ?? 10_000).db
    db.exec('CREATE TABLE IF NOT EXISTS origins (seq INTEGER PRIMARY KEY, writer TEXT NOT NULL, writer_seq INTEGER NOT NULL, xid INTEGER NOT NULL, place INTEGER NOT NULL)')
    db.exec('CREATE INDEX IF NOT EXISTS origins_by_writer ON origins (writer, writer_seq)')
    return { connection, db, file }
  } catch (cause) {
    db?.close()
    await connection.end()
    throw cause
  }
}

interface Place { readonly xid: number, readonly place: number }
const lastCopied = (db: Db): Place => (db.prepare('SELECT xid, place FROM origins ORDER BY seq DESC LIMIT 1').get() as Place | undefined) ?? { xid: 0, place: 0 }

async function copyNew(connection: PgConnection, db: Db, onProgress?: (rows: number) => void): Promise<number> {
  let added = 0
  for (;;) {
    const last = lastCopied(db)
    const rows = await connection.query<Copied>(`SELECT writer, seq, kind, body, text, data, salt, xid, place FROM usher.rows
      WHERE (xid, place) > ($1::text::xid8, $2) AND xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY xid, place LIMIT ${PAGE}`, [String(last.xid), last.place])
    if (rows.length === 0) return added
    if (!append(db, rows, last)) continue
    added += rows.length
    onProgress?.(added)
  }
}

/** The copy has a chain of its own, so that a damaged copy shows like any damaged log. False where another process of this machine copied in the meantime: nothing was added. */
function append(db: Db, rows: readonly Copied[], after: Place): boolean {
  const insert = db.prepare('INSERT INTO rows (seq, kind, body, prev, hash, text, data, salt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const origin = db.prepare('INSERT INTO origins (seq, writer, writer_seq, xid, place) VALUES (?, ?, ?, ?, ?)')
  return db.transaction(() => {
    const now = lastCopied(db)
    if (now.xid !== after.xid || now.place !== after.place) return false
    const head = db.prepare('SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1').get() as { seq: number, hash: string } | undefined
    let { seq, hash } = head ?? { seq: 0, hash: GENESIS_PREV }
    for (const row of rows) {
      seq++
      const prev = hash
      hash = rowHash(seq, row.kind, row.body, prev)
      insert.run(seq, row.kind, row.body, prev, hash, row.text, row.data, row.salt)
      origin.run(seq, row.writer, row.seq, row.xid, row.place)
    }
    return true
  }).immediate()
}
