/** What there is to fill: the parameters of the visible schema, with everything it says about each. */
import type { Json, JsonObject } from '../types.ts'
import { typesOf } from '../schema/arming.ts'
import { compilePattern } from '../schema/patterns.ts'
import { keyword, token } from '../schema/subschemas.ts'
import { sameValue, schemasAt, type Spot } from '../schema/walk.ts'
import { unitOf } from './read/durations.ts'
import { wordsOf } from '../schema/words.ts'
import { isRecord } from '../util/records.ts'

export type Kind = 'string' | 'enum' | 'number' | 'duration-number' | 'money' | 'currency' | 'date' | 'time' | 'clock' | 'date-time' | 'timestamp' | 'hour' | 'minute' | 'duration' | 'email' | 'url' | 'uuid' | 'phone' | 'path' | 'list' | 'boolean' | 'untyped' | 'object'

export interface Target {
  /** JSON Pointer into the arguments. */
  readonly path: string
  readonly tokens: readonly string[]
  readonly name: string
  readonly words: readonly string[]
  readonly description: string
  /** Every object on the way is required, and so is this. */
  readonly required: boolean
  readonly kind: Kind
  /** The name alone says the kind: a slot's words are taken as they stand. */
  readonly loose: boolean
  /** Everything the schema says about the value itself. */
  readonly spots: readonly Spot[]
  /** Legal values, where the schema lists them. */
  readonly values: readonly Json[]
  /** Milliseconds of one, where the number is a length of time. */
  readonly unit: number | undefined
  readonly integer: boolean
}

/** Deeper objects are for presets and models. */
const MAX_DEPTH = 4

export function targetsOf(root: JsonObject): readonly Target[] {
  let targets = known.get(root)
  if (!targets) known.set(root, targets = below(root, [], true))
  return targets
}

const known = new WeakMap<JsonObject, readonly Target[]>()

function below(root: JsonObject, tokens: readonly string[], required: boolean): readonly Target[] {
  const spots = tokens.length === 0 ? sameValue(root, { schema: root, names: [], conditional: false, parent: undefined }) : schemasAt(root, tokens)
  const names = new Set<string>()
  const needed = new Set<string>()
  for (const { schema, conditional } of spots) {
    const properties = keyword(schema, 'properties')
    if (isRecord(properties)) for (const name of Object.keys(properties)) names.add(name)
    const listed = keyword(schema, 'required')
    if (!conditional && Array.isArray(listed)) for (const name of listed) if (typeof name === 'string') needed.add(name)
  }
  // A required key without a schema of its own is still required: it cannot be filled, so it must be seen.
  for (const name of needed) names.add(name)
  return [...names].flatMap(name => {
    const target = targetOf(root, [...tokens, name], required && needed.has(name))
    return target.kind === 'object' && tokens.length + 1 < MAX_DEPTH ? below(root, target.tokens, target.required) : [target]
  })
}

function targetOf(root: JsonObject, tokens: readonly string[], required: boolean): Target {
  const spots = schemasAt(root, tokens)
  return { path: tokens.map(token).join(''), tokens, required, ...aboutValue(spots, tokens.at(-1) ?? '') }
}

/** The item of a list, as a target of its own. */
export function itemTarget(root: JsonObject, list: Target): Target {
  const spots = schemasAt(root, [...list.tokens, '*'])
  return { path: `${list.path}/*`, tokens: [...list.tokens, '*'], required: false, ...aboutValue(spots, list.name) }
}

function aboutValue(spots: readonly Spot[], name: string): Omit<Target, 'path' | 'tokens' | 'required'> {
  const words = wordsOf(name)
  const description = spots.map(({ schema }) => keyword(schema, 'description')).find(text => typeof text === 'string') ?? ''
  const types = valueTypes(spots)
  const values = legalValues(spots)
  const kind = kindOf(spots, types, values, words, description)
  const loose = kind !== 'string' && types.includes('string') && values.length === 0 && BY_NAME.get(words.at(-1) ?? '') === kind && formatKind(spots) === undefined
  return { name, words, description, spots, values, kind, loose, unit: kind === 'duration-number' || kind === 'timestamp' ? unitOf(words, description) : undefined, integer: types.includes('integer') && !types.includes('number') }
}

/** What is certain goes first: a type outside every branch beats the types of the branches. Null is never filled. */
function valueTypes(spots: readonly Spot[]): readonly string[] {
  const certain = spots.filter(spot => spot.conditional === false).flatMap(({ schema }) => typesOf(schema))
  const types = certain.length > 0 ? certain : spots.flatMap(({ schema }) => typesOf(schema))
  return [...new Set(types)].filter(type => type !== 'null')
}

/** The shortest list wins: a value must be in each of them, and the validator has the last word. Two consts or more in branches are a list as well. */
function legalValues(spots: readonly Spot[]): readonly Json[] {
  const consts = [...new Set(spots.filter(spot => spot.conditional).map(({ schema }) => keyword(schema, 'const')).filter(value => value !== undefined && value !== null))]
  if (consts.length > 1) return consts
  const lists = spots.map(({ schema }) => keyword(schema, 'enum')).filter(list => Array.isArray(list)) as (readonly Json[])[]
  return [...lists].sort((a, b) => a.length - b.length)[0] ?? []
}

const BY_FORMAT: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['date', 'date'], ['time', 'time'], ['date-time', 'date-time'], ['duration', 'duration'], ['email', 'email'], ['idn-email', 'email'], ['uri', 'url'], ['url', 'url'], ['iri', 'url'], ['uri-reference', 'url'], ['uuid', 'uuid'],
])
const BY_NAME: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['email', 'email'], ['url', 'url'], ['uri', 'url'], ['website', 'url'], ['phone', 'phone'], ['telephone', 'phone'], ['path', 'path'], ['file', 'path'], ['filepath', 'path'], ['filename', 'path'], ['directory', 'path'], ['folder', 'path'], ['currency', 'currency'],
])
const MONEY_WORDS: ReadonlySet<string> = new Set(['amount', 'price', 'cost', 'budget', 'salary', 'fee', 'total', 'cents', 'dollars', 'euros', 'tip'])
const LENGTH_WORDS: ReadonlySet<string> = new Set(['duration', 'timeout', 'delay', 'interval', 'ttl', 'wait', 'elapsed', 'seconds', 'secs', 'minutes', 'mins', 'hours', 'hrs', 'days', 'weeks', 'ms', 'millis', 'milliseconds'])

function kindOf(spots: readonly Spot[], types: readonly string[], values: readonly Json[], words: readonly string[], description: string): Kind {
  if (types.includes('boolean') || (values.length > 0 && values.every(value => typeof value === 'boolean'))) return 'boolean'
  if (values.length > 0) return words.includes('currency') ? 'currency' : 'enum'
  if (types.includes('object')) return spots.some(({ schema }) => isRecord(keyword(schema, 'properties'))) ? 'object' : 'untyped'
  if (types.includes('string')) return stringKind(spots, words, description)
  if (types.includes('number') || types.includes('integer')) return numberKind(spots, words, description)
  return types.includes('array') ? 'list' : 'untyped'
}

function formatKind(spots: readonly Spot[]): Kind | undefined {
  for (const { schema } of spots) {
    const format = keyword(schema, 'format')
    const kind = typeof format === 'string' ? BY_FORMAT.get(format) : undefined
    if (kind) return kind
  }
  return undefined
}

function stringKind(spots: readonly Spot[], words: readonly string[], description: string): Kind {
  return formatKind(spots) ?? patternKind(spots) ?? describedKind(description) ?? BY_NAME.get(words.at(-1) ?? '') ?? 'string'
}

const SAMPLES: readonly (readonly [Kind, string])[] = [['date', '2026-12-01'], ['clock', '09:30'], ['time', '09:30:00'], ['date-time', '2026-12-01T09:30:00'], ['date-time', '2026-12-01T09:30:00Z']]

/** A pattern that takes a date and not just any text was written for dates. */
function patternKind(spots: readonly Spot[]): Kind | undefined {
  const patterns = spots.flatMap(({ schema }) => { const pattern = keyword(schema, 'pattern'); return typeof pattern === 'string' ? [compilePattern(pattern)] : [] })
  const takes = (text: string) => patterns.every(pattern => pattern.kind === 'pattern' && pattern.test(text))
  if (patterns.length === 0 || ['a', '1', 'a b', '2026', '#'].some(takes)) return undefined
  return SAMPLES.find(([, sample]) => takes(sample))?.[0]
}

/** A form that the description names: `YYYY-MM-DD`, `HH:MM`, ISO 8601 with a time. */
function describedKind(description: string): Kind | undefined {
  if (/\b(?:ISO(?:[ -]?8601)?|RFC[ -]?3339)\b/i.test(description)) return /\bdurations?\b/i.test(description) ? 'duration' : /\b(?:date)?time(?!\s*zone)/i.test(description) ? 'date-time' : /\bdate\b/i.test(description) ? 'date' : undefined
  if (/\bYYYY-MM-DD(?!\s*T?\s*HH)\b/i.test(description)) return 'date'
  return /\bHH:MM\b(?!:SS)/i.test(description) && !/YYYY/i.test(description) ? 'clock' : undefined
}

function numberKind(spots: readonly Spot[], words: readonly string[], description: string): Kind {
  if (words.includes('timestamp') || words.includes('epoch') || /\b(?:timestamp|epoch|unix time|since 1970)\b/i.test(description)) return 'timestamp'
  const last = words.at(-1)
  const most = Math.min(...spots.map(({ schema }) => keyword(schema, 'maximum')).filter(bound => typeof bound === 'number'))
  if (last === 'hour' && most <= 24) return 'hour'
  if (last === 'minute' && most <= 60) return 'minute'
  if (words.some(word => MONEY_WORDS.has(word))) return 'money'
  const inUnits = /\b(?:in|of) (?:milliseconds|seconds|minutes|hours|days|weeks|ms)\b/i.test(description)
  // `max_sec` is a length, `min_size` is not.
  const ends = words.length > 1 && ['sec', 'min', 's', 'hr', 'h'].includes(words.at(-1) ?? '')
  return ends || words.some(word => LENGTH_WORDS.has(word)) || inUnits ? 'duration-number' : 'number'
}
