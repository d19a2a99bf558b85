/** "Close the gate" where only "open the gate" is a trigger: a request for the opposite of a route. */
import { NO_WORD, type PhraseFeatures } from './phrase-features.ts'
import type { Gist } from './offers.ts'
import type { PhraseStore } from './phrase-store.ts'
import type { Request } from './request.ts'
import type { Token } from './tokens.ts'
import { turnsAround } from './words/actions.ts'
import { OPPOSITES } from './words/opposites.ts'

/** Words of the longest request that is one for the opposite, wrappers and courtesy aside. */
const MOST_WORDS = 14
const NONE: readonly number[] = []

export interface Opposite { readonly gist: Gist, readonly request: Request }

/** The triggers that can be turned around, by the first word of their object. */
export class Opposites {
  readonly #gists: Int32Array
  readonly #words: readonly string[]
  readonly #store: PhraseStore
  readonly #ids: ReadonlyMap<string, number>
  readonly #byObject = new Map<number, number[]>()

  constructor({ gists, words }: PhraseFeatures, store: PhraseStore, ids: ReadonlyMap<string, number>) {
    this.#gists = gists
    this.#words = words
    this.#store = store
    this.#ids = ids
    for (let place = 0; place * 2 < gists.length; place++) {
      const object = gists[place * 2 + 1] ?? NO_WORD
      if (object === NO_WORD) continue
      const known = this.#byObject.get(object)
      if (known) known.push(place)
      else this.#byObject.set(object, [place])
    }
  }

  /** The first route whose object is asked for with a verb, or a particle, that turns it around. */
  find(tokens: readonly Token[], requests: readonly Request[]): Opposite | undefined {
    for (const request of requests) {
      if (request.end - request.start > MOST_WORDS) continue
      const verb = tokens[request.start]?.norm ?? ''
      const words = new Set(tokens.slice(request.start, request.end).map(token => token.norm))
      for (const place of this.#near(verb, words)) {
        const gist = this.#store.gist(place)
        if (gist && (gist.verb !== verb || turnsAround(gist.words, words)) && gist.object.every(word => word === gist.verb || words.has(word) || words.has(`${word}s`))) return { gist, request }
      }
    }
    return undefined
  }

  /** Phrases whose object is named and whose verb is this one or turned around by it; in the order of the table. */
  #near(verb: string, words: ReadonlySet<string>): readonly number[] {
    const found: number[] = []
    for (const word of words) {
      for (const stem of word.endsWith('s') ? [word, word.slice(0, -1)] : [word]) {
        for (const place of this.#byObject.get(this.#ids.get(stem) ?? NO_WORD) ?? NONE) {
          const own = this.#words[this.#gists[place * 2] ?? NO_WORD] ?? ''
          if (own === verb || OPPOSITES.get(own)?.has(verb) === true) found.push(place)
        }
      }
    }
    return [...new Set(found)].sort((a, b) => a - b)
  }
}
