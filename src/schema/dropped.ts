/**
 * Keys that nobody declared: named, counted and kept away from handlers (`args:dropped`, `preset:verbatim`). Own properties only, so that
 * `__proto__` is a key like any other.
 */
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { capped, quoted } from '../util/mask.ts'
import { MAX_NESTING } from '../util/plain.ts'
import { appliedTo, itemSchemas, keyReader, type Applied } from './known-keys.ts'
import { foldName, safetyHit, type SafetyHit } from './safety-keys.ts'

export { withNotice } from './notice.ts'

export interface IgnoredReport {
  /** Path of each key, JSON-quoted and masked, at most 20: `"dryRun"`, `"items[2].note"`. */
  readonly names: readonly string[]
  readonly count: number
  /** False: the walk ended at its bound, so there are at least `count`. */
  readonly exact: boolean
  /** A lost key that guards against effects: the call must be denied. */
  readonly safetyKeyHit?: SafetyHit
  /** A lost key that only a route's preset may set, as the caller wrote it: the call needs approval. */
  readonly presetOnlyHit?: string
}

export const MAX_NAMED = 20
const MAX_NAME = 120
/** Keys and items looked at; depth of nesting. What lies beyond is not passed on either. */
export const WALK_CAPS = { keys: 10_000, depth: MAX_NESTING } as const

interface Lost { readonly path: string, readonly key: string }
interface Sifting { readonly root: JsonObject, readonly lost: Lost[], keys: number, exact: boolean }

interface SiftOptions { /** Names of the tool's preset-only parameters. */ readonly presetOnly?: readonly string[] }

/** Both in one walk: what was lost, and a copy that holds only what the schema knows. */
export function siftArguments(schema: JsonObject, args: JsonObject, options: SiftOptions = {}): { readonly ignored: IgnoredReport, readonly kept: JsonObject } {
  const { kept, lost, exact } = sift(schema, args)
  return { kept, ignored: reportOf(schema, lost, exact, options) }
}

export function findIgnoredKeys(schema: JsonObject, args: JsonObject, options: SiftOptions = {}): IgnoredReport {
  return siftArguments(schema, args, options).ignored
}

function reportOf(schema: JsonObject, lost: readonly Lost[], exact: boolean, options: SiftOptions): IgnoredReport {
  if (lost.length === 0) return { names: [], count: 0, exact }
  const safety = lost.map(({ key }) => safetyHit(schema, key)).find(hit => hit !== undefined)
  const hidden = new Set((options.presetOnly ?? []).map(foldName))
  const preset = lost.find(({ key }) => [key, ...key.split(/[./[\]]+/)].some(name => hidden.has(foldName(name))))
  return {
    names: lost.slice(0, MAX_NAMED).map(({ path }) => quoted(capped(path, MAX_NAME))),
    count: lost.length,
    exact,
    ...(safety ? { safetyKeyHit: safety } : {}),
    ...(preset ? { presetOnlyHit: preset.key } : {}),
  }
}

/** A copy that holds only what the schema knows. */
export function stripIgnored(schema: JsonObject, args: JsonObject): JsonObject {
  return sift(schema, args).kept
}

function sift(root: JsonObject, args: JsonObject): { readonly kept: JsonObject, readonly lost: readonly Lost[], readonly exact: boolean } {
  const state: Sifting = { root, lost: [], keys: 0, exact: true }
  const kept = siftValue(state, [{ schema: root, at: '' }], args, '', 0) as JsonObject
  return { kept, lost: state.lost, exact: state.exact }
}

function siftValue(state: Sifting, start: readonly Applied[], value: Json, path: string, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value
  if (depth > WALK_CAPS.depth) {
    state.exact = false
    return Array.isArray(value) ? [] : {}
  }
  const applied = appliedTo(state.root, start, value)
  return isRecord(value) ? siftObject(state, applied, value, path, depth) : siftArray(state, applied, value, path, depth)
}

function siftArray(state: Sifting, applied: readonly Applied[], value: readonly Json[], path: string, depth: number): Json {
  const kept: Json[] = []
  for (const [index, item] of value.entries()) {
    if (!withinBound(state)) break
    kept.push(siftValue(state, itemSchemas(applied, index), item, `${path}[${index}]`, depth + 1))
  }
  return kept
}

function siftObject(state: Sifting, applied: readonly Applied[], value: JsonObject, path: string, depth: number): JsonObject {
  const schemasOf = keyReader(applied, depth === 0)
  const kept: [string, Json][] = []
  for (const [key, inner] of Object.entries(value)) {
    if (!withinBound(state)) break
    const here = path === '' ? key : `${path}.${key}`
    const below = schemasOf(key)
    if (below === undefined) state.lost.push({ path: here, key })
    else kept.push([key, siftValue(state, below, inner, here, depth + 1)])
  }
  return Object.fromEntries(kept)
}

function withinBound(state: Sifting): boolean {
  if (++state.keys <= WALK_CAPS.keys) return true
  state.exact = false
  return false
}
