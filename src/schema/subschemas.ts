/** Where a JSON Schema holds other schemas, for every draft from 04 to 2020-12: the one table that says so. */
import type { Json, JsonObject, JsonSchema } from '../types.ts'
import { own } from '../util/own.ts'
import { isRecord } from '../util/records.ts'

/** What a subschema says about a value: `same` value, one named property, a map value, an item, a property's name, or nothing until a `$ref` points there. */
export type Relation =
  | { readonly kind: 'same', readonly conditional: boolean, readonly branch: string }
  | { readonly kind: 'property', readonly name: string }
  | { readonly kind: 'map', readonly pattern: string | undefined }
  | { readonly kind: 'item', readonly index: number | undefined }
  | { readonly kind: 'name' }
  | { readonly kind: 'definition' }

export interface Subschema { readonly schema: JsonSchema, readonly relation: Relation, /** Pointer below the parent schema: `/properties/a`. */ readonly at: string }

const ONE_SAME: ReadonlyMap<string, boolean> = new Map([['if', true], ['then', true], ['else', true], ['not', true]])
const LIST_SAME: ReadonlyMap<string, boolean> = new Map([['allOf', false], ['anyOf', true], ['oneOf', true]])
const ONE_ITEM = ['additionalItems', 'unevaluatedItems', 'contains'] as const
const ONE_MAP = ['additionalProperties', 'unevaluatedProperties'] as const

/** A pointer token, escaped (RFC 6901). */
export const token = (name: string | number) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isRecord(value)
}

/** Own keyword of a schema; a keyword called `constructor` does not exist. */
export const keyword = (schema: JsonObject, name: string): Json | undefined => own(schema, name)

const kept = new WeakMap<JsonObject, readonly Subschema[]>()

/** The schemas directly inside this one, looked for once: every argument of every call asks. Keywords whose value is data (`default`, `enum`, `examples`) are not looked into. */
export function subschemas(schema: JsonObject): readonly Subschema[] {
  let found = kept.get(schema)
  if (!found) kept.set(schema, found = [...inside(schema)])
  return found
}

function* inside(schema: JsonObject): Generator<Subschema> {
  for (const [name, value] of Object.entries(schema)) {
    if (ONE_SAME.has(name)) {
      if (isSchema(value)) yield { schema: value, relation: { kind: 'same', conditional: true, branch: name }, at: token(name) }
    } else if (LIST_SAME.has(name)) yield* listed(value, name, () => ({ kind: 'same', conditional: LIST_SAME.get(name) === true, branch: name }))
    else if (name === 'items') yield* items(value)
    else if (name === 'prefixItems') yield* listed(value, name, index => ({ kind: 'item', index }))
    else if ((ONE_ITEM as readonly string[]).includes(name)) {
      if (isSchema(value)) yield { schema: value, relation: { kind: 'item', index: undefined }, at: token(name) }
    } else if ((ONE_MAP as readonly string[]).includes(name)) {
      if (isSchema(value)) yield { schema: value, relation: { kind: 'map', pattern: undefined }, at: token(name) }
    } else if (name === 'propertyNames') {
      if (isSchema(value)) yield { schema: value, relation: { kind: 'name' }, at: token(name) }
    } else yield* keyed(name, value)
  }
}

function* listed(value: Json, name: string, relation: (index: number) => Relation): Generator<Subschema> {
  if (!Array.isArray(value)) return
  for (const [index, one] of (value as readonly Json[]).entries()) if (isSchema(one)) yield { schema: one, relation: relation(index), at: token(name) + token(index) }
}

function* items(value: Json): Generator<Subschema> {
  if (Array.isArray(value)) yield* listed(value, 'items', index => ({ kind: 'item', index }))
  else if (isSchema(value)) yield { schema: value, relation: { kind: 'item', index: undefined }, at: '/items' }
}

/** Keywords whose value is a table of schemas. `dependencies` (to draft-07) also holds lists of names, which are skipped. */
function* keyed(name: string, value: Json): Generator<Subschema> {
  const relation = tableRelation(name)
  if (!relation || !isRecord(value)) return
  for (const [key, one] of Object.entries(value)) if (isSchema(one)) yield { schema: one, relation: relation(key), at: token(name) + token(key) }
}

function tableRelation(name: string): ((key: string) => Relation) | undefined {
  switch (name) {
    case 'properties': return key => ({ kind: 'property', name: key })
    case 'patternProperties': return key => ({ kind: 'map', pattern: key })
    case 'dependentSchemas': case 'dependencies': return () => ({ kind: 'same', conditional: true, branch: name })
    case '$defs': case 'definitions': return () => ({ kind: 'definition' })
    default: return undefined
  }
}
