/**
 * The entry `usher-router/claude`: the hooks of Claude Code and of `@anthropic-ai/claude-agent-sdk`, and Usher's tools as a server for it.
 * By its types only: the SDK calls these functions, they do not call it.
 */
import type { Usher } from '../assemble.ts'
import type { ContractStore } from '../contract/store.ts'
import { defaultStateDir } from '../log/state.ts'
import type { Clock } from '../ports.ts'
import { heldAnswer, type HookAnswer } from './claude/answer.ts'
import { CLAUDE, postToolUse, preToolUse, userPromptSubmit, type ClaudePolicyOptions } from './claude/hook.ts'
import { readHookInput } from './claude/input.ts'
import { idsOf, knownUse } from './gate/ledger.ts'
import { deniedNames } from './gate/tool-names.ts'
import type { ToolUse, UseParts } from './gate/use.ts'

export type { HookAnswer } from './claude/answer.ts'

export interface ClaudeHookOptions {
  /** Tools whose effects you let pass without a question, by Claude Code's names. */
  readonly pass?: readonly string[]
  readonly deny?: readonly string[]
  /** MCP tools are refused without a contract of this store; default: they are asked about. */
  readonly contracts?: ContractStore
  /** Files and folders that no tool of the agent may write, beside its own settings. */
  readonly control?: readonly string[]
  /** Where prompts come from that the SDK does not label; default `claude-code`, which no route hears unless its `from` says so. */
  readonly unlabelled?: string
  /** ms after which a tool use of which no end was told reads `unknown`, until its end comes after all; default two hours. */
  readonly unknownAfter?: number
  /** The state folder of the log, where it is not the default. */
  readonly stateDir?: string
  readonly clock?: Clock
}

type Hook = (input: unknown) => Promise<HookAnswer & { readonly continue?: boolean, readonly decision?: 'block', readonly reason?: string }>
interface Matcher { hooks: Hook[], onFailure: 'block' }

/**
 * For the `hooks` option of `query()`: every tool use judged and logged before it runs, and its end after; the prompt past Usher first. What
 * goes wrong in here denies the tool use, or blocks the prompt.
 */
export function claudeHooks(usher: Usher, options: ClaudeHookOptions = {}): { UserPromptSubmit: Matcher[], PreToolUse: Matcher[], PostToolUse: Matcher[], PostToolUseFailure: Matcher[] } {
  const policy: ClaudePolicyOptions = { pass: new Set(options.pass), deny: deniedNames(options.deny), contracts: options.contracts, control: [usher.log.location, options.stateDir ?? defaultStateDir(), ...usher.table.files, ...options.control ?? []] }
  const clock = options.clock ?? { now: () => Date.now() }
  const parts = (use: ToolUse): UseParts => ({ runtime: CLAUDE, log: usher.log, clock, known: knownUse(usher.log.location, idsOf(CLAUDE, use), options.stateDir), ...(options.unknownAfter === undefined ? {} : { unknownAfter: options.unknownAfter }) })
  const pre: Hook = async given => {
    try {
      const input = readHookInput(given, 'PreToolUse')
      return await preToolUse(input, policy, parts(input))
    } catch (error) {
      return heldAnswer({ kind: 'denied', why: messageOf(error) })
    }
  }
  const post: Hook = async given => {
    const input = readHookInput(given, 'PostToolUse')
    return postToolUse(input, parts(input))
  }
  const prompt: Hook = async given => {
    try {
      const input = readHookInput(given, 'UserPromptSubmit')
      return await userPromptSubmit(input, event => usher.handle(event), options.unlabelled === undefined ? {} : { unlabelled: options.unlabelled })
    } catch (error) {
      return { decision: 'block', reason: `Usher: ${messageOf(error)}` }
    }
  }
  const matcher = (hook: Hook): Matcher[] => [{ hooks: [hook], onFailure: 'block' }]
  return { UserPromptSubmit: matcher(prompt), PreToolUse: matcher(pre), PostToolUse: matcher(post), PostToolUseFailure: matcher(post) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
