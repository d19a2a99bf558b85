/** Which keys of one object a schema knows, given the value: unions and conditions are decided by the branch that matched. */
import type { Json, JsonObject, JsonSchema } from '../types.ts'
import { own } from '../util/own.ts'
import { isRecord } from '../util/records.ts'
import { compilePattern } from './patterns.ts'
import { refsOf, resolveRef } from './refs.ts'
import { keyword, subschemas, type Subschema } from './subschemas.ts'
import { fitsPart } from './validate.ts'

/** A schema object that applies to a value, and where it stands in the document (a JSON Pointer into the schema). */
export interface Applied { readonly schema: JsonObject, readonly at: string }

/** The schemas that speak about this value: the given one, its references, its allOf parts, and of a union the branches that the value fits. */
export function appliedTo(root: JsonObject, start: readonly Applied[], value: Json): readonly Applied[] {
  const found: Applied[] = []
  const seen = new Set<JsonObject>()
  const todo = [...start]
  for (let next = todo.shift(); next !== undefined; next = todo.shift()) {
    if (seen.has(next.schema)) continue
    seen.add(next.schema)
    found.push(next)
    for (const ref of refsOf(next.schema)) {
      const target = resolveRef(root, ref)
      if (target.kind === 'schema' && isRecord(target.schema)) todo.push({ schema: target.schema, at: ref.slice(ref.indexOf('#') + 1) })
    }
    todo.push(...branches(root, next, value))
  }
  return found
}

function branches(root: JsonObject, { schema, at }: Applied, value: Json): readonly Applied[] {
  const inner = [...subschemas(schema)].filter(part => part.relation.kind === 'same')
  const named = (name: string) => inner.filter(part => part.relation.kind === 'same' && part.relation.branch === name)
  const fits = (part: Subschema) => fitsPart(root, at + part.at, value)
  const unions = ['anyOf', 'oneOf'].flatMap(name => {
    const fitting = named(name).filter(part => fits(part) === true)
    // No branch fits: the call will be refused for that; until then every branch's keys count as known, so that no notice is wrong.
    return fitting.length > 0 ? fitting : named(name)
  })
  const condition = named('if')[0]
  const decided = condition === undefined ? [] : fits(condition) === false ? named('else') : [condition, ...named('then')]
  const dependent = isRecord(value) ? ['dependentSchemas', 'dependencies'].flatMap(name => inner.filter(part => part.relation.kind === 'same' && part.relation.branch === name)) : []
  return [...named('allOf'), ...unions, ...decided, ...dependent].flatMap(part => isRecord(part.schema) ? [{ schema: part.schema, at: at + part.at }] : [])
}

/**
 * @param isRoot the root of the arguments is closed even where the schema says nothing or `true`: a handler might honour an undeclared `open`.
 * Below the root, an object without any declared property is free-form data.
 * @returns the schemas of a known key's value (none where they say nothing about it); undefined for a key that nobody knows
 */
export function keyReader(applied: readonly Applied[], isRoot: boolean): (key: string) => readonly Applied[] | undefined {
  const isFree = isRoot ? isReshaped(applied) : isFreeForm(applied)
  return key => schemasBelow(applied, key) ?? (isFree ? [] : undefined)
}

/** A root that says nothing about itself has been reshaped (a transform, a preprocess step): no notice is better than a wrong one. */
function isReshaped(applied: readonly Applied[]): boolean {
  return !applied.some(({ schema }) => ['type', 'properties', 'patternProperties', 'additionalProperties', 'required'].some(name => keyword(schema, name) !== undefined))
}

function isFreeForm(applied: readonly Applied[]): boolean {
  const rests = applied.map(({ schema }) => keyword(schema, 'additionalProperties') ?? keyword(schema, 'unevaluatedProperties'))
  if (rests.includes(false)) return false
  const open = rests.some(rest => rest === true || (isRecord(rest) && Object.keys(rest).length === 0))
  return open || !applied.some(({ schema }) => isMap(schema) || Object.keys((keyword(schema, 'properties') ?? {}) as JsonObject).length > 0)
}

function isMap(schema: JsonObject): boolean {
  const rest = keyword(schema, 'additionalProperties')
  return (isRecord(rest) && Object.keys(rest).length > 0) || isRecord(keyword(schema, 'patternProperties'))
}

/** `aliases` (or `x-aliases`) on a property: other spellings that the handler takes. */
function aliasesOf(schema: JsonSchema): readonly string[] {
  if (typeof schema === 'boolean') return []
  const listed = keyword(schema, 'aliases') ?? keyword(schema, 'x-aliases')
  return Array.isArray(listed) ? listed.filter(name => typeof name === 'string') : []
}

function schemasBelow(applied: readonly Applied[], key: string): readonly Applied[] | undefined {
  const found = applied.flatMap(one => below(one, key))
  return found.length > 0 ? found.flatMap(({ schema, at }) => isRecord(schema) ? [{ schema, at }] : []) : undefined
}

function below({ schema, at }: Applied, key: string): readonly { readonly schema: JsonSchema, readonly at: string }[] {
  const properties = keyword(schema, 'properties')
  const direct = isRecord(properties) ? own(properties, key) : undefined
  const found: { readonly schema: JsonSchema, readonly at: string }[] = []
  for (const part of subschemas(schema)) {
    const { relation } = part
    if (relation.kind === 'property' && (relation.name === key || aliasesOf(part.schema).includes(key))) found.push({ schema: part.schema, at: at + part.at })
    else if (relation.kind === 'map' && matchesMap(relation.pattern, part.schema, key, direct !== undefined)) found.push({ schema: part.schema, at: at + part.at })
  }
  return found
}

/** `true` and `{}` for all other keys declare none of them; a schema for them does. */
function matchesMap(pattern: string | undefined, schema: JsonSchema, key: string, isNamed: boolean): boolean {
  if (pattern === undefined) return !isNamed && typeof schema !== 'boolean' && Object.keys(schema).length > 0
  const compiled = compilePattern(pattern)
  return compiled.kind === 'pattern' && compiled.test(key)
}

/** The schemas of an array's item at an index. */
export function itemSchemas(applied: readonly Applied[], index: number): readonly Applied[] {
  return applied.flatMap(({ schema, at }) => {
    const parts = [...subschemas(schema)].filter(part => part.relation.kind === 'item')
    const placed = parts.filter(part => part.relation.kind === 'item' && part.relation.index === index)
    const chosen = placed.length > 0 ? placed : parts.filter(part => part.relation.kind === 'item' && part.relation.index === undefined)
    return chosen.flatMap(part => isRecord(part.schema) ? [{ schema: part.schema, at: at + part.at }] : [])
  })
}
