/** An id as a person types it: whole, or the first characters of one. */
import type { Db } from './db.ts'
import { fromPlain, toPlain } from './plain.ts'

export interface FoundId { readonly kind: 'event' | 'decision' | 'call' | 'effect', readonly id: string }
export type IdMatch = { readonly kind: 'one', readonly found: FoundId } | { readonly kind: 'none' } | { readonly kind: 'many', readonly found: readonly FoundId[] }

const COLUMNS = [['event', 'event_id'], ['decision', 'decision_id'], ['call', 'call_id']] as const
const SHOWN = 20

/** The whole id wins over those that only begin like it. `effect-<row>` is an effect. */
export function resolveId(db: Db, typed: string): IdMatch {
  const effect = /^effect-(\d{1,15})$/.exec(typed)
  if (effect && db.prepare('SELECT 1 FROM rows WHERE kind = \'effect\' AND seq = ?').get(Number(effect[1]))) return { kind: 'one', found: { kind: 'effect', id: typed } }
  const whole = COLUMNS.flatMap(([kind, column]) => db.prepare(`SELECT 1 FROM rows WHERE kind = '${kind}' AND ${column} = ? LIMIT 1`).get(toPlain(typed)) ? [{ kind, id: typed }] : [])
  const found: FoundId[] = whole.length > 0 ? whole : typed === '' ? [] : COLUMNS.flatMap(([kind, column]) => startingWith(db, kind, column, typed))
  const [first] = found
  if (first === undefined) return { kind: 'none' }
  return found.length === 1 ? { kind: 'one', found: first } : { kind: 'many', found }
}

/** substr, not LIKE or GLOB: what was typed may hold their signs. The range before it is for the index: what begins so sorts from it on, and before it with the highest character behind. */
function startingWith(db: Db, kind: FoundId['kind'], column: string, typed: string): FoundId[] {
  const ids = db.prepare(`SELECT DISTINCT ${column} FROM rows WHERE kind = '${kind}' AND ${column} >= :typed AND ${column} < :typed || char(1114111) AND substr(${column}, 1, length(:typed)) = :typed LIMIT ${SHOWN}`).pluck().all({ typed }) as string[]
  return ids.map(id => ({ kind, id: fromPlain(id) }))
}
