/** What is said again at the end of a request: another value for its last slot, or its last words in full. */
import { restates } from './corrections.ts'
import { hasTag } from './english.ts'
import { resembles } from './false-starts.ts'
import type { Reading, SlotFill } from './alignment.ts'
import type { Pattern, SlotElement } from './patterns.ts'
import { hintedType } from './slot-types.ts'
import type { Token } from './tokens.ts'
import { DEFINITE, INDEFINITE, INSIDE, PREPOSITION } from './words/classes.ts'
import { SUFFIXES } from './words/suffixes.ts'

/** The last slot holds the words [start, end) instead. */
export interface Repair { readonly start: number, readonly end: number }

/** "turn the fan off, no, the lamp", "for Tuesday, er, Wednesday", "disable badge 118, sorry, 181": what follows replaces what the last slot holds. */
export function repairsOf(pattern: Pattern, { tokens, edits, slotEnds }: Reading, end: number, fills: readonly SlotFill[]): readonly Repair[] {
  const after = edits.get(end)
  const named = tokens[after ?? -1]
  const last = fills.at(-1)
  if (after === undefined || named === undefined || last === undefined) return []
  const slot = pattern.elements.find((element): element is SlotElement => element.kind === 'slot' && element.slot === last.slot)
  if (!slot) return []
  const same = !slot.clausal && ((slot.slot.type ?? hintedType(slot.slot.name)) !== undefined || restates(tokens[last.end - 1], named) || restates(tokens[last.start], named))
  const pointed = fills.length === 1 && (named.capital || DEFINITE.has(named.norm) || INDEFINITE.has(named.norm))
  return (last.end === end ? same : pointed) ? slotEnds(slot, after, true, () => true).map(to => ({ start: after, end: to })) : []
}

/** Words of the longest repeated end. */
const MOST = 3

/** "hold the delivery livery delivery", "mute my foam phone": where the last word of the request is said again, or was begun wrongly, the word after it. */
export function saidAgain(pattern: Pattern, { tokens }: Reading, end: number): number | undefined {
  const last = pattern.elements.at(-1)
  if (last?.kind !== 'word' || last.word.length < 4 || PREPOSITION.has(last.word)) return undefined
  for (let length = 1; length <= MOST; length++) {
    const token = tokens[end + length - 1]
    if (!token || token.pause === 'hard') return undefined
    if (token.norm === last.word) return end + length
    if (!resembles(token.norm, last.word)) return undefined
  }
  return undefined
}

/** Ends here, or a name or a definite thing follows. */
export const pointsAt = (token: Token | undefined): boolean => token === undefined || token.capital || DEFINITE.has(token.norm) || /\d/.test(token.norm)

/** "rnew the atlas": what follows a slipped verb is surely its object. */
export function isDefinite(tokens: readonly Token[], fills: readonly SlotFill[]): boolean {
  const first = fills[0] && tokens[fills[0].start]
  return first !== undefined && DEFINITE.has(first.norm)
}

/** Words of the longest aside in brackets. */
const MOST_ASIDE = 3

/** "delete (finally!) the draft", "descale (yes, now) the kettle": where the brackets close on nothing but courtesy, haste or a yes. */
export function asideOf(tokens: readonly Token[], at: number): number | undefined {
  if (tokens[at]?.before.includes('(') !== true) return undefined
  for (let end = at + 1; end <= at + MOST_ASIDE && end < tokens.length; end++) {
    if (tokens[end]?.before.includes(')') !== true) continue
    return tokens.slice(at, end).every(({ norm }) => INSIDE.has(norm) || SUFFIXES.has(norm) || (norm.endsWith('ly') && hasTag(norm, 'Adverb'))) ? end : undefined
  }
  return undefined
}
