/** All values of a target's kind in a text, in the target's own type and unit. No value is changed to fit: what does not fit is left out. */
import type { Json, JsonObject } from '../types.ts'
import { keyword } from '../schema/subschemas.ts'
import { obeys } from './bounds.ts'
import type { Context } from './context.ts'
import { isoDuration, readDurations } from './read/durations.ts'
import { readEmails, readPaths, readPhones, readUrls, readUuids } from './read/entities.ts'
import { readMoney } from './read/money.ts'
import { clockTime, isoDate, isoDateTime, isoTime, localDateTime, localTime, readMoments, utcDateTime, type Moment, type MomentReading } from './read/moments.ts'
import { readDigits, readNumbers } from './read/numbers.ts'
import { longest, outside, type Reading } from './read/reading.ts'
import { listSayings, readSayings, sayingsOf } from './read/words.ts'
import { splitList } from './read/lists.ts'
import { itemTarget, type Kind, type Target } from './targets.ts'

export interface Found extends Reading { readonly role?: MomentReading['role'] }
export interface Interpretation { /** Within the schema's bounds. */ readonly found: readonly Found[], /** Of the kind, but out of bounds or in a form that the type cannot hold. */ readonly unfit: readonly Found[] }

/** @param whole the text is what a slot captured: a bare number may stand for a length of time, and a string is taken as it is */
export function interpret(target: Target, text: string, context: Context, whole: boolean): Interpretation {
  const readings = whole && target.loose ? asCaptured(text) : readKind(target, text, context, whole)
  const fits = (reading: Found) => reading.value !== null && obeys(target.spots, reading.value) && (!target.integer || Number.isSafeInteger(reading.value))
  return { found: readings.filter(fits), unfit: readings.filter(reading => !fits(reading)) }
}

function readKind(target: Target, text: string, context: Context, whole: boolean): readonly Found[] {
  const kind: Kind = target.kind
  switch (kind) {
    case 'enum': return readEnum(target, text, context)
    case 'number': return withUnits(target, text, whole ? readSpoken(text) : plainNumbers(text, context))
    case 'currency': return readCurrency(target, text, context)
    case 'money': return readAmounts(target, text, context, whole)
    case 'duration-number': return readLength(target, text, whole)
    case 'duration': return readDurations(text).map(reading => ({ ...reading, value: isoDuration(reading.value) ?? null, how: 'duration' }))
    case 'date': case 'time': case 'clock': case 'date-time': return readMoment(target, kind, text, context)
    case 'timestamp': return readTimestamp(target, text, context)
    case 'hour': case 'minute': return readMoments(text, context.at, context.timeZone).filter(({ moment }) => moment.hasTime).map(({ moment, start, end, role }) => ({ value: moment[kind], start, end, role, how: 'time' }))
    case 'email': return readEmails(text)
    case 'url': return readUrls(text)
    case 'uuid': return readUuids(text)
    case 'phone': return readPhones(text)
    case 'path': return whole ? asCaptured(text) : readPaths(text)
    case 'list': return whole ? readList(target, text, context) : readRun(target, text, context)
    case 'string': return whole ? asCaptured(text) : readListed(target, text, context)
    case 'boolean': case 'untyped': case 'object': return []
    default: return kind satisfies never
  }
}

function readEnum(target: Target, text: string, context: Context): readonly Found[] {
  const list = context.synonyms.get(target.name)
  const said = readSayings(text, sayingsOf(target.values, list === undefined ? [] : context.lists.get(list) ?? []))
  const numbers = target.values.some(value => typeof value === 'number') ? readNumbers(text).filter(({ value }) => target.values.includes(value)) : []
  return longest([...said, ...numbers]).filter(({ start }) => !RULED_OUT.test(text.slice(Math.max(0, start - 40), start)))
}

/** "not red", "anything but low": said, to keep it out. */
const RULED_OUT = /(?:(?<![\p{L}\p{N}])(?:not|no|never|without|except(?: for)?|excluding|besides|nothing|neither|nor|other than|rather than|instead of|anything but|everything but)|n['\u2019]t)\s+(?:(?:the|a|an|any|be|on|in)\s+)?$|(?<![\p{L}\p{N}])non-?$/iu

/** The code of the money in the text, where its words leave no choice, or the code itself. */
function readCurrency(target: Target, text: string, context: Context): readonly Found[] {
  const said = target.values.length > 0 ? readEnum(target, text, context) : []
  const money = readMoney(text).flatMap(({ currency, start, end }) => currency !== undefined && (target.values.length === 0 || target.values.includes(currency)) ? [{ value: currency, start, end, how: 'currency of the money' }] : [])
  return longest([...said, ...money])
}

/** In a slot, "nine oh six" is a number told digit by digit. */
function readSpoken(text: string): readonly Found[] {
  const digits = readDigits(text)
  return digits ? [digits] : readNumbers(text)
}

const NEUTRAL_UNIT = /^\s?(?:%|\u00B0[CF]?|percent|per cent|degrees?|grados?|grad|degr\u00E9s?|gradi|times)(?![\p{L}\p{N}])/iu
const UNIT_WORD = /^[\s-]([\p{L}]+)/u

/** "20 degrees", "50%", "3 pages" for `pages`: a unit that changes nothing belongs to the number. */
function withUnits(target: Target, text: string, numbers: readonly Found[]): readonly Found[] {
  return numbers.map(number => {
    const rest = text.slice(number.end, number.end + 30)
    const neutral = NEUTRAL_UNIT.exec(rest)
    const word = UNIT_WORD.exec(rest)
    const isOwn = word?.[1] !== undefined && target.words.some(name => name === word[1]?.toLowerCase() || `${name}s` === word[1]?.toLowerCase())
    return { ...number, end: number.end + (neutral?.[0].length ?? (isOwn ? word[0].length : 0)) }
  })
}

/** A string whose property the route ties to a list: only the list's words count. */
function readListed(target: Target, text: string, context: Context): readonly Found[] {
  const list = context.synonyms.get(target.name)
  const entries = list === undefined ? undefined : context.lists.get(list)
  return entries ? readSayings(text, listSayings(entries)).filter(reading => typeof reading.value === 'string') : []
}

/** Numbers that are not part of something else: a time, a length of time, an address. */
function plainNumbers(text: string, context: Context): readonly Found[] {
  const numbers = readNumbers(text)
  if (numbers.length === 0) return []
  const taken = [...readDurations(text), ...readEmails(text), ...readUrls(text), ...readPaths(text), ...readPhones(text), ...readMoments(text, context.at, context.timeZone).filter(({ moment }) => moment.hasDate || moment.hasTime)]
  return outside(numbers, taken)
}

function readAmounts(target: Target, text: string, context: Context, whole: boolean): readonly Found[] {
  const money = readMoney(text)
  const amounts: readonly Found[] = money.length > 0 ? money : whole ? readNumbers(text) : plainNumbers(text, context)
  if (!target.words.includes('cents')) return amounts
  return money.map(reading => ({ ...reading, value: Math.round(reading.value * 100), how: 'money in cents' }))
}

/** Only in a unit that the schema names: a bare length would be wrong by a factor of sixty as often as not. */
function readLength(target: Target, text: string, whole: boolean): readonly Found[] {
  const { unit } = target
  if (unit === undefined) return []
  const lengths = readDurations(text).map(reading => ({ ...reading, value: Math.round(reading.value / unit * 1e9) / 1e9, how: 'duration' }))
  return lengths.length > 0 || !whole ? lengths : readNumbers(text)
}

type MomentKind = 'date' | 'time' | 'clock' | 'date-time'

/** The usual form first; where a pattern wants another (`Z`, no offset, no seconds), the first that it takes. */
const FORMS: Readonly<Record<MomentKind, readonly ((moment: Moment) => string)[]>> = {
  'date': [isoDate],
  'time': [isoTime, localTime, clockTime],
  'clock': [clockTime, localTime],
  'date-time': [isoDateTime, utcDateTime, localDateTime],
}

function readMoment(target: Target, kind: MomentKind, text: string, context: Context): readonly Found[] {
  const said = readMoments(text, context.at, context.timeZone).filter(({ moment }) => kind === 'date' ? moment.hasDate : moment.hasTime)
  return said.map(({ moment, start, end, role }) => {
    const forms = FORMS[kind].map(write => write(moment))
    return { value: forms.find(form => obeys(target.spots, form)) ?? forms[0] ?? null, start, end, role, how: kind }
  })
}

/** Seconds or milliseconds since 1970, where the schema says which. */
function readTimestamp(target: Target, text: string, context: Context): readonly Found[] {
  const { unit } = target
  if (unit !== 1 && unit !== 1_000) return []
  return readMoments(text, context.at, context.timeZone).filter(({ moment }) => moment.hasTime).map(({ moment, start, end, role }) => ({ value: Date.parse(isoDateTime(moment)) / unit, start, end, role, how: 'date-time' }))
}

/** The characters as they stand, without outer white space and one pair of quotes. */
function asCaptured(text: string): readonly Found[] {
  const outer = /^\s*/.exec(text)?.[0].length ?? 0
  let start = outer
  let end = text.trimEnd().length
  const quotes = text.slice(start, end)
  if (/^(?:"[^"]*"|\u201C[^\u201D]*\u201D|'[^']*'|\u2018[^\u2019]*\u2019)$/.test(quotes)) { start++; end-- }
  return end > start ? [{ value: text.slice(start, end), start, end, how: 'slot' }] : []
}

function readList(target: Target, text: string, context: Context): readonly Found[] {
  const item = itemTarget(context.root, target)
  if (item.kind === 'list' || item.kind === 'object') return []
  const items = splitList(text)
  const values: Json[] = []
  for (const part of items) {
    const { found } = interpret(item, part.text, context, true)
    const only = found[0]
    if (found.length !== 1 || !only || !coversAll(part.text, only)) return []
    values.push(only.value)
  }
  const [first, last] = [items[0], items.at(-1)]
  if (!first || !last || !withinCount(target.spots.map(({ schema }) => schema), values.length)) return []
  return [{ value: values, start: first.start, end: last.end, how: 'list' }]
}

/** Without a slot, only things with a shape of their own are taken, and only where they follow one another: "a@x.example and b@x.example". */
function readRun(target: Target, text: string, context: Context): readonly Found[] {
  const item = itemTarget(context.root, target)
  if (!SHAPED.has(item.kind)) return []
  const { found } = interpret(item, text, context, false)
  const runs: { values: Json[], readonly start: number, end: number }[] = []
  for (const one of found) {
    const last = runs.at(-1)
    if (last && LIST_GAP.test(text.slice(last.end, one.start))) { last.values.push(one.value); last.end = one.end } else runs.push({ values: [one.value], start: one.start, end: one.end })
  }
  return runs.filter(run => withinCount(target.spots.map(({ schema }) => schema), run.values.length)).map(({ values, start, end }) => ({ value: values, start, end, how: 'list' }))
}
const SHAPED: ReadonlySet<Kind> = new Set<Kind>(['email', 'url', 'uuid', 'enum'])
/** Not "or": that is a choice, and nobody has made it. */
const LIST_GAP = /^\s*(?:[,;]|(?:[,;]\s*)?(?:and|plus|&))\s*$/i

function withinCount(schemas: readonly JsonObject[], count: number): boolean {
  return schemas.every(schema => {
    const [least, most] = [keyword(schema, 'minItems'), keyword(schema, 'maxItems')]
    return !(typeof least === 'number' && count < least) && !(typeof most === 'number' && count > most)
  })
}

const SMALL_WORDS = /^[\s.,!?;:"'()#]*(?:(?:at|on|for|in|the|a|an|to|by|of|from|about|around|until|till|my|is|be|it|exactly|just|another|one more|some|roughly|approximately|like|no|number|nr)[\s.,!?;:"'()#]+)*$/i
const AFTER_WORDS = /^[\s.,!?;:"')]*(?:please|now|thanks)?[\s.,!?;:"')]*$/i

/** Does the reading account for the whole text, but for small words around it? */
export function coversAll(text: string, reading: Reading): boolean {
  const before = text.slice(0, reading.start)
  return (before === '' || SMALL_WORDS.test(before) || SMALL_WORDS.test(`${before} `)) && AFTER_WORDS.test(text.slice(reading.end))
}
