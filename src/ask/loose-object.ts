/** What an open slot of a bare verb may hold: with no other word to tell, only a clean object makes it a request. */
import type { Alignment } from './align.ts'
import { inDictionary } from './dictionary.ts'
import { hasTag, isBaseVerb, isFinite, isWord } from './english.ts'
import { kindsOf } from './kinds.ts'
import { joinedWords } from './phrases-at.ts'
import type { Token } from './tokens.ts'
import { object, type Objection } from './verdict.ts'
import { LIGHT_VERBS } from './words/actions.ts'
import { ARTICLES, DEFINITE, NUMBER_WORDS, PREPOSITION } from './words/classes.ts'
import { IDIOMS } from './words/idioms.ts'
import { isHandleName } from './slot-types.ts'
import { SUFFIXES } from './words/suffixes.ts'
import { lemmas } from './words/verbs.ts'

/** For a trigger that is one verb and an open slot: what code and commit lines are made of, never what people name. */
function vague(words: readonly Token[], oddCase: boolean): boolean {
  const first = words[0]?.norm ?? ''
  if (words.some(token => /#\p{L}|\p{L}\.\w+\.\p{L}/u.test(token.norm) || (token.camel && !oddCase))) return true
  if (first.endsWith('ing') && lemmas(first).some(({ word }) => isBaseVerb(word))) return true
  const definite = /^(?:the|my|our|this|that|these|those|all|both|each|every|everyone|everybody|everything|anyone|anybody|anything|whoever|whatever|whichever|\p{N}.*)$/u.test(first) || words[0]?.capital === true || !(isWord(first) || inDictionary(first))
  if (hasTag(first, 'PastTense', 'Participle') && !words[0]?.capital) return true
  return !definite && words.length > 3 && words.some((token, i) => i > 0 && PREPOSITION.has(token.norm) && token.norm !== 'of')
}

/** Prepositions that turn the object of a bare verb into something else: "call dibs on", "print warnings about". */
const WIDENS = new Set(['on', 'with', 'from', 'about', 'over', 'against', 'to', 'into', 'through', 'without', 'as', 'by', 'until', 'around', 'via', 'per', 'if', 'when', 'for', 'behind', 'under', 'above', 'between'])

const PLACES = new Set(['on', 'by', 'under', 'above', 'behind', 'between', 'around'])

/** A verb and a message: with a particle it is another verb ("log in to the wifi"); with words of programs it is a title ("Announce user-zh list"). */
function looseMessage({ pattern, fills, start }: Alignment, tokens: readonly Token[]): Objection | undefined {
  const [fill] = fills
  if (pattern.needs.length !== 1 || !fill || fills.length > 1 || !fill.clausal || fill.start > start + 1) return undefined
  const own = tokens.slice(fill.start, fill.end)
  if (own.length > 1 && /^(?:in|out|off|up|down|over|back|away|through|around)$/.test(own[0]?.norm ?? '')) return object('other-sense', `"${own[0]?.norm ?? ''}" makes it another verb`, false)
  const told = own.some(token => isFinite(token.norm) || ARTICLES.has(token.norm))
  const technical = own.some((token, i) => token.camel || /\p{L}[._]\p{L}/u.test(token.norm) || (token.before === '-' && i > 0 && !isWord(token.norm) && !inDictionary(token.norm)))
  return technical && !told ? object('mention', 'it is written like a title', false) : undefined
}

export function looseObject(alignment: Alignment, tokens: readonly Token[]): Objection | undefined {
  const { pattern, fills } = alignment
  if (!pattern.bare) return undefined
  const message = looseMessage(alignment, tokens)
  if (message) return message
  // "print the threads and lock information": where the object ends nobody can tell.
  const joined = tokens.slice(alignment.end, alignment.end + 3).map(token => token.norm)
  if (fills.at(-1)?.end === alignment.end && joined[0] === 'and' && joined.length === 3 && tokens[alignment.end]?.pause === 'space' && [joined[1], joined[2]].every(word => kindsOf(word ?? '') !== undefined && !LIGHT_VERBS.has(word ?? '')) && (joined[2] ?? '').length > 3 && !isFinite(joined[2] ?? '') && SUFFIXES.lengthsAt(tokens, alignment.end + 2, tokens.length).length === 0 && !/^(?:play|show|turn|email|text|call)$/.test(joined[1] ?? '')) return object('other-object', `"${joined.join(' ')}" may go on with it`, false)
  const [fill] = fills
  if (!fill || fill.start > alignment.start + 2 || fills.length > 1 || fill.clausal || fill.slot.type !== undefined) return undefined
  const words = tokens.slice(fill.start, fill.end)
  const [turn] = fill.start > alignment.start ? IDIOMS.lengthsAt(tokens, alignment.start, tokens.length) : []
  if (turn !== undefined && words[0]?.capital !== true && fill.end === alignment.end && alignment.start + turn > fill.start) return object('other-sense', `"${joinedWords(tokens, alignment.start, alignment.start + turn)}" is a turn of phrase`, false)
  const [lead = '', link = ''] = words.map(token => token.norm)
  // "install date of the lamp": a noun, and no verb with its object.
  if (link === 'of' && !/^(?:the|all|both|some|most|any|each)$/.test(lead) && words[0]?.capital !== true && /^[xtcip]/.test(kindsOf(lead) ?? '')) return object('other-sense', `"${joinedWords(tokens, alignment.start, fill.start + 1)}" is a thing`, false)
  if (words.length > 1 && /^(?:reminders?|todos?|tasks?|checklist)$/.test(words[words.length - 1]?.norm ?? '') && !DEFINITE.has(lead)) return object('mention', `"${words[words.length - 1]?.norm ?? ''}" makes it a thing`, false)
  const final = words[words.length - 1]?.norm ?? ''
  // "log my brother's browser out": with the particle the verb is another one.
  if (words.length > 1 && /^(?:out|off|down|in|on|over|away|through)$/.test(final) && words[0]?.capital !== true) return object('other-sense', `"${final}" makes it another verb`, false)
  const owner = words.findIndex(token => token.norm.endsWith('\'s'))
  if (owner >= 0 && owner + 1 < words.length && fill.start === alignment.start + 1 && IDIOMS.has(`${tokens[alignment.start]?.norm ?? ''} my ${joinedWords(tokens, fill.start + owner + 1, fill.end)}`)) return object('other-sense', 'it is a turn of phrase', false)
  if (pattern.needs.length === 1 && vague(words, tokens[alignment.start]?.camel === true || (words.length === 1 && isHandleName(fill.slot.name)))) return object('other-object', `"${joinedWords(tokens, fill.start, fill.end)}" may be another thing than its slot is for`, false)
  // "the raised beds", but not "warnings raised by tests".
  const attribute = (i: number): boolean => ARTICLES.has(words[i - 1]?.norm ?? '') && words[i + 1] !== undefined && !PREPOSITION.has(words[i + 1]?.norm ?? '')
  const past = words.find((token, i) => i > 0 && hasTag(token.norm, 'PastTense') && !attribute(i) && (!words[0]?.capital || words[i + 1]?.norm === 'by'))
  if (past) return object('other-sense', `"${past.norm}" makes it a sentence`, false)
  const title = words.every(token => token.capital || PREPOSITION.has(token.norm) || ARTICLES.has(token.norm) || /^\P{L}/u.test(token.norm))
  if (title || /^(?:whoever|whatever|whichever)$/.test(words[0]?.norm ?? '')) return undefined
  const definite = /^(?:the|my|our|this|that|these|those|all|both|every|everyone|everybody|everything|anyone|anybody|anything)$/.test(words[0]?.norm ?? '') || NUMBER_WORDS.has(words[0]?.norm ?? '')
  // "the pots by the door": where a thing is tells which it is.
  const places = (i: number): boolean => definite && PLACES.has(words[i]?.norm ?? '') && /^(?:the|my|our)$/.test(words[i + 1]?.norm ?? '') && words[i - 1]?.norm.endsWith('ing') !== true && !words.some((token, other) => other > 0 && other !== i && PREPOSITION.has(token.norm))
  // "length in the message", "information in stacks page": a place in writing, not where a thing is.
  const within = pattern.needs.length === 1 ? words.find((token, i) => i > 0 && token.norm === 'in' && !token.capital && (!definite || !/^(?:the|my|our|this|that|here|there|\p{N}.*)$/u.test(words[i + 1]?.norm ?? '')) && words[i + 1]?.capital !== true && (isWord(words[i + 1]?.norm ?? '') || inDictionary(words[i + 1]?.norm ?? '')) && !NUMBER_WORDS.has(words[i + 1]?.norm ?? '') && !hasTag(words[i + 1]?.norm ?? '', 'Date', 'Place')) : undefined
  if (within && words.length > 3) return object('other-object', `"${joinedWords(tokens, fill.start, fill.end)}" may be another thing than its slot is for`, false)
  const pointed = definite && words.slice(1, 4).some(token => /^(?:one|ones)$/.test(token.norm))
  const wide = pointed ? undefined : words.find((token, i) => i > 0 && WIDENS.has(token.norm) && !places(i))
  const doing = words.findIndex((token, i) => i > 1 && token.norm.endsWith('ing') && PREPOSITION.has(words[i - 1]?.norm ?? ''))
  if (doing > 0) return object('other-sense', `"${joinedWords(tokens, fill.start, fill.end)}" is a turn of phrase`, false)
  if (words[0]?.norm === 'your') return object('other-object', 'it is not the speaker\'s', false)
  return wide ? object('other-object', `"${joinedWords(tokens, fill.start, fill.end)}" may be another thing than its slot is for`, false) : undefined
}

/** "... return the sandals" after other words is more likely a request than "... return values". */
export function definiteFill(alignment: Alignment, tokens: readonly Token[]): boolean {
  const fill = alignment.fills[0]
  const first = fill ? tokens[fill.start] : undefined
  if (!fill || !first) return false
  const named = (first.capital && fill.end - fill.start <= 3) || hasTag(first.norm, 'FirstName', 'MaleName', 'FemaleName', 'Person') || !(isWord(first.norm) || inDictionary(first.norm))
  return named || /^(?:the|my|our|this|that|\p{N}.*)$/u.test(first.norm) || NUMBER_WORDS.has(first.norm)
}
