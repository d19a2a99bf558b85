/**
 * Paraphrases that are too free to act on, but near enough to ask the owner about: a request, near a route in meaning, about the same object,
 * with a verb that is not known to do something else.
 */
import type { Candidate, Phrase } from '../types.ts'
import { isBaseVerb } from './english.ts'
import type { Request } from './request.ts'
import type { Token } from './tokens.ts'
import { words } from './tokens.ts'
import { LIGHT_VERBS, OTHER_VERBS, turnsAround } from './words/actions.ts'
import { ARTICLES, AUX, BARE_SUBJECT, INSIDE, PREPOSITION, SUBJECT } from './words/classes.ts'
import { SYNONYMS } from './words/thesaurus.ts'
import { lemmas } from './words/verbs.ts'

const EMPTY = new Set(['me', 'us', 'him', 'her', 'them', 'it', 'this', 'that', 'please', 'thanks', 'thank', 'for', 'my', 'all', 'there', 'here', 'now', 'of', 'and', 'then', 'would', 'you', 'so', 'too'])
const isEmpty = (word: string): boolean => EMPTY.has(word) || ARTICLES.has(word) || PREPOSITION.has(word) || AUX.has(word) || SUBJECT.has(word) || BARE_SUBJECT.has(word) || INSIDE.has(word) || LIGHT_VERBS.has(word)

function stem(word: string): string {
  const bare = word.replace(/'s$/, '')
  return lemmas(bare).find(lemma => lemma.form === 's' || isBaseVerb(lemma.word))?.word ?? bare
}

const leads = (list: readonly string[]): string[] => [1, 2, 3, 4].map(length => list.slice(0, length).join(' '))

/** What of a phrase a paraphrase has to share. */
export interface Gist {
  readonly route: string
  readonly phrase: Phrase
  readonly words: ReadonlySet<string>
  readonly verb: string
  readonly leads: readonly string[]
  /** Stems of its words other than the verb and the empty ones. */
  readonly object: readonly string[]
}

export function gistOf(route: string, phrase: Phrase): Gist {
  const all = phrase.parts.flatMap(part => part.kind === 'text' ? words(part.text) : [])
  const verb = all[0] ?? ''
  return { route, phrase, words: new Set(all), verb, leads: leads(all), object: [...new Set(all.slice(1).filter(word => !isEmpty(word)).map(stem))] }
}

type Verb = 'same' | 'synonym' | 'light' | 'other' | 'distant' | 'unknown'

function verbOf(gist: Gist, said: readonly string[]): Verb {
  const verb = said[0] ?? ''
  if (verb === gist.verb) return 'same'
  const given = leads(said)
  if (gist.leads.some(lead => given.some(other => SYNONYMS.get(lead)?.has(other)))) return 'synonym'
  if (LIGHT_VERBS.has(verb)) return 'light'
  if (OTHER_VERBS.has(verb)) return 'other'
  if (SYNONYMS.has(verb)) return 'distant'
  return 'unknown'
}

/** How near, from 0; undefined: not worth asking. Thresholds are read off labelled asks, see the method in bench. */
function nearness(gist: Gist, said: readonly string[], score: number): number | undefined {
  const verb = verbOf(gist, said)
  if (verb === 'same' || verb === 'other' || turnsAround(gist.words, new Set(said))) return undefined
  const content = said.slice(1).filter(word => !isEmpty(word)).map(stem)
  const shared = gist.object.filter(word => content.includes(word)).length
  const left = content.filter(word => !gist.object.includes(word) && word !== stem(gist.verb)).length
  const whole = shared === gist.object.length && shared > 0
  const near = score + (whole ? 0.15 : shared > 0 ? 0.05 : 0) + (verb === 'synonym' ? 0.1 : verb === 'light' ? 0.05 : 0) - 0.03 * left
  if (verb === 'distant') return (whole && score >= 0.5 && left <= 3) || (shared > 0 && score >= 0.55 && left <= 2) ? near : undefined
  const enough = verb === 'unknown'
    ? whole ? score >= 0.38 && left <= 5 : shared > 0 ? score >= 0.35 && left <= 5 : score >= 0.38 && left <= 4
    : whole ? score >= 0.25 && left <= 6 : shared > 0 ? score >= 0.3 && left <= 6 : score >= 0.3 && left <= 6
  return enough ? near : undefined
}

/** A longer text is a story; what it asks for, it asks in plain words. */
export const MOST_WORDS = 30

export interface Offer { readonly gist: Gist, readonly request: Request, readonly score: number, readonly nearness: number }

/** The best paraphrase of any route among the candidates, or undefined. At most one: to be asked about three things is to be asked nothing. */
export function offerOf(tokens: readonly Token[], requests: readonly Request[], candidates: readonly Candidate[], gistsOf: (route: string) => readonly Gist[] | undefined, barred: (route: string) => boolean): Offer | undefined {
  let best: Offer | undefined
  if (tokens.length > MOST_WORDS) return undefined
  for (const candidate of candidates.slice(0, 3)) {
    if (barred(candidate.route)) continue
    for (const request of requests) {
      const said = tokens.slice(request.start, request.end).map(token => token.norm)
      const own = gistsOf(candidate.route) ?? []
      // The route's own verb with something else is something else: "delete the draft label".
      if (own.some(gist => gist.verb === said[0] && !LIGHT_VERBS.has(gist.verb))) continue
      for (const gist of own) {
        const near = nearness(gist, said, candidate.score)
        if (near !== undefined && (best === undefined || near > best.nearness)) best = { gist, request, score: candidate.score, nearness: near }
      }
    }
  }
  return best
}
