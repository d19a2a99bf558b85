/** What the proxy needs from whoever starts it: a way through the dispatcher, and a log for what never gets there. */
import type { ControlAttempt } from '../../contract/control-attempts.ts'
import type { ProposedBy } from '../../contract/proposals.ts'
import type { MaybePromise } from '../../ports.ts'
import type { Event, JsonObject, Outcome, OutcomeKind, Tool } from '../../types.ts'

/** One `tools/call` of the client. `event.id` names it until its outcome is there. */
export interface ProxyCall {
  /** `server/tool`, as the table has it. */
  readonly tool: string
  readonly args: JsonObject
  readonly event: Event
}

export interface ProxyRefusal { readonly kind: OutcomeKind, readonly reason: string, readonly why: string }

export interface ProxyPort {
  /**
   * Through the one dispatcher: checks, row before, handler, outcome. The handler is that tool's `run` of the table that `startProxy` was
   * given; it must be called with this event in its context.
   */
  dispatch(call: ProxyCall): Promise<Outcome>
  /** A call that is refused before it gets there is logged all the same. */
  refused(call: ProxyCall, refusal: ProxyRefusal): MaybePromise<void>
  /** A write of the control plane that a client, the server or a result tried: dropped and logged. Gives what its sender is told. */
  attempted(by: ProposedBy, attempt: ControlAttempt): MaybePromise<string>
  /** Drift, requests of the server, lines that are no messages. */
  noticed(what: 'drift' | 'server-request' | 'stray' | 'server-ended', detail: JsonObject): MaybePromise<void>
}

/** Tools by name, kept up to date by the proxy: what the dispatcher looks in. */
export type ToolTable = Map<string, Tool>
