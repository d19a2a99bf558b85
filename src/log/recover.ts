/** Calls that a dead process left in flight: whether they took effect is not known, so they read `unknown`, and nobody runs them again. */
import type { Db } from './db.ts'
import { sqliteCode } from './failures.ts'
import type { Journal } from './journal.ts'
import { fromPlain } from './plain.ts'
import { isDead, ownProcess, parseProcess } from './process-id.ts'
import type { DecisionRow } from '../ports.ts'
import { closingOf, isUnbegun } from './announced.ts'
import { closingRow, outcomeRow } from './rows.ts'
import type { Secrets } from './secrets.ts'

/** One walk over one index, in which a call's row stands beside its outcomes: `outcome` is the greater word. NOT EXISTS would read every call. */
export const OPEN_CALLS = 'SELECT call_id FROM rows WHERE kind = \'call\' OR kind = \'outcome\' GROUP BY call_id HAVING max(kind) = \'call\''
const IN_FLIGHT = `SELECT c.call_id AS callId, c.at AS at, json_extract(c.body, '$.process') AS process, json_extract(c.body, '$.openUntil') AS openUntil FROM (${OPEN_CALLS}) o
  JOIN rows c ON c.seq = (SELECT min(seq) FROM rows WHERE kind = 'call' AND call_id = o.call_id) ORDER BY c.seq`

const NOT_BEGUN = (at: number) => ({ kind: 'denied', reason: 'log-failed', why: 'the process ended between the decision and its call, so the call\'s row was not written and it did not run', at }) as const

const CRASHED = { reason: 'crashed', why: 'the process that ran the call ended before the call did; it may or may not have taken effect' } as const
const NEVER_TOLD = { reason: 'lost-answer', why: 'the runtime that ran the call never told how it ended; it may or may not have taken effect' } as const

interface InFlight { readonly callId: string, readonly at: number, readonly process: string | null, readonly openUntil: number | null }

/**
 * Calls without an end whose process is gone, or whose runtime never told how they ended.
 * @param alone nobody else has the file open: then a process that this one cannot see (in another container) is gone too
 */
export function deadCalls(db: Db, alone = false, now = Date.now()): readonly InFlight[] {
  const dead = new Map<string, boolean>()
  return (db.prepare(IN_FLIGHT).all() as InFlight[]).filter(call => {
    if (isOverdue(call, now)) return true
    const text = call.process ?? ''
    let gone = dead.get(text)
    if (gone === undefined) {
      const id = text === '' ? undefined : parseProcess(text)
      dead.set(text, gone = id !== undefined && (isDead(id) || (alone && call.openUntil === null && id.space !== ownProcess().space)))
    }
    return gone
  })
}

const isOverdue = (call: InFlight, now: number): boolean => call.openUntil !== null && now > call.openUntil

/** A process that died this long ago, in rows of the log, was looked for by those that opened it since. */
const TAIL = 1000
const UNBEGUN = `SELECT d.body AS body, json_extract(d.body, '$.process') AS process FROM rows d WHERE d.kind = 'decision' AND d.seq > (SELECT coalesce(max(seq), 0) - ${TAIL} FROM rows)
  AND json_extract(d.body, '$.process') IS NOT NULL AND ${isUnbegun('d')} AND ${closingOf('d')} IS NULL ORDER BY d.seq`

/** Decisions to call whose process died before the call's row: nothing ran. */
export function deadAnnouncements(db: Db): readonly DecisionRow[] {
  return (db.prepare(UNBEGUN).all() as { readonly body: string, readonly process: string }[]).flatMap(({ body, process }) => {
    const id = parseProcess(process)
    return id !== undefined && isDead(id) ? [JSON.parse(body) as DecisionRow] : []
  })
}

/**
 * Is this the only connection to the file, where that decides over a call? Leaving WAL mode needs the whole file for oneself, so SQLite
 * tells, across containers too. To be asked before anything else is done with the file: the WAL is a new one afterwards.
 */
export function decidesAlone(db: Db, timeoutMs: number): boolean {
  const unseen = (db.prepare(IN_FLIGHT).all() as InFlight[]).some(call => call.openUntil === null && parseProcess(call.process ?? '[]')?.space !== ownProcess().space)
  if (!unseen) return false
  db.pragma('busy_timeout = 0')
  try {
    return db.pragma('journal_mode = DELETE', { simple: true }) === 'delete'
  } catch (error) {
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) return false
    throw error
  } finally {
    db.pragma('journal_mode = WAL')
    // Makes the new WAL file, which the file guard is about to remember.
    db.prepare('SELECT count(*) FROM sqlite_master').get()
    db.pragma(`busy_timeout = ${timeoutMs}`)
  }
}

/** Gives the ids of the calls that it marked. Looks again inside the transaction: another process may be recovering too. */
export function recover(db: Db, journal: Journal, secrets: Secrets, now: number, alone: boolean): readonly string[] {
  if (deadCalls(db, alone, now).length === 0 && deadAnnouncements(db).length === 0) return []
  return journal.within(append => {
    const calls = deadCalls(db, alone, now)
    append([...deadAnnouncements(db).map(decision => closingRow(decision, NOT_BEGUN(now), secrets)), ...calls.map(call => outcomeRow({
      callId: fromPlain(call.callId), kind: 'unknown', ...isOverdue(call, now) ? NEVER_TOLD : CRASHED, at: now, ms: Math.max(0, now - call.at),
    }, secrets))])
    return calls.map(call => fromPlain(call.callId))
  })
}
