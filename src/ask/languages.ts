/** What language a text is in, as far as its short words say: a text that no trigger is written in asks for nothing. */
import { joinedWords } from './phrases-at.ts'
import type { Token } from './tokens.ts'
import { ENGLISH, LANGUAGES } from './words/languages.ts'

/** Fewer words of a language than this may be a name or a greeting. */
const ENOUGH = 2
const SHARE = 0.3

function share(words: readonly string[], list: ReadonlySet<string>): number {
  return words.filter(word => list.has(word)).length
}

/**
 * @returns the name of the language, `another script` where most letters are not Latin, or undefined: English, or nothing to tell it by
 */
export function languageOf(tokens: readonly Token[]): string | undefined {
  const words = tokens.map(token => token.norm)
  const letters = words.join('').replace(/[^\p{L}]/gu, '')
  if (letters.length >= 4 && letters.replace(/\p{Script=Latin}/gu, '').length > letters.length / 2) return 'another script'
  const english = share(words, ENGLISH)
  let best: { name: string, count: number } | undefined
  for (const [name, list] of LANGUAGES) {
    const count = share(words, list)
    if (count > (best?.count ?? 0)) best = { name, count }
  }
  if (!best || best.count < ENOUGH || best.count <= english * 2 || best.count / words.length < SHARE) return undefined
  return best.name
}

/** Is the phrase of a trigger in that language too? */
export function isIn(language: string, phrase: readonly Token[]): boolean {
  if (language === 'another script') return languageOf(phrase) === language
  const list = LANGUAGES.get(language)
  return list !== undefined && phrase.some(token => list.has(token.norm) && !ENGLISH.has(token.norm)) && !phrase.some(token => ENGLISH.has(token.norm))
}

/** The beginning of a text, for a reason. */
export const beginning = (tokens: readonly Token[]): string => joinedWords(tokens, 0, Math.min(tokens.length, 6))
