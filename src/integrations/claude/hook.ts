/** Claude Code's hooks, each to its answer. Whoever gets an error from here must not let the tool run: the command line ends with 2, the SDK's hooks deny. */
import type { HostEvent } from '../../assemble.ts'
import type { ContractStore } from '../../contract/store.ts'
import { isSource } from '../../ingest/source.ts'
import type { Handled } from '../../ports.ts'
import type { UsePolicy } from '../gate/judge.ts'
import { afterUse, beforeUse } from '../gate/log-use.ts'
import { stoppedNow } from '../gate/stopped.ts'
import type { UseParts } from '../gate/use.ts'
import { noteOf } from '../shown.ts'
import { heldAnswer, noteAnswer, warning, type HookAnswer } from './answer.ts'
import type { PromptInput, ToolEnd, ToolInput } from './input.ts'
import { claudeTool } from './tools.ts'

export const CLAUDE = 'claude-code'

export interface ClaudePolicyOptions extends Omit<UsePolicy, 'find'> {
  /** MCP tools are refused without a contract of this store. Undefined: they are asked about. */
  readonly contracts: ContractStore | undefined
}

export async function preToolUse(input: ToolInput, { contracts, ...policy }: ClaudePolicyOptions, parts: UseParts): Promise<HookAnswer> {
  const stopped = policy.pass.has(input.tool) ? await stoppedNow(parts.log, parts.clock) : undefined
  const said = await beforeUse(input, { ...policy, stopped, find: name => claudeTool(name, contracts) }, parts)
  return said.kind === 'held' ? heldAnswer(said.outcome) : {}
}

export async function postToolUse(input: ToolEnd, parts: UseParts): Promise<HookAnswer> {
  const odd = await afterUse(input, parts)
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
