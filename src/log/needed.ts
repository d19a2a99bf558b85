/** Old rows that retention must leave: see prune.ts. */
import type { Db } from './db.ts'
import { OPEN_CALLS } from './recover.ts'
import { unexplainedSql } from './unexplained-sql.ts'

interface Row { readonly seq: number, readonly kind: string, readonly event_id: string | null, readonly call_id: string | null, readonly decision_id: string | null, readonly caused_by: string | null }
const COLUMNS = 'seq, kind, event_id, call_id, decision_id, caused_by'

/** What holds until a person ends it is derived from these, however old they are: a stop must not end because its row was cut. */
const LASTING_ACTS = '(\'stop\', \'resume\', \'breaker.open\', \'breaker.close\', \'report\', \'passphrase.set\')'

/**
 * Rows up to `last` that stay.
 * @param evenUnexplained leave no row for being unexplained
 */
export function stillNeeded(db: Db, last: number, evenUnexplained: boolean): ReadonlySet<number> {
  const relatives = new Relatives(db, last)
  for (const row of db.prepare(`SELECT ${COLUMNS} FROM rows WHERE seq > ?`).all(last) as Row[]) relatives.follow(row)
  for (const seq of db.prepare(`SELECT seq FROM rows WHERE kind IN ('act', 'checkpoint') AND seq <= ? AND json_extract(body, '$.act') IN ${LASTING_ACTS}`).pluck().all(last) as number[]) relatives.keep(seq)
  const inFlight = db.prepare(OPEN_CALLS).pluck().all() as string[]
  for (const callId of inFlight) relatives.keepCall(callId)
  if (!evenUnexplained) {
    for (const found of db.prepare(unexplainedSql()).all() as { seq: number, call_id: string | null }[]) {
      relatives.keep(found.seq)
      if (found.call_id !== null) relatives.keepCall(found.call_id)
    }
  }
  return relatives.kept
}

/** Keeps a row with all that explains it: its call with outcomes and effects, its event with decisions, and what caused that. */
class Relatives {
  readonly kept = new Set<number>()
  readonly #last: number
  readonly #calls = new Set<string>()
  readonly #events = new Set<string>()
  readonly #ofCall
  readonly #ofEvent

  constructor(db: Db, last: number) {
    this.#last = last
    this.#ofCall = db.prepare(`SELECT ${COLUMNS} FROM rows WHERE (kind = 'call' AND call_id = :id) UNION ALL SELECT ${COLUMNS} FROM rows WHERE (kind = 'outcome' AND call_id = :id) UNION ALL SELECT ${COLUMNS} FROM rows WHERE (kind = 'effect' AND call_id = :id)`)
    this.#ofEvent = db.prepare(`SELECT ${COLUMNS} FROM rows WHERE (kind = 'event' AND event_id = :id) UNION ALL SELECT ${COLUMNS} FROM rows WHERE (kind = 'decision' AND event_id = :id)`)
  }

  keep(seq: number): void {
    if (seq <= this.#last) this.kept.add(seq)
  }

  keepCall(callId: string): void {
    this.#work([['call', callId]])
  }

  follow(row: Row): void {
    this.#work(references(row))
  }

  /** A list of work instead of recursion: a chain of causes may be long. */
  #work(todo: [kind: 'call' | 'event', id: string][]): void {
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const [kind, id] = next
      const done = kind === 'call' ? this.#calls : this.#events
      if (done.has(id)) continue
      done.add(id)
      for (const row of (kind === 'call' ? this.#ofCall : this.#ofEvent).all({ id }) as Row[]) {
        this.keep(row.seq)
        todo.push(...references(row))
      }
    }
  }
}

function references(row: Row): [kind: 'call' | 'event', id: string][] {
  const found: [kind: 'call' | 'event', id: string][] = []
  if (row.call_id !== null) found.push(['call', row.call_id])
  if (row.event_id !== null) found.push(['event', row.event_id])
  if (row.caused_by !== null) found.push(['call', row.caused_by])
  return found
}
