/** Calls that a dead writer left in flight: whether they took effect is not known, so they read `unknown`, and nobody runs them again. */
import { fromPlain } from '../plain.ts'
import { outcomeRow } from '../rows.ts'
import type { Secrets } from '../secrets.ts'
import type { PgConnection } from './client.ts'
import type { PgJournal } from './journal.ts'
import { isGone } from './session.ts'

interface InFlight { readonly call_id: string, readonly writer: string, readonly at: number }

const OPEN_CALLS = `SELECT c.call_id, c.writer, c.at FROM usher.rows c WHERE c.kind = 'call' AND c.writer <> $1
  AND NOT EXISTS (SELECT 1 FROM usher.rows o WHERE o.kind = 'outcome' AND o.call_id = c.call_id) ORDER BY c.xid, c.place`

/** Gives the ids that it marked. Two machines that look at once mark each call once: the recovery is claimed in the same transaction. */
export async function recoverDead(journal: PgJournal, writer: string, secrets: Secrets, now: number): Promise<readonly string[]> {
  const open = await journal.ask(connection => connection.query<InFlight>(OPEN_CALLS, [writer]))
  const marked: string[] = []
  for (const call of open) {
    const callId = fromPlain(call.call_id)
    const row = outcomeRow({ callId, kind: 'unknown', reason: 'crashed', why: 'the machine that ran the call is gone; it may or may not have taken effect', at: now, ms: Math.max(0, now - call.at) }, secrets)
    let mine = false
    await journal.append([row], { guard: async connection => { mine = await claimRecovery(connection, call, writer, now); if (!mine) throw new StillThere() } }).catch((error: unknown) => { if (!(error instanceof StillThere)) throw error })
    if (mine) marked.push(callId)
  }
  return marked
}

class StillThere extends Error {}

async function claimRecovery(connection: PgConnection, call: InFlight, writer: string, now: number): Promise<boolean> {
  if (!await isGone(connection, call.writer)) return false
  const [ended] = await connection.query('SELECT 1 FROM usher.rows WHERE kind = \'outcome\' AND call_id = $1 LIMIT 1', [call.call_id])
  if (ended) return false
  const [mine] = await connection.query('INSERT INTO usher.recoveries (call_id, writer, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1', [call.call_id, writer, now])
  return mine !== undefined
}
