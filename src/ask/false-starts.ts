/** Words begun and said again: "hold the livery delivery", "roll tap roll tape". What was begun wrongly looks or sounds like what is said then. */
import type { Lattice } from './lattice.ts'
import { typingDistance } from './slips.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CONJUNCTION, COPULA, META, MODAL, NEGATION, PREPOSITION, QUANTIFIER, QUESTION, SPEECH, SUBJECT } from './words/classes.ts'

/** Of the letters of the longer word, as many may differ. */
const SHARE = 0.5
const SHORTEST = 3

/** May `begun` be a failed attempt at `meant`? Loose, since the word itself follows. */
export function resembles(begun: string, meant: string): boolean {
  if (begun.length < SHORTEST || meant.length < SHORTEST) return false
  const longest = Math.max(begun.length, meant.length)
  const limit = Math.floor(longest * SHARE)
  return meant.endsWith(begun) || meant.startsWith(begun) || begun.startsWith(meant) || typingDistance(begun, meant, limit) <= limit
}

/** Words that say something of what follows, however much they look like it: "never revert", "a song called call". */
const SAYS: ReadonlySet<string> = new Set([NEGATION, SPEECH, META, MODAL, AUX, COPULA, SUBJECT, BARE_SUBJECT, CONJUNCTION, PREPOSITION, QUANTIFIER, QUESTION].flatMap(list => [...list]))

/** Words looked back for the first beginning, and ahead for what they were meant to be. */
const BACK = 6
const AHEAD = 8

/** Where a request that is said in full from `start` on was begun before, or undefined. */
export function begunAt(tokens: readonly Token[], from: number, start: number): number | undefined {
  const verb = tokens[start]?.norm ?? ''
  for (let at = start - 2; at >= from && start - at <= BACK; at--) {
    if (tokens[at]?.norm !== verb) continue
    const meant = tokens.slice(start + 1, start + AHEAD)
    const anew = tokens.slice(at + 1, start).every(token => meant.some(other => other.norm === token.norm || resembles(token.norm, other.norm)))
    if (anew) return at
  }
  const only = tokens[start - 1]
  return only && start - 1 >= from && only.norm !== verb && !SAYS.has(only.norm) && verb.length > SHORTEST && only.norm.length > SHORTEST && resembles(only.norm, verb) && tokens[start]?.pause === 'space' ? start - 1 : undefined
}

/** Where the trigger's word stands that was begun wrongly here, or undefined: "the livery delivery", "the curry a courier". */
export function meantAt(tokens: readonly Token[], lattice: Lattice, at: number, wanted: string): number | undefined {
  const begun = tokens[at]?.norm ?? ''
  if (wanted.length <= SHORTEST || lattice[at]?.get(wanted)?.how === 'exact' || PREPOSITION.has(begun)) return undefined
  const meant = [at + 1, at + 2].find(place => lattice[place]?.get(wanted)?.how === 'exact')
  return meant !== undefined && (meant === at + 1 || ARTICLES.has(tokens[at + 1]?.norm ?? '')) && resembles(begun, wanted) ? meant : undefined
}
