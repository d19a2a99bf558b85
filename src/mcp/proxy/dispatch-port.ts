/** The proxy's way through the dispatcher: the same rows as any other call, event and decision before it, outcome after it. */
import { noteControlDenied, type ProposalPlace, receiveAttempt } from '../../contract/proposals.ts'
import { decisionRow, outcomeOf } from '../../decide/row.ts'
import { CARD_STANDS } from '../../decide/waiting.ts'
import type { Dispatcher } from '../../dispatch/dispatcher.ts'
import type { CallRequest, ReadyCall, Refused } from '../../dispatch/request.ts'
import type { ApprovalDesk, CallLog, Clock, DecisionRow } from '../../ports.ts'
import { canonicalJson } from '../../util/canonical.ts'
import type { Json, JsonObject, Outcome, RouteTable } from '../../types.ts'
import type { ProxyCall, ProxyPort, ProxyRefusal } from './port.ts'

/** What approvals/owner.ts gives. */
export interface ProxySwitches {
  stopped(): Promise<{ readonly reason: 'kill-switch' | 'halted', readonly why: string } | undefined>
  /** What the server offers is not what was signed: all auto-invocation halts. */
  halt(about: string, why: string, finding?: Json): Promise<boolean>
  settle(tool: string, route: string | undefined): Promise<void>
}

export interface DispatchPortParts {
  readonly dispatcher: Dispatcher
  readonly log: CallLog
  readonly clock: Clock
  /** Holds what waits for a person; without one, a `needs-approval` is only logged and told to the client. */
  readonly desk?: ApprovalDesk
  /** Without them, nothing stops or halts here. */
  readonly switches?: ProxySwitches
  /** Where proposals go, and what they are measured by; without it they are refused. */
  readonly proposals?: ProposalPlace
  /** ms that a card stands; default 10 min. */
  readonly cardFor?: number
  /** How the client names itself, for the log. */
  readonly who?: string
  readonly onNotice?: (what: string, detail: JsonObject) => void
}

/** No route and no encoder has a part in a client's call. */
export const NO_ROUTES: RouteTable = { routes: new Map(), hash: 'none', files: [] }

/** JSON Pointer -> the caller gave it. */
function originsOf(call: ProxyCall): { readonly [path: string]: Json } {
  return Object.fromEntries(Object.keys(call.args).map(key => [`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, { kind: 'caller' }]))
}

/** A yes that a person gave to exactly this call before. */
interface Yes { readonly card: string, readonly who: string }

export function dispatchPort(parts: DispatchPortParts): ProxyPort {
  const { dispatcher, log, clock, desk, switches } = parts
  // Under a yes, the card's id is the sender's: `begin` lets one call of it through.
  const logEvent = ({ event, tool }: ProxyCall, yes?: Yes): void | Promise<void> => log.event({ eventId: event.id, senderId: yes?.card ?? event.id, source: yes ? 'approval' : event.source, text: '', textLength: 0, at: event.at, data: { tool, ...yes ? { card: yes.card } : {} } })
  const rowOf = (call: ProxyCall, finding: Parameters<typeof decisionRow>[2]): DecisionRow => ({
    ...decisionRow({ eventId: call.event.id, candidates: [], reading: { asks: [], notAsks: [] }, table: NO_ROUTES, encoderId: 'none', at: clock.now() }, 0, finding), tool: call.tool,
  })
  const request = (call: ProxyCall, yes?: Yes): CallRequest => ({
    by: yes ? 'approval' : 'proxy', tool: call.tool, args: call.args, event: call.event, eventId: call.event.id, explicit: yes !== undefined, origins: originsOf(call),
    ...yes ? { who: yes.who, card: yes.card } : parts.who === undefined ? {} : { who: parts.who },
  })
  const refuse = async (call: ProxyCall, outcome: Refused['outcome']): Promise<Outcome> => {
    const full = outcome.kind === 'needs-approval' ? await desk?.full?.(call.event.source, undefined) : undefined
    const row = rowOf(call, { ...full === undefined ? outcome : { kind: 'limited', reason: 'cards', why: full }, args: call.args, origins: originsOf(call) })
    await log.decision(row)
    await noteControlDenied(log, 'model', row, clock.now())
    if (row.kind === 'needs-approval')
      await desk?.request({ decisionId: row.decisionId, tool: call.tool, argsBytes: canonicalJson(call.args), event: call.event, by: 'proxy', why: row.why, origins: originsOf(call), mode: 'grant', expiresAt: clock.now() + (parts.cardFor ?? CARD_STANDS), ...parts.who === undefined ? {} : { who: parts.who } })
    return outcomeOf(row)
  }
  const run = async (call: ProxyCall, prepared: ReadyCall, yes?: Yes): Promise<Outcome> => {
    const why = yes ? `${yes.who} said yes to exactly this call` : `${parts.who ?? 'a proxy client'} called ${call.tool}`
    const row: DecisionRow = { ...rowOf(call, { kind: 'called', reason: yes ? 'approved' : 'direct', why, args: prepared.args, origins: originsOf(call) }), callId: prepared.callId, ...yes ? { answers: yes.card } : {} }
    await log.decision(row)
    const outcome = await dispatcher.run(prepared, row.decisionId)
    await switches?.settle(call.tool, undefined)
    return outcome
  }
  return {
    async dispatch(call: ProxyCall): Promise<Outcome> {
      const stopped = await switches?.stopped()
      if (stopped) {
        await logEvent(call)
        return refuse(call, { kind: 'stopped', reason: stopped.reason, why: stopped.why })
      }
      const prepared = dispatcher.prepare(request(call))
      const yes = prepared.kind === 'refused' && prepared.outcome.kind === 'needs-approval' ? await desk?.redeem?.(call.tool, canonicalJson(call.args)) : undefined
      const again = yes ? dispatcher.prepare(request(call, yes)) : prepared
      await logEvent(call, yes)
      return again.kind === 'refused' ? refuse(call, again.outcome) : run(call, again, yes)
    },
    async refused(call: ProxyCall, refusal: ProxyRefusal): Promise<void> {
      await logEvent(call)
      await log.decision(rowOf(call, { ...refusal, args: call.args }))
    },
    async attempted(by, attempt): Promise<string> {
      const answer = await receiveAttempt({ log, now: () => clock.now(), proposals: parts.proposals }, by, attempt)
      return answer.kind === 'denied' ? answer.why : 'kept as a draft; a person reviews it: usher contract review'
    },
    async noticed(what, detail): Promise<void> {
      parts.onNotice?.(what, detail)
      const about = String(detail['tool'] ?? detail['method'] ?? what)
      await log.act({ who: 'usher', act: `proxy.${what}`, about, detail, at: clock.now() })
      if (what === 'drift') await switches?.halt(about, `${about} is not what was signed: it ${(detail['changes'] as readonly string[]).join('; it ')}`, detail['changes'])
    },
  }
}
