/** A model's, a person's or a proxy's call: no words, the same dispatcher, the same log. */
import { noteControlDenied } from '../contract/proposals.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { ApprovalDesk, CallLog, Clock, DecisionRow } from '../ports.ts'
import type { CallBy, Event, JsonObject, Outcome, RouteTable, Tool } from '../types.ts'
import { newId } from '../util/ids.ts'
import { decisionRow, outcomeOf, type Finding } from './row.ts'
import { breachOf, stoppedNow, type Switches } from './switches.ts'
import { directDraft, keepCard } from './waiting.ts'

export interface DirectParts {
  readonly table: RouteTable
  readonly tools: ReadonlyMap<string, Tool>
  readonly encoderId: string
  readonly log: CallLog
  readonly dispatcher: Pick<Dispatcher, 'prepare' | 'run'>
  readonly clock: Clock
  readonly owner?: Switches
  readonly desk?: ApprovalDesk
}

export interface Caller { readonly by: Exclude<CallBy, 'router'>, readonly who?: string, readonly causedBy?: string }

export async function directCall(parts: DirectParts, tool: string, args: JsonObject, who: Caller): Promise<Outcome> {
  const { log, clock, dispatcher, table, encoderId, owner, desk } = parts
  const eventId = newId('e')
  const cause = who.causedBy ? { causedBy: who.causedBy } : {}
  const event: Event = { id: eventId, source: `call:${who.by}`, text: '', at: clock.now(), data: { tool }, ...cause }
  await log.event({ eventId, senderId: eventId, source: event.source, text: '', textLength: 0, at: event.at, data: { tool }, ...cause })
  const explicit = who.by === 'person' || who.by === 'approval'
  const origins = Object.fromEntries(Object.keys(args).map(key => [`/${key}`, { kind: 'caller' }]))
  const known = parts.tools.get(tool)
  const broken = (explicit ? undefined : await stoppedNow(owner)) ?? await breachOf(known, owner)
  const prepared = broken ? { kind: 'refused' as const, outcome: broken } : dispatcher.prepare({ by: who.by, tool, args, event, eventId, explicit, origins, ...(who.who ? { who: who.who } : {}) })
  const full = prepared.kind === 'refused' && prepared.outcome.kind === 'needs-approval' ? await desk?.full?.(event.source, undefined) : undefined
  const finding: Finding = prepared.kind === 'ready' ? { kind: 'called', reason: 'direct', why: `${who.who ?? `a ${who.by}`} called ${tool}`, args: prepared.args } : full === undefined ? { ...prepared.outcome, args, origins } : { kind: 'limited', reason: 'cards', why: full }
  const row = decisionRow({ eventId, candidates: [], reading: { asks: [], notAsks: [] }, table, encoderId, at: clock.now() }, 0, finding)
  const decision: DecisionRow = { ...row, tool, ...(prepared.kind === 'ready' ? { callId: prepared.callId } : {}) }
  await log.decision(decision)
  await noteControlDenied(log, 'model', decision, clock.now())
  if (prepared.kind !== 'ready') return decision.kind === 'needs-approval' ? keepCard(parts, decision, directDraft(tool, args, event, who.by, who.who, decision.why, origins)) : outcomeOf(decision)
  const outcome = await dispatcher.run(prepared, decision.decisionId)
  await owner?.settle(tool, undefined)
  return outcome
}
