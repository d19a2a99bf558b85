/** One call that waits for a person: what exactly would be called, as canonical bytes, and what became of the question. */
import { decisiveParts } from '../routes/table.ts'
import type { CallBy, EffectPattern, Event, Json, JsonObject, Route, Tool } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'

/** `approved`: a yes that was not used yet (a grant). `spent`: the yes was used, once. `void`: what would be called changed since. */
export type CardState = 'waiting' | 'approved' | 'spent' | 'denied' | 'expired' | 'void'

export interface Card {
  /** That of the decision that asked. */
  readonly id: string
  readonly state: CardState
  /** `execute`: a yes runs the call. `grant`: a yes lets the same call pass once. */
  readonly mode: 'execute' | 'grant'
  readonly tool: string
  readonly route?: string
  /** Without the preset. Empty once the card is decided: the hash stays. */
  readonly args: JsonObject
  readonly presetBytes?: string
  /** Effects that the tool declares for exactly these arguments; `unknown` counts as destructive. */
  readonly effects: readonly EffectPattern[]
  readonly event: Event
  /** Usher's own id of the event. */
  readonly eventId: string
  readonly by: CallBy
  readonly who?: string
  readonly why: string
  readonly origins: JsonObject
  /** What a yes is bound to, and its SHA-256 in hex. Empty once the card is decided; the hash stays. */
  readonly bytes: string
  readonly hash: string
  /** ms since 1970. */
  readonly at: number
  readonly expiresAt: number
  readonly decidedBy?: string
  readonly decidedAt?: number
  readonly callId?: string
  /** The card that asks anew, where this one became void. */
  readonly replacedBy?: string
}

/** What a tool is, as far as a call of it can tell: its schemas, its effects and its contract. */
export function toolHash(tool: Tool): string {
  return sha256(canonicalJson(['usher-tool', 1, tool.name, tool.visible, tool.presetOnly, tool.effects ?? null, tool.origin]))
}

export interface Subject {
  readonly tool: Tool
  readonly route: Route | undefined
  readonly args: JsonObject
  readonly eventId: string
}

/**
 * The bytes that a person says yes to. They begin with a purpose and a version, and hold everything that decides over the call: a change of
 * any of it makes other bytes.
 */
export function subjectBytes({ tool, route, args, eventId }: Subject): string {
  return canonicalJson(['usher-approval', 1, {
    tool: tool.name, toolHash: toolHash(tool), contractHash: tool.origin.kind === 'mcp' ? tool.origin.contractHash : null,
    route: route?.name ?? null, routeHash: route ? sha256(canonicalJson(decisiveParts(route))) : null, presetBytes: route?.presetBytes ?? null,
    args, eventId,
  }])
}

/** Which parts differ, in words for the person who is asked anew. */
export function changedParts(before: string, now: string): readonly string[] {
  const [was, is] = [partsOf(before), partsOf(now)]
  const words: ReadonlyMap<string, string> = new Map([['toolHash', 'the tool\'s schema or effects'], ['contractHash', 'the tool\'s contract'], ['routeHash', 'the route'], ['presetBytes', 'the preset'], ['args', 'the arguments'], ['route', 'the route\'s name'], ['tool', 'the tool'], ['eventId', 'the event']])
  return [...words].flatMap(([name, said]) => canonicalJson(was[name] ?? null) === canonicalJson(is[name] ?? null) ? [] : [said])
}

function partsOf(bytes: string): { readonly [name: string]: Json } {
  return (JSON.parse(bytes) as readonly [string, number, JsonObject])[2]
}
