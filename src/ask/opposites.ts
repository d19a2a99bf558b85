/** "Close the gate" where only "open the gate" is a trigger: a request for the opposite of a route. */
import type { Gist } from './offers.ts'
import type { Request } from './request.ts'
import type { Token } from './tokens.ts'
import { turnsAround } from './words/actions.ts'
import { OPPOSITES } from './words/opposites.ts'

/** Words of the longest request that is one for the opposite, wrappers and courtesy aside. */
const MOST_WORDS = 14

export interface Opposite { readonly gist: Gist, readonly request: Request }

/** The first route whose object is asked for with a verb, or a particle, that turns it around. */
export function oppositeOf(tokens: readonly Token[], requests: readonly Request[], gists: Iterable<readonly Gist[]>): Opposite | undefined {
  const short = requests.filter(request => request.end - request.start <= MOST_WORDS)
  if (short.length === 0) return undefined
  const said = short.map(request => new Set(tokens.slice(request.start, request.end).map(token => token.norm)))
  for (const own of gists) {
    for (const gist of own) {
      const object = gist.object.filter(word => word !== gist.verb)
      if (object.length === 0) continue
      for (const [i, request] of short.entries()) {
        const words = said[i] as ReadonlySet<string>
        const verb = tokens[request.start]?.norm ?? ''
        const turned = OPPOSITES.get(gist.verb)?.has(verb) === true || (verb === gist.verb && turnsAround(gist.words, words))
        if (turned && object.every(word => words.has(word) || words.has(`${word}s`))) return { gist, request }
      }
    }
  }
  return undefined
}
