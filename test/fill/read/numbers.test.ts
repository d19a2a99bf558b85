import { describe, expect, test } from 'vitest'
import { readDigits, readNumbers } from '../../../src/fill/read/numbers.ts'

const read = (text: string) => readNumbers(text).map(({ value }) => value)

describe('numbers', () => {
  test.each<readonly [string, readonly number[]]>([
    ['25', [25]], ['a 25 b', [25]], ['1,200', [1200]], ['1,200.50', [1200.5]], ['3.5', [3.5]], ['-5', [-5]], ['+5', [5]], ['\u22125', [-5]], ['5 and 7', [5, 7]], ['(5)', [5]], ['$5', [5]], ['5%', [5]], ['#5', [5]], ['x#5', []], ['5.', [5]], ['5, 6', [5, 6]], ['0', [0]], ['007', [7]],
    ['v2', []], ['2nd', []], ['1.2.3', []], ['12/03', []], ['9:30', []], ['2026-11-30', []], ['5px', []], ['a-5', []], ['5-6', []], ['x_5', []], ['1,20', []], ['12345678901234567', []], ['user@5', []], ['5%5', []],
  ])('in digits: "%s" -> %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })
  test.each<readonly [string, readonly number[]]>([
    ['five', [5]], ['Twenty Five', [25]], ['twenty-five', [25]], ['twenty five minutes', [25]], ['nineteen', [19]], ['ninety nine', [99]], ['a hundred', [100]], ['one hundred and five', [105]], ['two hundred', [200]], ['two thousand and five', [2005]],
    ['one hundred and twenty three thousand four hundred fifty six', [123_456]], ['three million', [3_000_000]], ['a dozen', [12]], ['two dozen', [24]], ['minus three', [-3]], ['negative seven', [-7]], ['three point one four', [3.14]], ['two and a half', [2.5]], ['three and a quarter', [3.25]],
    ['five twenty', [5, 20]], ['two three', [2, 3]], ['twenty eleven', [20, 11]], ['one and two', [1, 2]], ['five, six', [5, 6]], ['five\nsix', [5, 6]], ['ten five', [10, 5]], ['zero', [0]], ['fifty and one', [50, 1]], ['hundred and one', [1]], ['a five', [5]],
    ['1234567890123456', [1_234_567_890_123_456]], ['twenty  five', [25]], ['twenty, five', [20, 5]], ['minus, three', [3]], ['ten hundred', [10]], ['nine hundred', [900]], ['five dozen', [60]], ['one thousand dozen', [1000]], ['one hundred and', [100]], ['hundred thousand', []], ['zero thousand', [0]], ['two thousand thousand', [2000]], ['twenty zero', [20, 0]], ['one hundred zero', [100, 0]], ['twenty ten', [20, 10]], ['five and a', [5]], ['five and the half', [5]], ['five and quarter', [5]], ['five or a half', [5]], ['five and a quarter', [5.25]], ['five or a quarter', [5]], ['one hundred and and five', [100, 5]], ['thousand and five', [5]], ['one hundred and twenty', [120]], ['twenty and five', [20, 5]], ['one hundred, and five', [100, 5]], ['five point, two', [5, 2]], ['three point one, four', [3.1, 4]], ['zero point five', [0.5]], ['thirty one million', [31_000_000]], ['one million and five', [1_000_005]], ['ninety ten', [90, 10]], ['someone', []], ['tent', []], ['a', []], ['and', []], ['point', []], ['hundred', []], ['minus', []], ['a dozens', []], ['one\'s', [1]], ['three point', [3]], ['three point ten', [3, 10]], ['five minus', [5]],
  ])('in words: "%s" -> %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })
  test.each<readonly [string, readonly number[]]>([
    ['2.5 million', [2_500_000]], ['5 million', [5_000_000]], ['2.3 million', [2_300_000]], ['3 hundred', [300]], ['4 dozen', [48]], ['1.1 billion', [1_100_000_000]], ['5-million', [5_000_000]], ['5 millions', [5]], ['-2 thousand', [-2000]], ['2 1/2', [2.5]], ['2-1/2', [2.5]], ['2 3/4', [2.75]], ['2 5/4', []], ['2 5/5', []], ['1234567890.12345678', []], ['2 1/2/3', [2]], ['2\u00BD', [2.5]], ['2 \u00BE', [2.75]], ['\u00BC', [0.25]], ['a\u00BD', []], ['5 \u00BDs', [5]], ['1/2', []],
    ['half a dozen', [6]], ['half a million', [500_000]], ['half a hundred', [100]], ['half a cup', []], ['such a dozen', [12]], ['half the dozen', []], ['half dozen', []], ['an hundred', [100]], ['one hundred hundred', [100]], ['one thousand two dozen', [1002]], ['twenty one two', [21, 2]], ['twenty - five', [20, 5]], ['a million and a half', [1_500_000]], ['a dozen and a half', [18]], ['two hundred and a half', [200.5]], ['two and a half million', [2_500_000]], ['three point five thousand', [3500]], ['three point five dozen', [3.5]], ['two and a half hundred', [2.5]], ['twelve hundred', [1200]], ['fifteen hundred and ten', [1510]], ['twenty five hundred', [2500]], ['twenty hundred', [20]],
    ['a couple of eggs', [2]], ['a couple more', [2]], ['a couple moreover', []], ['a couple evermore', []], ['twice areas', [2]], ['twice apples', [2]], ['the couple of eggs', [2]], ['couple of eggs', [2]], ['couple hours', [2]], ['a couple', []], ['the couple came', []], ['twice', [2]], ['thrice', [3]], ['twice as long', []], ['twice a day', []], ['twice the size', []],
    ['twenty-first', []], ['twenty first', []], ['a hundred and thirty second', []], ['twenty seconds', [20]], ['ten first', [10]], ['twenty one first', [21]], ['thirty five second', [35]], ['twenty, first', [20]], ['two thirds', []], ['one third', []], ['three quarters', []], ['2 thirds', []], ['3 quarters', []], ['five tenths', []], ['two halves', []], ['two, thirds', [2]], ['2 third', []], ['2 thirdly', [2]],
    ['the second one', []], ['this one', []], ['which one', []], ['no one', []], ['another one please', []], ['one of them', []], ['the red one', []], ['one another', []], ['just one', [1]], ['one copy', [1]], ['the one copy', []], ['room one', [1]], ['the room one floor up', [1]], ['that, one', [1]], ['this two', [2]], ['one hundred of them', [100]],
  ])('as people say them: "%s" -> %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })
  test('a scale, a part and a fraction belong to the characters of the number', () => {
    const text = 'about 2.5 million, 2 1/2, half a dozen, a couple of, two and a half million'
    expect(readNumbers(text).map(({ start, end }) => text.slice(start, end))).toEqual(['2.5 million', '2 1/2', 'half a dozen', 'a couple of', 'two and a half million'])
    const more = 'three point, the couple of eggs, \u00BD'
    expect(readNumbers(more).map(({ start, end, how }) => [more.slice(start, end), how])).toEqual([['three', 'number in words'], ['couple of', 'number in words'], ['\u00BD', 'number']])
  })
  test('each has its own characters', () => {
    const text = 'from minus twenty five to 1,200.5 and two and a half'
    expect(readNumbers(text).map(({ start, end, how }) => [text.slice(start, end), how])).toEqual([['minus twenty five', 'number in words'], ['1,200.5', 'number'], ['two and a half', 'number in words']])
  })
  test.each<readonly [string, number | undefined]>([['nine oh six', 906], ['three three one', 331], ['one o', 10], ['zero five', 5], ['five', undefined], ['three eleven', undefined], ['nine, six', undefined], ['nine of six', undefined], ['one two three four five six seven eight nine', 123_456_789], ['one two three four five six seven eight nine one', undefined], ['', undefined]])('digit by digit: "%s" -> %s', (text, expected) => {
    expect(readDigits(text)?.value).toBe(expected)
  })
  test('digits told one by one are read as such, with their place', () => {
    expect(readDigits(' nine oh six ')).toEqual({ value: 906, start: 1, end: 12, how: 'digits in words' })
    expect(readDigits('nine oh, six')).toBeUndefined()
    expect(readDigits('nine ten')).toBeUndefined()
  })
  test('characters outside the basic plane do not shift the place', () => {
    const text = '\u{1F600} five'
    expect(readNumbers(text).map(({ start, end }) => text.slice(start, end))).toEqual(['five'])
  })
})
