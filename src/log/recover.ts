/** Calls that a dead process left in flight: whether they took effect is not known, so they read `unknown`, and nobody runs them again. */
import type { Db } from './db.ts'
import type { Journal } from './journal.ts'
import { fromPlain } from './plain.ts'
import { isDead, parseProcess } from './process-id.ts'
import { outcomeRow } from './rows.ts'
import type { Secrets } from './secrets.ts'

const IN_FLIGHT = `SELECT c.call_id AS callId, c.at AS at, json_extract(c.body, '$.process') AS process FROM rows c
  WHERE c.kind = 'call' AND NOT EXISTS (SELECT 1 FROM rows o WHERE o.kind = 'outcome' AND o.call_id = c.call_id) ORDER BY c.seq`

interface InFlight { readonly callId: string, readonly at: number, readonly process: string | null }

/** Ids of calls without an end whose process is gone. */
export function deadCalls(db: Db): readonly InFlight[] {
  const dead = new Map<string, boolean>()
  return (db.prepare(IN_FLIGHT).all() as InFlight[]).filter(call => {
    const text = call.process ?? ''
    let gone = dead.get(text)
    if (gone === undefined) {
      const id = text === '' ? undefined : parseProcess(text)
      dead.set(text, gone = id !== undefined && isDead(id))
    }
    return gone
  })
}

/** Gives the ids that it marked. Looks again inside the transaction: another process may be recovering too. */
export function recover(db: Db, journal: Journal, secrets: Secrets, now: number): readonly string[] {
  if (deadCalls(db).length === 0) return []
  return journal.within(append => {
    const calls = deadCalls(db)
    append(calls.map(call => outcomeRow({
      callId: fromPlain(call.callId), kind: 'unknown', reason: 'crashed', why: 'the process that ran the call ended before the call did; it may or may not have taken effect',
      at: now, ms: Math.max(0, now - call.at),
    }, secrets)))
    return calls.map(call => fromPlain(call.callId))
  })
}
