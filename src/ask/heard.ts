/** Two ways in which a word of a trigger is there and is not meant: in a name, and with an "is" behind it. */
import type { Element } from './patterns.ts'
import type { Token } from './tokens.ts'
import { PARTICLE, PREPOSITION } from './words/classes.ts'

/** "Cole Porter" is a name, and no "call" misheard. */
export function isName(tokens: readonly Token[], at: number, next: number): boolean {
  return tokens[at]?.capital === true && tokens[next]?.capital === true && tokens[next]?.pause === 'space' && tokens.some(token => !token.capital)
}

/** "the anchor's up", "the oven's set to nine": it is so already. Before a noun or a slot it is a genitive. */
export function isSo(said: Token | undefined, word: string, then: Element | undefined): boolean {
  if (said === undefined || !said.norm.endsWith('\'s') || said.norm === word) return false
  return !(then?.kind === 'slot' || (then?.kind === 'word' && !then.det && then.head !== true && !PREPOSITION.has(then.word) && !PARTICLE.has(then.word)))
}
