/** "Open the", "send the proof to": a request that breaks off before its trigger is complete. */
import type { Phrase } from '../types.ts'
import { NO_WORD, type PhraseFeatures } from './phrase-features.ts'
import type { Lattice } from './lattice.ts'
import { readLeft } from './left.ts'
import type { Pattern } from './patterns.ts'
import type { PhraseStore } from './phrase-store.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, PREPOSITION } from './words/classes.ts'

/** Longer sentences are more than a beginning. */
const MOST_WORDS = 16
/** Words that a slot before the break may hold. */
const MOST_IN_SLOT = 4

/** Words after the first in which the next one that is no determiner must come. */
const LOOK_AHEAD = 4
/** Words that one word of a trigger may be torn into. */
const MOST_AS_ONE = 3

export interface BreakOff { readonly route: string, readonly phrase: Phrase, readonly start: number }

/** The triggers as written, by their first word and the next one that is no determiner. */
export class Beginnings {
  readonly #openings: Int32Array
  readonly #words: readonly string[]
  readonly #store: PhraseStore
  readonly #ids: ReadonlyMap<string, number>
  readonly #byFirst = new Map<number, Map<number, number[]>>()

  constructor({ openings, words }: PhraseFeatures, store: PhraseStore, ids: ReadonlyMap<string, number>) {
    this.#openings = openings
    this.#words = words
    this.#store = store
    this.#ids = ids
    for (let place = 0; place * 4 < openings.length; place++) {
      const [first = NO_WORD, second = NO_WORD] = openings.subarray(place * 4, place * 4 + 2)
      if (first === NO_WORD) continue
      const seconds = this.#byFirst.get(first) ?? new Map<number, number[]>()
      this.#byFirst.set(first, seconds)
      const known = seconds.get(second)
      if (known) known.push(place)
      else seconds.set(second, [place])
    }
  }

  /** The trigger that the last sentence of a text begins and does not end, or undefined. */
  brokenOff(tokens: readonly Token[], lattice: Lattice): BreakOff | undefined {
    let from = tokens.length - 1
    while (from > 0 && tokens[from]?.pause !== 'hard') from--
    if (from < 0 || tokens.length - from > MOST_WORDS || tokens[tokens.length - 1]?.asks) return undefined
    for (let start = from; start < tokens.length; start++) {
      const known = this.#byFirst.get(this.#ids.get(tokens[start]?.norm ?? '') ?? NO_WORD)
      if (!known || readLeft(tokens, from, start).objection || !readLeft(tokens, from, start).whole) continue
      for (const place of this.#following(known, lattice, start)) {
        const pattern = this.#store.asWritten(place)
        if (pattern && ends(pattern, 0, tokens, lattice, start)) return { route: pattern.route, phrase: pattern.phrase, start }
      }
    }
    return undefined
  }

  /** The phrases whose next words stand in the text too, or may lie behind its end; in the order of the table. */
  #following(seconds: ReadonlyMap<number, readonly number[]>, lattice: Lattice, start: number): readonly number[] {
    const left = lattice.length - start - 1
    const stands = (word: number, from: number, to: number): boolean => {
      for (let at = from; at <= to && at < lattice.length; at++) if (lattice[at]?.has(this.#words[word] ?? '') === true) return true
      return false
    }
    const found: number[] = []
    for (const [second, places] of seconds) {
      if (second !== NO_WORD && left > LOOK_AHEAD && !stands(second, start + 1, start + 1 + LOOK_AHEAD)) continue
      for (const place of places) {
        const third = this.#openings[place * 4 + 2] ?? NO_WORD
        // A word may be written as up to three, and each determiner as one or none.
        const reach = (this.#openings[place * 4 + 3] ?? 0) + MOST_AS_ONE
        if (third === NO_WORD || left <= reach || stands(third, start + 2, start + 1 + reach)) found.push(place)
      }
    }
    return found.sort((a, b) => a - b)
  }
}

/** Do the words run out within the pattern, where more must follow? */
function ends(pattern: Pattern, element: number, tokens: readonly Token[], lattice: Lattice, at: number): boolean {
  const next = pattern.elements[element]
  if (!next) return false
  if (at >= tokens.length) return element > 0 && open(tokens, pattern, element)
  if (next.kind === 'slot') {
    if (element + 1 >= pattern.elements.length) return tokens.slice(at).every(token => ARTICLES.has(token.norm))
    for (let end = at + 1; end <= Math.min(tokens.length, at + MOST_IN_SLOT); end++) if (ends(pattern, element + 1, tokens, lattice, end)) return true
    return false
  }
  if (next.kind !== 'word') return false
  if (next.det) return ends(pattern, element + 1, tokens, lattice, ARTICLES.has(tokens[at]?.norm ?? '') ? at + 1 : at)
  const hit = lattice[at]?.get(next.word)
  if (hit && hit.how !== 'sound') return ends(pattern, element + 1, tokens, lattice, at + hit.length)
  // "delete my" where the trigger has no article
  return ARTICLES.has(tokens[at]?.norm ?? '') && at === tokens.length - 1 && element > 0
}

/** After a determiner or a preposition something must follow; after a verb that stands alone too. */
function open(tokens: readonly Token[], pattern: Pattern, element: number): boolean {
  const last = tokens[tokens.length - 1]?.norm ?? ''
  return ARTICLES.has(last) || PREPOSITION.has(last) || element === 1 || pattern.elements.slice(element).some(item => item.kind === 'word' && !item.det) || pattern.elements[element]?.kind === 'slot'
}
