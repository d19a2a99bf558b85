/** Readings and scores to combine, in our own words. */
import type { ReaderThresholds } from '../../src/ports.ts'
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

/** Far enough apart that a test sees which of them spoke. */
export const LIMITS: ReaderThresholds = {
  object: { open: 0.4, whole: 0.2, worked: 0.05 },
  offer: { near: 0.3, wording: 0.5, told: 0.95, silent: 0.9 },
  fire: { near: 0.6, wording: 0.6, told: 0.99, silent: 0.97 },
}
