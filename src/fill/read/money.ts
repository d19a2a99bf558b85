/** Amounts with a currency beside them: `$20`, `20 to 50 euros`, `five pounds fifty`, `99 cents`, `$10k`. */
import { readNumbers, type NumberReading } from './numbers.ts'
import type { Reading } from './reading.ts'

export interface MoneyReading extends Reading { readonly value: number, /** ISO 4217, where the words leave no choice: `$` does not. */ readonly currency: string | undefined }

const SIGNS: ReadonlyMap<string, string | undefined> = new Map([['$', undefined], ['\u20AC', 'EUR'], ['\u00A3', 'GBP'], ['\u00A5', undefined], ['us$', 'USD'], ['a$', 'AUD'], ['c$', 'CAD']])
const NAMES: ReadonlyMap<string, string | undefined> = new Map([
  ['euro', 'EUR'], ['euros', 'EUR'], ['eur', 'EUR'], ['usd', 'USD'], ['gbp', 'GBP'], ['chf', 'CHF'], ['jpy', 'JPY'], ['yen', 'JPY'], ['cad', 'CAD'], ['aud', 'AUD'], ['sek', 'SEK'], ['nok', 'NOK'], ['dkk', 'DKK'], ['inr', 'INR'],
  ['dollar', undefined], ['dollars', undefined], ['bucks', undefined], ['pound', undefined], ['pounds', undefined], ['quid', 'GBP'], ['francs', 'CHF'], ['rupees', 'INR'],
])
const SIGN_BEFORE = /(?:us\$|a\$|c\$|[$\u20AC\u00A3\u00A5])\s?$/i
const CODE_BEFORE = /(?<![\p{L}\p{N}])(usd|eur|gbp|chf|jpy|cad|aud|sek|nok|dkk|inr)\s?$/iu
const HUNDREDTHS = /^\s?(?:cents?|pence)(?![\p{L}])/iu
const NAME_AFTER = /^\s?(\u20AC|\u00A3|\$|[a-z]{3,7})(?![\p{L}])/iu

/** In "20 to 50 dollars" and "20 or 50 dollars" the first one has the currency as well. */
export function readMoney(text: string): readonly MoneyReading[] {
  const numbers = readNumbers(text)
  const read = numbers.map(number => moneyAt(text, number))
  const amounts = numbers.flatMap((number, index): readonly MoneyReading[] => {
    const [own, next] = [read[index], read[index + 1]]
    if (own) return read[index - 1] && isSmallChange(text, read[index - 1], numbers[index]) ? [] : [withChange(text, own, numbers[index + 1])]
    if (isSmallChange(text, read[index - 1], number)) return []
    const gap = next ? text.slice(number.end, next.start) : ''
    const ranges = /^\s*(?:to|or|-|\u2013)\s*$/i.test(gap) || (/^\s*and\s*$/i.test(gap) && /\bbetween\s*$/i.test(text.slice(0, number.start)))
    return next && ranges ? [{ ...number, how: 'money', currency: next.currency }] : []
  })
  return [...amounts, ...thousands(text)].sort((a, b) => a.start - b.start)
}

const CHANGE_END = /^(?:\s*(?:cents?|pence|p)(?![\p{L}\p{N}]))?(?=\s*(?:$|[.,;!?)]|(?:please|to|for|from|on|in|at|and|each)(?![\p{L}])))/iu

/** "five pounds fifty": the fifty are hundredths. */
function isSmallChange(text: string, money: MoneyReading | undefined, number: NumberReading | undefined): boolean {
  return money !== undefined && number !== undefined && /^ (?:and )?$/i.test(text.slice(money.end, number.start)) && Number.isInteger(money.value) && Number.isInteger(number.value) && number.value > 0 && number.value < 100
    && (text.slice(money.end, number.start) === ' ' || /^\s*(?:cents?|pence|p)(?![\p{L}\p{N}])/iu.test(text.slice(number.end))) && CHANGE_END.test(text.slice(number.end))
}

function withChange(text: string, money: MoneyReading, next: NumberReading | undefined): MoneyReading {
  if (!next || !isSmallChange(text, money, next)) return money
  return { ...money, value: Math.round(money.value * 100 + next.value) / 100, end: next.end + (CHANGE_END.exec(text.slice(next.end))?.[0].length ?? 0) }
}

const THOUSANDS = /(?:(us\$|a\$|c\$|[$\u20AC\u00A3\u00A5])\s?(\d+(?:\.\d+)?)|(?<![\p{L}\p{N}.,])(\d+(?:\.\d+)?))(k|m|bn)(\s?(?:\u20AC|euros?|dollars|pounds|usd|eur|gbp|chf))?(?![\p{L}\p{N}])/giu
const SHORT_SCALES: ReadonlyMap<string, number> = new Map([['k', 1_000], ['m', 1_000_000], ['bn', 1_000_000_000]])

/** "$10k", "10k euros". Without a currency "10k" may be a run. */
function thousands(text: string): readonly MoneyReading[] {
  return [...text.matchAll(THOUSANDS)].flatMap((match): readonly MoneyReading[] => {
    const [whole, sign, signed, plain, scale = '', name] = match
    const said = (sign ?? name ?? '').trim().toLowerCase()
    if (said === '') return []
    const value = Number((Number(signed ?? plain) * (SHORT_SCALES.get(scale.toLowerCase()) ?? 1)).toPrecision(15))
    return [{ value, start: match.index, end: match.index + whole.length, how: 'money', currency: SIGNS.get(said) ?? NAMES.get(said) }]
  })
}

function moneyAt(text: string, number: NumberReading): MoneyReading | undefined {
  const before = SIGN_BEFORE.exec(text.slice(Math.max(0, number.start - 5), number.start))
  if (before) return { ...number, start: number.start - before[0].length, how: 'money', currency: SIGNS.get(before[0].trim().toLowerCase()) }
  const code = CODE_BEFORE.exec(text.slice(Math.max(0, number.start - 5), number.start))
  if (code) return { ...number, start: number.start - code[0].length, how: 'money', currency: (code[1] ?? '').toUpperCase() }
  const small = HUNDREDTHS.exec(text.slice(number.end, number.end + 8))
  if (small) return { ...number, value: Number((number.value / 100).toPrecision(15)), end: number.end + small[0].length, how: 'money', currency: undefined }
  const after = NAME_AFTER.exec(text.slice(number.end, number.end + 12))
  const name = (after?.[1] ?? '').toLowerCase()
  if (!after || !(NAMES.has(name) || SIGNS.has(name))) return undefined
  return { ...number, end: number.end + after[0].length, how: 'money', currency: NAMES.get(name) ?? SIGNS.get(name) }
}
