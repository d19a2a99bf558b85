/** What YAML allows and a route file does not: each would let the file mean something else than it shows. */
import { capped, quoted } from '../util/mask.ts'
import type { ListTree, MapTree, ScalarTree, Tree } from './yaml.ts'

export interface StrictContext {
  readonly source: string
  readonly report: (offset: number, message: string) => void
}

/** Far deeper than any route; only a preset nests at all. */
const MAX_DEPTH = 32
/** Lists of sentences. */
const PHRASE_KEYS: ReadonlySet<unknown> = new Set(['triggers', 'not', 'must_fire', 'must_not_fire'])
/** Values that reach a handler or are compared with the host's: they must be what they look like. */
const DATA_KEYS: ReadonlySet<unknown> = new Set(['preset', 'lists', 'when'])
/** What YAML 1.1 reads as a boolean and core as text. */
const OLD_BOOLEAN = /^(?:y|n|yes|no|on|off)$/i

type Where = 'phrase' | 'data' | 'other'

/** Reports every part that is not strict and gives the plain value of the tree; keys in objects are own properties, none inherited. */
export function strictValue(tree: Tree, context: StrictContext): unknown {
  return valueOf(tree, context, 'other', 0)
}

function valueOf(tree: Tree, context: StrictContext, where: Where, depth: number): unknown {
  if (depth > MAX_DEPTH) {
    context.report(tree.start, `nested more than ${MAX_DEPTH} levels deep; a preset has to be flatter`)
    return null
  }
  if (tree.kind === 'alias') {
    context.report(tree.start, `the alias *${tree.name} is not allowed; write the value out, or use \`shared:\` and \`extends:\``)
    return null
  }
  if (tree.anchor !== undefined) context.report(tree.start, `the anchor &${tree.anchor} is not allowed; quote the text if the & belongs to it, or use \`shared:\` and \`extends:\``)
  if (tree.tag !== undefined) context.report(tree.start, `the tag ${tagText(tree.tag)} is not allowed; write the plain value, or quote the text if the ! belongs to it`)
  if (tree.kind === 'map') return mapValue(tree, context, where, depth)
  if (tree.kind === 'list') return listValue(tree, context, where, depth)
  return scalarValue(tree, context, where)
}

function tagText(tag: string): string {
  return tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice(18)}` : tag
}

function listValue(tree: ListTree, context: StrictContext, where: Where, depth: number): unknown[] {
  return tree.items.map(item => valueOf(item, context, where, depth + 1))
}

function mapValue(tree: MapTree, context: StrictContext, where: Where, depth: number): object {
  const value: { [key: string]: unknown } = {}
  const seen = new Map<string, number>()
  for (const entry of tree.entries) {
    const key = keyOf(entry.key, context)
    if (key === undefined) continue
    const first = seen.get(key)
    if (first !== undefined) context.report(entry.key.start, `the key ${quoted(key)} is here twice; the first is at line ${lineOf(context.source, first)}: keep one`)
    seen.set(key, entry.key.start)
    // The keys of a route (or of shared settings) are at depth 3: file, list or map, route.
    const inside: Where = depth === 2 ? PHRASE_KEYS.has(key) ? 'phrase' : DATA_KEYS.has(key) ? 'data' : 'other' : where
    const inner = valueOf(entry.value, context, inside, depth + 1)
    if (key !== '__proto__') value[key] = inner
  }
  return value
}

function keyOf(tree: Tree, context: StrictContext): string | undefined {
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
    const seen = tree.kind === 'scalar' ? String(tree.value) : `a ${tree.kind}`
    context.report(tree.start, `a key must be a text, not ${seen}; quote it`)
    return undefined
  }
  if (tree.anchor !== undefined || tree.tag !== undefined) context.report(tree.start, 'a key with an anchor or a tag is not allowed; write the plain key')
  if (tree.value === '<<') context.report(tree.start, 'the merge key << is not allowed, and would be sent as an argument; use `shared:` and `extends:`')
  if (tree.value === '__proto__') context.report(tree.start, 'the key "__proto__" is not allowed: programs take it for something else than data; choose another name')
  return wholeCharacters(tree.value, tree.start, context)
}

function scalarValue(tree: ScalarTree, context: StrictContext, where: Where): unknown {
  const { style, start, end } = tree
  const value = typeof tree.value === 'string' ? wholeCharacters(tree.value, start, context) : tree.value
  if (style !== 'plain') {
    if (where === 'phrase' && typeof value === 'string' && /[\n\r]/.test(value.trim())) context.report(start, `a phrase is one line, and this one breaks: ${quoted(capped(value, 80))}; write it on one line`)
    return value
  }
  const written = context.source.slice(start, end)
  if (typeof value === 'number') numberSurvives(value, written, start, context)
  else if (typeof value === 'boolean' && written !== String(value)) context.report(start, `${written} is written ${String(value)} here, or quote it if it is a text`)
  else if (value === null && written !== 'null') context.report(start, written === '' ? 'nothing is written here; give a value, or write null where null is meant' : `${written} is written null here, or quote it if it is a text`)
  else if (typeof value === 'string') plainText(value, written, tree, context, where)
  return value
}

/** Half of a surrogate pair has no UTF-8, no canonical JSON and no place in a log. */
function wholeCharacters(text: string, start: number, context: StrictContext): string {
  if (text.isWellFormed()) return text
  context.report(start, `${quoted(capped(text, 80))} holds half of a character (a lone surrogate); write the whole character`)
  return text.toWellFormed()
}

/** A number whose written form is not the one JSON would write is not what the file shows: 0755, 1.10, 7e5, -0, 12345678901234567890. */
function numberSurvives(value: number, written: string, start: number, context: StrictContext): void {
  if (Number.isFinite(value) && !Object.is(value, -0) && String(value) === written) return
  const read = Object.is(value, -0) ? '-0' : String(value)
  const asNumber = Number.isFinite(value) && Number.isSafeInteger(Math.trunc(value)) ? `, or write ${Object.is(value, -0) ? 0 : read} if the number is meant` : ''
  context.report(start, `the number ${capped(written, 60)} would be read as ${read}; quote it ('${capped(written, 60)}')${asNumber}`)
}

function plainText(value: string, written: string, tree: ScalarTree, context: StrictContext, where: Where): void {
  if (/[\n\r]/.test(written)) {
    context.report(tree.start, `this text goes on in the next line and would be read as ${quoted(capped(value, 80))}; quote it, or mend the indentation`)
    return
  }
  if (where === 'other') return
  if (where === 'data' && OLD_BOOLEAN.test(value)) context.report(tree.start, `${written} is a text here, not a yes or no; write true or false, or quote it ('${written}') if the text is meant`)
  const rest = /^[^\n\r]*/.exec(context.source.slice(tree.end, tree.end + 400))?.[0] ?? ''
  if (/^[ \t]+#/.test(rest)) {
    context.report(tree.start, `the line goes on after ${quoted(value)} with ${quoted(capped(rest.trim(), 60))}, which YAML takes as a comment; quote the whole text if the # belongs to it, or put the comment on a line of its own`)
  }
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}
