/** Readings and scores to combine, in our own words. */
import type { ReaderScore } from '../../src/reader/combine.ts'
import type { Ask, NotAsk, Phrase } from '../../src/types.ts'

export function phrase(text: string): Phrase {
  const parts = text.split(/(\{\w+\})/).filter(Boolean).map(part => part.startsWith('{')
    ? { kind: 'slot' as const, slot: { name: part.slice(1, -1) } }
    : { kind: 'text' as const, text: part })
  return { text, parts, template: text }
}

export function ask(route: string, words: string, start = 0): Ask {
  return { kind: 'ask', route, phrase: phrase(words), span: { start, end: start + words.length }, captures: [], steps: [] }
}

export function notAsk(route: string, words: string, reason: string, offer = false): NotAsk {
  return { kind: 'not-ask', route, phrase: phrase(words), reason, why: 'because', offer, captures: [], steps: [] }
}

export function read(route: string, words: string, probability: number): ReaderScore {
  return { kind: 'read', route, phrase: phrase(words), probability }
}
