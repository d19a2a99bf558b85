import { expect, test } from 'vitest'
import { readMoney } from '../../../src/fill/read/money.ts'

test.each<readonly [string, readonly (readonly [number, string | undefined, string])[]]>([
  ['pay $20 now', [[20, undefined, '$20']]], ['20 dollars', [[20, undefined, '20 dollars']]], ['\u20AC5.50', [[5.5, 'EUR', '\u20AC5.50']]], ['5,50 or 5 \u20AC', [[5, 'EUR', '5 \u20AC']]], ['\u00A3 7', [[7, 'GBP', '\u00A3 7']]], ['US$ 9', [[9, 'USD', 'US$ 9']]], ['twenty euros', [[20, 'EUR', 'twenty euros']]], ['15 USD', [[15, 'USD', '15 USD']]], ['20 to 50 dollars', [[20, undefined, '20'], [50, undefined, '50 dollars']]], ['20 - 50 \u20AC', [[20, 'EUR', '20'], [50, 'EUR', '50 \u20AC']]], ['20 or 50 dollars', [[20, undefined, '20'], [50, undefined, '50 dollars']]], ['20, 50 dollars', [[50, undefined, '50 dollars']]], ['20 apples', []], ['20', []], ['\u00A5100', [[100, undefined, '\u00A5100']]], ['5 euroscope', []],
  ['USD 20', [[20, 'USD', 'USD 20']]], ['eur20', []], ['XUSD 20', []], ['chf 5 and 6 apples', [[5, 'CHF', 'chf 5']]], ['99 cents', [[0.99, undefined, '99 cents']]], ['1 cent', [[0.01, undefined, '1 cent']]], ['50 pence', [[0.5, undefined, '50 pence']]], ['5 centers', []], ['between 20 and 50 euros', [[20, 'EUR', '20'], [50, 'EUR', '50 euros']]], ['20 and 50 euros', [[50, 'EUR', '50 euros']]], ['between 20 or so and 50 euros', [[50, 'EUR', '50 euros']]],
  ['five pounds fifty', [[5.5, undefined, 'five pounds fifty']]], ['5 euros 20 please', [[5.2, 'EUR', '5 euros 20']]], ['5 dollars 5', [[5.05, undefined, '5 dollars 5']]], ['5 dollars and 20 cents', [[5.2, undefined, '5 dollars and 20 cents']]], ['5 dollars 20 cents to bob', [[5.2, undefined, '5 dollars 20 cents']]], ['5 dollars and 20', [[5, undefined, '5 dollars']]], ['5 dollars 20 apples', [[5, undefined, '5 dollars']]], ['5 dollars 200', [[5, undefined, '5 dollars']]], ['5.5 dollars 20', [[5.5, undefined, '5.5 dollars']]], ['5 dollars 0', [[5, undefined, '5 dollars']]], ['$5 $6', [[5, undefined, '$5'], [6, undefined, '$6']]], ['5 dollars 1.5', [[5, undefined, '5 dollars']]], ['5 dollars, 20', [[5, undefined, '5 dollars']]],
  ['$10k', [[10_000, undefined, '$10k']]], ['\u20AC2.5m', [[2_500_000, 'EUR', '\u20AC2.5m']]], ['1bn usd', [[1_000_000_000, 'USD', '1bn usd']]], ['10k euros', [[10_000, 'EUR', '10k euros']]], ['10K', []], ['a 10k run', []], ['$5km', []], ['x10k euros', []], ['10k eurosceptics', []], ['$1.1m and $5', [[1_100_000, undefined, '$1.1m'], [5, undefined, '$5']]], ['us$ 3k', [[3000, 'USD', 'us$ 3k']]],
])('money: "%s"', (text, expected) => {
  expect(readMoney(text).map(({ value, currency, start, end }) => [value, currency, text.slice(start, end)])).toEqual(expected)
})

test('each says what it is', () => {
  expect(['$5', '5 to $6', '5 euros', '5 cents', 'USD 5', '$5k', '5 euros 20'].map(text => readMoney(text)[0]?.how)).toEqual(Array.from({ length: 7 }, () => 'money'))
})
