/** Finds words that put a request off: a later time, a repetition, a condition. */
import { PhraseList } from './phrases-at.ts'
import type { Token } from './tokens.ts'
import { NUMBER_WORDS, PREPOSITION, TIME_AHEAD, TIME_UNIT } from './words/classes.ts'
import { SUFFIXES } from './words/suffixes.ts'
import { lemmas } from './words/verbs.ts'

const CLOCK = /^\d{1,2}(?:[:.]\d\d)?(?:am|pm|h|ish)?$/
const isNumber = (word: string): boolean => /^\d/.test(word) || (NUMBER_WORDS.has(word) && word !== 'and' && word !== 'oh' && word !== 'point')
const DAY_PART = new Set(['morning', 'afternoon', 'evening', 'night', 'noon', 'midnight', 'lunch', 'lunchtime', 'dinner', 'dinnertime', 'breakfast', 'bedtime', 'dawn', 'dusk', 'sunset', 'sunrise', 'dark', 'nightfall', 'closing', 'midday', 'o\'clock', 'sharp', 'tomorrow', 'tonight', 'close'])

const MONTH = new Set(['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december', 'summer', 'winter', 'autumn', 'spring'])

/** Days that come once a year, by a name that is nothing else. */
const FEAST = new Set(['christmas', 'xmas', 'easter', 'thanksgiving', 'halloween', 'hogmanay', 'whitsun', 'ramadan', 'diwali', 'hanukkah', 'weihnachten', 'noël', 'navidad', 'natale', 'ostern'])
/** A time that is not told, but is not now. */
const SOME_TIME = new PhraseList(['in a moment', 'in a minute', 'in a sec', 'in a second', 'in a jiffy', 'in a tick', 'in a mo', 'one day', 'some day', 'end of day', 'by end of day', 'by the end of the day', 'end of play', 'by close of business', 'at some point', 'at some stage', 'at a later date', 'at a later time', 'at another time', 'another time', 'one of these days', 'one day soon', 'in due course', 'in due time', 'in future', 'in the future', 'in the new year', 'in the near future', 'in a bit', 'in a while', 'in a little while', 'down the line', 'down the road', 'sometime', 'later on', 'when the time comes', 'some other time'])

/** "in ten": minutes, as nobody cuts a thing in ten. */
const SHORT_NOTICE = /^(?:five|ten|fifteen|twenty|thirty|forty|forty-five|sixty|5|10|15|20|25|30|40|45|60)$/

/** Tokens that name a time ahead from here on: `at eleven tonight`, `on Friday`, `in an hour`, `tomorrow`. 0: none. */
export function timeAhead(tokens: readonly Token[], at: number, end: number): number {
  const word = (offset: number): string => at + offset < end && (offset === 0 || tokens[at + offset]?.pause !== 'hard') ? tokens[at + offset]?.norm ?? '' : ''
  const first = word(0)
  const second = word(1)
  const skip = second === 'about' || second === 'around' || second === 'exactly' || second === 'half' || second === 'quarter' || second === 'the' ? 2 : 1
  // "sunday jazz", "the friday report": a day that belongs to a noun is no time for the request.
  if (TIME_AHEAD.has(first)) {
    const before = tokens[at - 1]?.norm ?? ''
    const alone = second === '' || CLOCK.test(second) || tokens[at + 1]?.pause !== 'space' || TIME_UNIT.has(second) || PREPOSITION.has(second) || SUFFIXES.has(second) || TIME_AHEAD.has(second) || /^(?:and|if|when|or|but|so|because|first|please|would|will|could|can|i|we|he|she|they|not)$/.test(second)
    return alone && !/^(?:the|a|my|our|your|his|her|their)$/.test(before) ? 1 : 0
  }
  // "85 by 55" is a size.
  if (first === 'by' && isNumber(tokens[at - 1]?.norm ?? '')) return 0
  if (/^(?:at|by|around|from|until|till|before|after|since|um|gegen|à|a\s)$/.test(first)) {
    if (CLOCK.test(word(skip)) || (isNumber(word(skip)) && first !== 'from') || DAY_PART.has(word(skip)) || TIME_AHEAD.has(word(skip))) return skip + 1
    if (FEAST.has(second)) return 2
    if (first === 'at' && (second === 'half' || second === 'quarter' || second === 'weekends' || second === 'night')) return 2
    if (first === 'at' && second === 'the' && (word(2) === 'end' || word(2) === 'weekend' || word(2) === 'start' || word(2) === 'beginning')) return 3
  }
  if ((first === 'over' || first === 'during') && (FEAST.has(second) || (second === 'the' && /^(?:weekend|holidays?|summer|winter|week)$/.test(word(2))))) return FEAST.has(second) ? 2 : 3
  if (first === 'in' || first === 'within') {
    const number = isNumber(second) || second === 'a' || second === 'an' || second === 'about' || second === 'the' || second === 'half'
    if (number && [2, 3, 4].some(i => TIME_UNIT.has(word(i))) && ![2, 3, 4].slice(0, [2, 3, 4].findIndex(i => TIME_UNIT.has(word(i)))).some(i => !isNumber(word(i)) && !['a', 'an', 'half', 'of', 'few', 'couple', 'so'].includes(word(i)))) return 3
    if (DAY_PART.has(second) || MONTH.has(second)) return 2
  }
  if (first === 'on') {
    if (/^\d+(?:st|nd|rd|th)$/.test(second) || (MONTH.has(second) && /^\d/.test(word(2)))) return 2
    if (TIME_AHEAD.has(second) || second === 'weekends' || second === 'weekdays' || second === 'payday') return 2
    if (second === 'the' && /^\d|^(?:first|second|third|last|day|morning|evening|night|weekend|eve)/.test(word(2))) return 3
    if (word(2) === 'day' || word(2) === 'morning' || word(2) === 'evening' || word(2) === 'night') return 3
  }
  if ((first === 'next' || first === 'this' || first === 'coming') && (TIME_UNIT.has(second) || TIME_AHEAD.has(second) || second === 'time') && !(first === 'this' && /^(?:second|minute|instant)$/.test(second))) return 2
  if ((first === 'every' || first === 'each') && second !== '') return 2
  if (first === 'some' && (second === 'day' || second === 'time')) return 2
  if ((first === 'first' || first === 'last') && second === 'thing') return 2
  if (isNumber(first) && (/^(?:o'clock|oclock|am|pm)$/.test(second) || ((second === 'minutes' || second === 'hours' || second === 'days') && /^(?:from|before|after|later|past)$/.test(word(2))))) return 2
  if (first === 'from' && second === 'now') return 2
  if (first === 'the' && /^(?:day|night|week|morning|evening|month|minute|moment)$/.test(second) && /^(?:before|after)$/.test(word(2))) return 3
  if (first === 'in' && SHORT_NOTICE.test(second) && (word(2) === '' || tokens[at + 2]?.pause !== 'space' || SUFFIXES.has(word(2)))) return 2
  const [some] = SOME_TIME.lengthsAt(tokens, at, end)
  if (some !== undefined) return some
  if (first === 'half' && (second === 'past' || isNumber(second)) && isNumber(word(2))) return 3
  return 0
}

const CONDITION = new Set(['if', 'when', 'once', 'unless', 'until', 'till', 'til', 'whenever', 'after', 'before', 'provided', 'supposing', 'suppose', 'assuming', 'while', 'whilst', 'as', 'wenn', 'falls', 'sobald', 'sofern', 'quand', 'lorsque', 'dès', 'cuando', 'quando', 'als', 'zodra', 'wanneer', 'si', 'se', 'only', 'except', 'but', 'in', 'next', 'any', 'each', 'every', 'the', 'should', 'so', 'on', 'pending', 'subject'])

/** "before he logs on", "before anybody notices", but not "before you leave", "before noon". */
export function beforeClause(tokens: readonly Token[], at: number): boolean {
  const subject = tokens[at + 1]
  const verb = tokens[at + 2]
  const earlier = tokens[at - 1]?.norm ?? ''
  if (tokens[at]?.pause === 'space' && (TIME_AHEAD.has(earlier) || DAY_PART.has(earlier) || TIME_UNIT.has(earlier) || /^(?:just|right|shortly|not|day|immediately)$/.test(earlier))) return false
  if (tokens[at]?.norm !== 'before' || lemmas(verb?.norm ?? '').some(({ form }) => form === 'ed') || !subject || !verb || subject.pause !== 'space' || verb.pause !== 'space' || TIME_AHEAD.has(subject.norm)) return false
  return /^(?:i|we|he|she|it|they|anyone|anybody|someone|somebody|everyone|everybody)$/.test(subject.norm) || (subject.capital && at >= 0 && /[^s]s$/.test(verb.norm))
}

const WHEN = /^(?:if|when|once|after|unless|while)$/

/** Does a condition or a repetition open here: `if ...`, `as soon as ...`, `every time ...`? */
export function conditionAt(tokens: readonly Token[], at: number): boolean {
  const word = (offset: number): string => tokens[at + offset]?.norm ?? ''
  const first = word(0)
  if (!CONDITION.has(first)) return false
  switch (first) {
    case 'as': return word(1) === 'soon' || word(1) === 'long' || word(1) === 'often'
    case 'only': case 'except': case 'but': return WHEN.test(word(1)) || (first === 'but' && word(1) === 'only' && WHEN.test(word(2)))
    case 'so': return word(1) === 'long' && word(2) === 'as'
    // "on my signal", "on his say-so": somebody will say when.
    case 'on': return /^(?:my|his|her|their|our|the)$/.test(word(1)) && /^(?:signal|command|cue|mark|word|say|whistle)$/.test(word(2)) && (word(2) !== 'say' || word(3) === 'so')
    case 'pending': return /^(?:approval|confirmation|review|permission|his|her|their|final|further)$/.test(word(1))
    case 'subject': return word(1) === 'to' && /^(?:approval|confirmation|availability|permission|review|his|her|their)$/.test(word(2))
    // "before Ines joins, start ...", "... before I change my mind": to do it now is to do it before.
    case 'before': return !beforeClause(tokens, at)
    case 'in': return word(1) === 'case' || word(1) === 'the' && word(2) === 'event'
    case 'next': case 'any': case 'each': case 'every': return /^(?:time|day|morning|evening|night|week|hour|month|minute)$/.test(word(1))
    case 'the': return /^(?:moment|minute|second|instant|day|next|first|morning|week)$/.test(word(1)) && /^(?:it|he|she|they|you|we|i|that|the|my|time|someone|anyone|somebody|anybody)/.test(word(2))
    case 'should': return /^(?:it|he|she|they|anyone|anything|someone|the|we|i)$/.test(word(1))
    default: return true
  }
}

const ORDINAL = /^(?:(?:twenty|thirty)-?)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)$|^(?:tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)$/
const dayOfMonth = (token: Token | undefined, within: boolean): boolean => within && token !== undefined && (/^\d{1,2}(?:st|nd|rd|th)?$/.test(token.norm) || ORDINAL.test(token.norm))

/** Is the whole stretch one expression of time, as a slot for a time holds? */
export function wholeTime(tokens: readonly Token[], start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const word = tokens[at]?.norm ?? ''
    // "31 March", "the fourteenth of May": a month beside its day; "may" alone is no month.
    if (ORDINAL.test(word) || (MONTH.has(word) && (dayOfMonth(tokens[at - 1], at > start) || dayOfMonth(tokens[at + 1], at + 1 < end) || (tokens[at - 1]?.norm === 'of' && at - 2 >= start && dayOfMonth(tokens[at - 2], true))))) continue
    if (!isNumber(word) && !CLOCK.test(word) && !TIME_AHEAD.has(word) && !TIME_UNIT.has(word) && !DAY_PART.has(word)
      && !/^(?:at|on|in|the|of|past|to|next|this|half|quarter|a|an|and|from|now|later|until|till|by|for|about|around|first|second|third|\d+(?:st|nd|rd|th)|today|sharp|couple|few|or|so|instead|after|before)$/.test(word)) return false
  }
  return end > start
}

export { isNumber }
