/** Dates and times, read as the owner means them: in the owner's zone, from the moment of the event. */
import { UsherError } from '../../errors.ts'
import { parseDates, type ChronoParts, type ChronoResult } from './chrono.ts'
import { readDurations } from './durations.ts'
import { readNumbers } from './numbers.ts'
import { overlaps, type Reading } from './reading.ts'

export interface Moment {
  readonly year: number, readonly month: number, readonly day: number, readonly hour: number, readonly minute: number, readonly second: number
  /** Minutes east of UTC. */
  readonly offset: number
  /** What the words said; the rest is implied and is no evidence. */
  readonly hasDate: boolean, readonly hasTime: boolean
}
export interface MomentReading extends Reading { readonly moment: Moment, /** `start` and `end` share one span: "from Monday to Friday". */ readonly role: 'single' | 'start' | 'end' }

/** Words that are more often something else than a date. */
const NOT_A_DATE = /^(?:24\/7|may|march|mar|sun|sat|wed|mon|fri|thu|tue|jan|feb|apr|jun|jul|aug|sep|oct|nov|dec|(?:from )?\d{1,3}|\d+\.\d+|(?:from )?\d{1,3}\s*(?:to|through|until|-|\u2013)\s*\d{1,3})$/

/** "two hours" is a length of time; only "in two hours" or "two hours from now" is a moment. */
function isLength(text: string): boolean {
  const bare = text.replace(/^(?:for|within|during|of)\s+/i, '')
  return readDurations(bare).some(({ start, end }) => start === 0 && end === bare.length)
}

/** A week or a month is no day, whatever day a library picks from it; nor is the end of a week. */
const VAGUE = /^(?:(?:in|on|at|by|during)\s+)?(?:the\s+)?(?:end of\s+)?(?:(?:the|this|next|last|past|coming|following|current)\s+)*(?:weekend|week|quarter)s?\b(?!\s+(?:from|ago|after|before|later|hence|past|to)\b)|^(?:(?:in|on|at|by|during)\s+)?(?:the\s+)?(?:this|next|last|past|coming|following|current)\s+(?:the\s+)?(?:month|year|hour|minute)\b/i

/**
 * @param at the event's time, ms since 1970
 * @param timeZone IANA name; throws BAD_OPTION for an unknown one
 */
export function readMoments(text: string, at: number, timeZone: string): readonly MomentReading[] {
  // Each parameter of a schema asks about the same words.
  if (!last || last.text !== text || last.at !== at || last.timeZone !== timeZone) last = { text, at, timeZone, read: readAnew(text, at, timeZone) }
  return last.read
}

let last: { readonly text: string, readonly at: number, readonly timeZone: string, readonly read: readonly MomentReading[] } | undefined

function readAnew(text: string, at: number, timeZone: string): readonly MomentReading[] {
  const relative = [...afterNow(text, at, timeZone), ...fromAnother(text, at, timeZone)]
  const results = parseDates(text, { at, offset: zoneOffset(at, timeZone) })
  const read = results.filter(result => isDate(result) && !relative.some(one => overlaps(one, spanOf(result)))).flatMap(result => readingsOf(text, result, timeZone))
  return timesShared(text, [...read, ...relative].sort((a, b) => a.start - b.start), timeZone)
}

const spanOf = (result: ChronoResult) => ({ start: result.index, end: result.index + result.text.length })
/** "two days before" what? Nothing that the library knows, so not two days ago. */
const DANGLING = /\s(?:before|after|from|since)$/i
const isDate = ({ text }: ChronoResult) => !NOT_A_DATE.test(text) && !isLength(text) && !VAGUE.test(text) && !DANGLING.test(text)

function readingsOf(text: string, result: ChronoResult, timeZone: string): readonly MomentReading[] {
  // A month, and no day in it: what day would it be?
  if (isOpen(result.start)) return []
  const later = /^ week(?![\p{L}])/iu.test(text.slice(spanOf(result).end)) && result.start.isCertain('weekday') && !result.end
  const { start, end } = spanOf(result)
  const span = { value: text.slice(start, end + (later ? ' week'.length : 0)), start, end: end + (later ? ' week'.length : 0), how: 'date or time' }
  const from = momentOf(result.start, timeZone)
  if (result.end) return [{ ...span, moment: from, role: 'start' }, { ...span, moment: momentOf(result.end, timeZone), role: 'end' }]
  const moments = later ? [shifted(from, 7, timeZone)] : written(result.text, from, timeZone)
  return moments.map(moment => ({ ...span, moment, role: 'single' }))
}

const isOpen = (parts: ChronoParts) => !parts.isCertain('day') && !parts.isCertain('weekday') && (parts.isCertain('month') || parts.isCertain('year'))

const NUMERIC = /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})(?:\2\d{2,4})?(?![\d/-])/

/** "05/12" is one day in one country and another in the next, so it is two; with dots the day comes first everywhere. */
function written(text: string, moment: Moment, timeZone: string): readonly Moment[] {
  const found = NUMERIC.exec(text)
  const [first, second] = [Number(found?.[1]), Number(found?.[3])]
  if (!found || !(first <= 12 && second <= 12) || first === second || moment.month !== first || moment.day !== second) return [moment]
  const other = onDay(moment, { year: moment.year, month: second, day: first }, timeZone)
  return found[2] === '.' ? [other] : [moment, other]
}

const onDay = (moment: Moment, day: Pick<Moment, 'year' | 'month' | 'day'>, timeZone: string): Moment => {
  const wall = { ...moment, ...day }
  return { ...wall, offset: offsetOfWall(wall, timeZone) }
}

function shifted(moment: Moment, days: number, timeZone: string): Moment {
  const date = new Date(Date.UTC(moment.year, moment.month - 1, moment.day + days))
  return onDay(moment, { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }, timeZone)
}

const DAY = 86_400_000
const AFTER_NOW = /^ (?:from now|later|hence)(?![\p{L}])/iu

/** "in an hour and a half", "90 minutes from now": the instant is certain. Whole days keep no time and are left to the library. */
function afterNow(text: string, at: number, timeZone: string): readonly MomentReading[] {
  return readDurations(text).filter(({ value }) => value % DAY !== 0).flatMap((length): readonly MomentReading[] => {
    const before = /(?<![\p{L}\p{N}])in (?:about |around |exactly |another )?$/iu.exec(text.slice(0, length.start))
    const after = AFTER_NOW.exec(text.slice(length.end))
    if (!before && !after) return []
    const [start, end] = [before ? before.index : length.start, length.end + (before ? 0 : after?.[0].length ?? 0)]
    return [{ value: text.slice(start, end), start, end, how: 'date or time', role: 'single', moment: momentAt(at + length.value, timeZone, true) }]
  })
}

const FROM_ANOTHER = /(?<![\p{L}\p{N}])(?:(an?|the|\p{L}+|\d{1,3}) )(day|week|fortnight)s? (from|after|before|since) (?!now\b)(?:the )?/giu
const DAYS: ReadonlyMap<string, number> = new Map([['day', 1], ['week', 7], ['fortnight', 14]])

/** "a week from monday", "two days before the 14th": days from a day that the words name. */
function fromAnother(text: string, at: number, timeZone: string): readonly MomentReading[] {
  return [...text.matchAll(FROM_ANOTHER)].flatMap((found): readonly MomentReading[] => {
    const [whole, count = '', unit = '', way = ''] = found
    const many = /^(?:an?|the)$/i.test(count) ? 1 : readNumbers(count)[0]?.value
    const from = found.index + whole.length - (/the $/i.test(whole) ? 'the '.length : 0)
    const [anchor, rival] = readAnew(text.slice(from), at, timeZone).filter(one => one.start === 0 || /^(?:the|on) $/i.test(text.slice(from, from + one.start)))
    if (many === undefined || !Number.isInteger(many) || !anchor?.moment.hasDate || rival) return []
    const span = { start: found.index, end: from + anchor.end }
    // "the week after christmas" is no day, and not christmas either.
    const moment = /^the$/i.test(count) && !/^day$/i.test(unit) ? { ...anchor.moment, hasDate: false, hasTime: false } : undefined
    const days = many * (DAYS.get(unit.toLowerCase()) ?? 0) * (/before/i.test(way) ? -1 : 1)
    return [{ value: text.slice(span.start, span.end), ...span, how: 'date or time', role: 'single', moment: moment ?? shifted(anchor.moment, days, timeZone) }]
  })
}

/** "monday or tuesday at 9": the time is said once for both days. */
function timesShared(text: string, read: readonly MomentReading[], timeZone: string): readonly MomentReading[] {
  return read.map((one, at) => {
    const next = read[at + 1]
    if (!next || one.moment.hasTime || !one.moment.hasDate || !next.moment.hasTime || !next.moment.hasDate || !/^\s*(?:or|and|,|\/)\s*$/i.test(text.slice(one.end, next.start))) return one
    const { year, month, day } = one.moment
    return { ...one, moment: onDay(next.moment, { year, month, day }, timeZone) }
  })
}

function momentOf(parts: ChronoParts, timeZone: string): Moment {
  const get = (name: Parameters<ChronoParts['get']>[0]) => parts.get(name) ?? 0
  const wall = { year: get('year'), month: get('month'), day: get('day'), hour: get('hour'), minute: get('minute'), second: get('second') }
  const hasTime = parts.isCertain('hour')
  const hasDate = parts.isCertain('day') || parts.isCertain('weekday')
  const said = parts.isCertain('timezoneOffset') ? parts.get('timezoneOffset') : null
  if (said === null) return { ...wall, offset: offsetOfWall(wall, timeZone), hasDate, hasTime }
  // An offset came with the words ("9am UTC") or from "in two hours": the instant is certain, and is told in the owner's zone.
  return { ...momentAt(asUtc(wall) - said * 60_000, timeZone, hasDate), hasTime }
}

function momentAt(instant: number, timeZone: string, hasDate: boolean): Moment {
  const offset = zoneOffset(instant, timeZone)
  const local = new Date(instant + offset * 60_000)
  return {
    year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate(), hour: local.getUTCHours(), minute: local.getUTCMinutes(), second: local.getUTCSeconds(), offset, hasDate, hasTime: true,
  }
}

type Wall = Pick<Moment, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'>
const asUtc = (wall: Wall) => Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second)

/** The zone's offset at a wall time: guessed at the same instant, then corrected, so that the day of a clock change is right. */
function offsetOfWall(wall: Wall, timeZone: string): number {
  const first = zoneOffset(asUtc(wall), timeZone)
  return zoneOffset(asUtc(wall) - first * 60_000, timeZone)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    try {
      format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' })
    } catch (cause) {
      throw new UsherError('BAD_OPTION', `"${timeZone}" is no time zone; give an IANA name such as Europe/Berlin`, { cause })
    }
    formats.set(timeZone, format)
  }
  return format
}

/** Minutes east of UTC. */
export function zoneOffset(instant: number, timeZone: string): number {
  const parts = new Map(zoneFormat(timeZone).formatToParts(instant).map(part => [part.type, Number(part.value)]))
  const get = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Math.round((Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second')) - Math.floor(instant / 1000) * 1000) / 60_000)
}

const two = (value: number) => String(value).padStart(2, '0')
const offsetText = (minutes: number) => `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`

export const isoDate = (moment: Moment) => `${String(moment.year).padStart(4, '0')}-${two(moment.month)}-${two(moment.day)}`
export const localTime = (moment: Moment) => `${two(moment.hour)}:${two(moment.minute)}:${two(moment.second)}`
/** `09:00`, for a schema that asks for hours and minutes only. */
export const clockTime = (moment: Moment) => `${two(moment.hour)}:${two(moment.minute)}`
export const isoTime = (moment: Moment) => `${localTime(moment)}${offsetText(moment.offset)}`
export const isoDateTime = (moment: Moment) => `${isoDate(moment)}T${isoTime(moment)}`
export const localDateTime = (moment: Moment) => `${isoDate(moment)}T${localTime(moment)}`
export const utcDateTime = (moment: Moment) => new Date(asUtc(moment) - moment.offset * 60_000).toISOString().replace('.000Z', 'Z')
