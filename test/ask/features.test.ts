import { expect, test } from 'vitest'
import { featuresOf, keysOf } from '../../src/ask/features.ts'
import { packFeatures, phrasesHash, rulesHash, unpackFeatures } from '../../src/ask/features-file.ts'
import { patternsOf } from '../../src/ask/patterns.ts'
import { createAskReader } from '../../src/ask/reader.ts'
import { ROUTES } from './routes.ts'

const phrases = ROUTES.flatMap(route => route.phrases.map(phrase => ({ route: route.name, phrase })))
const features = featuresOf(ROUTES)

/** The sets of words of each phrase, spelled out. */
function needs(): string[][][] {
  const all: string[][][] = []
  for (let at = 0; at < features.needs.length;) {
    const sets: string[][] = []
    for (let left = features.needs[at++] ?? 0; left > 0; left--) {
      const to = at + 1 + (features.needs[at] ?? 0)
      sets.push([...features.needs.subarray(at + 1, to)].map(id => features.words[id] ?? ''))
      at = to
    }
    all.push(sets)
  }
  return all
}

test('no pattern of a phrase can stand in a text that holds none of the phrase\'s sets of words', () => {
  const sets = needs()
  expect(sets).toHaveLength(phrases.length)
  phrases.forEach(({ route, phrase }, place) => {
    for (const pattern of patternsOf(route, phrase)) {
      const keys = new Set(keysOf(pattern))
      expect(sets[place]?.some(set => set.every(word => keys.has(word))), `${phrase.text}: ${pattern.how}`).toBe(true)
    }
  })
})

test('features come back from their bytes as they were, and a reader reads the same with them', () => {
  const back = unpackFeatures(packFeatures(features), phrases.length)
  expect(back).toEqual(features)
  const [made, given] = [createAskReader(ROUTES), createAskReader(ROUTES, back)]
  for (const { phrase } of phrases) for (const text of [phrase.text, `please ${phrase.text}`, `why did he ${phrase.text}?`, phrase.text.split(' ').slice(0, 2).join(' ')]) expect(given.read(text, [])).toEqual(made.read(text, []))
})

test('bytes of another table, cut ones and others are no features', () => {
  const bytes = packFeatures(features)
  expect(unpackFeatures(bytes, phrases.length + 1)).toBeUndefined()
  for (const wrong of [new Uint8Array(), bytes.subarray(0, 2), bytes.subarray(0, 100), bytes.subarray(0, bytes.length - 4), Buffer.from('\x08\0\0\0{"words"'), Buffer.from('\x08\0\0\0null    ')]) expect(unpackFeatures(wrong, phrases.length)).toBeUndefined()
})

test('the identity of a table is its phrases and their order, that of the rules their files', () => {
  expect(phrasesHash(ROUTES)).toBe(phrasesHash([...ROUTES]))
  expect(phrasesHash([...ROUTES].reverse())).not.toBe(phrasesHash(ROUTES))
  expect(rulesHash()).toMatch(/^[0-9a-f]{64}$/)
})
