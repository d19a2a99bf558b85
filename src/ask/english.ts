/** What is known of single English words. The only file that reads models/english-words (the lexicon of `compromise`). */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ARTICLES, AUX, BARE_SUBJECT, CONJUNCTION, FINITE_BE, MODAL, NEGATION, PREPOSITION, QUANTIFIER, QUESTION, SUBJECT } from './words/classes.ts'
import { BASE_VERBS, lemmas } from './words/verbs.ts'

const CLOSED = new Set([ARTICLES, AUX, BARE_SUBJECT, CONJUNCTION, MODAL, NEGATION, PREPOSITION, QUANTIFIER, QUESTION, SUBJECT].flatMap(list => [...list]))

const lexicon = readLexicon(readFileSync(fileURLToPath(new URL('../../models/english-words/lexicon.txt', import.meta.url)), 'utf8'))

/** @param text a line for each set of tags: the tags with blanks between them, then the words, each after a tab */
export function readLexicon(text: string): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>()
  for (const line of text.split('\n')) {
    const [tags = '', ...words] = line.split('\t')
    const list = tags.split(' ')
    for (const word of words) known.set(word, list)
  }
  return known
}

function tagged(word: string, ...wanted: string[]): boolean {
  return lexicon.get(word)?.some(tag => wanted.includes(tag)) === true
}

/** A word that people use, so that it is not a slip of another. */
export function isWord(word: string): boolean {
  return lexicon.has(word) || BASE_VERBS.has(word) || AUX.has(word) || lemmas(word).some(({ word: stem }) => stem.length > 2 && (BASE_VERBS.has(stem) || lexicon.has(stem)))
}

/** Known only as a form of another word. */
export function isInflection(word: string): boolean {
  return !lexicon.has(word) && !BASE_VERBS.has(word) && !AUX.has(word)
}

/** Could be an imperative. */
export function isBaseVerb(word: string): boolean {
  return BASE_VERBS.has(word) || tagged(word, 'Infinitive')
}

/** Makes a clause complete: `is`, `went`, `have`, `looks`. */
export function isFinite(word: string): boolean {
  return FINITE_BE.has(word) || AUX.has(word) || tagged(word, 'PastTense', 'PresentTense', 'Copula', 'Auxiliary') || /'(?:s|re|ve|m|d|ll)$/.test(word)
    || (/(?:ed)$/.test(word) && lemmas(word).some(({ word: stem }) => isBaseVerb(stem)))
}

const OBJECT = /^(?:the|my|our|this|that|these|those|me|us|it|him|them|up|off|out|down|a|an|some)$/

/** Begins like a request: a verb, or an unknown word that takes an object, as in "bung the kettle on". */
export function startsRequest(first: string, next: string): boolean {
  if (isBaseVerb(first)) return true
  return OBJECT.test(next) && !lexicon.has(first) && !CLOSED.has(first) && !/(?:ed|ing|s|ly|'\w+)$/.test(first) && /^\p{L}+$/u.test(first)
}

export function isDescriptive(word: string): boolean {
  return tagged(word, 'Adjective', 'Comparable', 'Adverb', 'Participle', 'PastTense') || word.endsWith('ly')
}

export function hasTag(word: string, ...tags: string[]): boolean {
  return tagged(word, ...tags)
}
