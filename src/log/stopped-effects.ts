/** Effects that were stopped before they happened: nothing to explain, since nothing came of them, and worth knowing all the same. */
import { fromPlain } from './plain.ts'
import type { LogReader } from './reader.ts'

/** One kind and target that one tool was stopped from. */
export interface StoppedEffect {
  readonly kind: string
  readonly target: string
  readonly tool?: string
  readonly route?: string
  /** `not-declared` or `not-allowed`, where the watcher said. */
  readonly reason?: string
  readonly times: number
  /** ms since 1970. */
  readonly last: number
  /** The last call. */
  readonly callId?: string
}

interface Row { readonly kind: string, readonly target: string, readonly tool: string | null, readonly route: string | null, readonly reason: string | null, readonly times: number, readonly last: number, readonly call_id: string | null }

const STOPPED = `SELECT json_extract(e.body, '$.kind') AS kind, json_extract(e.body, '$.target') AS target, c.tool AS tool, c.route AS route, max(json_extract(e.body, '$.detail.reason')) AS reason,
  sum(coalesce(json_extract(e.body, '$.times'), 1)) AS times, max(e.at) AS last, e.call_id AS call_id
  FROM rows e LEFT JOIN rows c ON c.kind = 'call' AND c.call_id = e.call_id WHERE e.kind = 'effect' AND json_extract(e.body, '$.blocked') = 1 AND (:since IS NULL OR e.at >= :since)
  GROUP BY 1, 2, 3, 4 ORDER BY last DESC, e.seq DESC`

/** Newest first. @param since ms since 1970; default: all */
export function stoppedEffects(reader: LogReader, since?: number): readonly StoppedEffect[] {
  return (reader.db.prepare(STOPPED).all({ since: since ?? null }) as Row[]).map(({ kind, target, tool, route, reason, times, last, call_id: callId }) => ({
    kind, target: fromPlain(target), times, last,
    ...tool === null ? {} : { tool: fromPlain(tool) }, ...route === null ? {} : { route: fromPlain(route) }, ...reason === null ? {} : { reason }, ...callId === null ? {} : { callId: fromPlain(callId) },
  }))
}
