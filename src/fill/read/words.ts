/** Listed values by word: members of an enum, and the names of a route's lists. */
import type { Json, ListValue } from '../../types.ts'
import { wordsOf } from '../../schema/words.ts'
import { longest, type Reading } from './reading.ts'

/** One way to say a value. */
export interface Saying { readonly words: readonly string[], readonly value: Json, readonly how: string }

/** An enum member is said by its own words: `in_progress` by "in progress". */
export function sayingsOf(values: readonly Json[], synonyms: readonly ListValue[]): readonly Saying[] {
  const own = values.flatMap(value => typeof value === 'string' || typeof value === 'number' ? [{ words: wordsOf(String(value)), value, how: 'listed value' }] : [])
  const listed = synonyms.filter(({ out }) => typeof out !== 'boolean' && values.includes(out)).flatMap(({ in: said, out }) => said.map(text => ({ words: wordsOf(text), value: out as Json, how: `synonym "${text}"` })))
  return [...own, ...listed].filter(({ words }) => words.length > 0)
}

export function listSayings(list: readonly ListValue[]): readonly Saying[] {
  return list.flatMap(({ in: said, out }) => said.map(text => ({ words: wordsOf(text), value: out as Json, how: `list entry "${text}"` }))).filter(({ words }) => words.length > 0)
}

const TOKEN = /[\p{L}\p{N}]+(?:['\u2019]\p{L}+)*/gu

/** Words too small to be a value by themselves; a single letter is one as well. */
const TOO_SMALL: ReadonlySet<string> = new Set(['in', 'to', 'or', 'and', 'not', 'it', 'is', 'me', 'my', 'the', 'as', 'at', 'an', 'by', 'of', 'do', 'be', 'for', 'with'])
const isTooSmall = (words: readonly string[], text: string) => words.length === 1 && (TOO_SMALL.has(words[0] ?? '') || (/^\p{L}$/u.test(words[0] ?? '') && text.trim().length > 2))

/** Whole words only, the longest first: "in progress" before "progress". */
export function readSayings(text: string, sayings: readonly Saying[]): readonly Reading[] {
  const tokens = [...text.matchAll(TOKEN)].map(found => ({ words: wordsOf(found[0]), start: found.index, end: found.index + found[0].length }))
  const flat = tokens.flatMap(token => token.words.map((word, nth) => ({ word, start: token.start, end: token.end, first: nth === 0, last: nth === token.words.length - 1 })))
  const readings: Reading[] = []
  for (const { words, value, how } of sayings.filter(saying => !isTooSmall(saying.words, text))) {
    for (let at = 0; at + words.length <= flat.length; at++) {
      const last = flat[at + words.length - 1]
      const first = flat[at]
      if (first?.first && last?.last && words.every((word, nth) => flat[at + nth]?.word === word)) readings.push({ value, start: first.start, end: last.end, how })
    }
  }
  return longest(readings)
}
