/** Two schemas told apart in sentences: `adds a required string "bcc"`, `loosens "path"`. */
import type { Json, JsonObject } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { capped } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { orderedSchema } from './hash.ts'
import { shown } from './show-text.ts'
import { widening } from './subsume.ts'

const MAX_SENTENCES = 50
/** UTF-16 units of one value that is told. */
const MAX_TOLD = 4000

/** JSON as a person must see it: what is invisible, or looks like something else, is spelled out. */
export const told = (value: Json): string => shown(capped(JSON.stringify(value), MAX_TOLD))
const quoted = (text: string): string => told(text)

/** What the sentence around it says already. */
const SAID: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'items'])

/** Everything that a schema says beside its type, its properties and their words included: a model reads all of it. */
function says(schema: Json | undefined): string {
  if (!isRecord(schema)) return ''
  const inner = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).filter(([keyword]) => !['type', 'required', 'description'].includes(keyword)))
  const rest = inner(schema)
  return `${typeof schema['description'] === 'string' ? `, which says ${quoted(schema['description'])}` : ''}${Object.keys(rest).length > 0 ? `, with ${told(rest)}` : ''}`
}

/** Keywords that differ, one by one, with both values. */
function keywordSentences(before: Json | undefined, after: Json | undefined, label: string): string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keywords].filter(keyword => !SAID.has(keyword) && keyword !== 'title' && keyword !== 'description' && bytes(before[keyword]) !== bytes(after[keyword]))
    .map(keyword => `${Object.hasOwn(after, keyword) ? `sets ${shown(keyword)} of ${label} to ${told(after[keyword] ?? null)}` : `drops ${shown(keyword)} of ${label}`}${Object.hasOwn(before, keyword) ? `, was ${told(before[keyword] ?? null)}` : ''}`)
}

const properties = (schema: Json | undefined): JsonObject => isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {}
const isRequired = (schema: Json | undefined, name: string): boolean => isRecord(schema) && Array.isArray(schema['required']) && schema['required'].includes(name)

function typeWord(schema: Json | undefined): string {
  if (!isRecord(schema)) return 'value'
  const type = schema['type']
  if (typeof type === 'string') return type
  return Array.isArray(type) ? type.join(' or ') : 'value of any type'
}

const bytes = (value: Json | undefined): string => canonicalJson(orderedSchema(value ?? null))

/** A schema without its own words and without what its properties say, so that each difference is told once, at its place. */
function bare(schema: Json | undefined): Json {
  if (!isRecord(schema)) return schema ?? null
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !['properties', 'required', 'items', 'description', 'title'].includes(keyword)))
}

function wordSentences(before: Json | undefined, after: Json | undefined, label: string): string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  return ['title', 'description'].filter(keyword => bytes(before[keyword]) !== bytes(after[keyword]))
    .map(keyword => `changes the ${keyword} of ${label} to ${quoted(typeof after[keyword] === 'string' ? after[keyword] : JSON.stringify(after[keyword] ?? null))}`)
}

function walk(before: Json | undefined, after: Json | undefined, label: string, depth: number): string[] {
  if (bytes(before) === bytes(after)) return []
  const found = wordSentences(before, after, label)
  if (bytes(bare(before)) !== bytes(bare(after))) {
    const wider = widening(bare(before), bare(after))
    found.push(wider ? `loosens ${label} (${wider})` : `tightens ${label}`, ...keywordSentences(before, after, label))
  }
  const [old, next] = [properties(before), properties(after)]
  const name = (key: string): string => label === 'the schema' ? quoted(key) : `${quoted(key)} of ${label}`
  for (const key of Object.keys(next)) {
    if (!Object.hasOwn(old, key)) found.push(`adds ${isRequired(after, key) ? 'a required' : 'an optional'} ${typeWord(next[key])} ${name(key)}${says(next[key])}`)
    else if (depth > 0) found.push(...walk(old[key], next[key], name(key), depth - 1))
    if (Object.hasOwn(old, key) && isRequired(before, key) !== isRequired(after, key)) found.push(`makes ${name(key)} ${isRequired(after, key) ? 'required' : 'optional'}`)
  }
  for (const key of Object.keys(old)) if (!Object.hasOwn(next, key)) found.push(`removes the ${typeWord(old[key])} ${name(key)}`)
  if (isRecord(before) && isRecord(after) && depth > 0 && bytes(before['items']) !== bytes(after['items'])) found.push(...walk(before['items'], after['items'], `the items of ${label}`, depth - 1))
  return found
}

/** At most 50 sentences, then one that says how many more there are. */
export function schemaSentences(before: Json, after: Json): readonly string[] {
  const found = walk(before, after, 'the schema', 20)
  return found.length > MAX_SENTENCES ? [...found.slice(0, MAX_SENTENCES), `and ${found.length - MAX_SENTENCES} more differences`] : found
}
