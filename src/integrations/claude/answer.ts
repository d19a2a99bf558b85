/** Answers in the form of Claude Code's hooks. An empty object lets its own permission flow go on: Usher never grants what that would ask about. */
import type { Outcome } from '../../types.ts'
import { capped, visible } from '../../util/mask.ts'

export interface HookAnswer {
  readonly systemMessage?: string
  readonly hookSpecificOutput?:
    | { readonly hookEventName: 'PreToolUse', readonly permissionDecision: 'deny' | 'ask', readonly permissionDecisionReason: string }
    | { readonly hookEventName: 'UserPromptSubmit', readonly additionalContext: string }
}

const MAX_TEXT = 1000

export function heldAnswer(outcome: Pick<Outcome, 'kind' | 'why'>): HookAnswer {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: outcome.kind === 'needs-approval' ? 'ask' : 'deny', permissionDecisionReason: `Usher, ${outcome.kind}: ${capped(visible(outcome.why), MAX_TEXT)}` } }
}

export function noteAnswer(note: string): HookAnswer {
  return note === '' ? {} : { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: note } }
}

export function warning(text: string): HookAnswer {
  return { systemMessage: `Usher: ${capped(visible(text), MAX_TEXT)}` }
}
