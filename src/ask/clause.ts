/** The words before the wrappers of a request, and what a rule says of them. */
import { isBaseVerb, startsRequest } from './english.ts'
import { joinedWords } from './phrases-at.ts'
import { conditionAt } from './times.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { ARTICLES, AUX, BARE_SUBJECT, PREPOSITION, SUBJECT } from './words/classes.ts'
import { PREFIXES, PREFIX_LIST } from './words/prefixes.ts'
import type { Reach } from './wrappers.ts'

/** The words before the wrappers: [head, to). */
export interface Clause {
  readonly tokens: readonly Token[]
  readonly reach: Reach
  readonly head: number
  readonly to: number
  readonly words: readonly string[]
  readonly first: string
  readonly paused: boolean
  readonly colon: boolean
  /** Begins like a request of its own. */
  readonly imperative: boolean
  /** Holds a clause about something: "that the ...", "which", "how". */
  readonly about: boolean
  /** "so ..." */
  readonly so: boolean
}

export interface Ruling { readonly objection?: Objection, readonly weak: boolean }
export type Rule = (clause: Clause) => Ruling | undefined

export const STRONG: Ruling = { weak: false }
export const WEAK: Ruling = { weak: true }
export const refuse = (reason: string, why: string, firm = true): Ruling => ({ objection: object(reason, why, firm), weak: false })
export const quote = ({ tokens, head, to }: Clause, words = 6): string => `"${joinedWords(tokens, head, Math.min(to, head + words))}"`

/** "hey, if ...", "ok when ...": wrappers may stand before the clause too. */
function headOf(tokens: readonly Token[], from: number, to: number): number {
  let head = from
  for (let moved = true; moved && head < to;) {
    moved = false
    for (const length of PREFIX_LIST.lengthsAt(tokens, head, to)) {
      const phrase = joinedWords(tokens, head, head + length)
      const next = tokens[head + 1]
      // "look at that" is no "look, ...".
      if (length === 1 && isBaseVerb(phrase) && next?.pause === 'space' && (PREPOSITION.has(next.norm) || ARTICLES.has(next.norm))) continue
      if (PREFIXES.get(phrase) !== 'particle' || (conditionAt(tokens, head) && length === 1)) continue
      head += length
      moved = true
      break
    }
  }
  return head
}

export function clauseOf(tokens: readonly Token[], from: number, reach: Reach): Clause {
  const to = reach.at
  const head = headOf(tokens, from, to)
  const words = tokens.slice(head, to).map(token => token.norm)
  const first = words[0] ?? ''
  const pause = tokens[to]?.pause
  const about = words.some((word, i) => {
    const next = words[i + 1] ?? ''
    return /^(?:which|who|whose|how|where|why|whether)$/.test(word) || (word === 'that' && (i === words.length - 1 || SUBJECT.has(next) || ARTICLES.has(next) || AUX.has(next)))
  })
  return {
    tokens, reach, head, to, words, first, about, paused: pause === 'soft' || pause === 'colon', colon: pause === 'colon',
    imperative: startsRequest(first, words[1] ?? '') && !AUX.has(first) && !BARE_SUBJECT.has(first), so: (reach.link ?? '').startsWith('so'),
  }
}
