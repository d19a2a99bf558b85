/** Near misses that a route's owner wrote under `not`: where one of them is said, the route is out, whatever would have decided (rules, second reader, nearness in meaning, an offer). */
import { inDictionary } from './dictionary.ts'
import type { AskRoute } from './phrase-store.ts'
import { isTypicalSlip, typingDistance } from './slips.ts'
import { normWord, words, type Token } from './tokens.ts'

/** Where it is said. `start` and `end` count tokens; both 0 in a text too long to be cut into words. */
export interface Said { readonly phrase: string, readonly start: number, readonly end: number }

interface Never { readonly text: string, readonly words: readonly string[] }

/** Shorter words have too many neighbours to say which one was meant, but for two letters swapped. */
const LEAST_SLIP = 4
const LEAST_SWAP = 3

function isWord(said: string, meant: string): boolean {
  if (said === meant) return true
  const least = Math.min(said.length, meant.length)
  return ((least >= LEAST_SLIP && typingDistance(said, meant, 1) === 1) || (least >= LEAST_SWAP && isTypicalSlip(said, meant))) && !inDictionary(said)
}

/** A document, of which only this is asked: one pass over it, no words cut. */
const PLAIN = /[^\p{L}\p{N}']+/gu

export class NotPhrases {
  readonly #byRoute = new Map<string, readonly Never[]>()

  constructor(routes: Iterable<AskRoute>) {
    for (const { name, not } of routes) {
      const never = not.map(text => ({ text, words: words(text) })).filter(each => each.words.length > 0)
      if (never.length > 0) this.#byRoute.set(name, never)
    }
  }

  /** @param tokens of the text; none where it is too long for them */
  said(text: string, tokens: readonly Token[]): ReadonlyMap<string, Said> {
    const found = new Map<string, Said>()
    if (this.#byRoute.size === 0) return found
    const whole = tokens.length === 0 ? ` ${normWord(text).replace(PLAIN, ' ')} ` : undefined
    for (const [route, phrases] of this.#byRoute) {
      for (const { text: phrase, words: never } of phrases) {
        const start = whole === undefined ? tokens.findIndex((_, at) => at + never.length <= tokens.length && never.every((word, i) => isWord(tokens[at + i]?.norm ?? '', word))) : whole.includes(` ${never.join(' ').replace(PLAIN, ' ')} `) ? 0 : -1
        if (start < 0) continue
        found.set(route, { phrase, start, end: whole === undefined ? start + never.length : 0 })
        break
      }
    }
    return found
  }
}
