/** Which stretches of a text a typed slot can hold. Coarse on purpose: the filler parses the value and may still refuse it. */
import type { SlotType } from '../types.ts'
import { inDictionary } from './dictionary.ts'
import { hasTag, isBaseVerb, isWord } from './english.ts'
import { kindsOf } from './kinds.ts'
import { typingDistance } from './slips.ts'
import { isNumber, wholeTime } from './times.ts'
import type { Token } from './tokens.ts'
import { NUMBER_WORDS, PREPOSITION, TIME_UNIT } from './words/classes.ts'

const LINK = new Set(['a', 'an', 'and', 'half', 'of', 'quarter', 'couple', 'few', 'point', 'oh', 'the', 'another', 'like', 'about', 'more', 'extra', 'further', 'good', 'whole', 'full'])
const SHORT_DURATION = /^\d+(?:[.,]\d+)?(?:ms|s|sec|secs|m|min|mins|h|hr|hrs|d|w)(?:\d+(?:m|s|min)?)?$/

function isDuration(tokens: readonly Token[], start: number, end: number): boolean {
  let unit = false
  if (tokens[start]?.norm === 'like') return false
  for (let at = start; at < end; at++) {
    const word = tokens[at]?.norm ?? ''
    if (TIME_UNIT.has(word) || SHORT_DURATION.test(word) || slippedUnit(word)) unit = true
    else if (!isNumber(word) && !LINK.has(word)) return false
  }
  return unit
}

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'minute', 'hour', 'week', 'month']
const SLIPPED = [...NUMBER_WORDS].filter(word => word.length >= 4)

/** "tweny": no word, and one letter from a number. */
function slippedNumber(word: string): boolean {
  return word.length >= 4 && /^[a-z]+$/.test(word) && !isWord(word) && !inDictionary(word) && SLIPPED.some(number => typingDistance(word, number, 1) <= 1)
}

/** "mintues", "huors": two letters swapped, or one lost. */
function slippedUnit(word: string): boolean {
  return word.length >= 4 && /^[a-z]+$/.test(word) && !isWord(word) && !inDictionary(word) && UNITS.some(unit => typingDistance(word, unit, 1) <= 1)
}

function isNumeric(tokens: readonly Token[], start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const word = tokens[at]?.norm ?? ''
    if (!isNumber(word) && !slippedNumber(word) && !(at > start && LINK.has(word)) && !(at === start && (word === 'a' || word === 'an') && end > start + 1) && !(/^(?:double|triple|treble)$/.test(word) && at + 1 < end && isNumber(tokens[at + 1]?.norm ?? ''))) return false
  }
  return end > start
}

const MONEY = /^[$€£¥₹]|[$€£]$/
const CURRENCY = /^(?:dollars?|euros?|pounds?|quid|bucks?|rupees?|yen|cents?|pence|francs?|usd|eur|gbp|chf|tenner|fiver|grand|k|coins?|crowns?|kronor|zloty|pesos?|reais|rs|inr|lakhs?|crores?|eurolar|lira)$/

const WORD_TESTS: { readonly [type in 'email' | 'url' | 'path' | 'phone' | 'word']: RegExp } = {
  email: /^[^\s@]+@[^\s@]+\.\w+$/,
  url: /^(?:https?:\/\/\S+|(?:[\w-]+\.)+\w{2,}(?:\/\S*)?)$/,
  path: /\S/,
  phone: /^\+?[\d(][\d\s()./]*$/,
  word: /^\S+$/,
}

/** Numbers as speech recognition writes them, where nothing but a number can stand. */
const NUMBER_HOMOPHONE = /^(?:won|to|too|tree|for|ate)$/

/** Can a slot of this type hold exactly these words? */
export function fitsType(type: SlotType, tokens: readonly Token[], start: number, end: number): boolean {
  switch (type) {
    case 'rest': return true
    case 'number': case 'integer': return isNumeric(tokens, start, end) || (tokens.slice(start + 1, end).every(token => token.pause === 'glue') && tokens.slice(start, end).some(token => /\d/.test(token.norm))) || /\d/.test(tokens[start]?.norm ?? '') && end === start + 1 || (NUMBER_HOMOPHONE.test(tokens[start]?.norm ?? '') && end === start + 1)
    case 'duration': return isDuration(tokens, start, end)
    case 'date': case 'time': case 'datetime': return wholeTime(tokens, start, end)
    case 'money': {
      const words = tokens.slice(start, end).map(token => token.norm)
      if (words[0] === 'like' || words.some(word => ORDINAL.test(word))) return false
      return words.some(word => isNumber(word) || MONEY.test(word) || CURRENCY.test(word)) && words.every(word => isNumber(word) || MONEY.test(word) || CURRENCY.test(word) || LINK.has(word))
    }
    case 'phone': return tokens.slice(start, end).every(token => WORD_TESTS.phone.test(token.norm))
    default: return tokens.slice(start + 1, end).every(token => token.pause === 'glue') && WORD_TESTS[type].test(tokens.slice(start, end).map(token => token.norm).join('-'))
  }
}

const HINTS: ReadonlyMap<string, SlotType> = new Map<string, SlotType>([
  ['duration', 'duration'], ['period', 'duration'], ['length', 'duration'], ['minutes', 'duration'], ['time', 'datetime'], ['date', 'datetime'], ['day', 'datetime'], ['when', 'datetime'], ['hours', 'datetime'], ['times', 'datetime'], ['deadline', 'datetime'],
  ['count', 'number'], ['number', 'number'], ['copies', 'number'], ['quantity', 'number'], ['amount', 'money'], ['price', 'money'], ['email', 'email'], ['url', 'url'], ['link', 'url'],
])

const ORDINAL = /^\d+(?:st|nd|rd|th)$/
const AMOUNTS = new Set(['duration', 'number', 'money'])
const COUNTS = /^(?:a|an|half|some|all|several|both|few|couple|plenty|lots|another|every|\p{N}.*|[$€£¥₹].*)$/u

/** "two kilos", "half a bucket": an untyped slot for an amount takes any, in whatever is counted. */
export function isAmount(name: string, hint: SlotType, tokens: readonly Token[], at: number): boolean {
  const first = tokens[at]?.norm ?? ''
  if (ORDINAL.test(first)) return false
  if (hint === 'money' && (MONEY.test(first) || tokens.slice(at + 1, at + 5).some(token => TIME_UNIT.has(token.norm) || CURRENCY.test(token.norm)))) return false
  if (hint === 'duration' && !/^(?:minutes|hours|seconds|length)$/i.test(name)) return false
  if (hint === 'duration') return isNumber(first)
  if (hint === 'number') return isNumber(first) || /^\p{N}/u.test(first) || (/^(?:a|half|another)$/.test(first) && isNumber(tokens[at + 1]?.norm ?? ''))
  return AMOUNTS.has(hint) && (isNumber(first) || COUNTS.test(first))
}

/** "two kilos", "three sacks of": no amount of anything else than what is counted in, as in "3 photos". */
export function isMeasured(tokens: readonly Token[], at: number, end: number): boolean {
  const of = tokens.findIndex((token, i) => i > at && i < end && token.norm === 'of')
  const last = tokens[(of > 0 ? of : end) - 1]?.norm ?? ''
  const kinds = end - at > 1 && !isNumber(last) ? kindsOf(last) : undefined
  return kinds === undefined || (of > 0 || tokens[end]?.norm === 'of' ? /[qmrugtf]/ : /[qmt]/).test(kinds)
}

const QUANTITY = new Set(['temperature', 'temp', 'level', 'percent', 'percentage', 'brightness', 'angle', 'degrees', 'size', 'volume', 'speed', 'weight', 'height', 'width', 'distance'])
const UNIT = /^(?:lbs?|stones?|st|oz|tons?|tonnes?|litres?|liters?|ml|cl|dl|l|yards?|yd|ft|kr|degrees?|percent|%|°?[cfk]|celsius|fahrenheit|kelvin|[kmgt]i?b|bytes?|gigs?|megs?|[cmk]?m|metres?|meters?|inch(?:es)?|feet|foot|kg|g|grams?|kilos?|pounds?|ounces?|mph|kmh|km|miles?|grados|grad|volts?|watts?|amps?|rpm|bpm|hz|db|decibels?|px|pixels?)$/

/** An untyped slot that is named like a type is read as one: `{duration}` holds a duration, `{amount}` an amount of money. */
export function hintedType(name: string): SlotType | undefined {
  return HINTS.get(name.toLowerCase())
}

/** How many of the words from here are a number with its unit; 0: none. */
export function quantity(tokens: readonly Token[], start: number, end: number): number {
  let at = start
  while (at < end && (isNumber(tokens[at]?.norm ?? '') || (at > start && LINK.has(tokens[at]?.norm ?? '') && tokens[at]?.norm !== 'the'))) at++
  if (at === start) return 0
  if (at < end && tokens[at]?.pause !== 'hard' && UNIT.test(tokens[at]?.norm ?? '')) at++
  return at - start
}

const MEASURED = new Set(['temperature', 'temp', 'percent', 'percentage', 'brightness', 'angle', 'degrees', 'weight', 'height', 'width', 'distance'])
const DEGREE = /^(?:max|maximum|min|minimum|full|half|low|lowest|high|highest|medium|lukewarm|warm|warmer|cool|cooler|cold|hot|dim|bright|brightest|dark|normal|default|zero|due|north|south|east|west|flat|upright|level|halfway|room|freezing|body)$/

/** A slot that is named for a measure holds a figure, or a word of degree: "set the oven to music" sets no temperature. */
export function isMeasure(name: string, tokens: readonly Token[], start: number, end: number): boolean {
  return !MEASURED.has(name.toLowerCase()) || tokens.slice(start, end).some(({ norm }) => isNumber(norm) || /\p{N}/u.test(norm) || DEGREE.test(norm) || slippedNumber(norm) || UNIT.test(norm))
}

const PEOPLE = /^(?:person|player|user|guest|contact|recipient|customer|caller|friend|member|pupil|student|child|patient|employee|colleague|who|whom|teammate|passenger|visitor|tenant|client)$/i

const NO_NAME_ENDS: ReadonlySet<string> = new Set([...[...PREPOSITION].filter(word => word !== 'back'), 'that', 'such', 'and', 'or', 'so'])

/** Is a slot of this name for somebody? "put me on the list" names the speaker. */
export const isPersonName = (name: string): boolean => PEOPLE.test(name) || /^(?:volunteer|attendee|participant|assignee|driver|whoever|someone|helper|invitee)$/i.test(name)

/** A slot for somebody who goes by a name of his own making: `TinyTrainTom`. */
export const isHandleName = (name: string): boolean => /^(?:player|user|username|member|handle|nick|nickname|account|channel|streamer|gamer|viewer|chatter|follower|subscriber|author|contributor|reviewer|opponent)$/i.test(name)

const KIN = /^(?:everyone|everybody|someone|somebody|anyone|all|both|gran|nan|nana|nanna|granny|gramps|pop|pops|papa|mama|ma|da|aunt|auntie|uncle|cousin|sis|bro|hubby|husband|wife|partner|kid|baby|girl|boy|lady|guy|fellow|chief|boss|staff|security|nurse|cook|chef|clerk|coach|guard|vet|team|crew|reception)$/

/** A slot for a person does not hold "a letter". */
export function mayBePerson(name: string, tokens: readonly Token[], start: number, end: number): boolean {
  if (PEOPLE.test(name) && wholeTime(tokens, start, end) && !tokens[start]?.capital) return false
  const closing = tokens[end - 1]
  if (PEOPLE.test(name) && end - start > 1 && isNumber(tokens[start]?.norm ?? '') && tokens.slice(start, end).some(token => CURRENCY.test(token.norm) || UNIT.test(token.norm) || TIME_UNIT.has(token.norm))) return false
  // "text Nora wrote on the back": no name ends so.
  if (PEOPLE.test(name) && end - start > 1 && closing?.capital === false && (NO_NAME_ENDS.has(closing.norm) || /'(?:s|ve|re|ll|d|t)$/.test(closing.norm) && /^(?:that|it|there|what|i|we|they|you|don|won|can)'/.test(closing.norm) || (hasTag(closing.norm, 'PastTense') && !isBaseVerb(closing.norm)))) return false
  const indefinite = /^(?:a|an|some)$/.test(tokens[start]?.norm ?? '')
  const last = tokens[end - 1]
  if (!PEOPLE.test(name) || !last || last.capital || last.camel || !indefinite || end - start > 2) return true
  return hasTag(last.norm, 'Actor', 'Person', 'FirstName', 'MaleName', 'FemaleName', 'LastName', 'Plural', 'Pronoun', 'Honorific') || !(isWord(last.norm) || inDictionary(last.norm)) || /(?:er|or|ist|man|woman|ess|ian|ee|ant|mate|\p{N}.*)$/u.test(last.norm) || PEOPLE.test(last.norm) || NUMBER_WORDS.has(last.norm) || KIN.test(last.norm)
}

/** Right before a figure, and nothing else: "-80". */
export function signed(text: string, start: number): boolean {
  return /(?:^|\s)[-−+]$/u.test(text.slice(Math.max(0, start - 2), start)) && /^\p{N}/u.test(text.slice(start))
}

export function isQuantityName(name: string): boolean {
  return QUANTITY.has(name.toLowerCase())
}
