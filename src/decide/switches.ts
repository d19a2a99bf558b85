/** The owner's switches as a way in sees them: approvals/owner.ts has them. */
import type { OwnerView } from '../gate/rule.ts'
import type { Outcome, Tool } from '../types.ts'
import { isReason } from '../vocabulary/outcomes.ts'

export interface Switches {
  readonly state: { look(): Promise<void>, view(route: string): OwnerView }
  stopped(): Promise<{ readonly reason: 'kill-switch' | 'halted', readonly why: string } | undefined>
  /** After a call: a breaker that it tripped is written down. */
  settle(tool: string, route: string | undefined): Promise<void>
  /** Something is not what was signed: all auto-invocation halts. */
  halt(about: string, why: string): Promise<boolean>
}

export type Held = Pick<Outcome, 'kind' | 'reason' | 'why'>

export async function stoppedNow(owner: Switches | undefined): Promise<Held | undefined> {
  const stopped = await owner?.stopped()
  return stopped && { kind: 'stopped', reason: stopped.reason, why: stopped.why }
}

/** A tool from outside is asked before each call whether its contract still holds; what changed since halts everything (`contract:human`). */
export async function breachOf(tool: Tool | undefined, owner: Switches | undefined): Promise<Held | undefined> {
  const refused = await tool?.admit?.()
  if (!refused) return undefined
  const reason = isReason('contract-refused', refused.reason) ? refused.reason : 'file'
  if (reason === 'drift' || reason === 'file') await owner?.halt(tool?.name ?? '', refused.why)
  return { kind: 'contract-refused', reason, why: refused.why }
}
