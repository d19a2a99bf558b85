/** Valid values for what a schema requires, so that a server's own checks do not hide what lies behind them. Deterministic; every text is a canary. */
import { resolveRef, refsOf } from '../schema/refs.ts'
import { isSchema, keyword } from '../schema/subschemas.ts'
import { schemasAt } from '../schema/walk.ts'
import { typesOf, isArming } from '../schema/arming.ts'
import { compileValidator } from '../schema/validate.ts'
import type { Json, JsonObject, JsonSchema } from '../types.ts'
import { isRecord, mergeOwn } from '../util/records.ts'
import { own } from '../util/own.ts'
import { textValue, type CanaryContext } from './canary.ts'

const MAX_DEPTH = 12

export class Generator {
  readonly #root: JsonObject
  readonly #context: CanaryContext
  constructor(root: JsonObject, context: CanaryContext) {
    this.#root = root
    this.#context = context
  }

  /** Arguments with everything that is required at the root and below. */
  required(): JsonObject {
    const value = this.#object(this.#root, [], 0)
    const fits = this.fits(value)
    return fits ? value : this.#mended(value)
  }

  fits(args: JsonObject): boolean {
    const validator = compileValidator(this.#root)
    return validator.kind === 'validator' && validator.check(args).ok
  }

  /** What a place may hold; undefined where nothing could be made. */
  at(tokens: readonly string[]): Json | undefined {
    const [spot] = schemasAt(this.#root, tokens)
    return spot && this.#value(spot.schema, tokens, 0)
  }

  isList(tokens: readonly string[]): boolean {
    return schemasAt(this.#root, tokens).some(({ schema }) => typesOf(schema).includes('array') || keyword(schema, 'items') !== undefined || keyword(schema, 'prefixItems') !== undefined)
  }

  /** A root of alternatives whose first branch does not fit: the first that does. */
  #mended(value: JsonObject): JsonObject {
    for (const name of ['anyOf', 'oneOf']) {
      const branches = keyword(this.#root, name)
      for (const branch of Array.isArray(branches) ? (branches as readonly Json[]).filter(isRecord) : []) {
        const more = mergeOwn(this.#object(this.#within(branch, keyword(this.#root, 'properties')), [], 0), this.#object({ ...this.#root, anyOf: [], oneOf: [] }, [], 0))
        if (this.fits(more)) return more
      }
    }
    return value
  }

  #value(schema: JsonSchema, path: readonly string[], depth: number): Json | undefined {
    if (typeof schema === 'boolean') return textValue({}, path, this.#context)
    if (depth > MAX_DEPTH) return undefined
    for (const ref of refsOf(schema)) {
      const target = resolveRef(this.#root, ref)
      if (target.kind === 'schema') return this.#value(target.schema, path, depth + 1)
    }
    const fixed = keyword(schema, 'const')
    if (fixed !== undefined) return fixed
    const listed = keyword(schema, 'enum')
    if (Array.isArray(listed)) return this.#quiet(listed as readonly Json[], path)
    if (isObject(schema)) return this.#object(schema, path, depth)
    for (const name of ['allOf', 'anyOf', 'oneOf']) {
      const branches = keyword(schema, name)
      if (!Array.isArray(branches) || typesOf(schema).length > 0) continue
      const values = (branches as readonly Json[]).filter(isSchema).map(branch => this.#value(branch, path, depth + 1)).filter(value => value !== undefined && value !== null)
      const made = name !== 'allOf' ? values[0] : values.every(isRecord) ? mergeOwn(...values as readonly JsonObject[]) : values.at(-1)
      if (made !== undefined) return made
    }
    return this.#typed(schema, path, depth)
  }

  /** A valid choice that arms nothing, where there is one: what is wanted here is to get past the checks. */
  #quiet(values: readonly Json[], path: readonly string[]): Json | undefined {
    const pointer = path.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
    return values.find(value => value !== null && !isArming(this.#root, pointer, value)) ?? values.find(value => value !== null)
  }

  #typed(schema: JsonObject, path: readonly string[], depth: number): Json | undefined {
    const types = typesOf(schema)
    const type = types.find(one => one !== 'null') ?? types[0] ?? guessed(schema)
    switch (type) {
      case 'boolean': return this.#quiet([false, true], path)
      case 'integer': case 'number': return numberValue(schema, type === 'integer')
      case 'array': return this.#array(schema, path, depth)
      case 'object': return this.#object(schema, path, depth)
      case 'null': return null
      default: return textValue(schema, path, this.#context)
    }
  }

  #array(schema: JsonObject, path: readonly string[], depth: number): Json {
    const least = keyword(schema, 'minItems')
    const tuple = keyword(schema, 'prefixItems')
    if (Array.isArray(tuple)) return tuple.filter(isSchema).map((item, index) => this.#value(item, [...path, String(index)], depth + 1) ?? null)
    const item = keyword(schema, 'items')
    // One item, also where none is needed: a list of nothing would hide what the tool does with its items.
    const count = Math.min(Math.max(typeof least === 'number' ? least : 1, 1), 10)
    return Array.from({ length: count }, (_, index) => this.#value(isSchema(item) ? item : {}, [...path, String(index)], depth + 1) ?? null)
  }

  /** What is required, here and in the branches that apply: every one of `allOf`, the first of `anyOf` and `oneOf`. */
  #object(schema: JsonObject, path: readonly string[], depth: number): JsonObject {
    const properties = keyword(schema, 'properties')
    const wanted = keyword(schema, 'required')
    const names = Array.isArray(wanted) ? wanted.filter(name => typeof name === 'string') : []
    const made = Object.fromEntries(names.flatMap(name => {
      const inner = isRecord(properties) ? own(properties, name) : undefined
      const value = this.#value(isSchema(inner) ? inner : {}, [...path, name], depth + 1)
      return value === undefined ? [] : [[name, value]]
    }))
    const branches = ['allOf', 'anyOf', 'oneOf'].flatMap(name => { const list = keyword(schema, name); return Array.isArray(list) ? (name === 'allOf' ? list : list.slice(0, 1)) as readonly Json[] : [] })
    return depth > MAX_DEPTH ? made : mergeOwn(...branches.filter(isRecord).map(branch => this.#object(this.#within(branch, properties), path, depth + 1)), made)
  }

  /** A branch names keys that its parent describes. */
  #within(branch: JsonObject, properties: Json | undefined): JsonObject {
    const [ref] = refsOf(branch)
    const target = ref === undefined ? undefined : resolveRef(this.#root, ref)
    const schema = target?.kind === 'schema' && isRecord(target.schema) ? target.schema : branch
    const mine = keyword(schema, 'properties')
    return { ...schema, properties: mergeOwn(isRecord(properties) ? properties : {}, isRecord(mine) ? mine : {}) }
  }
}

const isObject = (schema: JsonObject): boolean => typesOf(schema).includes('object') || (typesOf(schema).length === 0 && keyword(schema, 'properties') !== undefined)

function guessed(schema: JsonObject): string {
  if (keyword(schema, 'properties') !== undefined) return 'object'
  if (keyword(schema, 'items') !== undefined || keyword(schema, 'prefixItems') !== undefined) return 'array'
  return keyword(schema, 'minimum') !== undefined || keyword(schema, 'maximum') !== undefined ? 'number' : 'string'
}

function numberValue(schema: JsonObject, whole: boolean): number {
  const bound = (name: string): number | undefined => { const value = keyword(schema, name); return typeof value === 'number' ? value : undefined }
  const step = bound('multipleOf') ?? (whole ? 1 : undefined)
  const low = bound('minimum') ?? (bound('exclusiveMinimum') === undefined ? undefined : (bound('exclusiveMinimum') ?? 0) + (step ?? 0.5))
  const high = bound('maximum') ?? (bound('exclusiveMaximum') === undefined ? undefined : (bound('exclusiveMaximum') ?? 0) - (step ?? 0.5))
  const wish = Math.min(Math.max(1, low ?? 1), high ?? Infinity)
  return step === undefined ? wish : Math.ceil(wish / step) * step
}
