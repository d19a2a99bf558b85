/** The simple rules of a schema for one value, so that a number out of range is no candidate. The validator has the last word over the whole. */
import type { Json, JsonObject } from '../types.ts'
import { compilePattern } from '../schema/patterns.ts'
import { keyword } from '../schema/subschemas.ts'
import type { Spot } from '../schema/walk.ts'

/** Does every certain schema allow the value? A pattern that cannot be run allows nothing: what cannot be checked is not sent. */
export function obeys(spots: readonly Spot[], value: Json): boolean {
  return spots.filter(spot => !spot.conditional).every(({ schema }) => isLegal(schema, value) && (typeof value === 'number' ? obeysNumber(schema, value) : typeof value === 'string' ? obeysText(schema, value) : true))
}

function isLegal(schema: JsonObject, value: Json): boolean {
  const only = keyword(schema, 'const')
  const values = keyword(schema, 'enum')
  return (only === undefined || only === value) && (!Array.isArray(values) || Array.isArray(value) || values.includes(value))
}

function obeysNumber(schema: JsonObject, value: number): boolean {
  const read = (name: string) => { const found = keyword(schema, name); return typeof found === 'number' ? found : undefined }
  const [minimum, maximum, multiple] = [read('minimum'), read('maximum'), read('multipleOf')]
  // Draft-04 writes `exclusiveMinimum: true` beside `minimum`; later drafts put the number itself.
  const over = read('exclusiveMinimum') ?? (keyword(schema, 'exclusiveMinimum') === true ? minimum : undefined)
  const under = read('exclusiveMaximum') ?? (keyword(schema, 'exclusiveMaximum') === true ? maximum : undefined)
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum) && (over === undefined || value > over) && (under === undefined || value < under)
    && (multiple === undefined || multiple <= 0 || Number.isInteger(Math.round(value / multiple * 1e9) / 1e9))
}

function obeysText(schema: JsonObject, value: string): boolean {
  const shortest = keyword(schema, 'minLength')
  const longest = keyword(schema, 'maxLength')
  const pattern = keyword(schema, 'pattern')
  const length = [...value].length
  if ((typeof shortest === 'number' && length < shortest) || (typeof longest === 'number' && length > longest)) return false
  if (typeof pattern !== 'string') return true
  const compiled = compilePattern(pattern)
  if (compiled.kind === 'pattern') return compiled.test(value)
  // zod writes its own pattern beside each format, with look-arounds that no bounded engine runs; what reads the format has said the same already.
  return compiled.rule === 'unchecked-pattern' && READ_FORMATS.has(String(keyword(schema, 'format')))
}

/** Formats that a value is read for, or checked against, before it comes here. */
const READ_FORMATS: ReadonlySet<string> = new Set(['duration', 'email', 'date', 'time', 'date-time', 'uri', 'url'])
