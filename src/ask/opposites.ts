/** "Close the gate" where only "open the gate" is a trigger: a request for the opposite of a route. */
import type { Gist } from './offers.ts'
import type { Request } from './request.ts'
import type { Token } from './tokens.ts'
import { turnsAround } from './words/actions.ts'
import { OPPOSITES } from './words/opposites.ts'

/** Words of the longest request that is one for the opposite, wrappers and courtesy aside. */
const MOST_WORDS = 14
const NONE: readonly Gist[] = []

export interface Opposite { readonly gist: Gist, readonly request: Request }

/** The triggers that can be turned around, by the verbs that a request for their opposite begins with. */
export class Opposites {
  readonly #byVerb = new Map<string, Gist[]>()

  constructor(gists: Iterable<readonly Gist[]>) {
    for (const own of gists) {
      for (const gist of own) {
        if (gist.object.every(word => word === gist.verb)) continue
        for (const verb of [...OPPOSITES.get(gist.verb) ?? [], gist.verb]) {
          const known = this.#byVerb.get(verb)
          if (known) known.push(gist)
          else this.#byVerb.set(verb, [gist])
        }
      }
    }
  }

  /** The first route whose object is asked for with a verb, or a particle, that turns it around. */
  find(tokens: readonly Token[], requests: readonly Request[]): Opposite | undefined {
    for (const request of requests) {
      if (request.end - request.start > MOST_WORDS) continue
      const verb = tokens[request.start]?.norm ?? ''
      const gists = this.#byVerb.get(verb) ?? NONE
      if (gists.length === 0) continue
      const words = new Set(tokens.slice(request.start, request.end).map(token => token.norm))
      const gist = gists.find(item => (item.verb !== verb || turnsAround(item.words, words)) && item.object.every(word => word === item.verb || words.has(word) || words.has(`${word}s`)))
      if (gist) return { gist, request }
    }
    return undefined
  }
}
