/**
 * What the reader must know of every phrase before a text comes: the words that its patterns need. The patterns themselves, eighteen of a phrase, are made when a text comes near it
 * (phrase-store.ts): of a hundred thousand phrases a day needs a few hundred. Numbers and one list of words, so that a start can read them from a file.
 */
import type { Phrase } from '../types.ts'
import { gistOf } from './offers.ts'
import { patternsOf, type Pattern } from './patterns.ts'
import { NO_WORD, type PhraseFeatures } from './phrase-features.ts'
import { ARTICLES, PREPOSITION } from './words/classes.ts'

const isFunction = (word: string): boolean => ARTICLES.has(word) || PREPOSITION.has(word)

/** Words and synonyms that a text must all hold, without order. Articles and prepositions only where there is nothing else. */
export function keysOf(pattern: Pattern): readonly string[] {
  const keys: string[] = []
  const add = (key: string): void => { if (!keys.includes(key)) keys.push(key) }
  for (const word of pattern.needs) if (!isFunction(word)) add(word)
  for (const element of pattern.elements) if (element.kind === 'synonym') add(`~${element.of}`)
  if (keys.length === 0) for (const word of pattern.needs) add(word)
  return keys
}

/** Calls `step` for each two words of a pattern that a text may write as one. */
export function eachPair({ elements }: Pattern, step: (first: string, second: string) => void): void {
  elements.forEach((element, i) => {
    const next = elements[i + 1]
    if (element.kind === 'word' && next?.kind === 'word' && !element.det && !next.det) step(element.word, next.word)
  })
}

class Extraction {
  readonly #ids = new Map<string, number>()
  readonly #vocabulary: number[] = []
  readonly #known = new Set<string>()
  readonly #joined = new Map<string, readonly [number, number]>()
  readonly #synonyms = new Set<number>()
  readonly #needs: number[] = []
  readonly #openings: number[] = []
  readonly #gists: number[] = []

  #id(word: string): number {
    const known = this.#ids.get(word)
    if (known !== undefined) return known
    this.#ids.set(word, this.#ids.size)
    return this.#ids.size - 1
  }

  phrase(route: string, phrase: Phrase): void {
    const patterns = patternsOf(route, phrase)
    for (const pattern of patterns) this.#words(pattern)
    const sets = smallest(patterns.map(pattern => keysOf(pattern).map(key => this.#id(key)).sort((a, b) => a - b)))
    this.#needs.push(sets.length, ...sets.flatMap(set => [set.length, ...set]))
    this.#openings.push(...this.#opening(patterns[0]))
    const gist = gistOf(route, phrase)
    const anchor = gist.object.find(word => word !== gist.verb)
    this.#gists.push(this.#id(gist.verb), anchor === undefined ? NO_WORD : this.#id(anchor))
  }

  #words(pattern: Pattern): void {
    const learn = (spelling: string, first: number, second: number): void => {
      if (this.#known.has(spelling)) return
      this.#known.add(spelling)
      this.#vocabulary.push(first, second)
    }
    for (const word of pattern.needs) learn(word, this.#id(word), NO_WORD)
    eachPair(pattern, (first, second) => {
      const pair = [this.#id(first), this.#id(second)] as const
      learn(first + second, ...pair)
      this.#joined.set(first + second, pair)
    })
    for (const element of pattern.elements) if (element.kind === 'synonym') this.#synonyms.add(this.#id(`~${element.of}`))
  }

  #opening(pattern: Pattern | undefined): readonly [number, number, number, number] {
    const first = pattern?.elements[0]
    if (pattern?.how !== 'as written' || first?.kind !== 'word' || first.det) return [NO_WORD, NO_WORD, NO_WORD, 0]
    const following: number[] = []
    let passed = 0
    for (const element of pattern.elements.slice(1)) {
      if (element.kind !== 'word' || following.length === 2) break
      if (!element.det) following.push(this.#id(element.word))
      // More of them than there is room for in the look ahead: then any word may follow.
      else if (++passed > MOST_PASSED) break
    }
    return [this.#id(first.word), following[0] ?? NO_WORD, following[1] ?? NO_WORD, passed]
  }

  get features(): PhraseFeatures {
    return {
      words: [...this.#ids.keys()], vocabulary: Int32Array.from(this.#vocabulary), joined: Int32Array.from([...this.#joined.values()].flat()), synonyms: Int32Array.from(this.#synonyms),
      needs: Int32Array.from(this.#needs), openings: Int32Array.from(this.#openings), gists: Int32Array.from(this.#gists),
    }
  }
}

/** Determiners between the first three words of a phrase that are looked over. */
const MOST_PASSED = 3

/** The sets that hold no other of them, each once. Members in ascending order. */
function smallest(sets: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const distinct = [...new Map(sets.map(set => [set.join(' '), set])).values()].sort((a, b) => a.length - b.length)
  return distinct.filter((set, at) => !distinct.slice(0, at).some(smaller => smaller.every(member => set.includes(member))))
}

/** @param routes in the order of the table */
export function featuresOf(routes: Iterable<{ readonly name: string, readonly phrases: readonly Phrase[] }>): PhraseFeatures {
  const extraction = new Extraction()
  for (const { name, phrases } of routes) for (const phrase of phrases) extraction.phrase(name, phrase)
  return extraction.features
}
