/** Dates and times, read as the owner means them: in the owner's zone, from the moment of the event. The only file that names the library. */
import { casual } from 'chrono-node'
import { UsherError } from '../../errors.ts'
import { readDurations } from './durations.ts'
import { outside, type Reading } from './reading.ts'

export interface Moment {
  readonly year: number, readonly month: number, readonly day: number, readonly hour: number, readonly minute: number, readonly second: number
  /** Minutes east of UTC. */
  readonly offset: number
  /** What the words said; the rest is implied and is no evidence. */
  readonly hasDate: boolean, readonly hasTime: boolean
}
export interface MomentReading extends Reading { readonly moment: Moment, /** `start` and `end` share one span: "from Monday to Friday". */ readonly role: 'single' | 'start' | 'end' }

/** Words that are more often something else than a date. */
const NOT_A_DATE = /^(?:may|march|mar|sun|sat|wed|mon|fri|thu|tue|jan|feb|apr|jun|jul|aug|sep|oct|nov|dec|\d{1,3}|\d+\.\d+|(?:from )?\d{1,3}\s*(?:to|through|until|-|\u2013)\s*\d{1,3})$/

/** "two hours" is a length of time; only "in two hours" or "two hours from now" is a moment. */
function isLength(text: string): boolean {
  const bare = text.replace(/^(?:for|within|during|of)\s+/i, '')
  return readDurations(bare).some(({ start, end }) => start === 0 && end === bare.length)
}

type ChronoResult = ReturnType<typeof casual.parse>[number]
type ChronoParts = ChronoResult['start']

/**
 * @param at the event's time, ms since 1970
 * @param timeZone IANA name; throws BAD_OPTION for an unknown one
 */
export function readMoments(text: string, at: number, timeZone: string): readonly MomentReading[] {
  const results = casual.parse(text, { instant: new Date(at), timezone: zoneOffset(at, timeZone) }, { forwardDate: true })
  const read = results.filter(result => !NOT_A_DATE.test(result.text) && !isLength(result.text)).flatMap((result): MomentReading[] => {
    const span = { value: result.text, start: result.index, end: result.index + result.text.length, how: 'date or time' }
    const start = momentOf(result.start, timeZone)
    if (!result.end) return [{ ...span, moment: start, role: 'single' }]
    return [{ ...span, moment: start, role: 'start' }, { ...span, moment: momentOf(result.end, timeZone), role: 'end' }]
  })
  return [...read, ...outside(dayNumbers(text, at, timeZone), read)]
}

const DAY_NUMBER = /(?<![\p{L}\p{N}])the (\d{1,2})(?:st|nd|rd|th)(?![\p{L}\p{N}]| (?:of|row|one|time|item|entry|page|line|place)\b)/giu

/** "the 14th": the next day of that number, this month or a later one. */
function dayNumbers(text: string, at: number, timeZone: string): readonly MomentReading[] {
  const today = new Date(at + zoneOffset(at, timeZone) * 60_000)
  return [...text.matchAll(DAY_NUMBER)].flatMap(found => {
    const day = Number(found[1])
    const months = [0, 1, 2].map(later => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + later, day, 12)))
    const next = months.find(date => date.getUTCDate() === day && (date.getUTCMonth() !== today.getUTCMonth() || day >= today.getUTCDate()))
    if (!next) return []
    const wall = { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day, hour: 12, minute: 0, second: 0 }
    return [{ value: found[0], start: found.index, end: found.index + found[0].length, how: 'date or time', role: 'single' as const, moment: { ...wall, offset: offsetOfWall(wall, timeZone), hasDate: true, hasTime: false } }]
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
  const instant = asUtc(wall) - said * 60_000
  const offset = zoneOffset(instant, timeZone)
  const local = new Date(instant + offset * 60_000)
  return {
    year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate(), hour: local.getUTCHours(), minute: local.getUTCMinutes(), second: local.getUTCSeconds(), offset, hasDate, hasTime,
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
