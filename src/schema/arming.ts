/**
 * Which (path, value) pairs of a schema could arm a side effect, and why. The one answer for the filler (`fill:never-arms`), lint, loader and audit.
 *
 * A name is read as whole words in any casing and form; a letter pattern would raise `sender`, `payload` and `postal_code`. A description, which
 * anybody may write, can only add to what arms.
 */
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { latinLook } from '../util/look-alike.ts'
import { normalise } from '../util/text.ts'
import { ALSO_NOUNS, AUDIENCE_NAMES, COUNT_WORDS, DESCRIBING_NAMES, EMPTY_LEAVES, EVERYTHING, EXPOSED_TO, EXPOSING_NAMES, NO_WORDS, QUERY_NAMES, WEAK_VERBS, YES_WORDS } from './arming-words.ts'
import { describedFlag } from './flag-descriptions.ts'
import { flagOf, isFlag, type Flag } from './flag-names.ts'
import { pointerTokens } from './refs.ts'
import { keyword } from './subschemas.ts'
import { enumVerb, wordsOf } from './words.ts'
import { sameValue, schemasAt, walkOnce, type Place, type Spot } from './walk.ts'

export interface ArmingReason {
  /** `verb`, `inverted`, `safeguard-off`, `risk`, `description`, `only-value`, `enum-verb`, `all`. */
  readonly rule: string
  readonly why: string
}
export interface ArmedPair extends ArmingReason { /** JSON Pointer into the arguments; `*` for any item or key. */ readonly path: string, readonly value: Json, readonly isDefault: boolean }

/** Could this value at this path (a JSON Pointer into the arguments) arm a side effect? */
export function isArming(schema: JsonObject, path: string, value: Json): ArmingReason | undefined {
  const tokens = pointerTokens(path)
  return armsAmong(schemasAt(schema, tokens), namesIn(tokens), value)
}

/** A number in a path is an item; the property around it names it. */
const namesIn = (tokens: readonly string[]) => tokens.filter(name => !/^\d+$|^\*$/.test(name))

/** Is there any value for this path that could arm? */
export function canArm(schema: JsonObject, path: string): boolean {
  const tokens = pointerTokens(path)
  const spots = schemasAt(schema, tokens)
  const values = [true, false, ...spots.flatMap(spot => [...offered(spot.schema)].map(({ value }) => value))]
  return values.some(value => armsAmong(spots, namesIn(tokens), value) !== undefined)
}

/** Every value that the schema itself offers (both booleans, enum members, consts, defaults, "no limit") and that arms. */
export function armedPairs(schema: JsonObject): readonly ArmedPair[] {
  let pairs = known.get(schema)
  if (!pairs) known.set(schema, pairs = listPairs(schema))
  return pairs
}

const known = new WeakMap<JsonObject, readonly ArmedPair[]>()

function listPairs(schema: JsonObject): readonly ArmedPair[] {
  const pairs = new Map<string, ArmedPair>()
  for (const place of walkOnce(schema).places) {
    if (place.names.length === 0 && place.path === '') continue
    const spots = spotsOf(schema, place)
    for (const { value, isDefault } of offered(place.schema)) {
      const reason = armsAmong(spots, place.names, value)
      const key = JSON.stringify([place.path, value])
      if (reason && (isDefault || !pairs.has(key))) pairs.set(key, { path: place.path, value, ...reason, isDefault })
    }
  }
  return [...pairs.values()]
}

/** Everything said about the place's value: its own schema object, and those of the other branches. */
function spotsOf(root: JsonObject, place: Place): readonly Spot[] {
  const tokens = pointerTokens(place.path)
  const among = place.path.includes('*') ? [] : schemasAt(root, tokens)
  const own = sameValue(root, { schema: place.schema, names: place.names, conditional: place.conditional, parent: place.parent })
  return [...new Map([...own, ...among].map(spot => [spot.schema, spot])).values()]
}

function* offered(schema: JsonObject): Generator<{ readonly value: Json, readonly isDefault: boolean }> {
  const types = typesOf(schema)
  if (types.includes('boolean')) yield* [{ value: true, isDefault: false }, { value: false, isDefault: false }]
  const values = keyword(schema, 'enum')
  if (Array.isArray(values)) for (const value of values as readonly Json[]) yield { value, isDefault: false }
  const only = keyword(schema, 'const')
  if (only !== undefined) yield { value: only, isDefault: false }
  const minimum = keyword(schema, 'minimum')
  if (minimum === -1) yield { value: -1, isDefault: false }
  const preset = keyword(schema, 'default') ?? saidDefault(schema)
  if (preset !== undefined) yield { value: preset, isDefault: true }
}

/** "Defaults to True." in words, where no `default` says it. */
function saidDefault(schema: JsonObject): boolean | undefined {
  const description = keyword(schema, 'description')
  if (typeof description !== 'string' || !typesOf(schema).includes('boolean')) return undefined
  const said = /\bdefaults?(?:\s+(?:is|to|value(?:\s+is)?))?\s*[:=]?\s*[`'"(*]*(true|false)\b/i.exec(description)
  return said ? said[1]?.toLowerCase() === 'true' : undefined
}

/** Defaults that arm and that the route does not preset: with one of these, even `{}` has an effect. */
export function armedDefaults(schema: JsonObject, presetKeys: ReadonlySet<string> = new Set()): readonly ArmedPair[] {
  return armedPairs(schema).filter(({ isDefault, rule, path }) => isDefault && rule !== 'only-value' && (rule !== 'all' || isAudience(path)) && !presetKeys.has(pointerTokens(path)[0] ?? ''))
}

/** Everything of a list to read is no effect; everybody as those who are written to is. */
function isAudience(path: string): boolean {
  return wordsOf(namesIn(pointerTokens(path)).at(-1) ?? '').some(word => AUDIENCE_NAMES.has(word) || EXPOSING_NAMES.has(word))
}

export function typesOf(schema: JsonObject): readonly string[] {
  const type = keyword(schema, 'type')
  return typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter(one => typeof one === 'string') : []
}

function armsAmong(spots: readonly Spot[], names: readonly string[], value: Json): ArmingReason | undefined {
  if (value === null) return undefined
  return widens(names, value) ?? onlyValue(spots, value) ?? flagValue(spots, names, value) ?? enumValue(spots, names, value)
}

/** `-1` for a count, `*`, "all": the call reaches everything. */
function widens(names: readonly string[], value: Json): ArmingReason | undefined {
  const words = wordsOf(names.at(-1) ?? '')
  const whole = (Array.isArray(value) ? value as readonly Json[] : [value]).find((one): one is string => typeof one === 'string' && EVERYTHING.has(normalise(latinLook(one))))
  if (whole !== undefined) return { rule: 'all', why: `"${whole.trim()}" means everything` }
  if (typeof value === 'number' && Number.isInteger(value) && value < 0 && words.some(word => COUNT_WORDS.has(word))) return { rule: 'all', why: `${value} for a count means no limit` }
  return undefined
}

/** A const or a list of one: that no other value is legal is no evidence for this one. */
function onlyValue(spots: readonly Spot[], value: Json): ArmingReason | undefined {
  const lists = spots.flatMap(spot => { const legal = legalIn(spot.schema); return legal ? [{ legal, conditional: spot.conditional }] : [] })
  const certain = lists.filter(({ conditional }) => !conditional).map(({ legal }) => legal)
  // What holds in any case must all hold at once; of branches any may.
  const legal = certain.length > 0 ? certain.reduce((both, list) => both.filter(one => list.includes(one))) : [...new Set(lists.flatMap(list => list.legal))]
  return legal.length === 1 && legal[0] === JSON.stringify(value) ? { rule: 'only-value', why: 'it is the only legal value, which is no evidence for it' } : undefined
}

/** The values that a schema object allows, as JSON; null is left out. */
function legalIn(schema: JsonObject): readonly string[] | undefined {
  const only = keyword(schema, 'const')
  const values = keyword(schema, 'enum')
  const lists = [...only === undefined ? [] : [[only]], ...Array.isArray(values) ? [values as readonly Json[]] : []].map(list => [...new Set(list.filter(one => one !== null).map(one => JSON.stringify(one)))])
  return lists.length === 0 ? undefined : lists.reduce((both, list) => both.filter(one => list.includes(one)))
}

function flagValue(spots: readonly Spot[], names: readonly string[], value: Json): ArmingReason | undefined {
  const truth = asBoolean(value, spots)
  if (truth === undefined) return undefined
  const flag = flagFor(spots, names)
  return flag && flag.arms === truth ? { rule: flag.rule, why: flag.why } : undefined
}

/** The forms that handlers take for a boolean: `"yes"`, `"off"`, and 1 where the schema leaves only 0 and 1. */
function asBoolean(value: Json, spots: readonly Spot[]): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return spots.some(({ schema }) => keyword(schema, 'maximum') === 1 || Array.isArray(keyword(schema, 'enum'))) ? value === 1 : undefined
  if (typeof value !== 'string') return undefined
  const word = latinLook(value).trim().toLowerCase()
  return YES_WORDS.has(word) ? true : NO_WORDS.has(word) ? false : undefined
}

function flagFor(spots: readonly Spot[], names: readonly string[]): Flag | undefined {
  const sure = insideFilter(names)
  const asFilter = sure ? 'sure' : spots.some(spot => spot.parent !== undefined && looksLikeQuery(spot.parent)) ? 'likely' : 'no'
  const named = flagOf(meaningfulWords(names), asFilter)
  if (named) return isFlag(named) ? named : undefined
  for (const { schema } of spots) {
    const description = keyword(schema, 'description')
    const flag = typeof description === 'string' ? describedFlag(description) : undefined
    if (flag) return flag
  }
  return undefined
}

/** `workflow_runs_filter.event`: whatever is in there chooses. */
function insideFilter(names: readonly string[]): boolean {
  return names.slice(0, -1).some(name => wordsOf(name).some(word => ['filter', 'filters', 'where', 'criteria', 'query'].includes(word)))
}

/** `notify.enabled` is about `notify`. */
function meaningfulWords(names: readonly string[]): readonly string[] {
  const leaf = names.at(-1) ?? ''
  const words = wordsOf(leaf)
  return names.length > 1 && EMPTY_LEAVES.has(words.join('_')) ? [...wordsOf(names.at(-2) ?? ''), ...words.filter(word => !EMPTY_LEAVES.has(word))] : words
}

function looksLikeQuery(parent: JsonObject): boolean {
  const properties = keyword(parent, 'properties')
  return isRecord(properties) && Object.keys(properties).some(name => QUERY_NAMES.has(name.toLowerCase()))
}

/** An enum member that orders something: `delete`, `rerun_workflow`, `APPROVE`. States (`closed`) and nouns in describing properties do not. */
function enumValue(spots: readonly Spot[], names: readonly string[], value: Json): ArmingReason | undefined {
  if (typeof value !== 'string' || !spots.some(spot => isListed(spot.schema, value))) return undefined
  const words = wordsOf(value)
  if (exposes(spots, names, words)) return { rule: 'risk', why: `"${value}" lets everybody see it` }
  const describing = insideFilter(names) || wordsOf(names.at(-1) ?? '').some(word => DESCRIBING_NAMES.has(word))
  const found = words.map(enumVerb)
  const order = found.find((verb, index) => verb?.form === 'base' && (index === 0 || words[index - 1] === 'and'))
  if (order && !(describing && (ALSO_NOUNS.has(order.verb) || WEAK_VERBS.has(order.verb) || words.length > 1))) return { rule: 'enum-verb', why: `"${value}" orders something (${order.verb})` }
  const state = found[0]
  return state && setsState(spots) ? { rule: 'enum-verb', why: `"${value}" is the state that the call sets (${state.verb})` } : undefined
}

/** `visibility: public`, unless it chooses among what is there. */
function exposes(spots: readonly Spot[], names: readonly string[], value: readonly string[]): boolean {
  return value.some(word => EXPOSED_TO.has(word)) && wordsOf(names.at(-1) ?? '').some(word => EXPOSING_NAMES.has(word)) && !insideFilter(names) && !spots.some(spot => spot.parent !== undefined && looksLikeQuery(spot.parent))
}

/** "The new state of the issue": here a state is what the call brings about. */
function setsState(spots: readonly Spot[]): boolean {
  return spots.some(({ schema }) => {
    const description = keyword(schema, 'description')
    return typeof description === 'string' && /^\s*(?:the )?(?:new|desired|target) (?:state|status)\b|\b(?:set|change|move)s? (?:it |the \w+ )?to this\b/i.test(description)
  })
}

function isListed(schema: JsonObject, value: string): boolean {
  const values = keyword(schema, 'enum')
  return keyword(schema, 'const') === value || (Array.isArray(values) && values.includes(value))
}
