/**
 * A schema for "strict" modes, in which a model has to give every property. An optional one becomes nullable, and its null is dropped again:
 * so a model is never forced to give a value that its owner left open. What cannot be said this way is not made strict.
 */
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'

/** Keywords that strict modes take, and that mean the same there. */
const PLAIN: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description', 'title', '$schema'])
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean'])

export interface StrictSchema {
  readonly schema: JsonObject
  /** Gives the arguments as the tool's own schema wants them: without the nulls that stand for "not given". */
  readonly given: (args: JsonObject) => JsonObject
}

/** @returns undefined where the schema says more than a strict mode can */
export function strictSchema(schema: JsonObject): StrictSchema | undefined {
  const made = strictObject(schema)
  return made && { schema: made, given: args => withoutNulls(schema, args) }
}

function strictObject(schema: JsonObject): JsonObject | undefined {
  const { properties = {}, additionalProperties } = schema
  if (!Object.keys(schema).every(key => PLAIN.has(key)) || !isRecord(properties)) return undefined
  // A schema that names further keys by a rule would lose them.
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined
  const required = requiredOf(schema)
  const made: [string, JsonObject][] = []
  for (const [key, inner] of Object.entries(properties)) {
    const value = isRecord(inner) ? strictValue(inner) : undefined
    const shown = value && (required.has(key) ? value : nullable(value))
    if (!shown) return undefined
    made.push([key, shown])
  }
  return { type: 'object', properties: Object.fromEntries(made), required: made.map(([key]) => key), additionalProperties: false, ...(typeof schema['description'] === 'string' ? { description: schema['description'] } : {}) }
}

function strictValue(schema: JsonObject): JsonObject | undefined {
  const { type, items } = schema
  if (type === 'object') return strictObject(schema)
  if (!Object.keys(schema).every(key => PLAIN.has(key))) return undefined
  if (type === 'array') {
    const made = isRecord(items) ? strictValue(items) : undefined
    return made && { ...schema, items: made }
  }
  return typeof type === 'string' && SCALARS.has(type) ? schema : undefined
}

function nullable(schema: JsonObject): JsonObject | undefined {
  const { type, enum: values } = schema
  if (typeof type !== 'string') return undefined
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

/** Nulls of properties that the schema itself does not let be null: nothing else could have meant them. */
function withoutNulls(schema: JsonObject, args: JsonObject): JsonObject {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = requiredOf(schema)
  return Object.fromEntries(Object.entries(args).flatMap(([key, value]): [string, Json][] => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (value === null && isRecord(inner) && !required.has(key)) return []
    return [[key, isRecord(inner) ? cleaned(inner, value) : value]]
  }))
}

function cleaned(schema: JsonObject, value: Json): Json {
  if (isRecord(value) && schema['type'] === 'object') return withoutNulls(schema, value)
  const { items } = schema
  return Array.isArray(value) && isRecord(items) ? value.map(item => cleaned(items, item as Json)) : value
}

function requiredOf(schema: JsonObject): ReadonlySet<string> {
  return new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : [])
}
