/** "Open the", "send the proof to": a request that breaks off before its trigger is complete. */
import type { Phrase } from '../types.ts'
import type { Lattice } from './lattice.ts'
import { readLeft } from './left.ts'
import type { Pattern } from './patterns.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, PREPOSITION } from './words/classes.ts'

/** Longer sentences are more than a beginning. */
const MOST_WORDS = 16
/** Words that a slot before the break may hold. */
const MOST_IN_SLOT = 4

export interface BreakOff { readonly route: string, readonly phrase: Phrase, readonly start: number }

/** The triggers as written, by their first word. */
export class Beginnings {
  readonly #byFirst = new Map<string, Pattern[]>()

  constructor(patterns: Iterable<Pattern>) {
    for (const pattern of patterns) {
      const [first] = pattern.elements
      if (pattern.how !== 'as written' || first?.kind !== 'word' || first.det) continue
      this.#byFirst.set(first.word, [...this.#byFirst.get(first.word) ?? [], pattern])
    }
  }

  /** The trigger that the last sentence of a text begins and does not end, or undefined. */
  brokenOff(tokens: readonly Token[], lattice: Lattice): BreakOff | undefined {
    let from = tokens.length - 1
    while (from > 0 && tokens[from]?.pause !== 'hard') from--
    if (from < 0 || tokens.length - from > MOST_WORDS || tokens[tokens.length - 1]?.asks) return undefined
    for (let start = from; start < tokens.length; start++) {
      const known = this.#byFirst.get(tokens[start]?.norm ?? '')
      if (!known || readLeft(tokens, from, start).objection || !readLeft(tokens, from, start).whole) continue
      const pattern = known.find(item => ends(item, 0, tokens, lattice, start))
      if (pattern) return { route: pattern.route, phrase: pattern.phrase, start }
    }
    return undefined
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
