/**
 * Arguments against a schema of any draft: judged, never changed. Work is bounded: the schema by `visible.ts`, the arguments and the number of
 * definitions entered by the limits here, patterns by `patterns.ts`.
 */
import type { Json, JsonObject } from '../types.ts'
import { quoted, visible } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { compileSchema, metaProblem, TooMuchWork, type Checker, type Failure } from './ajv.ts'
import { canArm } from './arming.ts'
import { dialectOf } from './dialect.ts'
import { workingCopy } from './prepare.ts'
import { token } from './subschemas.ts'
import { isMade, visibleFromForeign } from './visible.ts'

export type Check = { readonly ok: true } | { readonly ok: false, /** One line each, safe to show to the caller. */ readonly problems: readonly string[], /** JSON Pointer of the first. */ readonly path: string, readonly rule: string, /** Pointer of what is missing, unless it could arm. */ readonly missing?: string, /** What it is about, only a preset or a person may give. */ readonly arming?: true }
export type Validator =
  | { readonly kind: 'validator', readonly check: (args: JsonObject) => Check }
  | { readonly kind: 'refused', readonly reason: string }

/** Objects and arrays in one call's arguments, and how deep they nest. */
export const ARGUMENT_CAPS = { nodes: 20_000, depth: 200 } as const
/** @returns `refused` for a schema that cannot be used; a pattern that cannot be run is not checked (and is a finding of `visibleFromForeign`) */
export function compileValidator(schema: JsonObject): Validator {
  const seen = visibleFromForeign(schema)
  if (seen.kind === 'refused') return { kind: 'refused', reason: seen.reason }
  if (isRuleless(schema)) return { kind: 'validator', check: args => tooBig(args) ? TOO_BIG : { ok: true } }
  const problem = isMade(schema) ? undefined : metaProblem(schema, seen.dialect)
  if (problem) return { kind: 'refused', reason: `not a valid ${seen.dialect} schema: ${visible(problem)}` }
  try {
    const check = compileSchema(workingCopy(schema), seen.dialect, '')
    return { kind: 'validator', check: args => judge(schema, check, args) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { kind: 'refused', reason: `the schema does not compile: ${visible(error.message)}` }
  }
}

/** Schemas that any arguments fit, as a runtime's own tools have here: nothing is compiled, so the library is not even loaded for them. */
function isRuleless({ type, additionalProperties = true, properties = {}, ...rest }: JsonObject): boolean {
  return type === 'object' && additionalProperties === true && isEmpty(properties) && Object.keys(rest).length === 0
}
const isEmpty = (value: Json) => isRecord(value) && Object.keys(value).length === 0
const TOO_BIG: Check = { ok: false, problems: [`the arguments have more than ${ARGUMENT_CAPS.nodes} parts or nest deeper than ${ARGUMENT_CAPS.depth} levels`], path: '', rule: 'size' }

const parts = new WeakMap<JsonObject, Map<string, Checker | undefined>>()

/** Does a value fit the subschema at a pointer? Undefined: that cannot be told. For branches of a union, compiled once. */
export function fitsPart(root: JsonObject, pointer: string, value: Json): boolean | undefined {
  let known = parts.get(root)
  if (!known) parts.set(root, known = new Map())
  if (!known.has(pointer)) known.set(pointer, compilePart(root, pointer))
  const check = known.get(pointer)
  if (!check || tooBig(value)) return undefined
  try {
    return check(value) === undefined
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    return undefined
  }
}

function compilePart(root: JsonObject, pointer: string): Checker | undefined {
  try {
    return compileSchema(workingCopy(root), dialectOf(root) ?? '2020-12', pointer)
  } catch (error) {
    // A schema that does not compile is reported by compileValidator; here it only means that no branch can be told.
    if (!(error instanceof Error)) throw error
    return undefined
  }
}

function judge(schema: JsonObject, check: Checker, args: JsonObject): Check {
  if (tooBig(args)) return TOO_BIG
  try {
    const failure = check(args)
    return failure ? failed(schema, failure) : { ok: true }
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    return { ok: false, problems: ['the arguments take too much work to check against this schema'], path: '', rule: 'work' }
  }
}

function tooBig(value: Json): boolean {
  let nodes = 0
  const todo: { readonly value: Json, readonly depth: number }[] = [{ value, depth: 1 }]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (++nodes > ARGUMENT_CAPS.nodes || next.depth > ARGUMENT_CAPS.depth) return true
    for (const inner of Object.values(next.value)) {
      if (typeof inner === 'object' && inner !== null) todo.push({ value: inner as Json, depth: next.depth + 1 })
    }
  }
  return false
}

/** Never says that an armed key is missing or which value it wants: a caller that mends its call by the message must not learn to arm it. */
function failed(schema: JsonObject, failure: Failure): Check {
  const { path, keyword: rule } = failure
  const about = failure.missing === undefined ? path : path + token(failure.missing)
  if (about !== '' && canArm(schema, about)) return { ok: false, problems: ['the arguments are not complete; what is missing, only a person or a route\'s preset may give'], path, rule, arming: true }
  const where = path === '' ? 'the arguments' : quoted(path)
  const what = rule === 'additionalProperties' || rule === 'unevaluatedProperties' ? 'has a key that the schema does not know' : visible(failure.message)
  const problem = `${where} ${what}${failure.extra === undefined ? '' : `: ${quoted(failure.extra)}`}`
  return { ok: false, problems: [problem], path, rule, ...(failure.missing === undefined ? {} : { missing: about }) }
}
