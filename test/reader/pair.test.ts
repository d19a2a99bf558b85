import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clean, PHRASE_TOKENS, pairOf, TEXT_TOKENS } from '../../src/reader/pair.ts'

/** One id a word between the marks 101 and 102, as the tokeniser does for known words. */
const encode = (text: string): number[] => [101, ...text.split(' ').filter(Boolean).map(word => 1000 + word.length), 102]

describe('clean', () => {
  test('a mark of the tokeniser in an event is only text', () => {
    expect(clean('[SEP] open [CLS]')).toBe('(sep) open (cls)')
  })

  test('what nobody sees is gone, and other forms of letters are plain', () => {
    expect(clean('o\u200Bp\u00ADe\u202En  \u{E0041}ｉｔ\u0000now')).toBe('open it now')
    expect(clean('“don’t”')).toBe('"don\'t"')
  })

  test('question and quotation marks stay: they are part of what is asked', () => {
    expect(clean('"Open it"?')).toBe('"open it"?')
  })
})

describe('pairOf', () => {
  test('phrases come first, then the event, each with its kind', () => {
    expect(pairOf(encode, ['open it', 'get it'], 'now please')).toEqual({
      ids: [101, 1004, 1002, 1001, 1003, 1002, 102, 1003, 1006, 102],
      kinds: [0, 0, 0, 0, 0, 0, 0, 1, 1, 1],
    })
  })

  test('an event that is too long is not read, rather than read in part', () => {
    const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ')
    expect(pairOf(encode, ['open it'], words(TEXT_TOKENS))).toBeDefined()
    expect(pairOf(encode, ['open it'], words(TEXT_TOKENS + 1))).toBeUndefined()
    expect(pairOf(encode, ['open it'], `open it ${'x'.repeat(5000)}`)).toBeUndefined()
  })

  test('phrases take no more than their share, and one that is too long alone is cut', () => {
    const long = Array.from({ length: 60 }, () => 'word').join(' ')
    expect(pairOf(encode, [long, long, 'open it'], 'now')?.ids).toHaveLength(60 + 4)
    expect(pairOf(encode, [`${long} ${long}`], 'now')?.ids).toHaveLength(PHRASE_TOKENS + 4)
  })

  test('any text gives marks at three places only, and kinds as long as ids', () => {
    fc.assert(fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), fc.string({ unit: 'grapheme', maxLength: 200 }), (phrases, text) => {
      const pair = pairOf(encode, phrases, text)
      if (!pair) return
      expect(pair.kinds).toHaveLength(pair.ids.length)
      expect(pair.ids.filter(id => id === 101)).toHaveLength(1)
      expect(pair.ids.filter(id => id === 102)).toHaveLength(2)
    }), { seed: 14 })
  })
})
