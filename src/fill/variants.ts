/**
 * A root that is a choice (`anyOf`, `oneOf`): one plain object schema a branch. And a root without the keys that the route presets.
 */
import { isMade, markMade } from '../schema/visible.ts'
import type { Json, JsonObject } from '../types.ts'
import { resolveRef } from '../schema/refs.ts'
import { keyword } from '../schema/subschemas.ts'
import { isRecord, mergeOwn, without } from '../util/records.ts'

/** More branches than a person could choose between. */
const MAX_VARIANTS = 64

const listed = new WeakMap<JsonObject, { readonly variants: readonly JsonObject[] | undefined }>()

/** The root itself where there is no choice; undefined where there are too many branches to try. The same objects each time, so that what is compiled for one is kept. */
export function variantsOf(root: JsonObject): readonly JsonObject[] | undefined {
  let known = listed.get(root)
  if (!known) listed.set(root, known = { variants: listVariants(root) })
  return known.variants
}

function listVariants(root: JsonObject): readonly JsonObject[] | undefined {
  let variants: readonly JsonObject[] = [root]
  for (const name of ['anyOf', 'oneOf']) {
    const branches = keyword(root, name)
    if (!Array.isArray(branches)) continue
    const objects = (branches as readonly Json[]).filter(branch => branch !== false)
    variants = variants.flatMap(variant => objects.map(branch => withBranch(without(variant, new Set([name])), branch)))
    if (variants.length > MAX_VARIANTS) return undefined
  }
  return variants
}

function withBranch(root: JsonObject, branch: Json): JsonObject {
  const parts = keyword(root, 'allOf')
  return mergeOwn(root, { allOf: [...(Array.isArray(parts) ? parts as readonly Json[] : []), branch] })
}

const pruned = new WeakMap<JsonObject, Map<string, JsonObject>>()

/** The schema that this route's filler sees: preset keys are neither there to fill nor missing. */
export function withoutPreset(root: JsonObject, keys: ReadonlySet<string>): JsonObject {
  if (keys.size === 0) return root
  let known = pruned.get(root)
  if (!known) pruned.set(root, known = new Map())
  const name = JSON.stringify([...keys].sort())
  let found = known.get(name)
  if (!found) {
    found = prune(root, root, keys, 0)
    known.set(name, isMade(root) ? markMade(found) : found)
  }
  return found
}

function prune(root: JsonObject, schema: JsonObject, keys: ReadonlySet<string>, depth: number): JsonObject {
  const entries = Object.entries(schema).flatMap(([name, value]): [string, Json][] => {
    if (name === 'properties' && isRecord(value)) return [[name, without(value, keys)]]
    if (name === 'required' && Array.isArray(value)) return required(value.filter(one => !(typeof one === 'string' && keys.has(one))))
    if (['allOf', 'anyOf', 'oneOf'].includes(name) && Array.isArray(value)) return [[name, (value as readonly Json[]).map(part => inlined(root, part, keys, depth))]]
    if (['if', 'then', 'else'].includes(name) && isRecord(value)) return [[name, inlined(root, value, keys, depth)]]
    return [[name, value]]
  })
  return Object.fromEntries(entries)
}

/** Draft-04 allows no empty `required`. */
const required = (names: readonly Json[]): [string, Json][] => names.length > 0 ? [['required', names]] : []

/** A branch that is only a reference is written out, since what it points to may name a preset key. */
function inlined(root: JsonObject, part: Json, keys: ReadonlySet<string>, depth: number): Json {
  if (!isRecord(part) || depth > 8) return part
  const ref = keyword(part, '$ref')
  const target = typeof ref === 'string' ? resolveRef(root, ref) : undefined
  if (target?.kind !== 'schema' || !isRecord(target.schema)) return prune(root, part, keys, depth + 1)
  return prune(root, mergeOwn(target.schema, without(part, new Set(['$ref']))), keys, depth + 1)
}
