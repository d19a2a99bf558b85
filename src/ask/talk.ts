/** Talk that runs into a request: whether its last noun can be the subject of the verb that follows, and whether a question in it is over. */
import { hasTag, isBaseVerb, isFinite } from './english.ts'
import { kindsOf } from './kinds.ts'
import { HALF, PEOPLE } from './statements.ts'
import { timeAhead } from './times.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CONJUNCTION, META, MODAL, NEGATION, NUMBER_WORDS, POSSESSIVE_OTHER, PREPOSITION, QUANTIFIER, QUESTION, SPEECH, SUBJECT } from './words/classes.ts'

/** Words of the longest talk whose last noun is looked at. */
const MOST = 14
/** "let the robot feed the cat", "saw the man open it": after these somebody else does it. */
const OTHERS_ACT = /^(?:let|lets|letting|make|makes|made|making|have|has|had|having|help|helps|helped|helping|get|gets|got|see|sees|saw|seen|seeing|watch|watches|watched|watching|hear|hears|heard|hearing|feel|feels|felt|notice|noticed|look|looks|looked|listen|listened|want|wants|wanted|need|needs|needed|like|likes|suggest|suggests|suggested|insist|insists|demand|demands|recommend|recommends|require|requires|prefer|order|orders|beg|begs)$/
/** Verbs whose past is their base form: "the dog cut the rope". */
const UNCHANGED = /^(?:put|set|shut|cut|let|read|hit|split|quit|spread|bid|reset|cast|burst|shed|upset|beat|hurt|cost|come|run|become|overcome|output|input)$/
/** An object begins: the word before it is a verb, and no noun of a compound. */
const BEGINS_OBJECT = /^(?:the|my|our|this|that|these|those|a|an|some|it|them|me|us|him|all|both|half|\d.*)$/

/** May the last noun of the talk be no more than that? A noun in the singular is no subject of a verb in its base form. */
export function leavesRoom(tokens: readonly Token[], from: number, to: number): boolean {
  const clause = tokens.slice(from, to)
  const [verb, object] = [tokens[to]?.norm ?? '', tokens[to + 1]?.norm ?? '']
  if (clause.length < 2 || clause.length > MOST || !isBaseVerb(verb) || UNCHANGED.test(verb) || !(BEGINS_OBJECT.test(object) || NUMBER_WORDS.has(object) || tokens[to + 1]?.capital === true)) return false
  if (PREPOSITION.has(clause[0]?.norm ?? '')) return false
  const rules = (word: string): boolean => NEGATION.has(word) || MODAL.has(word) || QUESTION.has(word) || CONJUNCTION.has(word) || SPEECH.has(word) || META.has(word) || OTHERS_ACT.test(word)
  if (clause.some((token, i) => rules(token.norm) || /[^\p{L}']/u.test(token.norm) || token.camel || (token.capital && i > 0) || timeAhead(tokens, from + i, to) > 0)) return false
  const last = clause[clause.length - 1] as Token
  const [word, before] = [last.norm, clause[clause.length - 2]?.norm ?? '']
  if (/[^s]s$/.test(word) || PEOPLE.test(word) || HALF.test(word) || hasTag(word, 'FirstName', 'MaleName', 'FemaleName', 'LastName', 'Person', 'Actor', 'Plural', 'Pronoun', 'Month', 'WeekDay')) return false
  if (word === 'one') return hasTag(before, 'Adjective') && !ARTICLES.has(clause[0]?.norm ?? '')
  if ([ARTICLES, PREPOSITION, QUANTIFIER, AUX, SUBJECT, BARE_SUBJECT, POSSESSIVE_OTHER, NUMBER_WORDS].some(list => list.has(word))) return false
  const kinds = kindsOf(word)
  // Groups are followed by a verb in the plural as well: "my team open the gate".
  return kinds !== undefined && !/[pg]/.test(kinds)
}

/** "saw the old dog feed the hens": seen or heard of somebody, and not asked for. A thing that was seen does nothing. */
export function witnessed(tokens: readonly Token[], from: number, to: number): boolean {
  const words = tokens.slice(from, to).map(token => token.norm)
  const seen = words.findLastIndex(word => /^(?:saw|see|seen|watched|watch|heard|hear|caught)$/.test(word))
  return seen >= 0 && !words.slice(seen + 1).some(word => isFinite(word) && !ARTICLES.has(word)) && /[pag]/.test(kindsOf(words[words.length - 1] ?? '') ?? '')
}

const BE = /^(?:is|are|was|were)$/
const PRONOUN = /^(?:i|it|that|this|he|she|they|we|you|these|those)$/

/**
 * "who's counting", "is it free", "where is she", "did you see that": a question that is complete, so that a request may follow it.
 * Questions after words, and what is asked for a thing to do ("what do I do, ..."), are none of them.
 */
export function wholeQuestion(tokens: readonly Token[], from: number, to: number): boolean {
  const words = tokens.slice(from, to).map(token => token.norm)
  const [first = '', second = '', third = ''] = words
  const last = words[words.length - 1] ?? ''
  if (words.length < 2 || words.length > MOST || words.some(word => NEGATION.has(word) || META.has(word) || SPEECH.has(word) || /^(?:if|that's|called|named|do|done|doing|try|next|better|about|supposed)$/.test(word))) return false
  if (/^(?:how|why|when|which|whose)/.test(first) || PREPOSITION.has(last) || ARTICLES.has(last) && last !== 'that' && last !== 'this') return false
  if (first === 'what' && /^an?$/.test(second)) return true
  if (/^who(?:'s)?$/.test(first)) return first === 'who' ? isFinite(second) && !AUX.has(second) || /[^s]s$/.test(second) && !AUX.has(second) : words.length === 2 && second.endsWith('ing')
  const wh = /^(?:what|where|who)$/.test(first) ? 1 : 0
  const contracted = /^(?:what|where)'s$/.test(first)
  const [aux, subject, ...rest] = contracted ? [`is`, ...words.slice(1)] : words.slice(wh)
  if (aux === undefined || subject === undefined || !PRONOUN.test(subject) && !/^(?:it's|it)$/.test(subject)) return false
  if (BE.test(aux)) return rest.length > 0 ? !BARE_SUBJECT.has(last) : (wh === 1 || contracted) && first.startsWith('where')
  return /^(?:did|do|have|has|had)$/.test(aux) && third !== '' && rest.some(word => isBaseVerb(word) || isFinite(word)) && !BARE_SUBJECT.has(last) && first !== 'what'
}
