/** What Claude Code (and the Agent SDK) hands to a hook, checked: a field that is missing or of another type is bad input, and bad input lets nothing run. */
import { UsherError } from '../../errors.ts'
import type { JsonObject } from '../../types.ts'
import { quoted, capped } from '../../util/mask.ts'
import { isRecord } from '../../util/records.ts'
import type { ToolUse, ToolUseEnd } from '../gate/use.ts'

export type HookEvent = 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse'

interface Session { readonly session: string, readonly cwd: string, readonly mode: string | undefined }
export interface PromptInput extends Session {
  readonly event: 'UserPromptSubmit'
  readonly prompt: string
  /** Claude Code's own word for who wrote it; older versions leave it out. */
  readonly from: string | undefined
  readonly promptId: string | undefined
}
export type ToolInput = ToolUse & { readonly event: 'PreToolUse' }
export type ToolEnd = ToolUseEnd & { readonly event: 'PostToolUse' }

/** Names that the runtime itself gives: longer ones are not from it. */
const MAX_NAME = 512

/** Throws BAD_EVENT: which field, what was seen, what is wanted. */
export function readHookInput(value: unknown, wanted: 'UserPromptSubmit'): PromptInput
export function readHookInput(value: unknown, wanted: 'PreToolUse'): ToolInput
export function readHookInput(value: unknown, wanted: 'PostToolUse'): ToolEnd
export function readHookInput(value: unknown, wanted: HookEvent): PromptInput | ToolInput | ToolEnd {
  if (!isRecord(value)) throw bad('the hook\'s input', value, 'a JSON object')
  const event = textOf(value, 'hook_event_name')
  // A tool that failed has an event of its own, and belongs to the same call.
  const failed = wanted === 'PostToolUse' && event === 'PostToolUseFailure'
  if (event !== wanted && !failed) throw new UsherError('BAD_EVENT', `this hook answers ${wanted}, and the input says hook_event_name ${quoted(capped(event, 60))}; "usher hook install" prints settings that fit`)
  const session = { session: nameOf(value, 'session_id'), cwd: textOf(value, 'cwd'), mode: optionalText(value, 'permission_mode') }
  if (wanted === 'UserPromptSubmit') return { ...session, event: wanted, prompt: textOf(value, 'prompt'), from: optionalText(value, 'source'), promptId: optionalText(value, 'prompt_id') }
  const args = value['tool_input']
  if (!isRecord(args)) throw bad('tool_input', args, 'a JSON object')
  const call = { ...session, tool: nameOf(value, 'tool_name'), args, useId: nameOf(value, 'tool_use_id') }
  if (wanted === 'PreToolUse') return { ...call, event: wanted }
  if (!failed && !Object.hasOwn(value, 'tool_response')) throw bad('tool_response', undefined, 'any JSON value')
  const ms = value['duration_ms']
  return { ...call, event: 'PostToolUse', result: value['tool_response'] ?? null, failed: failed ? optionalText(value, 'error') ?? 'it failed' : undefined, ms: typeof ms === 'number' && Number.isFinite(ms) ? ms : undefined }
}

function textOf(value: JsonObject, field: string): string {
  const found = Object.hasOwn(value, field) ? value[field] : undefined
  if (typeof found !== 'string') throw bad(field, found, 'a text')
  return found
}

function nameOf(value: JsonObject, field: string): string {
  const name = textOf(value, field)
  if (name === '' || name.length > MAX_NAME) throw bad(field, name, `a text of 1 to ${MAX_NAME} characters`)
  return name
}

function optionalText(value: JsonObject, field: string): string | undefined {
  const found = Object.hasOwn(value, field) ? value[field] : undefined
  if (found === undefined || found === null) return undefined
  if (typeof found !== 'string') throw bad(field, found, 'a text')
  return found
}

function bad(field: string, seen: unknown, wanted: string): UsherError {
  const shown = seen === undefined ? 'missing' : capped(quoted(JSON.stringify(seen) ?? typeof seen), 80)
  return new UsherError('BAD_EVENT', `${field} must be ${wanted}, got ${shown}`)
}
