/**
 * Is a text plainly talk, whatever it is about: a statement or a question without a word that could be an order, or a line that a program wrote? A trained reader need not be asked whether it
 * asks for something. Where in doubt it is no talk.
 */
import { isBaseVerb, isFinite, startsRequest } from './english.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, AUX, BARE_SUBJECT, FINITE_BE, INSIDE, MODAL, NEGATION, PARTICLE, POSSESSIVE_OTHER, PREPOSITION, QUANTIFIER, QUESTION, SUBJECT } from './words/classes.ts'

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words that need, wish, ask or thank: what they are said with may be a request in any form. */
const WISH = set('please pls plz kindly want wants wanna need needs like wish let lets let\'s lemme must gotta should ought thanks thx thank mind gimme bitte porfa favor favour could can would will time')
/** One of these after a verb, and it may be an order: "sort me a renewal", "count down", "log 9 bundles". */
const OBJECT = set('me us it him them all everything')
/** Said before an order that no mark sets off: "and add", "so add", "just mute". */
const BEFORE_ORDER = set('and so then or but also too yes no not nah hey hi hello right sorry today already')
/** Prepositions that also end what is said of a place or time: "she's outside open the door". */
const ENDS = set('outside inside above below behind before after since around along past')
/** "shift him": whatever the first word is. */
const PERSON = set('me us it him them')
/** Tells something by itself; a word in -s may be a plural. */
const tells = (word: string): boolean => FINITE_BE.has(word) || AUX.has(word) || (isFinite(word) && !word.endsWith('s')) || (NEGATION.has(word) && word !== 'no')
const isObject = (word: string): boolean => OBJECT.has(word) || ARTICLES.has(word) || POSSESSIVE_OTHER.has(word) || PARTICLE.has(word) || QUANTIFIER.has(word) || /^[\d$€£#@]/.test(word)
/** After one of these a verb is no order: "to open", "they open", "the open", "of open". */
const isBound = (word: string): boolean => SUBJECT.has(word) || BARE_SUBJECT.has(word) || ARTICLES.has(word) || POSSESSIVE_OTHER.has(word) || MODAL.has(word) || AUX.has(word) || (PREPOSITION.has(word) && !PARTICLE.has(word) && !ENDS.has(word))

function mayOrder(tokens: readonly Token[], at: number): boolean {
  const { norm, pause } = tokens[at] as Token
  const [before, after] = [tokens[at - 1]?.norm, tokens[at + 1]]
  if (before === undefined || pause === 'soft' || pause === 'hard' || pause === 'colon') return isBaseVerb(norm) || startsRequest(norm, after?.norm ?? '') || (PERSON.has(after?.norm ?? '') && !isBound(norm))
  if (!isBaseVerb(norm)) return false
  if (BEFORE_ORDER.has(before) || INSIDE.has(before)) return true
  return !isBound(before) && (after === undefined || after.pause === 'hard' || isObject(after.norm))
}

/** What people do not write when they ask: the number of a change, the type of a commit, a level of a log, a time to the second, a call, a path. */
const WRITTEN_BY_PROGRAM = /\(#\d+\)\s*$|^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([^)]*\))?!?: |^\[(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\]|\d\d:\d\d:\d\d|[\w\])]\(\)|\w::\w|[\\/][\w.-]+[\\/][\w.-]+[\\/][\w.-]+[\\/]/

/** Longer texts are not read by it either. */
const LONGEST = 4000

/** @param tokens of the text */
export function isTalk(text: string, tokens: readonly Token[]): boolean {
  if (text.length > LONGEST) return false
  if (WRITTEN_BY_PROGRAM.test(text)) return true
  let told = false
  for (let at = 0; at < tokens.length; at++) {
    const { norm, asks } = tokens[at] as Token
    if (WISH.has(norm) || mayOrder(tokens, at)) return false
    told ||= asks || tells(norm) || (at === 0 && QUESTION.has(norm))
  }
  return told
}
