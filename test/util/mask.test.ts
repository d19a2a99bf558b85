import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capped, quoted, visible } from '../../src/util/mask.ts'

test.each([
  ['a\nb', 'a\\u000ab'], ['a\u2028b\u2029', 'a\\u2028b\\u2029'], ['\u202Eexe.txt', '\\u202eexe.txt'], ['a\u200Bb', 'a\\u200bb'], ['\u001b[31mred', '\\u001b[31mred'], ['x\u{E0073}', 'x\\u{e0073}'], ['\uD800', '\\ud800'], ['naïve café 読', 'naïve café 読'], ['\uFE0F', '\\ufe0f'],
])('%j is shown as %s', (text, shown) => expect(visible(text)).toBe(shown))

test('whatever a name holds, it is one line of visible characters', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(quoted(text))), { seed: 7, numRuns: 3000 })
})

test('a cap never cuts a character in two and says the true length', () => {
  expect(capped('abc', 3)).toBe('abc')
  expect(capped('ab\u{1F600}d', 3)).toBe('ab… (5 characters)')
})
