/**
 * What of a text is read with one ask. One ask in a short text: all of it. Of several asks each is read with the words up to its neighbours, else a true one would be judged by a false one beside
 * it. Of a text too long to be read whole: the sentences around the ask, as many as fit, so that padding does not switch the second reader off.
 */
import type { Ask, Span } from '../types.ts'
import { TEXT_LENGTH, TEXT_TOKENS } from './pair.ts'

const SENTENCE_END = /[.!?\u2026]+["'\u201D\u2019)\]]*\s+|[\n\r\u2028\u2029]+|[\u3002\uFF01\uFF1F]/gu
/** Between two asks of one sentence. */
const LINK = /(?:[,;:\u2013\u2014]\s*)?(?<![\p{L}\p{N}'])(?:(?:and|then|but|plus|also|und|dann|et|puis|y|luego|e|poi|en|dan)(?:\s+|$))+|[,;:\u2013\u2014]/giu
/** Words of a window, a wordpiece and a third each: what mostly fits, and what fits in other languages too. */
const WINDOWS: readonly number[] = [110, 60, 30]
/** Words of a free text that are read: the owner's word is that anything may follow. */
const REST_WORDS = 60

function lastOf(pattern: RegExp, gap: string): { readonly from: number, readonly to: number } | undefined {
  const last = [...gap.matchAll(pattern)].at(-1)
  return last && { from: last.index, to: last.index + last[0].length }
}

/** Where the words between two asks part: at the end of a sentence, else at the last link, else at once. */
function cut(text: string, from: number, to: number): { readonly left: number, readonly right: number } {
  const gap = text.slice(from, to)
  const at = lastOf(SENTENCE_END, gap) ?? lastOf(LINK, gap)
  return at ? { left: from + at.from, right: from + at.to } : { left: from, right: from }
}

function trimmed(text: string, { start, end }: Span): Span {
  const part = text.slice(start, end)
  return { start: start + part.length - part.trimStart().length, end: end - (part.length - part.trimEnd().length) }
}

/** The text of one ask, its neighbours left out; all of it where it is the only one. */
export function partOf(text: string, { span }: Ask, asks: readonly Ask[]): Span {
  let start = 0
  let end = text.length
  for (const { span: other } of asks) {
    if (other.end <= span.start) start = Math.max(start, cut(text, other.end, span.start).right)
    else if (other.start >= span.end) end = Math.min(end, cut(text, span.end, other.start).left)
  }
  return start === 0 && end === text.length ? { start, end } : trimmed(text, { start, end })
}

/** Sentences of a part, and in each a window would end in the middle of none. */
function sentencesOf(text: string, { start, end }: Span): readonly Span[] {
  const found: Span[] = []
  let from = start
  for (const match of text.slice(start, end).matchAll(SENTENCE_END)) {
    const to = start + match.index + match[0].length
    found.push({ start: from, end: to })
    from = to
  }
  if (from < end) found.push({ start: from, end })
  return found
}

const wordsIn = (text: string, { start, end }: Span): number => text.slice(start, end).match(/\S+/gu)?.length ?? 0

/** The ask's own sentences, and as many beside them as have so many words: those before it first, since they are what it leans on. */
function around(text: string, sentences: readonly Span[], own: Span, most: number): Span {
  let first = sentences.findIndex(({ end }) => end > own.start)
  let last = sentences.findLastIndex(({ start }) => start < own.end)
  if (first < 0 || last < 0) return own
  const spanOf = (): Span => ({ start: sentences[first]?.start ?? own.start, end: sentences[last]?.end ?? own.end })
  let count = wordsIn(text, spanOf())
  for (let grows = true; grows;) {
    grows = false
    for (const [at, step] of [[first - 1, -1], [last + 1, 1]] as const) {
      const more = sentences[at]
      const words = more ? wordsIn(text, more) : Infinity
      if (count + words > most) continue
      count += words
      if (step < 0) first = at
      else last = at
      grows = true
    }
  }
  return spanOf()
}

/** As far as the free text that ends an ask is read; undefined: it ends in none, or it is short. */
function shortened(text: string, { captures }: Ask, sentence: Span): Span | undefined {
  const rest = captures.find(({ slot }) => slot.type === 'rest')
  if (!rest) return undefined
  const words = [...text.slice(rest.span.start, rest.span.end).matchAll(/\S+/gu)]
  const last = words[REST_WORDS - 1]
  return last && words.length > REST_WORDS ? { start: Math.min(sentence.start, rest.span.start), end: rest.span.start + last.index + last[0].length } : undefined
}

/** Widest first: the first that the reader can take in whole is the one that counts. */
export function contextsOf(text: string, ask: Ask, asks: readonly Ask[]): readonly Span[] {
  const part = partOf(text, ask, asks)
  // A wordpiece has at least one character.
  if (part.end - part.start <= TEXT_TOKENS) return [part]
  const sentences = sentencesOf(text, part)
  const own = around(text, sentences, ask.span, 0)
  const short = shortened(text, ask, own)
  const all = [part, ...WINDOWS.map(most => around(text, sentences, ask.span, most)), own, ask.span, ...short ? [short, { start: ask.span.start, end: short.end }] : []]
    .map(span => span === part ? span : trimmed(text, span))
    .filter(({ start, end }) => end > start && end - start <= TEXT_LENGTH)
  return all.filter((span, at) => all.findIndex(({ start, end }) => start === span.start && end === span.end) === at)
}
