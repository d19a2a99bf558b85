/** Calls of this process that have begun and not ended. Told to stop at once, it says of each that nobody knows how it went. */
import type { Db } from '../log/db.ts'
import { fromPlain } from '../log/plain.ts'
import { ownProcess, processText } from '../log/process-id.ts'
import { OPEN_CALLS } from '../log/recover.ts'
import type { CallLog, Clock } from '../ports.ts'

interface Open { readonly callId: string, readonly at: number }

const MINE = `SELECT c.call_id AS callId, c.at AS at FROM (${OPEN_CALLS}) o JOIN rows c ON c.kind = 'call' AND c.call_id = o.call_id WHERE json_extract(c.body, '$.process') = ?`

/** Writes an outcome for each, `unknown`: it is not run again by itself. Gives how many. */
export async function markInFlight(log: CallLog, db: Db, clock: Clock): Promise<number> {
  const open = db.prepare(MINE).all(processText(ownProcess())) as Open[]
  const now = clock.now()
  for (const { callId, at } of open) {
    await log.end({ callId: fromPlain(callId), kind: 'unknown', reason: 'crashed', why: 'the server was told to stop at once while the call ran; it may or may not have taken effect', at: now, ms: Math.max(0, now - at) })
  }
  return open.length
}
