/** A schema's working copy: own properties only, references counted, its own id taken out so that every reference is a plain `#...`. */
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { TICK } from './ajv.ts'
import { patternProblem } from './patterns.ts'
import { REF_KEYWORDS, refsOf, resolveRef } from './refs.ts'
import { subschemas } from './subschemas.ts'

/** The copy has the same shape, so a JSON Pointer into the original fits it. */
export function workingCopy(root: JsonObject): JsonObject {
  const { schemas, targets } = survey(root)
  const copy = (value: Json): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).map(copy)
    if (!isRecord(value)) return value
    const entries: [string, Json][] = []
    for (const [name, inner] of Object.entries(value)) {
      if (schemas.has(value) && (name === TICK || isOwnId(value === root, name, inner))) continue
      if (schemas.has(value) && name === 'pattern' && typeof inner === 'string' && patternProblem(inner)) continue
      if (schemas.has(value) && name === 'patternProperties' && isRecord(inner)) { entries.push([name, copyTable(inner, copy)]); continue }
      const isRef = schemas.has(value) && typeof inner === 'string' && (REF_KEYWORDS as readonly string[]).includes(name)
      entries.push([name, isRef ? `#${inner.slice(inner.indexOf('#') < 0 ? inner.length : inner.indexOf('#') + 1)}` : copy(inner)])
    }
    if (targets.has(value)) entries.push([TICK, true])
    return Object.fromEntries(entries)
  }
  return copy(root) as JsonObject
}

/** A pattern that cannot be run takes no key: what it says about none is not checked, and `additionalProperties: false` still holds. */
function copyTable(table: JsonObject, copy: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(table).filter(([pattern]) => !patternProblem(pattern)).map(([pattern, inner]) => [pattern, copy(inner)]))
}

function isOwnId(atRoot: boolean, name: string, value: Json): boolean {
  return atRoot && (name === '$id' || name === 'id' || name === '$schema') && typeof value === 'string'
}

/** Which objects of the document are schemas, and which of them a reference points to. */
function survey(root: JsonObject): { readonly schemas: ReadonlySet<JsonObject>, readonly targets: ReadonlySet<JsonObject> } {
  const schemas = new Set<JsonObject>()
  const targets = new Set<JsonObject>()
  const todo: JsonObject[] = [root]
  for (let schema = todo.pop(); schema !== undefined; schema = todo.pop()) {
    if (schemas.has(schema)) continue
    schemas.add(schema)
    for (const inner of subschemas(schema)) if (isRecord(inner.schema)) todo.push(inner.schema)
    for (const ref of refsOf(schema)) {
      const target = resolveRef(root, ref)
      if (target.kind !== 'schema' || !isRecord(target.schema)) continue
      targets.add(target.schema)
      todo.push(target.schema)
    }
  }
  return { schemas, targets }
}
