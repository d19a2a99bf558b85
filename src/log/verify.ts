/** Is the log what was written? Names the first changed, missing or reordered row, and compares the head with an anchor outside the file. */
import { resolve } from 'node:path'
import { UsherError } from '../errors.ts'
import { anchorText, parseAnchor, readAnchors, type Anchor } from './anchors.ts'
import { GENESIS_PREV, rowHash } from './chain.ts'
import { ChainWalk, type ChainRow as Row } from './chain-walk.ts'
import { readCheckpoints } from './checkpoints.ts'
import { openForReading } from './connection.ts'
import type { Db } from './db.ts'
import { sqliteCode } from './failures.ts'
import { changedSchema } from './schema-check.ts'
import { Secrets } from './secrets.ts'
import { signatureFault } from './signed-anchor.ts'
import { defaultStateDir, existingKey } from './state.ts'
import type { Fault, Head, Verdict } from './verdict.ts'

export interface VerifyOptions {
  /** Lines that `usher anchor` printed. `false`: no anchor at all, e.g. for an older copy. Default: the anchors in the state folder. */
  readonly anchor?: string | false
  /** Text of an allowed_signers file: every given anchor must be signed by one of its keys. Default: signatures are not asked for. */
  readonly signers?: string
  /** ms since 1970, for keys that are valid for a time; default: now. */
  readonly now?: number
  readonly stateDir?: string
}

/** Reads one snapshot, so that a runtime may go on writing. Throws LOG_OPEN_FAILED, LOG_VERSION, LOG_INVALID (not a log, not an anchor). */
export function verifyLog(file: string, options: VerifyOptions = {}): Verdict {
  let db: Db
  try {
    db = openForReading(resolve(file))
  } catch (error) {
    // A file too damaged to open is the strongest finding, not a failure of ours.
    const cause = UsherError.is(error) ? sqliteCode(error.cause) : ''
    if (cause.startsWith('SQLITE_CORRUPT') || cause === 'SQLITE_NOTADB') return broken(0, 0, 'damaged', `SQLite cannot read the file: ${(error as Error).message}`)
    throw error
  }
  try {
    // Deferred and read only: it holds the snapshot and nothing else.
    return db.transaction(() => verify(db, options))()
  } finally {
    db.close()
  }
}

/** The head as one line to keep elsewhere: in a mail, on paper, in another account. */
export function anchorLine(file: string, now: number = Date.now()): string {
  return anchorText(anchorOf(file, now))
}

/** The same, taken apart. */
export function anchorOf(file: string, now: number = Date.now()): Anchor {
  const db = openForReading(resolve(file))
  try {
    return { ...headOf(db), at: new Date(now).toISOString() }
  } finally {
    db.close()
  }
}

export function logIdOf(db: Db): string {
  const id: unknown = db.prepare('SELECT json_extract(body, \'$.logId\') FROM rows WHERE seq = 1 AND kind = \'genesis\'').pluck().get()
  return typeof id === 'string' ? id : ''
}

export function headOf(db: Db): Head {
  const head = db.prepare('SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1').get() as { seq: number, hash: string } | undefined
  return { logId: logIdOf(db), seq: head?.seq ?? 0, hash: head?.hash ?? GENESIS_PREV }
}

function broken(rows: number, seq: number, kind: Fault['kind'], detail: string): Verdict {
  return { kind: 'broken', rows, first: { seq, kind, detail } }
}

function verify(db: Db, options: VerifyOptions): Verdict {
  let rows = 0
  let last = 0
  let unchecked = 0
  const key = existingKey(options.stateDir ?? defaultStateDir())
  try {
    const removed = readCheckpoints(db, key && new Secrets(key))
    const walk = new ChainWalk(removed)
    let found: { readonly row: Row, readonly fault: Fault } | undefined
    // One row at a time: a page of rows with large arguments would not fit into memory.
    for (const row of db.prepare('SELECT seq, kind, body, prev, hash, text, data, salt FROM rows ORDER BY seq').iterate() as IterableIterator<Row>) {
      const fault = walk.step(row)
      if (fault) { found = { row, fault }; break }
      last = row.seq
      rows++
    }
    if (found) return { kind: 'broken', rows, first: found.fault.kind === 'changed' ? movedOr(db, found.row, found.fault) : found.fault }
    const [forged] = removed.forged
    if (forged !== undefined) return broken(rows, forged, 'forged', `row ${forged} claims to be a checkpoint, but nobody with the key in the state folder wrote it`)
    unchecked = removed.unchecked
    if (rows === 0) return broken(0, 1, 'missing', 'there is no row at all; even a new log has its first one')
    const damage = db.pragma('integrity_check(1)', { simple: true })
    if (damage !== 'ok') return broken(rows, 0, 'damaged', String(damage))
    const schema = changedSchema(db)
    if (schema !== undefined) return broken(rows, 0, 'schema', schema)
  } catch (error) {
    if (!sqliteCode(error).startsWith('SQLITE_') && !(error instanceof SyntaxError)) throw error
    return broken(rows, last + 1, 'damaged', `SQLite cannot read on behind row ${last}: ${(error as Error).message}`)
  }
  return anchored(db, rows, options, unchecked)
}

/** How far from its place a moved row is looked for, besides behind its own predecessor. */
const NEAR = 1000

/** A row whose hash is right for another place was moved, not changed. */
function movedOr(db: Db, row: Row, fault: Fault): Fault {
  const behind = db.prepare('SELECT seq + 1 FROM rows WHERE hash = ?').pluck().all(row.prev) as number[]
  const near = Array.from({ length: 2 * NEAR }, (_, i) => row.seq - NEAR + i)
  const place = [...behind, ...near].find(seq => seq > 0 && seq !== row.seq && rowHash(seq, row.kind, row.body, row.prev) === row.hash)
  return place === undefined ? fault : { seq: row.seq, kind: 'reordered', detail: `the row at ${row.seq} was written as row ${place}` }
}

/** @param unchecked the newest checkpoint whose keyed hash could not be checked: a line that a person kept, taken after it, vouches for it */
function anchored(db: Db, rows: number, options: VerifyOptions, unchecked: number): Verdict {
  const head = headOf(db)
  if (options.anchor === false) return { kind: 'unanchored', rows, head, why: 'no anchor was asked for' }
  const stateDir = options.stateDir ?? defaultStateDir()
  const anchors = options.anchor === undefined ? readAnchors(stateDir, head.logId) : options.anchor.split('\n').filter(line => line.trim() !== '').map(parseAnchor)
  if (anchors.length === 0) return { kind: 'unanchored', rows, head, why: `the state folder ${stateDir} has no anchor of this log: a cut tail or a full rewrite would not show` }
  let anchoredAt = 0
  for (const anchor of anchors) {
    const unsigned = options.signers === undefined ? undefined : signatureFault(anchor, options.signers, options.now ?? Date.now())
    if (unsigned !== undefined) return { kind: 'broken', rows, first: { seq: anchor.seq, kind: 'forged', detail: `the anchor of row ${anchor.seq} at ${anchor.at} counts for nothing: ${unsigned}` } }
    const fault = anchorFault(db, head, anchor)
    if (fault !== undefined && fault !== 'pruned') return { kind: 'broken', rows, first: fault }
    if (fault === undefined) anchoredAt = Math.max(anchoredAt, anchor.seq)
  }
  if (anchoredAt === 0) return { kind: 'unanchored', rows, head, why: 'the anchored rows were cut by retention; keep a newer anchor' }
  // Anchors in the state folder are written whatever was appended; they vouch for nothing but the order.
  if (unchecked > (options.anchor === undefined ? 0 : anchoredAt)) return { kind: 'unanchored', rows, head, why: `row ${unchecked} says that rows were cut or masked, and it was made with another key than the one in the state folder: nobody can tell here whether Usher wrote it` }
  return { kind: 'ok', rows, head, anchoredAt }
}

export function anchorFault(db: Db, head: Head, anchor: Anchor): Fault | 'pruned' | undefined {
  if (anchor.logId !== head.logId) return { seq: 0, kind: 'replaced', detail: `the anchor is of log ${anchor.logId}, this is log ${head.logId}` }
  if (anchor.seq > head.seq) return { seq: head.seq + 1, kind: 'cut', detail: `the log ends at row ${head.seq}, but it had row ${anchor.seq} at ${anchor.at}` }
  const hash: unknown = db.prepare('SELECT hash FROM rows WHERE seq = ?').pluck().get(anchor.seq)
  if (hash === undefined) return 'pruned'
  return hash === anchor.hash ? undefined : { seq: anchor.seq, kind: 'rewritten', detail: `row ${anchor.seq} had another hash at ${anchor.at}: it or a row before it was written anew, with everything after it` }
}
