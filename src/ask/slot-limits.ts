/** Where the words that a slot may hold run out: at a new clause, a condition, a time, a retraction, a closing courtesy. */
import { isBaseVerb, isFinite, startsRequest } from './english.ts'
import type { SlotElement } from './patterns.ts'
import { PhraseList } from './phrases-at.ts'
import { retractionAt } from './right.ts'
import { hintedType } from './slot-types.ts'
import { conditionAt, timeAhead, wholeTime } from './times.ts'
import type { Token } from './tokens.ts'
import { AUX, BARE_SUBJECT, NEGATION, PREPOSITION, SUBJECT } from './words/classes.ts'
import { PREFIX_LIST } from './words/prefixes.ts'
import { COURTESY, SUFFIXES, VOCATIVES } from './words/suffixes.ts'

/** Words of the longest name, and of the longest message, that a slot holds. */
export const MAX_NAME = 12
export const MAX_MESSAGE = 80
const NOT_YET = new PhraseList(['nicht', 'noch nicht', 'pas encore', 'todavía no', 'todavia no', 'aún no', 'non ancora', 'ainda não', 'nog niet', 'niet', 'que todavía no', 'que aún no'])
const JOIN = new Set(['and', 'but', 'then', 'so', 'because', 'cos', 'cuz', 'coz', 'since', 'otherwise', '&', 'or', 'also', 'plus', 'although', 'though'])
/** "whoever owns billing": a name may hold a clause after one of these. */
export const WH_EVER = /^(?:whoever|whatever|whichever|wherever|who|that|which|what|how|where|when|why)$/

/** "Flat 4, 12 Quay Road", "Hollow Hill, studio version": after a comma the name goes on, to the end of the sentence. */
function appositive(tokens: readonly Token[], at: number): boolean {
  let end = at
  while (end < tokens.length && (end === at || tokens[end]?.pause === 'space' || tokens[end]?.pause === 'glue')) end++
  if (end - at > 4 || (end < tokens.length && tokens[end]?.pause !== 'hard')) return false
  const words = tokens.slice(at, end).map(token => token.norm)
  const first = words[0] ?? ''
  if (SUFFIXES.lengthsAt(tokens, at, end).length > 0 || PREFIX_LIST.lengthsAt(tokens, at, end).length > 0 || VOCATIVES.lengthsAt(tokens, at, end).length > 0) return false
  if (isBaseVerb(first) || PREPOSITION.has(first) || NEGATION.has(first) || SUBJECT.has(first) || BARE_SUBJECT.has(first) || JOIN.has(first) || /^(?:que|weil|denn|parce|porque|che|want)$/.test(first) || WH_EVER.test(first) || retractionAt(tokens, at, true) !== undefined) return false
  return !words.some(word => /^#\d/.test(word) || isFinite(word) || word.endsWith('ing') || SUBJECT.has(word)) && timeAhead(tokens, at, end) === 0 && !conditionAt(tokens, at) && !/^(?:the|my|our|both|all|same|usual|wrong|right|last|first|full|quick|quickly|too|also|fast|slow|nothing|no)$/.test(first)
}

/** "... i can't see", "... that would be great": a sentence begins. */
function clauseStarts(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.norm ?? ''
  const next = tokens[at + 1]?.norm ?? ''
  if (/^(?:i|we|they|he|she|it|you|that|there|here|who|what)'(?:s|re|ve|ll|d|m)$/.test(word)) return true
  if (word === 'that' && /^(?:would|is|was|should)$/.test(next) && tokens[at + 2]?.norm !== undefined) return true
  if (BARE_SUBJECT.has(word) && /^(?:said|says|shouted|yelled|whispered|asked|muttered|screamed|replied|insisted)$/.test(next)) return true
  return BARE_SUBJECT.has(word) && (AUX.has(next) || next === 'just' || next === 'only' || next === 'need' || next === 'want' || next === 'think')
}

/** "... and tell me", "... because": something is joined on. */
function joins(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.norm ?? ''
  if (!JOIN.has(word)) return false
  const next = tokens[at + 1]?.norm ?? ''
  if (word === 'and' || word === '&' || word === 'or') return startsRequest(next, tokens[at + 2]?.norm ?? '') && !PREPOSITION.has(next) || SUBJECT.has(next) || /^(?:then|please|also|can|could|tell|just|don't|maybe|let's|if|when|see)$/.test(next)
  if (word === 'so' || word === 'since' || word === 'plus' || word === 'also' || word === 'then') return tokens[at]?.pause !== 'space' || SUBJECT.has(next) || isBaseVerb(next) || /^(?:the|my|that|please|we|please)$/.test(next)
  return true
}

function takenBack(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.norm ?? ''
  if (!/^(?:jk|kidding|just|only|lol|haha|nvm|nevermind|psych|abort|undo|reverse|oops|whoops|oh|no|ah|uh|um|hmm|actually|wait|scratch|scrap|never|forget|cancel|hang|belay|nah|nope|don't|not|sorry|er|but)$/.test(word)) return false
  return retractionAt(tokens, at, false) !== undefined && (word !== 'not' && word !== 'no' || retractionAt(tokens, at, true) !== undefined)
}

/** What ends a name here, if anything does. */
function endsName(tokens: readonly Token[], edits: ReadonlyMap<number, number>, end: number, timeSlot: boolean): boolean {
  const token = tokens[end] as Token
  if (edits.has(end)) return true
  if (token.norm === 'by' && /^(?:accident|mistake|error)$/.test(tokens[end + 1]?.norm ?? '')) return true
  if (token.pause === 'colon') return true
  if (token.pause === 'soft' && /[^\s"'“”‘’]/u.test(token.before) && (/[|;]/.test(token.before) || !appositive(tokens, end))) return true
  // "nicht", "pas encore": a denial in another language is no part of a name.
  if (NOT_YET.lengthsAt(tokens, end, tokens.length).length > 0 && !token.capital) return true
  if (joins(tokens, end) || clauseStarts(tokens, end)) return true
  if (/^(?:please|pls|plz|thanks|thx|ta|cheers)$/.test(token.norm) && (tokens[end + 1]?.pause ?? 'hard') !== 'space') return true
  if (SUFFIXES.lengthsAt(tokens, end, tokens.length).some(length => length >= 2 && (tokens[end + length]?.pause ?? 'hard') !== 'space' && tokens[end + length]?.pause !== 'glue')) return true
  if (conditionAt(tokens, end) && (token.norm !== 'the' || tokens[end + 1]?.capital !== true)) {
    // "after lunch", "till six" within a slot for a time.
    const inTime = timeSlot && /^(?:after|before|until|till)$/.test(token.norm) && !AUX.has(tokens[end + 2]?.norm ?? '') && (end + 1 >= tokens.length || wholeTime(tokens, end, Math.min(end + 2, tokens.length)))
    if (!inTime) return true
  }
  return !timeSlot && timeAhead(tokens, end, tokens.length) > 0
}

/** The word before which a slot that begins at `at` must end. */
export function limitOf(slot: SlotElement, tokens: readonly Token[], edits: ReadonlyMap<number, number>, at: number): number {
  const most = Math.min(tokens.length, at + (slot.clausal ? MAX_MESSAGE : MAX_NAME))
  const timeSlot = timeAhead(tokens, at, tokens.length) > 0 || ['date', 'datetime', 'time'].includes(slot.slot.type ?? hintedType(slot.slot.name) ?? '')
  const statement = slot.after === 'that' && !/^(?:message|text|msg|announcement)$/.test(slot.slot.name)
  for (let end = at + 1; end < most; end++) {
    const token = tokens[end] as Token
    if (token.pause === 'hard') return end
    if (takenBack(tokens, end) && !/^(?:not|don't|never|forget|but)$/.test(token.norm)) return end
    if (statement && token.pause === 'soft' && SUBJECT.has(token.norm)) return end
    if (!slot.clausal) {
      if (endsName(tokens, edits, end, timeSlot)) return end
    } else if (token.pause === 'soft' && (/^(?:which|who)$/.test(token.norm) || (/^(?:and|then|but)$/.test(token.norm) && isBaseVerb(tokens[end + 1]?.norm ?? '')))) return end
  }
  return most
}

/** Closing courtesies off the end: all of them from a name, only the plain ones from a message. */
export function trimmed(slot: SlotElement, tokens: readonly Token[], at: number, limit: number): number {
  const list = slot.clausal ? COURTESY : SUFFIXES
  const closes = (start: number, end: number): boolean => {
    const token = tokens[start]
    if (token?.pause === 'soft' && VOCATIVES.lengthsAt(tokens, start, end).includes(end - start)) return true
    const lengths = list.lengthsAt(tokens, start, end)
    if (lengths.some(length => start + length < end && VOCATIVES.lengthsAt(tokens, start + length, end).includes(end - start - length))) return true
    // "Ashford Vale": a capital in the middle of a name is no Spanish "ok".
    return !(token?.capital === true && end - start === 1 && token.pause === 'space') && lengths.includes(end - start)
  }
  let end = limit
  for (let start = Math.max(at + 1, end - 7); start < end; start++) {
    if (!closes(start, end)) continue
    end = start
    start = Math.max(at, end - 8)
  }
  return end
}
