/**
 * The visible schema: what a model and the filler may see of a tool's input. A schema from outside is looked at here before anything compiles
 * it: caps, draft, references. Every result is a value with a `kind`.
 */
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { quoted } from '../util/mask.ts'
import { dialectOf, foreignKeywords, type Dialect } from './dialect.ts'
import { patternProblem } from './patterns.ts'
import { refsOf, resolveRef } from './refs.ts'
import { keyword, subschemas } from './subschemas.ts'

export interface SchemaFinding {
  readonly rule: 'bad-pattern' | 'unchecked-pattern' | 'foreign-keyword' | 'root-combinator'
  /** JSON Pointer into the schema. */
  readonly at: string
  readonly message: string
}
export type RefusedSchema = {
  readonly kind: 'refused'
  readonly code: 'not-an-object' | 'too-big' | 'too-deep' | 'too-many-nodes' | 'unknown-dialect' | 'external-ref' | 'dangling-ref' | 'embedded-id' | 'not-representable'
  /** What is wrong, where, and what to do, in one line. */
  readonly reason: string
}
export type VisibleResult =
  | { readonly kind: 'visible', readonly schema: JsonObject, readonly dialect: Dialect, readonly findings: readonly SchemaFinding[] }
  | RefusedSchema

/** Ten times what the largest of 1,182 real schemas needs (13,325 characters, 28 levels, 355 objects). */
export const SCHEMA_CAPS = { size: 262_144, depth: 128, nodes: 4_000 } as const

const made = new WeakSet<JsonObject>()

/** A schema that our own tools' library wrote: its draft's own schema need not judge it. To compile that one takes a fifth of a second of a start. */
export function markMade<T extends JsonObject>(schema: T): T {
  made.add(schema)
  return schema
}

export const isMade = (schema: JsonObject): boolean => made.has(schema)

/** A JSON Schema of an object, draft-04 to 2020-12. The schema comes back unchanged, so that what was looked at is what goes out. */
export function visibleFromForeign(schema: unknown): VisibleResult {
  if (!isRecord(schema)) return refused('not-an-object', `an input schema is a JSON object, not ${schema === null ? 'null' : Array.isArray(schema) ? 'an array' : typeof schema}`)
  const tooMuch = overCaps(schema)
  if (tooMuch) return tooMuch
  const dialect = dialectOf(schema)
  if (!dialect) return refused('unknown-dialect', `"$schema" is ${capText(JSON.stringify(keyword(schema, '$schema')))}; known are draft-04, draft-06, draft-07, 2019-09 and 2020-12`)
  if (!isObjectSchema(schema)) return refused('not-an-object', 'the root of an input schema must describe an object: add `"type": "object"`')
  return inspect(schema, dialect)
}

export const refused = (code: RefusedSchema['code'], reason: string): RefusedSchema => ({ kind: 'refused', code, reason })
const capText = (text: string) => quoted(text.slice(0, 100))

/** MCP wants `type: object` at the root. A root without any type passes: it lets objects through, and the finding is the linter's. */
function isObjectSchema(schema: JsonObject): boolean {
  const type = keyword(schema, 'type')
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}

/** Counts over the plain JSON, before any keyword means anything. Iterative: depth must not be able to exhaust the stack. */
function overCaps(schema: JsonObject): RefusedSchema | undefined {
  let nodes = 0
  let size = 0
  const todo: { readonly value: Json, readonly depth: number }[] = [{ value: schema, depth: 1 }]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { value, depth } = next
    if (typeof value === 'string') size += value.length
    if (typeof value !== 'object' || value === null) continue
    if (depth > SCHEMA_CAPS.depth) return refused('too-deep', `the schema is nested deeper than ${SCHEMA_CAPS.depth} levels`)
    if (++nodes > SCHEMA_CAPS.nodes) return refused('too-many-nodes', `the schema has more than ${SCHEMA_CAPS.nodes} objects and arrays`)
    for (const [name, inner] of Object.entries(value)) {
      size += name.length
      todo.push({ value: inner as Json, depth: depth + 1 })
    }
    if (size > SCHEMA_CAPS.size) break
  }
  return size > SCHEMA_CAPS.size ? refused('too-big', `the schema has more than ${SCHEMA_CAPS.size} characters`) : undefined
}

function inspect(root: JsonObject, dialect: Dialect): VisibleResult {
  const findings: SchemaFinding[] = []
  const seen = new Set<JsonObject>()
  const todo: { readonly schema: JsonObject, readonly at: string }[] = [{ schema: root, at: '' }]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { schema, at } = next
    if (seen.has(schema)) continue
    seen.add(schema)
    const bad = badReference(root, schema, at) ?? embeddedId(schema, at)
    if (bad) return bad
    findings.push(...findingsOf(schema, at, dialect))
    for (const inner of subschemas(schema)) if (isRecord(inner.schema)) todo.push({ schema: inner.schema, at: at + inner.at })
    for (const ref of refsOf(schema)) {
      const target = resolveRef(root, ref)
      // A target outside every known keyword is still a schema once something points to it.
      if (target.kind === 'schema' && isRecord(target.schema)) todo.push({ schema: target.schema, at: ref })
    }
  }
  return { kind: 'visible', schema: root, dialect, findings }
}

function badReference(root: JsonObject, schema: JsonObject, at: string): RefusedSchema | undefined {
  for (const ref of refsOf(schema)) {
    const { kind } = resolveRef(root, ref)
    if (kind === 'external') return refused('external-ref', `${capText(ref)} at ${at || 'the root'} points outside the schema; it is not fetched: put the definition into $defs`)
    if (kind === 'dangling') return refused('dangling-ref', `${capText(ref)} at ${at || 'the root'} points to nothing`)
  }
  return undefined
}

/** An id inside the document gives its `#` another meaning; reading it as ours would show other rules than the server applies. */
function embeddedId(schema: JsonObject, at: string): RefusedSchema | undefined {
  const id = keyword(schema, '$id')
  if (at === '' || typeof id !== 'string' || id.startsWith('#')) return undefined
  return refused('embedded-id', `"$id" ${capText(id)} at ${at} starts a schema of its own inside the schema; take it out`)
}

function findingsOf(schema: JsonObject, at: string, dialect: Dialect): readonly SchemaFinding[] {
  const findings: SchemaFinding[] = foreignKeywords(schema, dialect).map(name => ({ rule: 'foreign-keyword', at: `${at}/${name}`, message: `${dialect} does not know "${name}", so the rule does not hold` }))
  if (at === '') for (const name of ['anyOf', 'oneOf', 'allOf', 'if', 'not']) if (keyword(schema, name) !== undefined) findings.push({ rule: 'root-combinator', at: `/${name}`, message: `"${name}" at the root: clients differ in what they make of it` })
  const patterns = keyword(schema, 'patternProperties')
  for (const pattern of [keyword(schema, 'pattern'), ...(isRecord(patterns) ? Object.keys(patterns) : [])]) {
    const problem = typeof pattern === 'string' ? patternProblem(pattern) : undefined
    if (problem) findings.push({ rule: problem.rule, at: `${at}/pattern`, message: problem.message })
  }
  return findings
}
