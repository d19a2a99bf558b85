/** What a way in asks of the dispatcher. Router, model, person, proxy, approval and replay all come with one of these (`trace:every-way`). */
import type { CallBy, EffectPattern, Event, Json, JsonObject, Outcome } from '../types.ts'

export interface CallRequest {
  readonly by: CallBy
  /** The person or model, where the host named it. */
  readonly who?: string
  readonly tool: string
  /** What the filler built or the caller gave: never a preset key. */
  readonly args: JsonObject
  readonly preset?: JsonObject
  readonly presetBytes?: string
  readonly route?: string
  readonly event: Event
  readonly eventId: string
  /** An explicit ask of an allowed source is behind it. */
  readonly explicit: boolean
  /** The second reader alone took the words for that ask. */
  readonly askedBy?: 'reader'
  readonly origins: { readonly [path: string]: Json }
  /** The card that a person said yes to. */
  readonly card?: string
  /** What the route allows; undefined: no route stands between (a person or an approval). */
  readonly allow?: readonly EffectPattern[]
}

/** A call that passed every check and waits for its row. Made only by `prepare`. */
export interface ReadyCall {
  readonly kind: 'ready'
  readonly callId: string
  readonly request: CallRequest
  readonly args: JsonObject
  /** Effects that its tool declares for these arguments. */
  readonly declared: readonly EffectPattern[]
  /** Effects that may happen in it; null: a person's own call of a tool that declares none. */
  readonly allowed: readonly EffectPattern[] | null
  readonly ignored: IgnoredKeys
}

export interface IgnoredKeys {
  /** JSON-quoted and masked, at most 20. */
  readonly names: readonly string[]
  readonly count: number
  /** False: the walk ended at its bound, so there are at least `count`. */
  readonly exact: boolean
}

export interface Refused { readonly kind: 'refused', readonly outcome: Pick<Outcome, 'kind' | 'reason' | 'why'> }

/** A person's own call, or their yes to exact bytes: a stop, and the guard of the control plane, are for what nobody asks for now. */
export function isPersons({ by }: CallRequest): boolean {
  return by === 'person' || by === 'approval'
}
