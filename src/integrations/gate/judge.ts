/** May this tool use go on? The same checks as for any model's call, and nothing is run: the runtime runs it. */
import { prepareCall } from '../../dispatch/prepare.ts'
import type { EffectPattern, Event, Outcome, Tool } from '../../types.ts'
import { quoted } from '../../util/mask.ts'
import { declaredEffects } from '../../vocabulary/effects.ts'
import { controlFileIn, controlFileNamed } from './control.ts'
import type { ToolNames } from './tool-names.ts'
import type { ToolUse } from './use.ts'

export type FoundTool =
  | { readonly kind: 'tool', readonly tool: Tool }
  | { readonly kind: 'refused', readonly reason: string, readonly why: string }

export interface UsePolicy {
  /** What the tool is; a name that nobody knows has unknown effects. */
  readonly find: (name: string) => FoundTool
  /** Tools whose effects the owner lets pass without a question. */
  readonly pass: ReadonlySet<string>
  readonly deny: ToolNames
  /** Why auto-invocation is stopped now: then what the owner lets pass is asked about all the same. In doubt it is. */
  readonly stopped?: string | undefined
  /** Files and folders that no tool of the agent may write. */
  readonly control: readonly string[]
}

export type Judgement =
  | { readonly kind: 'goes-on', readonly why: string, readonly allowed: readonly EffectPattern[] | null }
  | { readonly kind: 'held', readonly outcome: Pick<Outcome, 'kind' | 'reason' | 'why'>, readonly allowed: readonly EffectPattern[] | null }

export function judgeUse(input: Pick<ToolUse, 'tool' | 'args' | 'cwd'>, policy: UsePolicy, event: Event): Judgement {
  const held = (kind: Outcome['kind'], reason: string, why: string, allowed: readonly EffectPattern[] | null = null): Judgement => ({ kind: 'held', outcome: { kind, reason, why }, allowed })
  if (policy.deny.has(input.tool)) return held('denied', 'control-plane', `the owner's settings deny ${input.tool}`)
  const found = policy.find(input.tool)
  if (found.kind === 'refused') return held('contract-refused', found.reason, found.why)
  const { tool } = found
  const declared = declaredEffects(tool.effects, input.args)
  const control = declared.length > 0 ? controlFileIn(input.args, input.cwd, policy.control) : undefined
  if (control !== undefined) return held('denied', 'control-plane', `${quoted(control)} decides what may happen, so only a person may change it`)
  const prepared = prepareCall(new Map([[tool.name, tool]]), { by: 'model', tool: tool.name, args: input.args, event, eventId: event.id, explicit: false, origins: {} })
  // The runtime would pass them on: what its server makes of a key that no contract names, nobody has agreed to.
  if (prepared.kind === 'ready' && tool.origin.kind === 'mcp' && prepared.ignored.count > 0) return held('denied', 'invalid-args', `its contract does not know ${prepared.ignored.names.slice(0, 3).join(', ')}`)
  if (prepared.kind === 'ready') return { kind: 'goes-on', why: `${input.tool} has no effects`, allowed: prepared.allowed }
  const allowed = declared.includes('unknown') ? null : declared
  // Only a question is the owner's to waive: a safety key, bad arguments or a preset-only key are refused whatever the settings say.
  const waived = prepared.outcome.kind === 'needs-approval' && prepared.outcome.reason !== 'preset-only-key' && policy.pass.has(input.tool)
  const named = waived ? controlFileNamed(input.args, input.cwd, policy.control) : undefined
  if (named !== undefined) return held('needs-approval', 'effectful-call', `the command names ${quoted(named)}, which decides what may happen`, allowed)
  if (waived && policy.stopped !== undefined) return held('needs-approval', 'effectful-call', policy.stopped, allowed)
  return waived ? { kind: 'goes-on', why: `the owner's settings let ${input.tool} pass`, allowed } : { kind: 'held', outcome: prepared.outcome, allowed }
}
