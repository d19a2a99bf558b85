/** Finds the patterns whose words all occur in a text: an inverted index, so that 1,500 triggers cost what one does. */
import type { Lattice } from './lattice.ts'
import type { Pattern } from './patterns.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, PREPOSITION } from './words/classes.ts'

const isFunction = (word: string): boolean => ARTICLES.has(word) || PREPOSITION.has(word)

export class PatternIndex {
  readonly #postings = new Map<string, number[]>()
  readonly #patterns: readonly Pattern[]
  readonly #wanted: number[] = []
  /** First word of a synonym -> the verbs that it may stand for. */
  readonly #synonymStarts = new Map<string, Set<string>>()
  readonly #always: number[] = []

  constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns
    patterns.forEach((pattern, id) => this.#add(pattern, id))
  }

  #add(pattern: Pattern, id: number): void {
    const strong = pattern.needs.filter(word => !isFunction(word))
    const keys = new Set(strong.length > 0 ? strong : pattern.needs)
    for (const element of pattern.elements) {
      if (element.kind !== 'synonym') continue
      keys.add(`~${element.of}`)
      for (const synonym of element.words) {
        const first = synonym.split(' ')[0] ?? ''
        const verbs = this.#synonymStarts.get(first) ?? new Set<string>()
        verbs.add(element.of)
        this.#synonymStarts.set(first, verbs)
      }
    }
    this.#wanted[id] = keys.size
    if (keys.size === 0) this.#always.push(id)
    for (const key of keys) {
      const known = this.#postings.get(key)
      if (known) known.push(id)
      else this.#postings.set(key, [id])
    }
  }

  candidates(tokens: readonly Token[], lattice: Lattice): Pattern[] {
    const present = new Set<string>()
    for (const hits of lattice) for (const word of hits.keys()) present.add(word)
    for (const token of tokens) for (const verb of this.#synonymStarts.get(token.norm) ?? []) present.add(`~${verb}`)
    // "frontdoor" holds "front" and "door"; the aligner checks that they stand so.
    const counts = new Map<number, number>()
    for (const word of present) for (const id of this.#postings.get(word) ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
    const found = this.#always.slice()
    for (const [id, count] of counts) if (count === this.#wanted[id]) found.push(id)
    return found.sort((a, b) => a - b).flatMap(id => this.#patterns[id] ?? [])
  }
}
