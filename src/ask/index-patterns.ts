/** Finds the patterns whose words all occur in a text: an inverted index, so that 1,500 triggers cost little more than one. */
import type { Lattice } from './lattice.ts'
import type { Pattern } from './patterns.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, PREPOSITION } from './words/classes.ts'

const isFunction = (word: string): boolean => ARTICLES.has(word) || PREPOSITION.has(word)

function keysOf(pattern: Pattern): string[] {
  const strong = pattern.needs.filter(word => !isFunction(word))
  const synonyms = pattern.elements.flatMap(element => element.kind === 'synonym' ? [`~${element.of}`] : [])
  return [...new Set([...strong.length + synonyms.length > 0 ? strong : pattern.needs, ...synonyms])]
}

export class PatternIndex {
  /** Rarest word of a pattern -> the patterns that wait for it, each with the other words it needs. */
  readonly #postings = new Map<string, { readonly pattern: Pattern, readonly id: number, readonly others: readonly string[] }[]>()
  /** First word of a synonym -> the verbs that it may stand for. */
  readonly #synonymStarts = new Map<string, Set<string>>()
  readonly #always: Pattern[] = []

  constructor(patterns: readonly Pattern[]) {
    const keys = patterns.map(keysOf)
    const frequency = new Map<string, number>()
    for (const list of keys) for (const key of list) frequency.set(key, (frequency.get(key) ?? 0) + 1)
    patterns.forEach((pattern, id) => {
      const list = [...keys[id] ?? []].sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1))
      const [rarest, ...others] = list
      if (rarest === undefined) this.#always.push(pattern)
      else this.#postings.set(rarest, [...this.#postings.get(rarest) ?? [], { pattern, id, others }])
      this.#learnSynonyms(pattern)
    })
  }

  #learnSynonyms(pattern: Pattern): void {
    for (const element of pattern.elements) {
      if (element.kind !== 'synonym') continue
      for (const synonym of element.words.entries()) {
        const first = synonym.split(' ')[0] ?? ''
        const verbs = this.#synonymStarts.get(first) ?? new Set<string>()
        verbs.add(`~${element.of}`)
        this.#synonymStarts.set(first, verbs)
      }
    }
  }

  /** In the order of the table. */
  candidates(tokens: readonly Token[], lattice: Lattice): Pattern[] {
    const present = new Set<string>()
    for (const hits of lattice) for (const word of hits.keys()) present.add(word)
    for (const token of tokens) for (const verb of this.#synonymStarts.get(token.norm) ?? []) present.add(verb)
    const found: { readonly pattern: Pattern, readonly id: number }[] = []
    for (const word of present) {
      for (const posting of this.#postings.get(word) ?? []) if (posting.others.every(other => present.has(other))) found.push(posting)
    }
    return [...this.#always, ...found.sort((a, b) => a.id - b.id).map(posting => posting.pattern)]
  }
}
