/** Numbers in digits and in English words: `25`, `1,200.5`, `minus three`, `twenty five`, `two and a half`, `a dozen`. */
import { longest, type Reading } from './reading.ts'

const UNITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen']
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const SMALL: ReadonlyMap<string, number> = new Map([...UNITS.map((word, value) => [word, value] as const), ...TENS.map((word, index) => [word, (index + 2) * 10] as const), ['fourty', 40]])
const SCALES: ReadonlyMap<string, number> = new Map([['hundred', 100], ['thousand', 1_000], ['million', 1_000_000], ['billion', 1_000_000_000]])

export interface NumberReading extends Reading { readonly value: number }

/** A number must stand alone: not inside a word (`v2`), a version (`1.2.3`), a date (`12/03`), a time (`9:30`) or an ordinal (`3rd`). */
const DIGITS = /(?<![\p{L}\p{N}_.,:/@%-]|[\p{L}\p{N}]#)([-+\u2212]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\p{N}_]|[\p{L}]|[.,:/-]\d|%\d)/gu
const WORD = /[\p{L}]+/gu

/** Every number in the text, in its order. */
export function readNumbers(text: string): readonly NumberReading[] {
  return longest([...digits(text), ...spelled(text)])
}

function* digits(text: string): Generator<NumberReading> {
  for (const found of text.matchAll(DIGITS)) {
    const [whole, sign, integer = '', fraction = ''] = found
    const value = Number(`${integer.replaceAll(',', '')}${fraction}`)
    // More digits than a number can hold would arrive as another number.
    if (!Number.isFinite(value) || integer.replaceAll(',', '').length + fraction.length > 16) continue
    yield { value: sign === '-' || sign === '\u2212' ? 0 - value : value, start: found.index, end: found.index + whole.length, how: 'number' }
  }
}

interface Token { readonly word: string, readonly start: number, readonly end: number, /** Joined to the word before by a space or a hyphen only. */ readonly joined: boolean }

function tokensOf(text: string): readonly Token[] {
  let last = -1
  return [...text.matchAll(WORD)].map(found => {
    const joined = last >= 0 && /^(?:[ \t]+|-)$/.test(text.slice(last, found.index))
    last = found.index + found[0].length
    return { word: found[0].toLowerCase(), start: found.index, end: last, joined }
  })
}

function* spelled(text: string): Generator<NumberReading> {
  const tokens = tokensOf(text)
  for (let at = 0; at < tokens.length;) {
    const read = spelledAt(tokens, at)
    if (!read) { at++; continue }
    const first = tokens[at] as Token
    const before = tokens[at - 1]
    const negative = before !== undefined && first.joined && (before.word === 'minus' || before.word === 'negative')
    yield { value: negative ? -read.value : read.value, start: negative ? before.start : first.start, end: (tokens[read.next - 1] as Token).end, how: 'number in words' }
    at = read.next
  }
}

interface Spelled { readonly value: number, readonly next: number }

function spelledAt(tokens: readonly Token[], from: number): Spelled | undefined {
  const whole = wholeAt(tokens, from)
  if (!whole) return undefined
  return fractionAfter(tokens, whole) ?? whole
}

function wholeAt(tokens: readonly Token[], from: number): Spelled | undefined {
  const word = (index: number) => index === from || tokens[index]?.joined ? tokens[index]?.word : undefined
  let total = 0
  let group = 0
  let at = from
  let read = false
  // "a hundred", "a dozen": the article counts only before such a word.
  if ((word(at) === 'a' || word(at) === 'an') && (SCALES.has(word(at + 1) ?? '') || word(at + 1) === 'dozen')) { group = 1; at++ }
  for (;;) {
    const here = word(at) ?? ''
    const small = SMALL.get(here)
    const scale = SCALES.get(here)
    if (small !== undefined && fitsOn(group, small, read)) { group += small; at++; read = true }
    else if (scale === 100 && group > 0 && group < 10) { group *= 100; at++; read = true }
    else if (scale !== undefined && scale > 100 && group > 0) { total += group * scale; group = 0; at++; read = true }
    else if (here === 'dozen' && group > 0 && total === 0) return { value: group * 12, next: at + 1 }
    else if (here === 'and' && read && (group % 100 === 0) && (group > 0 || total > 0) && smallUnder100(word(at + 1))) at++
    else break
  }
  return read ? { value: total + group, next: at } : undefined
}

/** "twenty five" is one number, "five twenty" and "two three" are two. */
function fitsOn(group: number, small: number, read: boolean): boolean {
  if (!read || group === 0) return true
  const rest = group % 100
  return rest === 0 ? small > 0 : rest >= 20 && rest % 10 === 0 && small > 0 && small < 10
}

const smallUnder100 = (word: string | undefined) => word !== undefined && SMALL.has(word)

function fractionAfter(tokens: readonly Token[], whole: Spelled): Spelled | undefined {
  const word = (index: number) => tokens[index]?.joined ? tokens[index]?.word : undefined
  if (word(whole.next) === 'and' && word(whole.next + 1) === 'a' && word(whole.next + 2) === 'half') return { value: whole.value + 0.5, next: whole.next + 3 }
  if (word(whole.next) === 'and' && word(whole.next + 1) === 'a' && word(whole.next + 2) === 'quarter') return { value: whole.value + 0.25, next: whole.next + 3 }
  if (word(whole.next) !== 'point') return undefined
  let digitsRead = ''
  let at = whole.next + 1
  for (let digit = SMALL.get(word(at) ?? ''); digit !== undefined && digit < 10; digit = SMALL.get(word(at) ?? '')) { digitsRead += String(digit); at++ }
  return digitsRead === '' ? undefined : { value: Number(`${whole.value}.${digitsRead}`), next: at }
}

/** Two to nine digits told one by one, and nothing else in the text: "nine oh six". */
export function readDigits(text: string): NumberReading | undefined {
  const tokens = tokensOf(text)
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last || tokens.length < 2 || tokens.length > 9 || !tokens.slice(1).every(({ joined }) => joined)) return undefined
  const digits = tokens.map(({ word }) => word === 'oh' || word === 'o' ? 0 : SMALL.get(word))
  if (!digits.every(digit => digit !== undefined && digit < 10)) return undefined
  return { value: Number(digits.join('')), start: first.start, end: last.end, how: 'digits in words' }
}
