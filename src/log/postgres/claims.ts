/**
 * Once in the fleet. An event is decided by whoever claimed it; a claim of a writer that is gone, and decided nothing, may be taken over as the
 * next generation. A (event, route, clause) is called at most once, whoever asks: its claim stands in the same transaction as the call's row.
 */
import { createHash } from 'node:crypto'
import { UsherError } from '../../errors.ts'
import type { PgConnection } from './client.ts'
import { isGone } from './session.ts'

/** An event is the sender's id at a source; hashed, since an id may be long. */
export function eventKey(source: string, senderId: string): string {
  return createHash('sha256').update(JSON.stringify([source, senderId])).digest('hex')
}

export type Claim =
  /** This writer decides it. `logged`: it was written before, and nobody decided it. */
  | { readonly kind: 'mine', readonly generation: number, readonly logged: boolean }
  /** It was decided, as these rows (bodies of decisions, oldest first) say. */
  | { readonly kind: 'decided', readonly decisions: readonly string[] }
  /** Another writer is at it. */
  | { readonly kind: 'busy', readonly writer: string }

/** In a transaction of its own. */
export async function claimEvent(connection: PgConnection, key: string, event: { readonly source: string, readonly senderId: string }, writer: string, at: number): Promise<Claim> {
  await connection.query('BEGIN')
  try {
    const claim = await claimInside(connection, key, event, writer, at)
    await connection.query('COMMIT')
    return claim
  } catch (error) {
    if (connection.alive) await connection.query('ROLLBACK')
    throw error
  }
}

async function claimInside(connection: PgConnection, key: string, event: { readonly source: string, readonly senderId: string }, writer: string, at: number): Promise<Claim> {
  const [first] = await connection.query('INSERT INTO usher.event_claims (event_key, generation, writer, at, source, sender_id) VALUES ($1, 1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1', [key, writer, at, event.source, event.senderId])
  if (first) return decidedOr(connection, event, 1)
  const [holder] = await connection.query<{ generation: number, writer: string }>('SELECT generation, writer FROM usher.event_claims WHERE event_key = $1 ORDER BY generation DESC LIMIT 1', [key])
  if (!holder) return { kind: 'busy', writer: '' }
  if (holder.writer !== writer && !await isGone(connection, holder.writer)) {
    const decisions = await decisionsOf(connection, event)
    return decisions.length > 0 ? { kind: 'decided', decisions } : { kind: 'busy', writer: holder.writer }
  }
  // Read after the lock is held: what the writer committed last is in it.
  if (holder.writer === writer) return decidedOr(connection, event, holder.generation)
  const found = await decidedOr(connection, event, holder.generation + 1)
  if (found.kind === 'decided') return found
  const [mine] = await connection.query('INSERT INTO usher.event_claims (event_key, generation, writer, at, source, sender_id) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1', [key, holder.generation + 1, writer, at, event.source, event.senderId])
  return mine ? found : { kind: 'busy', writer: '' }
}

async function decidedOr(connection: PgConnection, event: { readonly source: string, readonly senderId: string }, generation: number): Promise<Claim> {
  const decisions = await decisionsOf(connection, event)
  if (decisions.length > 0) return { kind: 'decided', decisions }
  const [logged] = await connection.query('SELECT 1 FROM usher.rows WHERE kind = \'event\' AND source = $1 AND sender_id = $2 LIMIT 1', [event.source, event.senderId])
  return { kind: 'mine', generation, logged: logged !== undefined }
}

/** Undefined: no machine logged it. Empty: logged, and not decided. */
export async function decidedBefore(connection: PgConnection, event: { readonly source: string, readonly senderId: string }): Promise<readonly string[] | undefined> {
  const found = await decidedOr(connection, event, 0)
  return found.kind === 'decided' ? found.decisions : found.kind === 'mine' && found.logged ? [] : undefined
}

async function decisionsOf(connection: PgConnection, event: { readonly source: string, readonly senderId: string }): Promise<readonly string[]> {
  const rows = await connection.query<{ body: string }>(`SELECT d.body FROM usher.rows e JOIN usher.rows d ON d.kind = 'decision' AND d.event_id = e.event_id
    WHERE e.kind = 'event' AND e.source = $1 AND e.sender_id = $2 ORDER BY d.xid, d.place`, [event.source, event.senderId])
  return rows.map(row => row.body)
}

/** Inside the transaction that writes the decision. Throws ALREADY_HANDLED when another writer took the event over. */
export async function stillMine(connection: PgConnection, key: string, generation: number): Promise<void> {
  const [newest] = await connection.query<{ generation: number }>('SELECT max(generation) AS generation FROM usher.event_claims WHERE event_key = $1', [key])
  if (newest?.generation !== generation) throw new UsherError('ALREADY_HANDLED', 'this machine was cut off, and another one took the event over; it is not decided twice')
}

/** Inside the transaction that writes the call's row. Throws ALREADY_HANDLED when the clause was called already, by whomever. */
export async function claimCall(connection: PgConnection, claim: { readonly key: string, readonly route: string, readonly clause: number, readonly callId: string, readonly writer: string, readonly at: number }): Promise<void> {
  const [mine] = await connection.query('INSERT INTO usher.call_claims (event_key, route, clause, call_id, writer, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1', [claim.key, claim.route, claim.clause, claim.callId, claim.writer, claim.at])
  if (mine) return
  const [first] = await connection.query<{ call_id: string }>('SELECT call_id FROM usher.call_claims WHERE event_key = $1 AND route = $2 AND clause = $3', [claim.key, claim.route, claim.clause])
  throw new UsherError('ALREADY_HANDLED', `another machine handled the same event already, in call ${first?.call_id ?? 'of its own'}; it is not called twice`)
}
