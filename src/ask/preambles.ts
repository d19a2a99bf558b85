/** Talk that comes before a request and is over when it begins: a hesitation, a thing said twice, what is done meanwhile. */
import { hasTag } from './english.ts'
import { kindsOf } from './kinds.ts'
import { timeAhead } from './times.ts'
import type { Token } from './tokens.ts'
import { HALF, MOST_APART, PEOPLE } from './statements.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CONJUNCTION, META, MODAL, NEGATION, POSSESSIVE_OTHER, PREPOSITION, QUANTIFIER, QUESTION, SPEECH, SUBJECT } from './words/classes.ts'

/** What is said while the next sentence is thought of. */
export const HESITATION = /^(?:u+m+|u+h+m?|e+r+m?|h+m+|m+|ugh+|argh+|gah|phew|whew|pff|brr+|aw+|wow|yikes|oops|whoops|jeez|sheesh|ahem|haha|lol)$/

/** "while I find the tweezers: ...", "while I'm up, ...": what goes on meanwhile. */
export const meanwhile = (tokens: readonly Token[], head: number): boolean => tokens[head]?.norm === 'while' && /^(?:i|i'm|we|we're)$/.test(tokens[head + 1]?.norm ?? '')

/** "..., which she won't so call ...": what she will not do has been said before. */
export function elliptic(tokens: readonly Token[], head: number, to: number): boolean {
  const last = tokens[to - 1]?.norm ?? ''
  const subject = tokens[to - 2]?.norm ?? ''
  return to - head > 4 && (last.endsWith('n\'t') || /^(?:did|does|do|have|has|had|is|are|was|were|am)$/.test(last)) && (BARE_SUBJECT.has(subject) || (/^(?:never|always|already)$/.test(subject) && BARE_SUBJECT.has(tokens[to - 3]?.norm ?? '')))
}

/**
 * "friday at last um mix ...", "two approvals and a cake um merge it": talk, then a hesitation, then something else. Unlike `standsApart` it may be anything that neither tells of words,
 * asks, denies or puts a condition, nor waits for more: after "the um" or "she um" the verb goes on with it.
 */
export function breaksOff(tokens: readonly Token[], from: number, to: number): boolean {
  const clause = tokens.slice(from, to)
  const last = clause[clause.length - 1]
  if (!last || clause.length < 2 || clause.length > MOST_APART) return false
  const near = clause.slice(-3).map(token => token.norm)
  if (near.some(word => SPEECH.has(word) && !/^(?:like|love|need)$/.test(word))) return false
  const rules = (word: string): boolean => NEGATION.has(word) || META.has(word) || QUESTION.has(word) || MODAL.has(word) || /^(?:if|when|whenever|unless|until|once|after|before|while|because|or|but|that|which|who|to|que|si|wenn|als)$/.test(word)
  if (clause.some((token, i) => rules(token.norm) || /[^\p{L}']/u.test(token.norm) || token.camel || timeAhead(tokens, from + i, to) > 0)) return false
  const word = last.norm
  // "our neighbours um feed ...": a subject that hesitates.
  if (clause.some((token, i) => i + 2 >= clause.length && kindsOf(token.norm)?.includes('p') === true) || (/[^s]s$/.test(word) && (ARTICLES.has(clause[0]?.norm ?? '') || POSSESSIVE_OTHER.has(clause[0]?.norm ?? '') || /^(?:our|my)$/.test(clause[0]?.norm ?? '')))) return false
  return !ARTICLES.has(word) && !PREPOSITION.has(word) && !QUANTIFIER.has(word) && !AUX.has(word) && !SUBJECT.has(word) && !BARE_SUBJECT.has(word) && !POSSESSIVE_OTHER.has(word) && !CONJUNCTION.has(word) && !HALF.test(word) && !PEOPLE.test(word)
    && !hasTag(word, 'FirstName', 'MaleName', 'FemaleName', 'Person', 'LastName', 'Actor', 'Pronoun')
}

/** Words of the longest exclamation that is said twice. */
const MOST_REPEATED = 4

/** "wet hands wet hands pick up ...": what is said twice is an exclamation, and no subject of the verb. */
export function repeats(tokens: readonly Token[], from: number, to: number): boolean {
  const clause = tokens.slice(from, to).map(token => token.norm)
  const [first = ''] = clause
  if (NEGATION.has(first) || MODAL.has(first) || SPEECH.has(first) || ARTICLES.has(first) || PREPOSITION.has(first)) return false
  for (let length = 1; length <= MOST_REPEATED; length++) {
    if (clause.length >= length * 2 && clause.length % length === 0 && clause.every((word, i) => word === clause[i % length])) return true
  }
  return false
}

/** "she might um feed ...": the hesitation stands between a subject, or its modal verb, and the verb. */
export function hesitates(tokens: readonly Token[], from: number, to: number): boolean {
  let last = to - 1
  while (last > from && HESITATION.test(tokens[last]?.norm ?? '')) last--
  const word = tokens[last]?.norm ?? ''
  return last < to - 1 && (MODAL.has(word) || SUBJECT.has(word) || BARE_SUBJECT.has(word) || NEGATION.has(word) || word === 'to')
}
