/** Is the fleet's log what was written? Every writer's chain, everybody's heads as the others noted them, the look-up columns, and the protection. */
import { ChainWalk, type ChainRow } from '../chain-walk.ts'
import type { CutRange, Removed } from '../checkpoints.ts'
import { checkpointBytes } from '../checkpoint-bytes.ts'
import { Secrets } from '../secrets.ts'
import { defaultStateDir, existingKey } from '../state.ts'
import { connect, pgError, publicUrl, type PgConnection } from './client.ts'
import { lookupColumns } from './journal.ts'
import { missingProtection } from './schema.ts'

export interface FleetFault { readonly writer: string, readonly seq: number, readonly kind: string, readonly detail: string }
export type FleetVerdict =
  /** `noted`: writers whose head another writer's chain vouches for. */
  | { readonly kind: 'ok', readonly rows: number, readonly writers: number, readonly noted: number }
  | { readonly kind: 'broken', readonly rows: number, readonly writers: number, readonly faults: readonly FleetFault[] }

export interface FleetVerifyOptions { readonly stateDir?: string, readonly timeoutMs?: number, readonly onProgress?: (rows: number) => void }

type Row = ChainRow & { readonly writer: string, readonly at: number | null, readonly event_id: string | null, readonly decision_id: string | null, readonly call_id: string | null, readonly source: string | null, readonly sender_id: string | null, readonly caused_by: string | null, readonly route: string | null, readonly tool: string | null }

const PAGE = 2000

/** Reads one snapshot, while the fleet writes. Throws LOG_OPEN_FAILED. */
export async function verifyFleetLog(url: string, options: FleetVerifyOptions = {}): Promise<FleetVerdict> {
  const connection = await connect(url, { name: 'usher verify', timeoutMs: options.timeoutMs ?? 30_000 })
  try {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await verify(connection, options)
  } catch (cause) {
    throw pgError('LOG_OPEN_FAILED', `cannot verify the log in ${publicUrl(url)}`, cause)
  } finally {
    await connection.end()
  }
}

interface Noted { readonly writer: string, readonly seq: number, readonly hash: string, readonly by: string }

async function verify(connection: PgConnection, options: FleetVerifyOptions): Promise<FleetVerdict> {
  const key = existingKey(options.stateDir ?? defaultStateDir())
  const faults: FleetFault[] = (await missingProtection(connection)).map(detail => ({ writer: '', seq: 0, kind: 'schema', detail }))
  const removed = await removedRows(connection, key && new Secrets(key))
  const noted: Noted[] = []
  const heads = new Map<string, { readonly seq: number, readonly hash: string }>()
  let rows = 0
  let walk: ChainWalk | undefined
  let at = { writer: '', seq: 0 }
  let broken = ''
  for (;;) {
    const page: readonly Row[] = await connection.query<Row>(`SELECT writer, seq, kind, body, prev, hash, text, data, salt, at, event_id, decision_id, call_id, source, sender_id, caused_by, route, tool FROM usher.rows
      WHERE (writer, seq) > ($1, $2) ORDER BY writer, seq LIMIT ${PAGE}`, [at.writer, at.seq])
    for (const row of page) {
      if (row.writer !== at.writer) walk = new ChainWalk(removed.get(row.writer) ?? NOTHING)
      at = row
      rows++
      if (row.writer === broken) continue
      const fault = walk?.step(row) ?? columnsFault(row)
      if (fault) { faults.push({ writer: row.writer, ...fault }); broken = row.writer; continue }
      heads.set(row.writer, row)
      noted.push(...headsIn(row))
    }
    options.onProgress?.(rows)
    if (page.length < PAGE) break
  }
  const vouched = await notedFaults(connection, noted, heads, removed, faults)
  return faults.length > 0 ? { kind: 'broken', rows, writers: heads.size, faults } : { kind: 'ok', rows, writers: heads.size, noted: vouched }
}

const NOTHING: Removed = { ranges: new Map(), texts: new Set(), redacted: new Map(), forged: [], unchecked: 0 }

/** Whoever changes a look-up column hides a row from the questions without touching its hash. */
function columnsFault(row: Row): { readonly seq: number, readonly kind: string, readonly detail: string } | undefined {
  const stored = [row.at, row.event_id, row.decision_id, row.call_id, row.source, row.sender_id, row.caused_by, row.route, row.tool]
  return lookupColumns(row.body).every((value, i) => value === stored[i]) ? undefined : { seq: row.seq, kind: 'changed', detail: `row ${row.seq} (${row.kind}) is filed under other names than its body has` }
}

function headsIn(row: Row): readonly Noted[] {
  if (row.kind !== 'act') return []
  const body = JSON.parse(row.body) as { act?: unknown, detail?: { heads?: unknown } }
  if (body.act !== 'fleet.heads' || !Array.isArray(body.detail?.heads)) return []
  return (body.detail.heads as unknown[]).flatMap(item => Array.isArray(item) && typeof item[0] === 'string' && typeof item[1] === 'number' && typeof item[2] === 'string' ? [{ writer: item[0], seq: item[1], hash: item[2], by: row.writer }] : [])
}

/** The newest note of each writer counts: earlier ones are covered by its chain. Gives how many writers another one vouches for. */
async function notedFaults(connection: PgConnection, noted: readonly Noted[], heads: ReadonlyMap<string, { readonly seq: number }>, removed: ReadonlyMap<string, Removed>, faults: FleetFault[]): Promise<number> {
  const newest = new Map<string, Noted>()
  for (const note of noted) if (note.by !== note.writer && note.seq > (newest.get(note.writer)?.seq ?? 0)) newest.set(note.writer, note)
  let vouched = 0
  for (const note of newest.values()) {
    const [row] = await connection.query<{ hash: string }>('SELECT hash FROM usher.rows WHERE writer = $1 AND seq = $2', [note.writer, note.seq])
    if (row?.hash === note.hash) { vouched++; continue }
    if (!row && wasCut(removed.get(note.writer), note.seq)) continue
    faults.push(row
      ? { writer: note.writer, seq: note.seq, kind: 'rewritten', detail: `row ${note.seq} had another hash when writer ${note.by} noted it: it or a row before it was written anew` }
      : { writer: note.writer, seq: (heads.get(note.writer)?.seq ?? 0) + 1, kind: 'cut', detail: `writer ${note.by} noted row ${note.seq} of this chain, which ends at row ${heads.get(note.writer)?.seq ?? 0} now` })
  }
  return vouched
}

function wasCut(removed: Removed | undefined, seq: number): boolean {
  return [...removed?.ranges.values() ?? []].some(range => range.from <= seq && seq <= range.to)
}

interface Checkpoint { readonly act: unknown, readonly about: string, readonly detail: { readonly writers?: { readonly [writer: string]: readonly CutRange[] }, readonly ranges?: readonly CutRange[], readonly texts?: readonly number[], readonly redacted?: readonly { readonly seq: number, readonly contentHash: string }[] }, readonly at: unknown, readonly keyId: unknown, readonly mac: unknown }

/** What retention cut, as its checkpoint rows say, where they were made with this machine's key. */
async function removedRows(connection: PgConnection, secrets: Secrets | undefined): Promise<ReadonlyMap<string, Removed>> {
  const ranges = new Map<string, Map<number, CutRange>>()
  const texts = new Map<string, Set<number>>()
  const redacted = new Map<string, Map<number, string>>()
  for (const { writer: own, body } of await connection.query<{ writer: string, body: string }>('SELECT writer, body FROM usher.rows WHERE kind = \'checkpoint\' ORDER BY xid, place')) {
    const row = JSON.parse(body) as Checkpoint
    if (!secrets || row.keyId !== secrets.keyId || secrets.digest('checkpoint-v1', checkpointBytes(row.act, row.about, row.detail, row.at)) !== row.mac) continue
    // A log that was copied in brings checkpoints of its own chain.
    for (const range of row.detail.ranges ?? []) of(ranges, own, () => new Map<number, CutRange>()).set(range.from, range)
    for (const seq of row.detail.texts ?? []) of(texts, own, () => new Set<number>()).add(seq)
    for (const item of row.detail.redacted ?? []) of(redacted, own, () => new Map<number, string>()).set(item.seq, item.contentHash)
    for (const [writer, list] of Object.entries(row.detail.writers ?? {})) for (const range of list) of(ranges, writer, () => new Map<number, CutRange>()).set(range.from, range)
  }
  return new Map([...new Set([...ranges.keys(), ...texts.keys(), ...redacted.keys()])].map(writer => [writer, { ...NOTHING, ranges: ranges.get(writer) ?? new Map<number, CutRange>(), texts: texts.get(writer) ?? new Set<number>(), redacted: redacted.get(writer) ?? new Map<number, string>() }]))
}

function of<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key)
  if (found === undefined) map.set(key, found = make())
  return found
}
