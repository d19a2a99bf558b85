/** What the trigger's slots captured, each for the visible parameter of its name. */
import type { Capture, ListValue } from '../types.ts'
import { normalise } from '../util/text.ts'
import { obeys } from './bounds.ts'
import type { Context } from './context.ts'
import { coversAll, interpret, type Found } from './interpret.ts'
import type { Kind, Target } from './targets.ts'

export type SlotResult =
  | { readonly kind: 'value', readonly found: Found }
  | { readonly kind: 'two', readonly candidates: readonly Found[] }
  | { readonly kind: 'invalid' }

/** The captures that name this target: `{team}`, or `{options.team}` for one further down. */
export function capturesFor(target: Target, captures: readonly Capture[], all: readonly Target[]): readonly Capture[] {
  const dotted = target.tokens.join('.')
  const exact = captures.filter(({ slot }) => slot.name === dotted)
  if (exact.length > 0) return exact
  // A short name reaches down only where it can mean one parameter.
  const sameName = all.filter(one => one.name === target.name)
  return sameName.length === 1 ? captures.filter(({ slot }) => slot.name === target.name) : []
}

export function readSlot(target: Target, captures: readonly Capture[], context: Context): SlotResult {
  const results = captures.map(capture => readCapture(target, capture, context))
  const values = results.flatMap(result => result.kind === 'value' ? [result.found] : [])
  const distinct = new Map(values.map(found => [JSON.stringify(found.value), found]))
  const two = results.find(result => result.kind === 'two')
  if (two) return two
  if (distinct.size > 1) return { kind: 'two', candidates: [...distinct.values()] }
  const only = values[0]
  return only && values.length === results.length ? { kind: 'value', found: only } : { kind: 'invalid' }
}

function readCapture(target: Target, capture: Capture, context: Context): SlotResult {
  const text = context.text.slice(capture.span.start, capture.span.end)
  if (capture.slot.list !== undefined) return readEntry(target, context.lists.get(capture.slot.list) ?? [], text, capture.span.start)
  const kind = target.kind === 'string' ? TYPED.get(capture.slot.type ?? '') : undefined
  if (kind !== undefined && !isTyped(target, kind, text, context)) return { kind: 'invalid' }
  const said = target.kind === 'string' || target.kind === 'list' || target.loose ? { text, from: 0 } : corrected(text)
  const { found } = interpret(target, said.text, context, true)
  const fitting = found.filter(one => coversAll(said.text, one))
  const distinct = new Map(fitting.map(one => [JSON.stringify(one.value), one]))
  const [only] = [...distinct.values()]
  if (only && distinct.size === 1) return { kind: 'value', found: shifted(only, capture.span.start + said.from) }
  const several = new Map(found.map(one => [JSON.stringify(one.value), one]))
  return several.size > 1 ? { kind: 'two', candidates: [...several.values()].map(one => shifted(one, capture.span.start + said.from)) } : { kind: 'invalid' }
}

const CORRECTION = /[\s,.;:\u2013\u2014-]+(?:no|nope|sorry|i mean|i meant|make (?:it|that)|rather|actually|wait|scratch that|correction)\b[\s,.;:\u2013\u2014-]*/giu

/** "five, no, ten minutes" means what stands last. */
function corrected(text: string): { readonly text: string, readonly from: number } {
  const last = [...text.matchAll(CORRECTION)].at(-1)
  const from = last ? last.index + last[0].length : 0
  return from > 0 && from < text.length ? { text: text.slice(from), from } : { text, from: 0 }
}

/** Slot types whose text must read as such before a plain string takes it, as it was said. */
const TYPED: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['number', 'number'], ['integer', 'number'], ['email', 'email'], ['url', 'url'], ['phone', 'phone'], ['duration', 'duration'], ['date', 'date'], ['time', 'time'], ['datetime', 'date-time'], ['money', 'money'],
])

function isTyped(target: Target, kind: Kind, text: string, context: Context): boolean {
  return interpret({ ...target, kind, spots: [] }, text, context, true).found.length > 0
}

/** An entry of the route's list: the `in` words as said, the `out` value as written. */
function readEntry(target: Target, list: readonly ListValue[], text: string, offset: number): SlotResult {
  const said = normalise(text)
  const entry = list.find(({ in: words }) => words.some(word => normalise(word) === said))
  if (!entry || !holds(target, entry.out) || !obeys(target.spots, entry.out)) return { kind: 'invalid' }
  const start = offset + (text.length - text.trimStart().length)
  return { kind: 'value', found: { value: entry.out, start, end: offset + text.trimEnd().length, how: `list entry "${said}"` } }
}

function holds(target: Target, value: string | number | boolean): boolean {
  if (target.kind === 'enum') return target.values.includes(value)
  if (typeof value === 'number') return ['number', 'duration-number', 'money'].includes(target.kind)
  return typeof value === 'string' && !['number', 'duration-number', 'money', 'boolean', 'untyped', 'object', 'list'].includes(target.kind)
}

const shifted = (found: Found, by: number): Found => ({ ...found, start: found.start + by, end: found.end + by })
