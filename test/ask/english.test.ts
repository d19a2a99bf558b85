import { readFileSync } from 'node:fs'
import nlp from 'compromise/two'
import { expect, test } from 'vitest'
import { hasTag, isBaseVerb, isWord, readLexicon } from '../../src/ask/english.ts'

test('the lexicon in models/english-words is that of the installed library, word by word', () => {
  const library = (nlp.model() as unknown as { one: { lexicon: Record<string, string | readonly string[]> } }).one.lexicon
  const ours = readLexicon(readFileSync(new URL('../../models/english-words/lexicon.txt', import.meta.url), 'utf8'))
  expect(ours.size).toBe(Object.keys(library).length)
  expect(Object.entries(library).filter(([word, tags]) => ours.get(word)?.join() !== [tags].flat().join())).toEqual([])
})

test('names of an object\'s own are looked up as words', () => {
  for (const word of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) expect([isWord(word), hasTag(word, 'Noun')]).toEqual([false, false])
  expect([isBaseVerb('open'), isWord('opened'), hasTag('tuesday', 'WeekDay')]).toEqual([true, true, true])
})
