/** Which arguments a tool is called with: nothing, what a bad filler sends, and that plus valid values for whatever else is required. */
import { armedPairs, typesOf, type ArmedPair } from '../schema/arming.ts'
import { pointerTokens } from '../schema/refs.ts'
import { keyword } from '../schema/subschemas.ts'
import { MAX_PLACES, walkOnce } from '../schema/walk.ts'
import type { Json, JsonObject } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { isRecord } from '../util/records.ts'
import type { CanaryContext } from './canary.ts'
import { Generator } from './generate.ts'

export interface PlannedCall { readonly arguments: JsonObject, readonly about: string, /** At least one armed value is in it. */ readonly armed: boolean }

const MAX_CALLS = 12
/** More settings than this in one call, and it is no filler any more. */
const MAX_SETTINGS = 60

interface Setting { readonly path: string, readonly value: Json, readonly armed: boolean }

export function planCalls(schema: JsonObject, context: CanaryContext): readonly PlannedCall[] {
  const generator = new Generator(schema, context)
  const pairs = armedPairs(schema)
  const filler = fillerSettings(schema, pairs)
  const required = generator.required()
  const make = (settings: readonly Setting[], base: JsonObject, siblings: boolean): JsonObject => settings.reduce((args, { path, value }) => put(generator, args, pointerTokens(path), value, siblings), base)
  const armed = filler.some(setting => setting.armed)
  const planned: PlannedCall[] = [
    { arguments: {}, about: 'nothing', armed: false },
    { arguments: make(filler, {}, false), about: 'what a bad filler sends', armed },
    { arguments: make(filler, required, true), about: 'the same, with valid values for what is required', armed },
    { arguments: required, about: 'valid values for what is required', armed: false },
    ...alone(pairs, filler).map(pair => ({ arguments: make([pair], required, true), about: `${pair.path} alone`, armed: true })),
  ]
  const seen = new Map<string, PlannedCall>()
  for (const call of planned) {
    const key = canonicalJson(call.arguments)
    if (!seen.has(key)) seen.set(key, call)
  }
  return [...seen.values()].slice(0, MAX_CALLS)
}

/** Booleans true, inverted flags false, enums at an effect value, consts and declared defaults. One value for a path: the armed one wins. */
function fillerSettings(schema: JsonObject, pairs: readonly ArmedPair[]): readonly Setting[] {
  const settings = new Map<string, Setting>()
  for (const place of walkOnce(schema).places.slice(0, MAX_PLACES)) {
    if (place.path === '' || settings.has(place.path)) continue
    const pair = pairs.find(one => one.path === place.path && one.rule !== 'all') ?? pairs.find(one => one.path === place.path)
    const only = keyword(place.schema, 'const')
    const preset = keyword(place.schema, 'default')
    const value = pair?.value ?? only ?? (typesOf(place.schema).includes('boolean') ? true : preset)
    if (value !== undefined && value !== null && !isRecord(value) && !Array.isArray(value)) settings.set(place.path, { path: place.path, value, armed: pair !== undefined })
  }
  return [...settings.values()].slice(0, MAX_SETTINGS)
}

/**
 * Armed values that the call with all of them may hide: another member of the same enum, or any where something that is not armed is set too
 * (a switch of an unknown name may hold the rest back).
 */
function alone(pairs: readonly ArmedPair[], filler: readonly Setting[]): readonly Setting[] {
  const unsure = filler.some(setting => !setting.armed && setting.value === true)
  return pairs.filter(pair => unsure || !filler.some(setting => setting.path === pair.path && setting.value === pair.value)).map(({ path, value }) => ({ path, value, armed: true }))
}

/** The arguments with one value set, the objects and lists on the way made where they are missing. */
function put(generator: Generator, args: JsonObject, tokens: readonly string[], value: Json, siblings: boolean): JsonObject {
  const step = (at: Json | undefined, index: number): Json => {
    if (index === tokens.length) return value
    const token = tokens[index] as string
    const before = tokens.slice(0, index)
    const start = at ?? (siblings ? generator.at(before) : undefined)
    if (Array.isArray(start) || (start === undefined && generator.isList(before))) {
      const list = Array.isArray(start) ? start as readonly Json[] : []
      return [step(list[0], index + 1), ...list.slice(1)]
    }
    const name = token === '*' ? 'usher-canary' : token
    const record = isRecord(start) ? start : {}
    return Object.fromEntries([...Object.entries(record), [name, step(Object.hasOwn(record, name) ? record[name] : undefined, index + 1)]])
  }
  return step(args, 0) as JsonObject
}
