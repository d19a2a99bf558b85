/** Which effects a call may have: what its tool declares for these arguments, narrowed by what its route allows. */
import type { CallBy, EffectPattern, Tool } from '../types.ts'
import { parseEffect, permits, targetCovers } from '../vocabulary/effects.ts'

/** Who is asked first when a call would have effects: a person's own call, and exact bytes that a person approved, need no second yes. */
const TRUSTED: ReadonlySet<CallBy> = new Set(['person', 'approval'])

export type EffectVerdict =
  | { readonly kind: 'within', readonly allowed: readonly EffectPattern[] | null }
  | { readonly kind: 'ask', readonly reason: 'unknown-effect' | 'effect-not-allowed' | 'effectful-call', readonly why: string }

/** @param declared of the tool for these arguments; @param allow of the route, undefined where there is none */
export function judgeEffects(by: CallBy, { name: tool, doubt }: Pick<Tool, 'name' | 'doubt'>, declared: readonly EffectPattern[], allow: readonly EffectPattern[] | undefined, explicit: boolean): EffectVerdict {
  const unknown = declared.includes('unknown')
  if (TRUSTED.has(by)) return { kind: 'within', allowed: unknown ? null : declared }
  if (unknown) return { kind: 'ask', reason: 'unknown-effect', why: `${tool} ${doubt ?? 'does not say what effects it has'}, so it counts as destructive` }
  if (declared.length === 0) return { kind: 'within', allowed: [] }
  if (!explicit) return { kind: 'ask', reason: 'effectful-call', why: `${tool} would cause ${declared.join(', ')}, and no person asked for that` }
  const beyond = declared.filter(effect => !permits(allow ?? [], effect) && narrowed(effect, allow ?? []).length === 0)
  if (beyond.length > 0) return { kind: 'ask', reason: 'effect-not-allowed', why: `${tool} would cause ${beyond.join(', ')}, which the route does not allow` }
  return { kind: 'within', allowed: declared.flatMap(effect => permits(allow ?? [], effect) ? [effect] : narrowed(effect, allow ?? [])) }
}

/** The allowed patterns that are narrower than the declared one: `fs.write` declared, `fs.write:/notes/*` allowed. */
function narrowed(declared: EffectPattern, allow: readonly EffectPattern[]): EffectPattern[] {
  const wide = parseEffect(declared)
  return allow.filter(pattern => {
    const narrow = parseEffect(pattern)
    return wide !== undefined && narrow?.kind === wide.kind && narrow.target !== undefined && targetCovers(wide.target, narrow.target)
  })
}
