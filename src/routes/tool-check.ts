/** A route against the tool it calls: what is wrong is found while loading, not at the first call. */
import { findIgnoredKeys } from '../schema/dropped.ts'
import { compileValidator, type Validator } from '../schema/validate.ts'
import type { Json, JsonObject, JsonSchema, Tool } from '../types.ts'
import { own } from '../util/own.ts'
import { quoted } from '../util/mask.ts'
import { mergeOwn, without } from '../util/records.ts'
import { declaredEffects, permits } from '../vocabulary/effects.ts'
import type { BuiltRoute } from './build.ts'
import { didYouMean } from './nearest.ts'
import { shown, type Problem } from './problem.ts'

type Report = (problem: Problem) => void

export function checkTool(built: BuiltRoute, tools: ReadonlyMap<string, Tool>, report: Report): Tool | undefined {
  const { route, merged } = built
  const tool = tools.get(route.tool)
  if (!tool) {
    report({ ...merged.at(['tool']), message: `there is no tool called ${JSON.stringify(route.tool)}${didYouMean(route.tool, tools.keys())}; tools: ${[...tools.keys()].join(', ') || 'none'}` })
    return undefined
  }
  checkPreset(built, tool, report)
  checkArmed(built, tool, report)
  checkSlots(built, tool, report)
  checkSynonyms(built, tool, report)
  return tool
}

/** Properties that the visible schema declares by name. */
export function visibleProperties(tool: Tool): { readonly [key: string]: JsonSchema } {
  const { properties } = tool.visible
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties as { readonly [key: string]: JsonSchema } : {}
}

/** Every key is one that the tool declares, at any depth, and every value fits: a key that nobody declared would never reach the handler. */
function checkPreset({ route, merged }: BuiltRoute, tool: Tool, report: Report): void {
  const visible = visibleProperties(tool)
  const known = [...Object.keys(tool.presetOnly), ...Object.keys(visible)]
  const full = mergeOwn(tool.visible, { properties: mergeOwn(visible as JsonObject, tool.presetOnly as JsonObject) })
  for (const [key, value] of Object.entries(route.preset)) {
    const schema = own(tool.presetOnly, key) ?? own(visible, key)
    // A schema may declare a key only in a branch or behind a reference; the whole is judged by the call itself.
    const ignored = findIgnoredKeys(full, { [key]: value })
    if (schema === undefined && ignored.count > 0) {
      report({ ...merged.at(['preset', key], 'key'), message: `the tool ${JSON.stringify(tool.name)} has no parameter ${quoted(key)}${didYouMean(key, known)}; parameters: ${known.join(', ') || 'none'}` })
      continue
    }
    const wanted = schema === undefined ? undefined : typeProblem(schema, value) ?? valueProblem(tool, key, schema, value)
    if (wanted) report({ ...merged.at(['preset', key]), message: `${quoted(key)} is ${shown(value)}; the tool ${JSON.stringify(tool.name)} wants ${wanted}` })
    else if (ignored.count > 0) report({ ...merged.at(['preset', key]), message: `the tool ${JSON.stringify(tool.name)} does not know ${ignored.names.join(', ')}, so it would never arrive; take it out, or correct the name` })
  }
}

const validators = new WeakMap<JsonSchema & object, Validator>()

/** The one property's schema, with the definitions of the tool's schema that it may refer to. */
function valueProblem(tool: Tool, key: string, schema: JsonSchema, value: Json): string | undefined {
  if (typeof schema === 'boolean') return undefined
  let validator = validators.get(schema)
  if (!validator) {
    const around = without(tool.visible, new Set(['required', 'properties', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'additionalProperties', 'unevaluatedProperties', 'dependentRequired', 'dependentSchemas', 'minProperties', 'maxProperties', 'propertyNames', 'patternProperties', 'dependencies']))
    validators.set(schema, validator = compileValidator(mergeOwn(around, { type: 'object', properties: { [key]: schema } })))
  }
  if (validator.kind === 'refused') return `a value, but its schema cannot be used (${validator.reason})`
  const checked = validator.check({ [key]: value })
  return checked.ok ? undefined : `a value that its schema accepts (${checked.problems.join('; ')})`
}

/** What a value should be, where its JSON type is not the declared one (or it is none of the named values). */
function typeProblem(schema: JsonSchema, value: Json): string | undefined {
  if (typeof schema === 'boolean') return schema ? undefined : 'no value at all'
  const types = typeof schema['type'] === 'string' ? [schema['type']] : Array.isArray(schema['type']) ? schema['type'] as readonly unknown[] : undefined
  if (types && !types.some(type => isOfType(value, type))) return types.includes('boolean') ? 'true or false, without quotation marks' : types.join(' or ')
  const values = schema['enum']
  if (Array.isArray(values) && !(values as readonly Json[]).includes(value)) return `one of ${(values as readonly Json[]).map(known => JSON.stringify(known)).join(', ')}`
  return undefined
}

function isOfType(value: Json, type: unknown): boolean {
  switch (type) {
    case 'boolean': case 'string': return typeof value === type
    case 'number': return typeof value === 'number'
    case 'integer': return Number.isInteger(value)
    case 'null': return value === null
    case 'array': return Array.isArray(value)
    case 'object': return typeof value === 'object' && value !== null && !Array.isArray(value)
    // A type that JSON Schema does not know is the schema's fault, and judged where schemas are.
    default: return true
  }
}

/**
 * What the preset arms must be allowed. What the tool causes on every call is not asked for here: a route without `allow` may point to such
 * a tool, and its calls then wait for approval.
 */
function checkArmed({ route, merged }: BuiltRoute, tool: Tool, report: Report): void {
  if (!tool.effects) return
  const always = new Set<string>(tool.effects.always)
  const missing = declaredEffects(tool.effects, route.preset).filter(effect => !always.has(effect) && !permits(route.allow, effect))
  if (missing.length === 0) return
  const wanted = [...route.allow, ...missing].join(', ')
  report({ ...merged.at(['preset']), message: `this preset makes ${JSON.stringify(tool.name)} cause ${missing.join(', ')}, which the route does not allow; write \`allow: [${wanted}]\`, or change the preset` })
}

function checkSlots({ route, merged }: BuiltRoute, tool: Tool, report: Report): void {
  const seen = new Set<string>()
  for (const phrase of route.phrases) {
    for (const part of phrase.parts) {
      if (part.kind !== 'slot' || seen.has(part.slot.name)) continue
      seen.add(part.slot.name)
      if (Object.hasOwn(tool.presetOnly, part.slot.name)) report({ ...merged.at(['triggers', merged.source.triggers.indexOf(phrase.template)]), message: `the slot {${part.slot.name}} has the name of a preset-only parameter, which words must never set; rename the slot, or set it in \`preset\`` })
    }
  }
}

function checkSynonyms({ route, merged }: BuiltRoute, tool: Tool, report: Report): void {
  const visible = visibleProperties(tool)
  for (const [property, list] of route.synonyms) {
    const place = merged.at(['synonyms', property])
    const schema = own(visible, property)
    if (schema === undefined) {
      report({ ...merged.at(['synonyms', property], 'key'), message: `the tool ${JSON.stringify(tool.name)} has no visible parameter ${quoted(property)}${didYouMean(property, Object.keys(visible))}` })
      continue
    }
    const values = (schema as JsonObject)['enum']
    if (!Array.isArray(values)) continue
    const strange = (route.lists.get(list) ?? []).find(({ out }) => !(values as readonly Json[]).includes(out))
    if (strange) report({ ...place, message: `the list ${JSON.stringify(list)} gives ${shown(strange.out)}, and ${quoted(property)} takes one of ${(values as readonly Json[]).map(known => JSON.stringify(known)).join(', ')}` })
  }
}
