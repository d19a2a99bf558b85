/** Finds the patterns whose words all occur in a text: an inverted index over phrases, so that 1,500 triggers cost little more than one. */
import { keysOf } from './features.ts'
import { NO_WORD, type PhraseFeatures } from './phrase-features.ts'
import type { Lattice } from './lattice.ts'
import type { Pattern } from './patterns.ts'
import type { PhraseStore } from './phrase-store.ts'
import type { Token } from './tokens.ts'
import { SYNONYMS } from './words/thesaurus.ts'

/** A phrase that waits for its two rarest words, and the other words that it needs. */
interface Posting { readonly place: number, readonly others: readonly number[] }

const NONE: readonly Posting[] = []

export class PatternIndex {
  readonly #features: PhraseFeatures
  readonly #store: PhraseStore
  readonly #ids: ReadonlyMap<string, number>
  /** Two words of a trigger written as one -> the two. */
  readonly #joined: ReadonlyMap<string, readonly [number, number]>
  /** Rarest word of some phrases -> next rarest, or NO_WORD where there is none -> those that wait for both. */
  readonly #postings = new Map<number, Map<number, Posting[]>>()
  /** First word of a synonym -> the verbs that it may stand for. */
  readonly #synonymStarts = new Map<string, Set<number>>()
  /** Phrases with a pattern that needs no word. */
  readonly #always: number[] = []
  /** As long as the store keeps the patterns. */
  readonly #keys = new WeakMap<readonly Pattern[], readonly (readonly number[])[]>()

  constructor(features: PhraseFeatures, store: PhraseStore, ids: ReadonlyMap<string, number>, joined: ReadonlyMap<string, readonly [number, number]>) {
    this.#features = features
    this.#store = store
    this.#ids = ids
    this.#joined = joined
    this.#learnNeeds()
    this.#learnSynonyms()
  }

  #learnNeeds(): void {
    const { needs, words } = this.#features
    const frequency = new Int32Array(words.length)
    const eachSet = (step: (place: number, from: number, to: number) => void): void => {
      for (let at = 0, place = 0; at < needs.length; place++) {
        const sets = needs[at++] as number
        for (let i = 0; i < sets; i++) {
          const to = at + 1 + (needs[at] as number)
          step(place, at + 1, to)
          at = to
        }
      }
    }
    eachSet((_, from, to) => { for (let at = from; at < to; at++) frequency[needs[at] as number] = (frequency[needs[at] as number] as number) + 1 })
    eachSet((place, from, to) => {
      const [rarest, second = NO_WORD, ...others] = [...needs.subarray(from, to)].sort((a, b) => (frequency[a] as number) - (frequency[b] as number) || a - b)
      if (rarest === undefined) { this.#always.push(place); return }
      const seconds = this.#postings.get(rarest) ?? new Map<number, Posting[]>()
      this.#postings.set(rarest, seconds)
      const known = seconds.get(second)
      if (known) known.push({ place, others })
      else seconds.set(second, [{ place, others }])
    })
  }

  #learnSynonyms(): void {
    for (const id of this.#features.synonyms) {
      for (const synonym of SYNONYMS.get((this.#features.words[id] ?? '').slice(1))?.entries() ?? []) {
        const first = synonym.split(' ')[0] ?? ''
        const verbs = this.#synonymStarts.get(first) ?? new Set<number>()
        verbs.add(id)
        this.#synonymStarts.set(first, verbs)
      }
    }
  }

  /** Those that need no word first, then in the order of the table. */
  candidates(tokens: readonly Token[], lattice: Lattice): Pattern[] {
    const present = this.#present(tokens, lattice)
    const places = new Set<number>(this.#always)
    for (const word of present) {
      const seconds = this.#postings.get(word)
      if (!seconds) continue
      const [fewer, more] = seconds.size < present.size ? [seconds, present] : [present, seconds]
      for (const second of fewer.keys()) {
        if (!more.has(second)) continue
        for (const { place, others } of seconds.get(second) ?? NONE) if (others.every(other => present.has(other))) places.add(place)
      }
    }
    const always: Pattern[] = []
    const found: Pattern[] = []
    for (const place of [...places].sort((a, b) => a - b)) {
      const patterns = this.#store.patterns(place)
      this.#keysOf(patterns).forEach((keys, i) => {
        const pattern = patterns[i] as Pattern
        if (keys.length === 0) always.push(pattern)
        else if (keys.every(key => present.has(key))) found.push(pattern)
      })
    }
    return [...always, ...found]
  }

  #keysOf(patterns: readonly Pattern[]): readonly (readonly number[])[] {
    const known = this.#keys.get(patterns)
    if (known) return known
    const made = patterns.map(pattern => keysOf(pattern).map(key => this.#ids.get(key) ?? ABSENT))
    this.#keys.set(patterns, made)
    return made
  }

  #present(tokens: readonly Token[], lattice: Lattice): ReadonlySet<number> {
    const present = new Set<number>([NO_WORD])
    for (const hits of lattice) {
      for (const word of hits.keys()) {
        const id = this.#ids.get(word)
        if (id !== undefined) present.add(id)
        const parts = this.#joined.get(word)
        if (parts) present.add(parts[0]).add(parts[1])
      }
    }
    for (const token of tokens) for (const verb of this.#synonymStarts.get(token.norm) ?? []) present.add(verb)
    return present
  }
}

/** The number of no word at all. */
const ABSENT = -2
