/** Each entry of `tools/list` judged alone, so that one bad tool does not hide the good ones. */
import { wireHash } from '../contract/hash.ts'
import { lookAlikes, unsafeName } from '../contract/names.ts'
import { resolveRef } from '../schema/refs.ts'
import { walkSchema } from '../schema/walk.ts'
import type { Json, JsonObject } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import type { WireEntry } from './connection.ts'

export interface GoodTool { readonly kind: 'good', readonly name: string, readonly tool: JsonObject, readonly hash: string }
export interface BadTool { readonly kind: 'bad', readonly name: string, readonly why: string }

export interface Judged {
  readonly good: readonly GoodTool[]
  readonly bad: readonly BadTool[]
  /** Names that look like each other: no fault of one of them, but a person should look. */
  readonly lookAlikes: readonly (readonly string[])[]
}

/** Why a schema cannot be used at all. */
function schemaFault(schema: Json | undefined, field: string): string | undefined {
  if (!isRecord(schema)) return `its ${field} is ${schema === undefined ? 'missing' : 'no object'}`
  if (schema['type'] !== 'object') return `its ${field} is not of type object`
  const walked = walkSchema(schema)
  if (!walked.whole) return `its ${field} is too large to be looked through`
  for (const place of walked.places) {
    const { $ref: ref } = place.schema
    if (ref === undefined) continue
    const kind = typeof ref === 'string' ? resolveRef(schema, ref).kind : 'dangling'
    if (kind !== 'schema') return `its ${field} has the ${kind} reference ${quoted(String(ref))}`
  }
  return undefined
}

function fault(tool: JsonObject): string | undefined {
  if (typeof tool['name'] !== 'string') return 'its name is no text'
  const name = unsafeName(tool['name'])
  if (name) return name
  for (const field of ['description', 'title']) if (tool[field] !== undefined && typeof tool[field] !== 'string') return `its ${field} is no text`
  if (tool['annotations'] !== undefined && !isRecord(tool['annotations'])) return 'its annotations are no object'
  return schemaFault(tool['inputSchema'], 'inputSchema') ?? (tool['outputSchema'] === undefined ? undefined : schemaFault(tool['outputSchema'], 'outputSchema'))
}

function judgeOne(entry: WireEntry, at: number): GoodTool | BadTool {
  const { value, breaches } = entry
  const named = isRecord(value) && typeof value['name'] === 'string' && value['name'] !== '' ? value['name'] : `tool ${at}`
  const bad = (why: string): BadTool => ({ kind: 'bad', name: named, why })
  if (breaches[0]) return bad(breaches[0].why)
  if (!isRecord(value)) return bad('it is no object')
  const why = fault(value)
  return why ? bad(why) : { kind: 'good', name: named, tool: value, hash: wireHash(value) }
}

export function judgeTools(entries: readonly WireEntry[]): Judged {
  const judged = entries.map(judgeOne)
  const counts = new Map<string, number>()
  for (const { name } of judged) counts.set(name, (counts.get(name) ?? 0) + 1)
  const verdicts = judged.map((verdict): GoodTool | BadTool => (counts.get(verdict.name) ?? 0) > 1 ? { kind: 'bad', name: verdict.name, why: 'the server lists this name more than once' } : verdict)
  const good = verdicts.filter(verdict => verdict.kind === 'good')
  return { good, bad: verdicts.filter(verdict => verdict.kind === 'bad'), lookAlikes: lookAlikes([...new Set(verdicts.map(verdict => verdict.name))]) }
}
