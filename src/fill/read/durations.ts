/** Lengths of time: `25 minutes`, `an hour and a half`, `half an hour`, `1h30m`, `two hours and ten minutes`. */
import { readNumbers } from './numbers.ts'
import type { Reading } from './reading.ts'

/** Milliseconds of each unit. Months and years have no fixed length, so they are no duration here. */
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1], ['millisecond', 1], ['milliseconds', 1], ['s', 1_000], ['sec', 1_000], ['secs', 1_000], ['second', 1_000], ['seconds', 1_000], ['m', 60_000], ['min', 60_000], ['mins', 60_000], ['minute', 60_000], ['minutes', 60_000],
  ['h', 3_600_000], ['hr', 3_600_000], ['hrs', 3_600_000], ['hour', 3_600_000], ['hours', 3_600_000], ['d', 86_400_000], ['day', 86_400_000], ['days', 86_400_000], ['week', 604_800_000], ['weeks', 604_800_000], ['fortnight', 1_209_600_000], ['fortnights', 1_209_600_000],
  ['sekunden', 1_000], ['minuten', 60_000], ['stunde', 3_600_000], ['stunden', 3_600_000], ['segundos', 1_000], ['minutos', 60_000], ['hora', 3_600_000], ['horas', 3_600_000], ['secondes', 1_000], ['heure', 3_600_000], ['heures', 3_600_000], ['secondi', 1_000], ['minuti', 60_000], ['ora', 3_600_000], ['ore', 3_600_000],
])

export interface DurationReading extends Reading { /** Milliseconds. */ readonly value: number }

interface Piece { readonly ms: number, readonly unit: number, readonly start: number, readonly end: number }

const COMPACT = /(?<![\p{L}\p{N}.,:/-])(?:\d+(?:\.\d+)?\s?(?:ms|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|d|days?)){1,4}(?![\p{L}\p{N}]|-\p{L})/giu
const COMPACT_PIECE = /(\d+(?:\.\d+)?)\s?([a-z]+)/giu
const HOUR_DIGITS = /(?<![\p{L}\p{N}.,:-])(\d+)\s?h\s?(\d{1,2})(?![\p{L}\p{N}:])/giu
const UNIT_AFTER = /^(?:[\s-]{1,3})(milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|sekunden|minuten|stunden?|segundos|minutos|horas?|secondes|heures?|secondi|minuti|or[ae]|ms|s|m|h|d)\b(?![-'\u2019]\p{L})/iu
const ARTICLE = /(?<![\p{L}\p{N}])(an?|half an?|a half|(?:a )?quarter(?: of an)?|three[ -]quarters?(?: of an)?|half)[\s-](second|minute|hour|day|week|fortnight)(?![\p{L}])/giu
const AND_HALF = /^ and (?:a half|a quarter|three quarters)(?![\p{L}])/iu
const BARE_AND_HALF = /(?<![\p{L}\p{N}'\u2019-])(hour|day|week|minute)(?= and a half(?![\p{L}]))/giu
const ISO = /(?<![\p{L}\p{N}])P(?=\d|T\d)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?(?![\p{L}\p{N}])/gu
/** "an hour or two", and the first number of "five to ten minutes". */
const OR_TWO = /^ or (two|three|four)(?![\p{L}]|-)/iu
const UP_TO = /^\s*(?:to|or|-|\u2013)\s*$/i

/** Every length of time in the text; parts that belong together ("two hours and ten minutes") are one. */
export function readDurations(text: string): readonly DurationReading[] {
  const joined: Piece[] = []
  for (const piece of pieces(text)) {
    const last = joined.at(-1)
    // The parts go from large to small: "one minute and two hours" are two lengths.
    if (last && piece.unit < last.unit && /^\s*(?:,|and|,\s*and)?\s*$/i.test(text.slice(last.end, piece.start))) joined[joined.length - 1] = { ms: last.ms + piece.ms, unit: piece.unit, start: last.start, end: piece.end }
    else joined.push(piece)
  }
  return withOthers(text, joined).map(({ ms, start, end }) => ({ value: exact(ms), start, end, how: 'duration' }))
}

/** A choice or a range names its unit once: both ends are lengths, and neither is the other's. */
function withOthers(text: string, found: readonly Piece[]): readonly Piece[] {
  const numbers = readNumbers(text)
  const others = found.flatMap(piece => {
    const before = numbers.find(number => number.end <= piece.start && UP_TO.test(text.slice(number.end, piece.start)))
    const after = piece.ms === piece.unit ? OR_TWO.exec(text.slice(piece.end, piece.end + 12)) : null
    const [other] = after ? readNumbers(after[1] ?? '') : []
    return [
      ...before && before.value >= 0 && !found.some(one => one.start < before.end && before.start < one.end) ? [{ ms: before.value * piece.unit, unit: piece.unit, start: before.start, end: before.end }] : [],
      ...after && other ? [{ ms: other.value * piece.unit, unit: piece.unit, start: piece.end + after[0].length - other.end, end: piece.end + after[0].length }] : [],
    ]
  })
  return [...found, ...others].sort((a, b) => a.start - b.start)
}

/** `0.1 + 0.2` must not leave crumbs behind. */
const exact = (ms: number) => Math.round(ms * 1e6) / 1e6

function pieces(text: string): readonly Piece[] {
  const found: Piece[] = []
  const add = (piece: Piece) => { if (!found.some(one => one.start < piece.end && piece.start < one.end)) found.push(piece) }
  for (const match of text.matchAll(HOUR_DIGITS)) add({ ms: Number(match[1]) * 3_600_000 + Number(match[2]) * 60_000, unit: 60_000, start: match.index, end: match.index + match[0].length })
  for (const match of text.matchAll(COMPACT)) {
    const compact = compactPiece(match[0], match.index)
    if (compact) add(withHalf(text, compact))
  }
  for (const match of text.matchAll(ARTICLE)) {
    const unit = UNIT_MS.get((match[2] ?? '').toLowerCase())
    const share = shareOf(match[1] ?? '')
    if (unit !== undefined) add(withHalf(text, { ms: share * unit, unit, start: match.index, end: match.index + match[0].length }))
  }
  for (const match of text.matchAll(BARE_AND_HALF)) {
    const unit = UNIT_MS.get((match[1] ?? '').toLowerCase())
    if (unit !== undefined) add(withHalf(text, { ms: unit, unit, start: match.index, end: match.index + match[0].length }))
  }
  for (const match of text.matchAll(ISO)) {
    const [days, hours, minutes, seconds] = match.slice(1).map(part => Number(part ?? 0)) as [number, number, number, number]
    add({ ms: days * 86_400_000 + hours * 3_600_000 + minutes * 60_000 + seconds * 1_000, unit: 1, start: match.index, end: match.index + match[0].length })
  }
  for (const number of readNumbers(text)) {
    const after = UNIT_AFTER.exec(text.slice(number.end, number.end + 20))
    const unit = UNIT_MS.get((after?.[1] ?? '').toLowerCase())
    if (after && unit !== undefined && number.value >= 0) add(withHalf(text, { ms: number.value * unit, unit, start: number.start, end: number.end + after[0].length }))
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Of "a", "half an", "three quarters of an". */
const shareOf = (words: string) => /three/i.test(words) ? 0.75 : /quarter/i.test(words) ? 0.25 : /half/i.test(words) ? 0.5 : 1

function compactPiece(text: string, start: number): Piece | undefined {
  let ms = 0
  let smallest = Infinity
  for (const [, count, word] of text.matchAll(COMPACT_PIECE)) {
    const unit = UNIT_MS.get((word ?? '').toLowerCase())
    if (unit === undefined || unit >= smallest) return undefined
    ms += Number(count) * unit
    smallest = unit
  }
  return { ms, unit: smallest, start, end: start + text.length }
}

const AND_NUMBER = /^( and | )(?!and )([\p{L}\p{N}-]+(?:[ -]\p{L}+)?)\s*[.,!?]*$/iu

/** "an hour and ten", "1 hour 20": what follows are minutes. */
function withMinutes(text: string, piece: Piece): Piece {
  const said = piece.unit === 3_600_000 ? AND_NUMBER.exec(text.slice(piece.end)) : null
  const [, joint = '', rest = ''] = said ?? []
  const [number, ...more] = readNumbers(rest)
  if (!number || more.length > 0 || number.start > 0 || number.end !== rest.length || !Number.isInteger(number.value) || number.value < 1 || number.value > 59) return piece
  return { ms: piece.ms + number.value * 60_000, unit: 60_000, start: piece.start, end: piece.end + joint.length + number.end }
}

function withHalf(text: string, piece: Piece): Piece {
  const half = AND_HALF.exec(text.slice(piece.end, piece.end + 24))
  if (!half) return withMinutes(text, piece)
  const share = /three/i.test(half[0]) ? 0.75 : /quarter/i.test(half[0]) ? 0.25 : 0.5
  return { ...piece, ms: piece.ms + share * piece.unit, end: piece.end + half[0].length }
}

const NAMED_UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|millis|millisecond|milliseconds)$/, 1], [/^(?:s|sec|secs|second|seconds)$/, 1_000], [/^(?:min|mins|minute|minutes)$/, 60_000],
  [/^(?:h|hr|hrs|hour|hours)$/, 3_600_000], [/^(?:day|days)$/, 86_400_000], [/^(?:week|weeks)$/, 604_800_000],
]

/** The unit that a property's name (`delay_seconds`) or else its description ("in minutes") says its number is in. Undefined: nobody said, so no length fits. */
export function unitOf(words: readonly string[], description: string): number | undefined {
  for (const [index, word] of [...words.entries()].reverse()) {
    // `min_delay` has a least value, `delay_min` is in minutes.
    const named = word === 'min' && index < words.length - 1 ? undefined : NAMED_UNITS.find(([pattern]) => pattern.test(word))
    if (named) return named[1]
  }
  const said = /(?:\b(?:in|of|unit:?)\s|\()\s*(milliseconds|seconds|minutes|hours|days|weeks|ms)\b/i.exec(description) ?? /\b(milliseconds|seconds|minutes|hours|days|weeks)\b/i.exec(description)
  return said?.[1] === undefined ? undefined : UNIT_MS.get(said[1].toLowerCase())
}

/** ISO 8601: `PT1H30M`. Undefined for less than a second. */
export function isoDuration(ms: number): string | undefined {
  if (ms % 1_000 !== 0 || ms < 0) return undefined
  const seconds = ms / 1_000
  const days = Math.floor(seconds / 86_400)
  const rest = seconds % 86_400
  const parts = [[Math.floor(rest / 3_600), 'H'], [Math.floor(rest % 3_600 / 60), 'M'], [rest % 60, 'S']] as const
  const time = parts.filter(([count]) => count > 0).map(([count, letter]) => `${count}${letter}`).join('')
  if (seconds === 0) return 'PT0S'
  return `P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`
}
