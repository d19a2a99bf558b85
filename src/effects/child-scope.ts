/**
 * Which call is in flight, from a parent to its child: a file that is replaced whole. The child reads it before each effect, so what the parent
 * wrote before it sent the call is known when the call's first effect comes.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { EffectScope } from '../ports.ts'
import type { EffectPattern } from '../types.ts'
import { plainRules } from './judge.ts'
import { read } from './text.ts'

/** Several calls in flight at once: what any of them may do, since nobody can tell which of them it is. */
export function joinedScope(scopes: readonly EffectScope[]): EffectScope | undefined {
  const last = scopes.at(-1)
  if (!last || scopes.length === 1) return last
  const enforced = scopes.every(scope => scope.mode === 'enforce')
  return {
    callId: last.callId, mode: enforced ? 'enforce' : 'observe', allowed: [...new Set(scopes.flatMap(scope => scope.allowed ?? []))],
    ...scopes.every(scope => scope.declared) ? { declared: [...new Set(scopes.flatMap(scope => scope.declared ?? []))] } : {},
  }
}

/** `rules` is for children that cannot judge patterns themselves: an effect has to be covered by each list. Throws what the file system throws. */
export function writeScope(file: string, scope: EffectScope | undefined): void {
  const part = `${file}.part`
  const rules = scope?.mode === 'enforce' ? { rules: [scope.allowed ?? [], ...scope.declared ? [scope.declared] : []].map(plainRules) } : {}
  writeFileSync(part, JSON.stringify(scope ? { ...scope, ...rules } : null), { mode: 0o600 })
  renameSync(part, file)
}

const patterns = (value: unknown): readonly EffectPattern[] | undefined => Array.isArray(value) ? value.filter(one => typeof one === 'string') : undefined

/** Undefined: no call is in flight. A file that cannot be read holds nobody back; the parent still judges what is reported. */
export function readScope(file: string): EffectScope | undefined {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
  const [callId, mode] = [read(value, 'callId'), read(value, 'mode')]
  if (typeof callId !== 'string' || (mode !== 'enforce' && mode !== 'observe' && mode !== 'off')) return undefined
  const declared = patterns(read(value, 'declared'))
  return { callId, mode: mode === 'off' ? 'observe' : mode, allowed: patterns(read(value, 'allowed')) ?? null, ...declared ? { declared } : {} }
}
