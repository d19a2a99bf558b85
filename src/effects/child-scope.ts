/**
 * Which call is in flight, from a parent to its child: a file that is replaced whole. The child reads it before each effect, so what the parent
 * wrote before it sent the call is known when the call's first effect comes.
 *
 * The name is a link to the newest of numbered files: putting a link in another's place costs nothing, while a file in another's place is written to
 * the disk at once on some file systems (ext4's auto_da_alloc: 2.4 ms here, against 0.14 ms).
 */
import { lstatSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { EffectScope } from '../ports.ts'
import type { EffectPattern } from '../types.ts'
import { plainRules } from './judge.ts'
import { read } from './text.ts'

const KEPT = 64
/** Times that a child follows the link again, where the file went while it did. */
const TRIES = 5

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
  const rules = scope?.mode === 'enforce' ? { rules: [scope.allowed ?? [], ...scope.declared ? [scope.declared] : []].map(plainRules) } : {}
  const nth = newest(file) + 1
  writeFileSync(`${file}.${nth}`, JSON.stringify(scope ? { ...scope, ...rules } : null), { mode: 0o600 })
  point(file, nth)
  // The ones before stay for a while: a child that has followed the link may not have opened its file yet.
  rmSync(`${file}.${nth - KEPT}`, { force: true })
}

/** Number of the file that the name stands for; 0: none yet. */
function newest(file: string): number {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats?.isSymbolicLink() ? Number(/\.(\d+)$/.exec(readlinkSync(file))?.[1] ?? 0) : 0
}

function point(file: string, nth: number): void {
  const part = `${file}.part`
  try {
    rmSync(part, { force: true })
    symlinkSync(`${basename(file)}.${nth}`, part)
  } catch (error) {
    // Where links need a right that nobody has (Windows), the file itself takes the place.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
    renameSync(`${file}.${nth}`, file)
    return
  }
  renameSync(part, file)
}

function textOf(file: string): string {
  for (let tried = 1; ; tried++) {
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      if (tried === TRIES) throw error
    }
  }
}

const patterns = (value: unknown): readonly EffectPattern[] | undefined => Array.isArray(value) ? value.filter(one => typeof one === 'string') : undefined

/** Undefined: no call is in flight. A file that cannot be read holds nobody back; the parent still judges what is reported. */
export function readScope(file: string): EffectScope | undefined {
  let value: unknown
  try {
    value = JSON.parse(textOf(file))
  } catch {
    return undefined
  }
  const [callId, mode] = [read(value, 'callId'), read(value, 'mode')]
  if (typeof callId !== 'string' || (mode !== 'enforce' && mode !== 'observe' && mode !== 'off')) return undefined
  const declared = patterns(read(value, 'declared'))
  return { callId, mode: mode === 'off' ? 'observe' : mode, allowed: patterns(read(value, 'allowed')) ?? null, ...declared ? { declared } : {} }
}
