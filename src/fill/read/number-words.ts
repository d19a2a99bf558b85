/** Numbers in English words: `minus three`, `twenty five`, `two and a half million`, `half a dozen`, `a couple of`. */
import type { Reading } from './reading.ts'

export interface NumberReading extends Reading { readonly value: number }

const UNITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen']
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const SMALL: ReadonlyMap<string, number> = new Map([...UNITS.map((word, value) => [word, value] as const), ...TENS.map((word, index) => [word, (index + 2) * 10] as const), ['fourty', 40]])
export const SCALES: ReadonlyMap<string, number> = new Map([['dozen', 12], ['hundred', 100], ['thousand', 1_000], ['million', 1_000_000], ['billion', 1_000_000_000]])

const WORD = /[\p{L}]+/gu

interface Token { readonly word: string, readonly start: number, readonly end: number, /** Joined to the word before by a space or a hyphen only. */ readonly joined: boolean }

function tokensOf(text: string): readonly Token[] {
  let last = -1
  return [...text.matchAll(WORD)].map(found => {
    const joined = last >= 0 && /^(?:[ \t]+|-)$/.test(text.slice(last, found.index))
    last = found.index + found[0].length
    return { word: found[0].toLowerCase(), start: found.index, end: last, joined }
  })
}

export function* spelledNumbers(text: string): Generator<NumberReading> {
  const tokens = tokensOf(text)
  for (let at = 0; at < tokens.length;) {
    const read = spelledAt(tokens, at)
    if (!read) { at++; continue }
    const first = tokens[at] as Token
    const before = tokens[at - 1]
    const negative = before !== undefined && first.joined && (before.word === 'minus' || before.word === 'negative')
    if (!isOtherwiseMeant(tokens, at, read)) yield { value: negative ? -read.value : read.value, start: negative ? before.start : first.start, end: (tokens[read.next - 1] as Token).end, how: 'number in words' }
    at = read.next
  }
}

const ORDINALS = /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)$/
const PARTS = /^(?:thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|halves)$/
const POINTERS: ReadonlySet<string> = new Set(['the', 'this', 'that', 'these', 'those', 'which', 'no', 'any', 'every', 'each', 'another', 'some', 'either', 'neither', 'other', 'last', 'next', 'first', 'second', 'third', 'right', 'wrong', 'same'])
const AFTER_PRONOUN: ReadonlySet<string> = new Set(['of', 'another', 'that', 'who', 'which'])

/** "twenty first" is the 21st, "two thirds" a part, "the second one" and "one of them" things that were named before. */
function isOtherwiseMeant(tokens: readonly Token[], at: number, { value, next }: Spelled): boolean {
  const after = tokens[next]?.joined ? tokens[next]?.word ?? '' : ''
  if ((value % 100 >= 20 && value % 10 === 0 && ORDINALS.test(after)) || PARTS.test(after)) return true
  if (value !== 1 || next !== at + 1 || tokens[at]?.word !== 'one') return false
  const [before, earlier] = [tokens[at]?.joined ? tokens[at - 1] : undefined, tokens[at - 1]?.joined ? tokens[at - 2] : undefined]
  return AFTER_PRONOUN.has(after) || POINTERS.has(before?.word ?? '') || (before !== undefined && ['the', 'that', 'this'].includes(earlier?.word ?? '') && after === '')
}

interface Spelled { readonly value: number, readonly next: number }

function spelledAt(tokens: readonly Token[], from: number): Spelled | undefined {
  const special = halfOf(tokens, from) ?? fewAt(tokens, from)
  if (special) return special
  const whole = wholeAt(tokens, from)
  return whole && scaled(tokens, fractionAfter(tokens, whole) ?? whole)
}

const wordAt = (tokens: readonly Token[], from: number) => (index: number) => index === from || tokens[index]?.joined ? tokens[index]?.word : undefined

/** "half a dozen", "half a million". */
function halfOf(tokens: readonly Token[], from: number): Spelled | undefined {
  const word = wordAt(tokens, from)
  const scale = SCALES.get(word(from + 2) ?? '')
  return word(from) === 'half' && word(from + 1) === 'a' && scale !== undefined && scale !== 100 ? { value: scale / 2, next: from + 3 } : undefined
}

/** "a couple of" and "twice" are two. "A couple" alone is two people, "twice as long" a factor. */
function fewAt(tokens: readonly Token[], from: number): Spelled | undefined {
  const word = wordAt(tokens, from)
  const couple = word(from) === 'a' && word(from + 1) === 'couple' ? from + 2 : word(from) === 'couple' ? from + 1 : undefined
  if (couple !== undefined) return word(couple) === 'of' || /^(?:more|hours|minutes|days|weeks|seconds)$/.test(word(couple) ?? '') ? { value: 2, next: word(couple) === 'of' ? couple + 1 : couple } : undefined
  const times = word(from) === 'twice' ? 2 : word(from) === 'thrice' ? 3 : undefined
  return times === undefined || /^(?:as|a|an|the|per|every|each|more|that)$/.test(word(from + 1) ?? '') ? undefined : { value: times, next: from + 1 }
}

function wholeAt(tokens: readonly Token[], from: number): Spelled | undefined {
  const word = wordAt(tokens, from)
  let total = 0
  let group = 0
  let at = from
  let read = false
  // "a hundred", "a dozen": the article counts only before such a word.
  if ((word(at) === 'a' || word(at) === 'an') && SCALES.has(word(at + 1) ?? '')) { group = 1; at++ }
  for (;;) {
    const here = word(at) ?? ''
    const small = SMALL.get(here)
    const scale = SCALES.get(here)
    if (small !== undefined && fitsOn(group, small, read)) { group += small; at++; read = true }
    // "twelve hundred" as well as "two hundred".
    else if (scale === 100 && group < 100 && group % 10 > 0) { group *= 100; at++; read = true }
    else if (scale !== undefined && scale > 100 && group > 0) { total += group * scale; group = 0; at++; read = true }
    else if (scale === 12 && group > 0 && total === 0) return { value: group * 12, next: at + 1 }
    else if (here === 'and' && read && (group % 100 === 0) && (group > 0 || total > 0) && SMALL.has(word(at + 1) ?? '')) at++
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

const SHARES: ReadonlyMap<string, number> = new Map([['half', 0.5], ['quarter', 0.25]])

function fractionAfter(tokens: readonly Token[], whole: Spelled): Spelled | undefined {
  const word = (index: number) => tokens[index]?.joined ? tokens[index]?.word : undefined
  const share = word(whole.next) === 'and' && word(whole.next + 1) === 'a' ? SHARES.get(word(whole.next + 2) ?? '') : undefined
  if (share !== undefined) {
    // "a million and a half": half of a million.
    const scale = SCALES.get(tokens[whole.next - 1]?.word ?? '') ?? 1
    return { value: whole.value + share * (scale === 100 ? 1 : scale), next: whole.next + 3 }
  }
  if (word(whole.next) !== 'point') return undefined
  let digitsRead = ''
  let at = whole.next + 1
  for (let digit = SMALL.get(word(at) ?? ''); digit !== undefined && digit < 10; digit = SMALL.get(word(at) ?? '')) { digitsRead += String(digit); at++ }
  return digitsRead === '' ? undefined : { value: Number(`${whole.value}.${digitsRead}`), next: at }
}

/** "two and a half million", "three point five thousand". */
function scaled(tokens: readonly Token[], read: Spelled): Spelled {
  const after = tokens[read.next]
  const scale = after?.joined && !Number.isInteger(read.value) ? SCALES.get(after.word) : undefined
  return scale === undefined || scale < 1_000 ? read : { value: Number((read.value * scale).toPrecision(15)), next: read.next + 1 }
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
