/** The question of the log: what happened that nobody asked for? */
import { fromPlain } from './plain.ts'
import type { LogReader } from './reader.ts'
import { unexplainedSql, type UNEXPLAINED_REASONS } from './unexplained-sql.ts'

export type UnexplainedReason = (typeof UNEXPLAINED_REASONS)[number]

export interface Unexplained {
  /** `effect-<row>`, or the id of a call whose outcome is unknown. */
  readonly id: string
  readonly at: number
  readonly reason: UnexplainedReason
  /** The effect; absent for a call whose outcome is unknown. */
  readonly kind?: string
  readonly target?: string
  readonly callId?: string
  readonly tool?: string
  readonly route?: string
  readonly eventId?: string
  readonly source?: string
  /** The words behind it, where there is an event; absent also where retention dropped them. */
  readonly text?: string
  readonly evidence: string
  readonly nextStep: string
}

interface Found {
  id: string, at: number, reason: UnexplainedReason, kind: string | null, target: string | null, call_id: string | null, tool: string | null, route: string | null
  event_id: string | null, source: string | null, text: string | null, evidence: string, next_step: string
}

/**
 * Worst first; empty on a quiet day.
 * @param since ms since 1970; default: all
 */
export function unexplained(reader: LogReader, since?: number): readonly Unexplained[] {
  const rows = (since === undefined ? reader.db.prepare(unexplainedSql()).all() : reader.db.prepare(unexplainedSql(':since')).all({ since })) as Found[]
  return rows.map(row => ({
    id: row.id, at: row.at, reason: row.reason, evidence: row.evidence, nextStep: row.next_step,
    ...given('kind', row.kind), ...given('target', row.target), ...given('callId', row.call_id), ...given('tool', row.tool), ...given('route', row.route),
    ...given('eventId', row.event_id), ...given('source', row.source), ...given('text', row.text),
  }))
}

function given<K extends string>(name: K, value: string | null): { readonly [key in K]?: string } {
  return (value === null ? {} : { [name]: fromPlain(value) }) as { readonly [key in K]?: string }
}
