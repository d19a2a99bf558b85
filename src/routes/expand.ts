/** A trigger's sentences: every way through its template, counted before any is made. */
import { UsherError } from '../errors.ts'
import type { Phrase, PhrasePart } from '../types.ts'
import { quoted } from '../util/mask.ts'
import { normalise } from '../util/text.ts'
import { ROUTE_CAPS } from './defaults.ts'
import { parseTemplate, type Template, type TemplateNode } from './template.ts'

/** One way through a template: its parts, and the numbers of the alternatives it took. */
export interface Way { readonly parts: readonly PhrasePart[], readonly took: readonly number[] }

export type Expanded =
  | { readonly kind: 'ways', readonly ways: readonly Way[] }
  | { readonly kind: 'bad', readonly at: number, readonly message: string }

/** @param max most sentences; more is `bad`, before any of them is made */
export function expandWays(template: Template, max: number = ROUTE_CAPS.perTrigger): Expanded {
  if (template.kind === 'bad') return template
  const count = countSequence(template.nodes)
  if (count > max) return { kind: 'bad', at: 0, message: `the trigger stands for ${count > 1e9 ? 'more than a thousand million' : count} sentences, and ${max} are the most; split it, or drop alternatives (people's own wording need not be listed word by word)` }
  const ways = waysOf(template.nodes).map(way => ({ parts: tidy(way.parts), took: way.took }))
  for (const way of ways) {
    const message = sentenceProblem(way.parts)
    if (message) return { kind: 'bad', at: 0, message }
  }
  return { kind: 'ways', ways }
}

/**
 * The sentences of one trigger, each once, in reading order; the parts of a phrase, slots as `{name}`, together are its text.
 * Throws ROUTES_INVALID for a template that is wrong (with the character, from 1) or too large.
 * @param options.lists names that `{slot:name}` may point to
 * @param options.max most sentences, default 500
 */
export function expandTemplate(template: string, options: { lists?: ReadonlyMap<string, unknown>, max?: number, line?: number } = {}): Phrase[] {
  const expanded = expandWays(parseTemplate(template, new Set(options.lists?.keys())), options.max)
  if (expanded.kind === 'bad') throw new UsherError('ROUTES_INVALID', `trigger ${quoted(template)}, character ${expanded.at + 1}: ${expanded.message}`)
  return phrasesOf(expanded.ways, template, options.line)
}

export function phrasesOf(ways: readonly Way[], template: string, line?: number): Phrase[] {
  const found = new Map<string, Phrase>()
  for (const { parts } of ways) {
    const text = parts.map(partText).join('')
    if (!found.has(text)) found.set(text, { text, parts, template, ...(line === undefined ? {} : { line }) })
  }
  return [...found.values()]
}

export function partText(part: PhrasePart): string {
  return part.kind === 'text' ? part.text : `{${part.slot.name}}`
}

/** A character that no keyboard writes stands for a slot, so that `call {person}` and `call {name}` are found to be one sentence. */
const SLOT_MARK = '\uE000'

/** Two phrases with one key are the same ask: normal form of the words, and what each slot takes. */
export function phraseKey(parts: readonly PhrasePart[], listKey: (list: string) => string = list => list): string {
  return normalise(parts.map(part => part.kind === 'text' ? part.text : `${SLOT_MARK}${part.slot.type ?? ''}${part.slot.list === undefined ? '' : `:${listKey(part.slot.list)}`}${SLOT_MARK}`).join(''))
}

function countSequence(nodes: readonly TemplateNode[]): number {
  return nodes.reduce((count, node) => node.kind === 'choice'
    ? count * (node.alternatives.reduce((sum, alternative) => sum + countSequence(alternative.nodes), 0) + (node.optional ? 1 : 0))
    : count, 1)
}

function waysOf(nodes: readonly TemplateNode[]): Way[] {
  let ways: Way[] = [{ parts: [], took: [] }]
  for (const node of nodes) {
    const next = nodeWays(node)
    ways = ways.flatMap(way => next.map(more => ({ parts: [...way.parts, ...more.parts], took: [...way.took, ...more.took] })))
  }
  return ways
}

function nodeWays(node: TemplateNode): Way[] {
  if (node.kind !== 'choice') return [{ parts: [node], took: [] }]
  const ways = node.alternatives.flatMap(alternative => waysOf(alternative.nodes).map(way => ({ parts: way.parts, took: [alternative.id, ...way.took] })))
  return node.optional ? [...ways, { parts: [], took: [] }] : ways
}

/** Neighbouring texts become one, runs of white space one space, and none at the ends. */
function tidy(parts: readonly PhrasePart[]): readonly PhrasePart[] {
  const joined: PhrasePart[] = []
  for (const part of parts) {
    const last = joined[joined.length - 1]
    if (part.kind === 'text' && last?.kind === 'text') joined[joined.length - 1] = { kind: 'text', text: last.text + part.text }
    else joined.push(part)
  }
  return joined
    .map((part, at) => part.kind === 'slot' ? part : { kind: 'text' as const, text: foldSpace(part.text, at === 0, at === joined.length - 1) })
    .filter(part => part.kind === 'slot' || part.text !== '')
}

function foldSpace(text: string, first: boolean, last: boolean): string {
  const folded = text.replace(/\s+/g, ' ')
  const begun = first ? folded.trimStart() : folded
  return last ? begun.trimEnd() : begun
}

/** A sentence that anything would fit, or whose slots nothing tells apart. */
function sentenceProblem(parts: readonly PhrasePart[]): string | undefined {
  const text = quoted(parts.map(partText).join(''))
  if (!parts.some(part => part.kind === 'text' && /[\p{L}\p{N}]/u.test(part.text))) return `one of its sentences has no word of its own (${text}), so anything would fit; add a word that is always said`
  const names = parts.flatMap(part => part.kind === 'slot' ? [part.slot.name] : [])
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) return `the slot {${twice}} is in one sentence twice (${text}); give each its own name`
  const rest = parts.findIndex(part => part.kind === 'slot' && part.slot.type === 'rest')
  if (rest >= 0 && parts.slice(rest + 1).some(part => part.kind === 'slot' || /[\p{L}\p{N}]/u.test(part.text))) return `a slot of type rest takes all that follows, so nothing may come after it (${text}); put it last, or leave the type out`
  return undefined
}

/** Two open slots side by side: nothing says where one ends. Legal, and worth a finding. */
export function openSlotsTouch(parts: readonly PhrasePart[]): boolean {
  return parts.some((part, at) => isOpen(part) && (isOpen(parts[at + 1]) || (isBlank(parts[at + 1]) && isOpen(parts[at + 2]))))
}

/** Takes any words. */
export function isOpen(part: PhrasePart | undefined): boolean {
  return part?.kind === 'slot' && part.slot.list === undefined && (part.slot.type === undefined || part.slot.type === 'rest')
}

function isBlank(part: PhrasePart | undefined): boolean {
  return part?.kind === 'text' && part.text.trim() === ''
}
