/** Features as bytes, and the identity of the rules that made them: features of other rules would hide phrases from a reader. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Phrase } from '../types.ts'
import type { PhraseFeatures } from './phrase-features.ts'

const LISTS = ['vocabulary', 'joined', 'synonyms', 'needs', 'openings', 'gists'] as const

/** The words as a line of JSON each list's length stands in, then the numbers. */
export function packFeatures(features: PhraseFeatures): Uint8Array {
  const head = Buffer.from(JSON.stringify({ words: features.words, lengths: LISTS.map(name => features[name].length) }))
  const padded = Buffer.alloc(4 + Math.ceil(head.length / 4) * 4, 32)
  padded.writeUInt32LE(padded.length - 4)
  head.copy(padded, 4)
  return Buffer.concat([padded, ...LISTS.map(name => new Uint8Array(features[name].buffer, features[name].byteOffset, features[name].byteLength))])
}

/** Undefined for bytes that are no features, or where a number names no word. @param phrases how many there must be */
export function unpackFeatures(body: Uint8Array, phrases: number): PhraseFeatures | undefined {
  const bytes = Uint8Array.from(body) // aligned, as typed arrays must be
  if (bytes.length < 4) return undefined
  const end = 4 + new DataView(bytes.buffer).getUint32(0, true)
  const head = end > bytes.length ? undefined : parsed(Buffer.from(bytes.buffer, 4, end - 4).toString('utf8'))
  if (!head || end % 4 !== 0 || end + head.lengths.reduce((sum, length) => sum + length * 4, 0) !== bytes.length) return undefined
  let at = end
  const [vocabulary, joined, synonyms, needs, openings, gists] = head.lengths.map(length => {
    const list = new Int32Array(bytes.buffer, at, length)
    at += length * 4
    return list
  })
  if (!vocabulary || !joined || !synonyms || !needs || !openings || !gists || openings.length !== phrases * 4 || gists.length !== phrases * 2) return undefined
  return { words: head.words, vocabulary, joined, synonyms, needs, openings, gists }
}

function parsed(text: string): { words: readonly string[], lengths: readonly number[] } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('words' in value) || !('lengths' in value)) return undefined
    const { words, lengths } = value
    const isList = (list: unknown, type: string): boolean => Array.isArray(list) && list.every(item => typeof item === type)
    return isList(words, 'string') && isList(lengths, 'number') && (lengths as unknown[]).length === LISTS.length ? { words: words as string[], lengths: lengths as number[] } : undefined
  } catch {
    return undefined
  }
}

/** Of all phrases, in their order. */
export function phrasesHash(routes: Iterable<{ readonly phrases: readonly Phrase[] }>): string {
  const hash = createHash('sha256')
  for (const { phrases } of routes) hash.update(JSON.stringify(phrases.map(phrase => phrase.parts)))
  return hash.digest('hex')
}

/** Of the rules' own files and of the words they know. Undefined where they do not lie beside this one, as in a bundle. */
export function rulesHash(): string | undefined {
  try {
    const hash = createHash('sha256')
    for (const folder of ['./', './words/']) {
      const url = new URL(folder, import.meta.url)
      for (const name of readdirSync(url).filter(file => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts')).sort()) hash.update(name).update(readFileSync(new URL(name, url)))
    }
    return hash.update(readFileSync(fileURLToPath(new URL('../../models/english-words/lexicon.txt', import.meta.url)))).digest('hex')
  } catch {
    return undefined // nothing is kept then
  }
}
