/** The two digests of a contract: `wire_hash` over what the server really sends, and version 1's `schema_hash`. */
import type { Json, JsonObject } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import { ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS, SET_KEYWORDS } from './schema-keywords.ts'

const mapValues = (record: JsonObject, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

function asSet(value: Json): Json {
  if (!Array.isArray(value) || !value.every(item => typeof item === 'string')) return value
  return [...new Set(value as string[])].sort()
}

/** A schema with the lists that are sets put in one order. Only schema positions are walked: `required` inside a `default` is data. */
export function orderedSchema(schema: Json): Json {
  if (!isRecord(schema)) return schema
  return mapValues(schema, (value, keyword) => {
    if (SET_KEYWORDS.has(keyword)) return asSet(value)
    if (SCHEMA_LISTS.has(keyword) && Array.isArray(value)) return (value as readonly Json[]).map(orderedSchema)
    if (ONE_SCHEMA.has(keyword)) return orderedSchema(value)
    if (SCHEMA_MAPS.has(keyword) && isRecord(value)) return mapValues(value, orderedSchema)
    return value
  })
}

const SCHEMA_FIELDS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema'])

/** The tool definition as it is hashed: everything on the wire, known to an SDK or not. */
export function canonicalTool(tool: JsonObject): string {
  return canonicalJson(mapValues(tool, (value, name) => SCHEMA_FIELDS.has(name) ? orderedSchema(value) : value))
}

/** SHA-256 in hex over RFC 8785 canonical JSON of the raw wire value; member order, and the order in `required` and `type`, do not count. */
export function wireHash(tool: JsonObject): string {
  return sha256(canonicalTool(tool))
}

/** Rebuilds with sorted names at every depth. JavaScript still lists integer-like names first, and version 1 hashes rely on just that. */
function sortedNames(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortedNames)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([name, item]) => [name, sortedNames(item)]))
}

const OUTSIDE_V1_HASH: ReadonlySet<string> = new Set(['origin', 'signed_by', 'schema_hash'])

/** `schema_hash` of version 1: the record without origin, signed_by and schema_hash, names sorted, JSON.stringify, SHA-256 in hex. */
export function schemaHashV1(record: JsonObject): string {
  const covered = Object.fromEntries(Object.entries(record).filter(([name]) => !OUTSIDE_V1_HASH.has(name)))
  return sha256(JSON.stringify(sortedNames(covered)))
}
