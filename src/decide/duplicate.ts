/** The same id of the same source again: logged like every other way out, with what became of the first one. */
import type { CallLog, Clock, Embedder, SeenDecision } from '../ports.ts'
import type { Event, Outcome, RouteTable } from '../types.ts'
import { decisionRow, outcomeOf } from './row.ts'

export async function duplicate(parts: { readonly log: CallLog, readonly table: RouteTable, readonly embedder: Embedder, readonly clock: Clock }, event: Event, eventId: string, before: readonly SeenDecision[]): Promise<Outcome> {
  const { log, table, embedder, clock } = parts
  const [first] = before
  const why = `${event.source} sent this id before${first ? `; it was ${first.kind}${first.tool ? ` (${first.tool})` : ''} then` : ''}`
  const row = decisionRow({ eventId, candidates: [], reading: { asks: [], notAsks: [] }, table, encoderId: embedder.id, at: clock.now() }, 0, { kind: 'duplicate', reason: 'id', why })
  const named = { ...(first?.route ? { route: first.route } : {}), ...(first?.tool ? { tool: first.tool } : {}) }
  await log.decision({ ...row, ...named })
  return { ...outcomeOf(row), ...named, ...(first?.callId ? { callId: first.callId } : {}) }
}
