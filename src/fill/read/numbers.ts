/** Numbers in digits: `25`, `1,200.5`, `2.5 million`, `2 1/2`; those in words come from `number-words.ts`. */
import { spelledNumbers, SCALES, type NumberReading } from './number-words.ts'
import { longest } from './reading.ts'

export { readDigits, type NumberReading } from './number-words.ts'

/** A number must stand alone: not inside a word (`v2`), a version (`1.2.3`), a date (`12/03`), a time (`9:30`) or an ordinal (`3rd`). */
const DIGITS = /(?<![\p{L}\p{N}_.,:/@%-]|[\p{L}\p{N}]#)([-+\u2212]?)(\d{1,3}(?:,\d{3})+|\d+)(?:(\.\d+)|\s?([\u00BC-\u00BE])|[ -]([1-9])\/([2-9])(?![\d/]))?(?![\p{N}_]|[\p{L}]|[.,:/-]\d|%\d)/gu
const VULGAR = /(?<![\p{L}\p{N}_.,:/-]|\p{N} )[\u00BC-\u00BE](?![\p{L}\p{N}_])/gu
const VULGAR_VALUES: ReadonlyMap<string, number> = new Map([['\u00BC', 0.25], ['\u00BD', 0.5], ['\u00BE', 0.75]])
/** "2.5 million", "3 dozen". */
const SCALE_AFTER = /^[ -](hundred|thousand|million|billion|dozen)(?![\p{L}\p{N}])/iu
/** "2 thirds", "3 quarters": a part of something, not the number before it. */
const PART_AFTER = /^[ -](?:thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|halves)(?![\p{L}\p{N}])/iu

/** Every number in the text, in its order. */
export function readNumbers(text: string): readonly NumberReading[] {
  return longest([...digits(text), ...vulgar(text), ...spelledNumbers(text)])
}

function* digits(text: string): Generator<NumberReading> {
  for (const found of text.matchAll(DIGITS)) {
    const [whole, sign, integer = '', fraction = '', mark, over, under] = found
    const bare = integer.replaceAll(',', '')
    const part = mark === undefined ? over === undefined ? 0 : Number(over) / Number(under) : VULGAR_VALUES.get(mark) ?? 0
    const plain = Number(`${bare}${fraction}`) + part
    const end = found.index + whole.length
    // More digits than a number can hold would arrive as another number; "2 5/4" is no way to write one.
    if (bare.length + fraction.length > 16 || part >= 1 || PART_AFTER.test(text.slice(end, end + 12))) continue
    const scale = SCALE_AFTER.exec(text.slice(end, end + 12))
    const value = scale ? exact(plain * (SCALES.get((scale[1] ?? '').toLowerCase()) ?? 1)) : plain
    yield { value: sign === '-' || sign === '\u2212' ? 0 - value : value, start: found.index, end: end + (scale?.[0].length ?? 0), how: 'number' }
  }
}

/** 2.3 million is 2,300,000 and no crumb less. */
const exact = (value: number) => Number(value.toPrecision(15))

function* vulgar(text: string): Generator<NumberReading> {
  for (const found of text.matchAll(VULGAR)) yield { value: VULGAR_VALUES.get(found[0]) ?? 0, start: found.index, end: found.index + 1, how: 'number' }
}
