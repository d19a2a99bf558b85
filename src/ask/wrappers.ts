/** Reads the wrappers before a request, from the request backwards: "ok so, could you please". */
import { begunAt } from './false-starts.ts'
import type { Token } from './tokens.ts'
import { CORRECTIONS, NEGATION } from './words/classes.ts'
import { ALL_PREFIXES, HEADINGS, PARTED_PREFIXES, PREFIXES, PREFIX_LIST, SENTENCE_STARTERS, WISHES, type VerbForm } from './words/prefixes.ts'

/** How far back the wrappers reach in one way of reading them. */
export interface Reach {
  readonly at: number
  /** "can you", "I want you to": the words say that this is a request. */
  readonly asked: boolean
  readonly form: VerbForm | undefined
  /** The wrapper that joins the request to what stands before: `and`, `so`, `okay`. */
  readonly link: string | undefined
  /** A correction or retraction cuts off what stands before. */
  readonly reset: boolean
  readonly taken: readonly string[]
  /** "I'd like to", "let's", "do": a request only if nothing follows. */
  readonly wish: boolean
}

export const RESETS = new Set(['never mind', 'nevermind', 'nvm', 'forget that', 'forget it', 'scratch that', 'scrap that', 'strike that', 'correction'])
/** Said where one thing is done with and another begins. */
export const STRONG_BREAK = new Set(['ok', 'okay', 'yep', 'yes', 'yeah', 'alright', 'all right', 'right', 'anyway', 'go on', 'go on then', 'come on', 'well', 'oh', 'whatever', 'instead', 'therefore', 'for now', 'never mind', 'quick', 'quickly'])
const LINKS = new Set(['and', 'but', 'or', 'then', 'so', 'and then', 'and so', 'and now', 'and also', 'and please', 'and just', 'but now', 'now', 'just', 'please', 'pls', 'ok', 'okay', 'anyway', 'so just', 'so please', 'so now', 'so go on', '&', 'instead', 'right', 'go on', 'come on', 'therefore', 'also', 'plus', 'yeah', 'oh', 'well', 'for now', 'now then', 'quickly', 'first', 'next', 'finally', 'lastly', 'go on then', 'whatever', 'yes', 'yep', 'alright', 'all right', 'never mind', 'quick', 'quickly'])

function wordsIn(phrase: string): number {
  let count = 1
  for (let at = phrase.indexOf(' '); at >= 0; at = phrase.indexOf(' ', at + 1)) count++
  return count
}

/** One or two letters that are no word: "lo lock", "o-open". */
const STUTTER = /^(?!(?:a|i|u|n|k|y|x|r|ok|so|no|go|do|to|be|we|he|me|my|in|on|of|or|up|us|at|an|as|am|by|if|is|it|re|un|pm|st|pa|ma|hi|oh|ah|eh)$)\p{L}{1,2}$/u

/** Nothing but wrappers from the beginning of the sentence to here. */
function ledIn(tokens: readonly Token[], from: number, to: number): boolean {
  let at = from
  while (at < to) {
    const [length] = PREFIX_LIST.lengthsAt(tokens, at, to)
    if (length === undefined) return false
    at += length
  }
  return true
}

/** Words of the shortest clause that a tag can end in one breath, as in a transcript: "it's freezing isn't it heat the hall". */
const CLAUSE = 2
const NO = /^no(?:pe|t)?\b/

/** Is what stands from `at` to `end` parted from the request by a pause or by another wrapper, or does it end what was said before ("pull no push", "yeah no push")? */
function isParted(tokens: readonly Token[], from: number, at: number, end: number, start: number): boolean {
  if (tokens[end]?.pause !== 'space' || end !== start) return true
  return NO.test(tokens[at]?.norm ?? '') ? at > from && !/^(?:please|pls|plz)$/.test(tokens[at - 1]?.norm ?? '') : at - from >= CLAUSE && !ledIn(tokens, from, at)
}

/** A tag, a denial or the like that goes on into the request in one breath. */
export function joinedOn(tokens: readonly Token[], from: number, start: number): string | undefined {
  return ALL_PREFIXES.endingAt(tokens, from, start).find(phrase => PARTED_PREFIXES.has(phrase) && !isParted(tokens, from, start - wordsIn(phrase), start, start))
}

/** Wrapper phrases that end where the request begins, read backwards. */
export function reaches(tokens: readonly Token[], from: number, start: number): Reach[] {
  const best = new Map<number, Reach>([[start, { at: start, asked: false, form: undefined, link: undefined, reset: false, taken: [], wish: false }]])
  const said = tokens[start]?.norm ?? ''
  const begun = tokens[start - 1]?.norm ?? ''
  if (start > from && begun.length > 0 && !NEGATION.has(begun) && (said === begun || (said.startsWith(begun) && (begun.length > 2 || STUTTER.test(begun))))) best.set(start - 1, { at: start - 1, asked: false, form: undefined, link: undefined, reset: false, taken: [], wish: false })
  // "go to, go to air": begun, and begun again.
  for (let length = 2; length <= 4 && start - length >= from; length++) {
    let same = true
    for (let i = 0; same && i < length; i++) same = tokens[start - length + i]?.norm === tokens[start + i]?.norm
    if (same) best.set(start - length, { at: start - length, asked: false, form: undefined, link: undefined, reset: false, taken: [], wish: false })
  }
  const begunBefore = begunAt(tokens, from, start)
  if (begunBefore !== undefined) best.set(begunBefore, { at: begunBefore, asked: false, form: undefined, link: undefined, reset: false, taken: [], wish: false })
  for (let end = start; end > from; end--) {
    const here = best.get(end)
    if (!here) continue
    for (const phrase of ALL_PREFIXES.endingAt(tokens, from, end)) {
      const at = end - wordsIn(phrase)
      const wish = WISHES.has(phrase)
      const kind = PREFIXES.get(phrase) ?? (SENTENCE_STARTERS.has(phrase) && (at === from || (wish && ledIn(tokens, from, at))) ? 'base' : tokens[end]?.pause !== 'space' && HEADINGS.has(phrase) ? 'particle' : undefined)
      if (kind === undefined || (PARTED_PREFIXES.has(phrase) && !isParted(tokens, from, at, end, start))) continue
      const opener = kind !== 'particle'
      const known = best.get(at)
      const reach: Reach = {
        at, asked: here.asked || (opener && !wish), wish: here.wish || wish, form: here.form ?? (opener ? kind : undefined), link: LINKS.has(phrase) ? phrase : here.link,
        reset: here.reset || CORRECTIONS.has(phrase) || RESETS.has(phrase), taken: [phrase, ...here.taken],
      }
      if (!known || (!known.asked && reach.asked)) best.set(at, reach)
    }
  }
  return [...best.values()].sort((a, b) => a.at - b.at)
}
