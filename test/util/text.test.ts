import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlank, normalise } from '../../src/util/text.ts'

test('a text is blank exactly where nothing is left of it once it is normalised', () => {
  const odd = fc.string({ unit: fc.constantFrom(' ', '-', '\u2014', '\u200B', '\u115F', '\u3164', '\u0301', '\uD83D', '\uDE00', '\uFF11', '\u02BC', 'a', '7', '\u00E9', '"') })
  fc.assert(fc.property(fc.oneof(odd, fc.string({ unit: 'binary' })), text => {
    expect(isBlank(text)).toBe(normalise(text) === '')
  }), { seed: 20, numRuns: 2000 })
})

test.each([['', true], [' \u200B\u2014... ', true], ['\u3164', true], ['\u{1F600}', false], ['\u0301', false], ['... 7', false]])('%j is blank: %s', (text, blank) => {
  expect(isBlank(text)).toBe(blank)
})
