/**
 * Does a new schema let through nothing that the old one did not? A real check keyword by keyword, and a careful one: what it does not
 * understand counts as widening, so that a person looks at it.
 *
 * Objects count as closed where `additionalProperties` is absent: keys that a schema does not name never reach a tool, so a new property widens.
 */
import type { Json, JsonObject } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import { orderedSchema } from './hash.ts'
import { NOTES } from './schema-keywords.ts'

type Verdict = { readonly within: true } | { readonly within: false, readonly path: string, readonly why: string }
const YES: Verdict = { within: true }
const no = (path: string, why: string): Verdict => ({ within: false, path, why })

const MAX_DEPTH = 40
const bytes = (value: Json): string => canonicalJson(orderedSchema(value))

/** `default` is not a note here: a changed default changes what happens when the key is left out. */
const SILENT: ReadonlySet<string> = new Set([...NOTES].filter(keyword => keyword !== 'default'))
const LOWER_BOUNDS: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const UPPER_BOUNDS: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])
const OBJECT_KEYWORDS: ReadonlySet<string> = new Set(['properties', 'additionalProperties', 'required'])

function typesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const type = schema['type']
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set((type as readonly Json[]).filter(item => typeof item === 'string') as readonly string[])
  const finite = valuesOf(schema)
  return finite && new Set(finite.map(value => value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value))
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const'] as Json]
  return Array.isArray(schema['enum']) ? schema['enum'] as readonly Json[] : undefined
}

const MAX_HOPS = 20

/** Follows local references. Undefined: external, dangling, going round in a circle, or with other restrictions beside it. */
function resolve(root: Json, schema: Json): Json | undefined {
  let at: Json | undefined = schema
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (!isRecord(at) || !Object.hasOwn(at, '$ref')) return at
    const ref: Json | undefined = at['$ref']
    if (typeof ref !== 'string' || !ref.startsWith('#/') || Object.keys(at).some(keyword => keyword !== '$ref' && !SILENT.has(keyword))) return undefined
    let target: Json | undefined = root
    for (const step of ref.slice(2).split('/').map(part => part.replaceAll('~1', '/').replaceAll('~0', '~')))
      target = isRecord(target) && Object.hasOwn(target, step) ? target[step] : undefined
    at = target
  }
  return undefined
}

/** One comparison of two whole documents: `$ref`s of each side belong to that side's root. */
class Comparison {
  readonly #old: Json
  readonly #next: Json
  constructor(old: Json, next: Json) {
    this.#old = old
    this.#next = next
  }

  within(oldRaw: Json, nextRaw: Json, path: string, depth: number): Verdict {
    if (depth > MAX_DEPTH) return no(path, 'is nested too deep to compare')
    const old = resolve(this.#old, oldRaw)
    const next = resolve(this.#next, nextRaw)
    if (old === undefined || next === undefined) return no(path, 'holds a reference that cannot be compared')
    const refs = bytes(old).includes('"$ref"') || bytes(next).includes('"$ref"')
    if (bytes(old) === bytes(next) && (!refs || bytes(this.#old) === bytes(this.#next))) return YES
    if (next === false || old === true) return YES
    if (old === false || next === true || !isRecord(old) || !isRecord(next)) return no(path, 'lets more through')
    return this.keywords(old, next, path, depth)
  }

  keywords(old: JsonObject, next: JsonObject, path: string, depth: number): Verdict {
    const union = this.union(old, next, path, depth)
    if (union) return union
    const objects = this.objects(old, next, path, depth)
    if (!objects.within) return objects
    for (const keyword of new Set([...Object.keys(old), ...Object.keys(next)])) {
      if (SILENT.has(keyword) || OBJECT_KEYWORDS.has(keyword)) continue
      const verdict = this.keyword(keyword, old, next, path, depth)
      if (!verdict.within) return verdict
    }
    return YES
  }

  /** Each new branch must fit the old schema; where the old one has branches, some old branch must take it. */
  union(old: JsonObject, next: JsonObject, path: string, depth: number): Verdict | undefined {
    const branches = (schema: JsonObject): readonly Json[] | undefined => {
      const only = Object.keys(schema).filter(keyword => !SILENT.has(keyword))
      return only.length === 1 && only[0] === 'anyOf' && Array.isArray(schema['anyOf']) ? schema['anyOf'] as readonly Json[] : undefined
    }
    const nextBranches = branches(next)
    const oldBranches = branches(old)
    if (!nextBranches && !oldBranches) return undefined
    for (const branch of nextBranches ?? [next]) {
      const taken = (oldBranches ?? [old]).some(one => this.within(one, branch, path, depth + 1).within)
      if (!taken) return no(path, 'has an alternative that is not within the old ones')
    }
    return YES
  }

  objects(old: JsonObject, next: JsonObject, path: string, depth: number): Verdict {
    const props = (schema: JsonObject): JsonObject => isRecord(schema['properties']) ? schema['properties'] : {}
    const open = (schema: JsonObject): Json => schema['additionalProperties'] ?? false
    for (const [name, schema] of Object.entries(props(next))) {
      const before = props(old)
      if (!Object.hasOwn(before, name)) return no(`${path}/${name}`, 'is a new property')
      const verdict = this.within(before[name] as Json, schema, `${path}/${name}`, depth + 1)
      if (!verdict.within) return verdict
    }
    const rest = this.within(open(old), open(next), `${path}/*`, depth + 1)
    if (!rest.within) return no(path, 'lets more unnamed properties through')
    // A named property that is gone may come back through an open `additionalProperties`.
    if (open(next) !== false && Object.keys(props(old)).some(name => !Object.hasOwn(props(next), name))) return no(path, 'no longer names a property that it still lets through')
    const required = (schema: JsonObject): readonly Json[] => Array.isArray(schema['required']) ? schema['required'] as readonly Json[] : []
    const lost = required(old).find(name => !required(next).includes(name))
    return lost === undefined ? YES : no(`${path}/${String(lost)}`, 'is no longer required')
  }

  keyword(keyword: string, old: JsonObject, next: JsonObject, path: string, depth: number): Verdict {
    const [before, after] = [old[keyword], next[keyword]]
    if (keyword === 'type') return typeVerdict(old, next, path)
    if (keyword === 'enum' || keyword === 'const') return enumVerdict(old, next, path)
    if (before !== undefined && after !== undefined && bytes(before) === bytes(after) && !bytes(before).includes('"$ref"')) return YES
    if (keyword === 'default') return no(path, `has ${after === undefined ? 'no default any more' : `the default ${JSON.stringify(after)}`}${before === undefined ? '' : ` instead of ${JSON.stringify(before)}`}`)
    if (LOWER_BOUNDS.has(keyword)) return boundVerdict(keyword, before, after, path, (a, b) => a <= b)
    if (UPPER_BOUNDS.has(keyword)) return boundVerdict(keyword, before, after, path, (a, b) => a >= b)
    if (keyword === 'items' && !Array.isArray(before) && !Array.isArray(after) && after !== undefined) return this.within(before ?? true, after, `${path}/items`, depth + 1)
    if (keyword === 'uniqueItems') return before === true && after !== true ? no(path, 'may repeat items now') : YES
    // A restriction that was not there before only narrows; `$defs` restrict nothing by themselves.
    if (keyword === '$defs' || keyword === 'definitions') return YES
    if (before === undefined && (keyword === 'pattern' || keyword === 'format' || keyword === 'multipleOf')) return YES
    return no(path, before === undefined ? `has the new keyword ${keyword}, which may widen it` : after === undefined ? `lost the restriction ${keyword}` : `has another ${keyword}`)
  }
}

function typeVerdict(old: JsonObject, next: JsonObject, path: string): Verdict {
  const before = typesOf(old)
  const after = typesOf(next)
  if (before === undefined) return YES
  if (after === undefined) return no(path, 'may be of any type now')
  const extra = [...after].filter(type => !before.has(type) && !(type === 'integer' && before.has('number')))
  return extra.length === 0 ? YES : no(path, `may be ${extra.join(' or ')} now`)
}

function enumVerdict(old: JsonObject, next: JsonObject, path: string): Verdict {
  const before = valuesOf(old)
  const after = valuesOf(next)
  if (before === undefined) return typeVerdict(old, next, path)
  if (after === undefined) return no(path, 'may have any value now')
  const known = new Set(before.map(bytes))
  const extra = after.filter(value => !known.has(bytes(value)))
  return extra.length === 0 ? YES : no(path, `may be ${extra.map(value => JSON.stringify(value)).join(', ')} now`)
}

function boundVerdict(keyword: string, before: Json | undefined, after: Json | undefined, path: string, kept: (before: number, after: number) => boolean): Verdict {
  if (before === undefined) return typeof after === 'number' ? YES : no(path, `has another ${keyword}`)
  if (typeof before !== 'number' || typeof after !== 'number') return no(path, `lost the restriction ${keyword}`)
  return kept(before, after) ? YES : no(path, `has ${keyword} ${after} instead of ${before}`)
}

/** Undefined: every value that fits `next` fitted `old`. Otherwise the first place where that cannot be shown, in words. */
export function widening(old: Json, next: Json): string | undefined {
  const verdict = new Comparison(old, next).within(old, next, '', 0)
  return verdict.within ? undefined : `${verdict.path === '' ? 'the schema' : `"${verdict.path.slice(1)}"`} ${verdict.why}`
}
