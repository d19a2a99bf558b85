/**
 * What happens at each hook. Whoever gets an error from here must not let the tool run: the command line ends with 2, the SDK hooks deny.
 * Rows come before the answer: the log is closed, and so durable, before anything is said.
 */
import type { HostEvent } from '../../assemble.ts'
import { loggable } from '../../dispatch/result.ts'
import { isSource } from '../../ingest/source.ts'
import type { CallLog, CallRow, Clock, DecisionRow, Handled } from '../../ports.ts'
import type { EffectPattern, Event, Json, JsonObject } from '../../types.ts'
import { canonicalJson, sha256 } from '../../util/canonical.ts'
import { noteOf } from '../shown.ts'
import { heldAnswer, noteAnswer, warning, type HookAnswer } from './answer.ts'
import type { PromptInput, ToolEnd, ToolInput } from './input.ts'
import { judgeUse, type ClaudePolicy, type Judgement } from './judge.ts'
import { idsOf, type KnownUse, type UseIds } from './ledger.ts'

export interface HookParts {
  readonly log: CallLog
  /** What the log held of this tool use before it was opened for writing. */
  readonly known: KnownUse
  readonly clock: Clock
  /** The process that runs the tool. */
  readonly pid?: number
  /** Keep what tools returned in the log; default: its size and hash. */
  readonly results?: boolean
}

export async function preToolUse(input: ToolInput, policy: ClaudePolicy, parts: HookParts): Promise<HookAnswer> {
  const { log, known, clock } = parts
  const ids = idsOf(input.session, input.useId)
  const at = clock.now()
  const event: Event = { id: ids.eventId, source: 'call:model', text: '', at, data: about(input) }
  const judged = judgeUse(input, policy, event)
  if (known.decision) return again(known.decision, input, judged)
  await log.event({ eventId: ids.eventId, senderId: `${input.session}:${input.useId}`, source: event.source, text: '', textLength: 0, at, data: about(input) })
  await log.decision(decisionOf(ids, input, judged, at))
  if (judged.kind === 'held') return heldAnswer(judged.outcome)
  await log.begin(callOf(ids, input, { at, allowed: judged.allowed, ...(parts.pid === undefined ? {} : { pid: parts.pid }) }))
  return {}
}

/** The end of a tool use: its outcome, and a word to the person where it was not what was judged. */
export async function postToolUse(input: ToolEnd, parts: HookParts): Promise<HookAnswer> {
  const { log, known, clock } = parts
  if (known.ended) return {}
  const ids = idsOf(input.session, input.useId)
  const at = clock.now()
  const odd = oddEnd(input, known)
  if (!known.call) {
    if (!known.decision) await log.event({ eventId: ids.eventId, senderId: `${input.session}:${input.useId}`, source: 'call:model', text: '', textLength: 0, at, data: about(input) })
    await log.begin(callOf(ids, input, { at, allowed: null, ...(parts.pid === undefined ? {} : { pid: parts.pid }) }))
  }
  const why = input.failed ?? odd ?? (known.call ? `${input.tool} ran in Claude Code` : `${input.tool} ran after Claude Code asked (mode ${input.mode ?? 'not given'})`)
  await log.end({ callId: ids.callId, kind: input.failed === undefined ? 'called' : 'failed', reason: input.failed === undefined ? 'direct' : 'error', why, result: parts.results ? loggable(input.result) : digestOf(input.result), at, ms: input.ms ?? Math.max(0, at - (known.call?.at ?? at)) })
  return odd === undefined ? {} : warning(odd)
}

export async function userPromptSubmit(input: PromptInput, handle: (event: HostEvent) => Promise<Handled>, options: { readonly unlabelled?: string } = {}): Promise<HookAnswer> {
  const event: HostEvent = { source: promptSource(input.from, options.unlabelled), text: input.prompt, ...(input.promptId === undefined ? {} : { id: `${input.session}:${input.promptId}` }) }
  return noteAnswer(noteOf((await handle(event)).outcomes))
}

/** Only what Claude Code itself calls the user's is the user's: it also submits prompts of schedules, of other agents and of its own. */
export function promptSource(from: string | undefined, unlabelled = 'claude-code'): string {
  if (from === undefined) return unlabelled
  if (from === 'user') return 'user'
  const source = `claude-code:${from}`
  return isSource(source) ? source : 'claude-code'
}

const about = (input: ToolInput | ToolEnd): JsonObject => ({ tool: input.tool, session: input.session, cwd: input.cwd, ...(input.mode === undefined ? {} : { mode: input.mode }) })

function decisionOf(ids: UseIds, input: ToolInput, judged: Judgement, at: number): DecisionRow {
  const finding = judged.kind === 'held' ? judged.outcome : { kind: 'called' as const, reason: 'direct', why: judged.why }
  return { ...ids, nth: 0, ...finding, tool: input.tool, args: input.args, nearMisses: [], gate: [], reading: [], origins: {}, tableHash: '', encoderId: '', at }
}

function callOf(ids: UseIds, input: ToolInput | ToolEnd, more: { readonly at: number, readonly allowed: readonly EffectPattern[] | null, readonly pid?: number }): CallRow {
  return { ...ids, by: 'model', who: 'claude-code', tool: input.tool, explicit: false, args: input.args, origins: {}, ...more }
}

/** The same use once more: the same answer; other arguments under its id are no copy of it. */
function again(before: NonNullable<KnownUse['decision']>, input: ToolInput, judged: Judgement): HookAnswer {
  if (!before.masked && canonicalJson(before.args ?? {}) !== canonicalJson(input.args)) return heldAnswer({ kind: 'denied', why: 'other arguments were judged under this tool_use_id' })
  if (before.kind !== 'called') return heldAnswer(before)
  return judged.kind === 'held' ? heldAnswer(judged.outcome) : {}
}

function oddEnd(input: ToolEnd, known: KnownUse): string | undefined {
  if (!known.decision) return `${input.tool} ran, and no pre-tool-use hook had judged it; see "usher hook install"`
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
