/** The proxy's way through the dispatcher: the same rows as any other call, event and decision before it, outcome after it. */
import { decisionRow, outcomeOf } from '../../decide/row.ts'
import type { Dispatcher } from '../../dispatch/dispatcher.ts'
import type { ApprovalDesk, CallLog, Clock, DecisionRow } from '../../ports.ts'
import { canonicalJson } from '../../util/canonical.ts'
import type { Event, Json, JsonObject, Outcome, RouteTable } from '../../types.ts'
import type { ProxyCall, ProxyPort, ProxyRefusal } from './port.ts'

export interface DispatchPortParts {
  readonly dispatcher: Dispatcher
  readonly log: CallLog
  readonly clock: Clock
  /** Holds what waits for a person; without one, a `needs-approval` is only logged and told to the client. */
  readonly desk?: ApprovalDesk
  /** ms that a card stands; default 15 min. */
  readonly cardFor?: number
  /** How the client names itself, for the log. */
  readonly who?: string
  readonly onNotice?: (what: string, detail: JsonObject) => void
}

/** No route and no encoder has a part in a client's call. */
const NO_ROUTES: RouteTable = { routes: new Map(), hash: 'none', files: [] }

/** JSON Pointer -> the caller gave it. */
function originsOf(call: ProxyCall): { readonly [path: string]: Json } {
  return Object.fromEntries(Object.keys(call.args).map(key => [`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, { kind: 'caller' }]))
}

export function dispatchPort(parts: DispatchPortParts): ProxyPort {
  const { dispatcher, log, clock } = parts
  const logEvent = (event: Event, tool: string): void | Promise<void> => log.event({ eventId: event.id, senderId: event.id, source: event.source, text: '', textLength: 0, at: event.at, data: { tool } })
  const rowOf = (call: ProxyCall, finding: Parameters<typeof decisionRow>[2]): DecisionRow => ({
    ...decisionRow({ eventId: call.event.id, candidates: [], reading: { asks: [], notAsks: [] }, table: NO_ROUTES, encoderId: 'none', at: clock.now() }, 0, finding), tool: call.tool,
  })
  return {
    async dispatch(call: ProxyCall): Promise<Outcome> {
      await logEvent(call.event, call.tool)
      const prepared = dispatcher.prepare({
        by: 'proxy', tool: call.tool, args: call.args, event: call.event, eventId: call.event.id, explicit: false,
        origins: originsOf(call),
        ...parts.who === undefined ? {} : { who: parts.who },
      })
      if (prepared.kind === 'refused') {
        const row = rowOf(call, { ...prepared.outcome, args: call.args })
        await log.decision(row)
        if (row.kind === 'needs-approval')
          await parts.desk?.request({ decisionId: row.decisionId, tool: call.tool, argsBytes: canonicalJson(call.args), event: call.event, expiresAt: clock.now() + (parts.cardFor ?? 15 * 60_000) })
        return outcomeOf(row)
      }
      const row = { ...rowOf(call, { kind: 'called', reason: 'direct', why: `${parts.who ?? 'a proxy client'} called ${call.tool}`, args: prepared.args, origins: originsOf(call) }), callId: prepared.callId }
      await log.decision(row)
      return dispatcher.run(prepared, row.decisionId)
    },
    async refused(call: ProxyCall, refusal: ProxyRefusal): Promise<void> {
      await logEvent(call.event, call.tool)
      await log.decision(rowOf(call, { ...refusal, args: call.args }))
    },
    async noticed(what, detail): Promise<void> {
      parts.onNotice?.(what, detail)
      await log.act({ who: 'usher', act: `proxy.${what}`, about: String(detail['tool'] ?? detail['method'] ?? what), detail, at: clock.now() })
    },
  }
}
