/** What a stretch of words before a request is: a sentence of its own, a fragment, or the beginning of one that the request would finish. */
import { inDictionary } from './dictionary.ts'
import { hasTag, isBaseVerb, isDescriptive, isFinite, isWord } from './english.ts'
import { kindsOf } from './kinds.ts'
import { timeAhead } from './times.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CONJUNCTION, DEFINITE, INDEFINITE, META, MODAL, NEGATION, POSSESSIVE_OTHER, PREPOSITION, QUANTIFIER, QUESTION, SPEECH, SUBJECT } from './words/classes.ts'
import { lemmas } from './words/verbs.ts'

/** The first word of a clause that makes it a statement, or -1: "is", "went", "I only just put", "the show starts". */
export function finiteAt(tokens: readonly Token[], from: number, to: number): number {
  let subject = -1
  for (let at = from; at < to; at++) {
    const word = tokens[at]?.norm ?? ''
    const before = tokens[at - 1]?.norm ?? ''
    if (BARE_SUBJECT.has(word) || word === 'these' || word === 'those') subject = at
    if (isFinite(word) && !(at === from && isBaseVerb(word))) return at
    if (subject >= 0 && at > subject && at - subject <= 3 && isBaseVerb(word) && !/^(?:to|not)$/.test(before)) return at
    if (at > from && /[^s]s$/.test(word) && lemmas(word).some(({ word: stem, form }) => form === 's' && isBaseVerb(stem)) && !ARTICLES.has(before) && !PREPOSITION.has(before) && !isDescriptive(before) && !POSSESSIVE_OTHER.has(before)) return at
  }
  return -1
}

/** "I only just put it up", "gone back in": a preposition with nothing to govern. */
export function isClosingParticle(tokens: readonly Token[], from: number, at: number): boolean {
  const word = tokens[at]?.norm ?? ''
  return /^(?:up|down|off|out|over|in|on|through|around|past|by|inside|outside|along|below|above|about|since)$/.test(word) && at > from && (finiteAt(tokens, from, at) >= 0 || isBaseVerb(tokens[from]?.norm ?? ''))
}

/** A statement that is complete before the request begins: it has a verb of its own, and does not end in its subject's name. */
export function complete(tokens: readonly Token[], from: number, to: number): boolean {
  const clause = tokens.slice(from, to).map(token => token.norm)
  const place = finiteAt(tokens, from, to)
  const finite = place - from
  if (place < 0) return false
  const told = clause.slice(-4).findLastIndex(word => SPEECH.has(word) && !/^(?:like|need|needs|love|try|tried|see|saw|read|help|helps)$/.test(word))
  if (told >= 0 && !clause.slice(-4).slice(told + 1).some(word => isFinite(word))) return false
  const tail = clause.slice(Math.max(finite + 1, clause.length - 6))
  // "I'm not touching that fader again": it points, and opens no clause.
  return !tail.some((word, i) => /^(?:which|who|whose|whether|if|how|why)$/.test(word) || (word === 'that' && !(i + 1 < tail.length && !isFinite(tail[i + 1] ?? '') && !BARE_SUBJECT.has(tail[i + 1] ?? '') && !ARTICLES.has(tail[i + 1] ?? ''))))
}

/** "coffee in hand", "him again", "all gone": no verb, but more than somebody's name. */
export function fragment(tokens: readonly Token[], from: number, to: number): boolean {
  if (to - from < 2) return false
  const clause = tokens.slice(from, to).map(token => token.norm)
  const last = clause[clause.length - 1] ?? ''
  if (/[^s]s$/.test(last) && !isDescriptive(last)) return false
  for (let at = from; at < to; at++) if (timeAhead(tokens, at, to) > 0) return false
  if (/^(?:them|him|her|us|you|they|we|he|she)$/.test(last)) return false
  if (/^(?:people|folks|men|women|children|kids|staff|team|crew)$/.test(last)) return false
  if (clause.some(word => /^(?:if|when|that|which|who|to|how|why|what|whether|never|not|always|can|will)$/.test(word))) return false
  return clause.slice(1).some(word => PREPOSITION.has(word) || /^(?:again|everywhere|gone|done|ready|here|there|now|already|first|too|all|set|clear|sorted|empty|full|over|time)$/.test(word)) || clause[0] === 'all'
}

/** A word after which a new sentence can begin without a pause in speech. */
export function settles(tokens: readonly Token[], last: number): boolean {
  const word = tokens[last]?.norm ?? ''
  // "at the top of the ramp": after an article it is a noun, whatever else it may be.
  if (tokens[last + 1]?.pause === 'space' && /^(?:the|my|our|a|an)$/.test(tokens[last - 1]?.norm ?? '') && !/^(?:the|my|our|a|an|to|of)$/.test(word)) return true
  return !DEFINITE.has(word) && !INDEFINITE.has(word) && (isDescriptive(word) || word === 'back' || !isBaseVerb(word)) && !/^(?:and|or|but|the|a|to|of)$/.test(word)
}

/** "found some", "fits": a verb that tells something, where a name or a thing might stand. */
export function tellsFact(tokens: readonly Token[], at: number): boolean {
  const verb = tokens[at]
  if (!verb || verb.capital || isBaseVerb(verb.norm)) return false
  const next = tokens[at + 1]
  // "lights" is a noun too.
  if (hasTag(verb.norm, 'PresentTense') && (kindsOf(verb.norm) === undefined || (next !== undefined && (ARTICLES.has(next.norm) || hasTag(next.norm, 'Adverb', 'Adjective'))))) return true
  if (/[^s]s$/.test(verb.norm) && next !== undefined && lemmas(verb.norm).some(({ word, form }) => form === 's' && isBaseVerb(word))) return hasTag(next.norm, 'Adverb', 'Adjective') || /^(?:nowhere|fine|well|ok|okay|me|us|him|her|it)$/.test(next.norm)
  return hasTag(verb.norm, 'PastTense') && (!next || next.pause === 'hard' || ARTICLES.has(next.norm) || /^(?:it|them|him|her|me|us|some|more|enough|one|out|already|today|yesterday)$/.test(next.norm))
}

/** Words of talk before a request that may come without a pause. */
export const MOST_APART = 8
/** Plurals that are the subject of what follows. */
export const PEOPLE = /^(?:people|folks|men|women|children|kids|staff|team|crew|police)$/

const FOREIGN_ARTICLE = /^(?:le|la|les|l'\S+|der|die|das|den|dem|el|los|las|il|lo|gli|o|os|de|het|een|un|une|ein|eine|einen|una|uno|um|uma|des|du)$/
/** Half a word: "un freeze". */
export const HALF = /^(?:un|re|dis|de|non|over|pre|up|out|mis|in|co|auto|multi)$/

/** A noise, a slang word, a word of another language: no subject of an English verb. */
const isNoise = (word: string): boolean => /^[^aeiouy]+$/.test(word) || !hasTag(word, 'Noun', 'FirstName', 'MaleName', 'FemaleName', 'Person', 'LastName') && !isWord(word) && !inDictionary(word)

/**
 * "lost my purse freeze ...", "payday yay top up ...": talk that can neither rule the verb that follows nor be its subject. It ends in a noise, or tells without a subject how things
 * are: "off to bed", "too small", "missed the bus".
 * @param noisy wrappers stand between it and the verb
 */
export function standsApart(tokens: readonly Token[], from: number, to: number, noisy: boolean): boolean {
  if (to - from > MOST_APART) return false
  const clause = tokens.slice(from, to)
  const [first, last] = [clause[0] as Token, clause[clause.length - 1] as Token]
  const leaves = (i: number): boolean => (i === 0 && /^(?:gotta|gonna)$/.test(first.norm) && clause.length <= 3) || (i === 1 && clause[1]?.norm === 'to' && /^(?:off|out|back|on|up|down)$/.test(first.norm))
  const rules = (word: string): boolean => NEGATION.has(word) || MODAL.has(word) || META.has(word) || SPEECH.has(word) || QUESTION.has(word) || CONJUNCTION.has(word) || FOREIGN_ARTICLE.test(word) || /^(?:qu'.*|que|cosa|dire|wat)$/.test(word)
  if (clause.some((token, i) => (rules(token.norm) && !leaves(i)) || /'(?:s|ll|d|ve|re|m)$|[^\p{L}']/u.test(token.norm) || token.camel || hasTag(token.norm, 'Month', 'Date', 'WeekDay', 'Holiday') || (token.capital && i > 0) || timeAhead(tokens, from + i, to) > 0)) return false
  const word = last.norm
  if (ARTICLES.has(word) || PREPOSITION.has(word) || QUANTIFIER.has(word) || AUX.has(word) || SUBJECT.has(word) || BARE_SUBJECT.has(word) || POSSESSIVE_OTHER.has(word) || PEOPLE.test(word) || HALF.test(word)) return false
  if (hasTag(word, 'FirstName', 'MaleName', 'FemaleName', 'Person', 'LastName', 'Actor', 'Plural', 'Pronoun') || (first.capital && clause.length === 1)) return false
  if (isNoise(word)) return true
  if (/[^s]s$/.test(word) || (clause.length < 2 && !noisy) || ARTICLES.has(first.norm) || POSSESSIVE_OTHER.has(first.norm)) return false
  return noisy || /^(?:off|out|back|on|in|too|so|all|gotta|just|still|almost|nearly|finally|half)$/.test(first.norm) || hasTag(first.norm, 'PastTense', 'Participle', 'Gerund') || lemmas(first.norm).some(lemma => lemma.form === 'ed' && isBaseVerb(lemma.word)) || word.endsWith('ing') || hasTag(word, 'Adjective', 'PastTense', 'Participle', 'Adverb')
}
