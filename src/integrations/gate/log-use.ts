/**
 * What happens before and after a runtime's tool use. Whoever gets an error from here must not let the tool run. Rows come before the answer:
 * what a process that ends then has to do is to close the log first.
 */
import { loggable } from '../../dispatch/result.ts'
import type { CallRow, DecisionRow } from '../../ports.ts'
import type { Effect, EffectPattern, Event, Json, JsonObject, Outcome } from '../../types.ts'
import { canonicalJson, sha256 } from '../../util/canonical.ts'
import { capped, visible } from '../../util/mask.ts'
import { judgeUse, type Judgement, type UsePolicy } from './judge.ts'
import { HOOK_WATCHER, idsOf, type KnownUse, type UseIds } from './ledger.ts'
import { LONGEST_USE, type ToolUse, type ToolUseEnd, type UseParts } from './use.ts'

const MAX_SHOWN = 300

export type Said = { readonly kind: 'goes-on' } | { readonly kind: 'held', readonly outcome: Pick<Outcome, 'kind' | 'reason' | 'why'> }

/** Judges a tool use, and logs it: its decision, and its call's row where it goes on. */
export async function beforeUse(input: ToolUse, policy: UsePolicy, parts: UseParts): Promise<Said> {
  const { log, known, clock } = parts
  const ids = idsOf(parts.runtime, input)
  const at = clock.now()
  const event: Event = { id: ids.eventId, source: 'call:model', text: '', at, data: about(input) }
  const judged = judgeUse(input, policy, event)
  if (known.decision) return again(known.decision, input, judged)
  await log.event({ eventId: ids.eventId, senderId: `${input.session}:${input.useId}`, source: event.source, text: '', textLength: 0, at, data: about(input) })
  await log.decision(decisionOf(ids, input, judged, at))
  if (judged.kind === 'held') return { kind: 'held', outcome: judged.outcome }
  try {
    await log.begin(callOf(ids, input, parts, { at, allowed: judged.allowed }))
  } catch (error) {
    await log.refused?.({ decisionId: ids.decisionId, eventId: ids.eventId, kind: 'denied', reason: 'log-failed', why: 'its row could not be written, so it may not run', at })
    throw error
  }
  return { kind: 'goes-on' }
}

/** The end of a tool use: its outcome. Gives a word for the person where what ran was not what was judged. */
export async function afterUse(input: ToolUseEnd, parts: UseParts): Promise<string | undefined> {
  const { log, known, clock } = parts
  const ids = idsOf(parts.runtime, input)
  const at = clock.now()
  const odd = oddEnd(input, known)
  // Two settings files tell of one end twice.
  if (known.ended && (odd === undefined || known.unasked.has(canonicalJson(input.args)))) return undefined
  if (known.ended && odd !== undefined) {
    log.effect(unasked(ids, input, odd, at))
    return odd
  }
  if (!known.call) {
    if (!known.decision) await log.event({ eventId: ids.eventId, senderId: `${input.session}:${input.useId}`, source: 'call:model', text: '', textLength: 0, at, data: about(input) })
    await log.begin(callOf(ids, input, parts, { at, allowed: null }))
  }
  if (odd !== undefined) log.effect(unasked(ids, input, odd, at))
  const why = input.failed ?? odd ?? (known.call ? `${input.tool} ran in ${parts.runtime}` : `${input.tool} ran after ${parts.runtime} asked${input.mode === undefined ? '' : ` (mode ${input.mode})`}`)
  await log.end({ callId: ids.callId, kind: input.failed === undefined ? 'called' : 'failed', reason: input.failed === undefined ? 'direct' : 'error', why, result: parts.results ? loggable(input.result) : digestOf(input.result), at, ms: input.ms ?? Math.max(0, at - (known.call?.at ?? at)) })
  return odd
}

/** What ran otherwise than it was judged is an effect that nobody asked for: `unexplained` must name it, whatever the judged call was. */
function unasked(ids: UseIds, input: ToolUseEnd, odd: string, at: number): Effect {
  return { kind: 'unknown', target: `${odd}: ${capped(visible(canonicalJson(input.args)), MAX_SHOWN)}`, blocked: false, callId: ids.callId, at, watcher: HOOK_WATCHER, detail: { tool: input.tool, args: input.args } }
}

const about = (input: ToolUse): JsonObject => ({ tool: input.tool, session: input.session, cwd: input.cwd, ...(input.mode === undefined ? {} : { mode: input.mode }) })

function decisionOf(ids: UseIds, input: ToolUse, judged: Judgement, at: number): DecisionRow {
  const finding = judged.kind === 'held' ? judged.outcome : { kind: 'called' as const, reason: 'direct', why: judged.why }
  return { ...ids, nth: 0, ...finding, tool: input.tool, args: input.args, nearMisses: [], gate: [], reading: [], origins: {}, tableHash: '', encoderId: '', at }
}

function callOf(ids: UseIds, input: ToolUse, { runtime, pid, unknownAfter = LONGEST_USE }: UseParts, more: { readonly at: number, readonly allowed: readonly EffectPattern[] | null }): CallRow {
  return { ...ids, by: 'model', who: runtime, tool: input.tool, explicit: false, args: input.args, origins: {}, openUntil: more.at + unknownAfter, ...(pid === undefined ? {} : { pid }), ...more }
}

/** The same use once more: the same answer; other arguments under its id are no copy of it. */
function again(before: NonNullable<KnownUse['decision']>, input: ToolUse, judged: Judgement): Said {
  if (!before.masked && canonicalJson(before.args ?? {}) !== canonicalJson(input.args)) return { kind: 'held', outcome: { kind: 'denied', reason: 'invalid-args', why: 'other arguments were judged under this id' } }
  if (before.kind !== 'called') return { kind: 'held', outcome: before }
  return judged.kind === 'held' ? { kind: 'held', outcome: judged.outcome } : { kind: 'goes-on' }
}

function oddEnd(input: ToolUseEnd, known: KnownUse): string | undefined {
  if (!known.decision) return `${input.tool} ran, and no hook had judged it before`
  if (known.decision.kind !== 'called' && known.decision.kind !== 'needs-approval') return `${input.tool} ran although Usher said ${known.decision.kind}`
  const judged = known.decision
  if (!judged.masked && canonicalJson(judged.args ?? {}) !== canonicalJson(input.args)) return `${input.tool} ran with other arguments than were judged`
  return undefined
}

/** What a tool returned may be a whole file: the log keeps that it was so, not what it was. */
function digestOf(result: Json): Json {
  const text = JSON.stringify(result)
  return { characters: text.length, sha256: sha256(text) }
}
