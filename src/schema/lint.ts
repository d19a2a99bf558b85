/** What a person should know about a tool's schema before it is trusted with anything. */
import type { JsonObject, JsonSchema } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { isRecord } from '../util/records.ts'
import { armedDefaults, armedPairs } from './arming.ts'
import { keyword } from './subschemas.ts'
import { visibleFromForeign } from './visible.ts'
import { walkOnce } from './walk.ts'
import { wordsOf } from './words.ts'

export interface LintFinding {
  readonly rule: 'armed-default' | 'untyped' | 'strict-armed' | 'only-value-required' | 'names-preset-only' | 'refused' | 'bad-pattern' | 'unchecked-pattern' | 'foreign-keyword' | 'root-combinator'
  /** JSON Pointer into the arguments, or into the schema for what a schema itself has wrong. */
  readonly at: string
  readonly message: string
}

export interface LintedTool { readonly name: string, readonly description: string, readonly visible: JsonObject, readonly presetOnly?: { readonly [key: string]: JsonSchema } }
export interface LintOptions { /** Keys that the route presets. */ readonly presetKeys?: ReadonlySet<string>, /** Preset-only names that a description may mention: the owner said so. */ readonly accepted?: ReadonlySet<string> }

export function lintTool(tool: LintedTool, options: LintOptions = {}): readonly LintFinding[] {
  const seen = visibleFromForeign(tool.visible)
  if (seen.kind === 'refused') return [{ rule: 'refused', at: '', message: seen.reason }]
  return [
    ...seen.findings.map(({ rule, at, message }) => ({ rule, at, message })),
    ...armedDefaults(tool.visible, options.presetKeys).map(({ path, value, why }): LintFinding => ({ rule: 'armed-default', at: path, message: `the default ${JSON.stringify(value)} arms: ${why}; preset it, or no call of this tool is without effect` })),
    ...untyped(tool.visible), ...strictArmed(tool.visible), ...onlyValues(tool.visible),
    ...namesPresetOnly(tool, options.accepted ?? new Set()),
  ]
}

const SAYS_TYPE = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', '$dynamicRef', '$recursiveRef'] as const

function untyped(schema: JsonObject): readonly LintFinding[] {
  const bare = walkOnce(schema).places.filter(place => place.step?.kind === 'property' && !SAYS_TYPE.some(name => keyword(place.schema, name) !== undefined))
  const silent = ['properties', 'additionalProperties', 'patternProperties', ...SAYS_TYPE.slice(1)].every(name => keyword(schema, name) === undefined)
  return unique([...(silent ? [''] : []), ...bare.map(({ path }) => path)]).map(path => ({ rule: 'untyped', at: path, message: path === '' ? 'the schema names no parameters: whatever a caller gives is dropped' : 'no type: it is never filled, and whatever a caller gives passes' }))
}

/** All keys required and an armed flag among them: every caller must decide about the effect, and a model will. */
function strictArmed(schema: JsonObject): readonly LintFinding[] {
  const armed = new Set(armedPairs(schema).filter(({ value, rule }) => typeof value === 'boolean' && rule !== 'only-value').map(({ path }) => path))
  const places = walkOnce(schema).places
  const strict = places.filter(place => {
    const [properties, required] = [keyword(place.schema, 'properties'), keyword(place.schema, 'required')]
    return isRecord(properties) && Array.isArray(required) && Object.keys(properties).length > 0 && Object.keys(properties).every(name => required.includes(name))
  }).map(place => place.schema)
  const found = places.filter(place => place.step?.kind === 'property' && place.parent !== undefined && strict.includes(place.parent) && armed.has(place.path))
  return unique(found.map(({ path }) => path)).map(path => ({ rule: 'strict-armed', at: path, message: 'an armed flag in a schema that requires every key: whoever calls must set it; make it optional, or preset-only' }))
}

function onlyValues(schema: JsonObject): readonly LintFinding[] {
  const armed = new Set(armedPairs(schema).filter(({ rule }) => rule === 'only-value').map(({ path }) => path))
  const found = walkOnce(schema).places.filter(place => {
    const required = place.parent && keyword(place.parent, 'required')
    return !place.conditional && place.step?.kind === 'property' && armed.has(place.path) && Array.isArray(required) && required.includes(place.step.name)
  })
  return unique(found.map(({ path }) => path)).map(path => ({ rule: 'only-value-required', at: path, message: 'required, and one value only is legal: only a route\'s preset gives it' }))
}

const unique = (paths: readonly string[]) => [...new Set(paths)]

/** Descriptions, titles, examples and defaults go to the model with the schema: a preset-only name in one of them tells it what is hidden. */
function namesPresetOnly(tool: LintedTool, accepted: ReadonlySet<string>): readonly LintFinding[] {
  const hidden = Object.keys(tool.presetOnly ?? {}).filter(name => !accepted.has(name))
  if (hidden.length === 0) return []
  const texts = [{ at: '', text: tool.description }, ...textsOf(tool.visible)]
  return hidden.flatMap(name => texts.filter(({ text }) => mentions(text, name)).map(({ at }): LintFinding => ({ rule: 'names-preset-only', at, message: `names the preset-only parameter ${quoted(name)}; say it otherwise, or accept the name` })))
}

function mentions(text: string, name: string): boolean {
  const words = wordsOf(name)
  const said = wordsOf(text)
  return said.some((_, at) => words.every((word, nth) => said[at + nth] === word))
}

function textsOf(schema: JsonObject): readonly { readonly at: string, readonly text: string }[] {
  const found: { readonly at: string, readonly text: string }[] = []
  const visit = (value: unknown, at: string): void => {
    if (typeof value === 'string') found.push({ at, text: value })
    else if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${at}/${index}`))
    else if (isRecord(value)) for (const [name, inner] of Object.entries(value)) { found.push({ at: `${at}/${name}`, text: name }); visit(inner, `${at}/${name}`) }
  }
  visit(schema, '')
  return found
}
