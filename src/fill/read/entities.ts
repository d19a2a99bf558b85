/** Things with a shape of their own: e-mail, URL, path, phone, money. The value is always the very characters. */
import { readNumbers, type NumberReading } from './numbers.ts'
import type { Reading } from './reading.ts'

const EMAIL = /(?<![\p{L}\p{N}._%+@-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?![\p{L}\p{N}@-])/gu
const URL_LIKE = /(?<![\p{L}\p{N}])(?:https?|ftp|wss?|file|ssh|git):\/\/[^\s<>"'`\u201C\u201D]+/giu
const PATH = /(?<![\p{L}\p{N}:/._~\\-])(?:(?:~|\.{1,2})?\/[^\s<>"'`,;|]+|[A-Za-z]:\\[^\s<>"'`,;|]+|(?:[\p{L}\p{N}_.-]+\/)+[\p{L}\p{N}_.-]+|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[A-Za-z][A-Za-z0-9]{0,7})(?![\p{L}\p{N}@])/gu
const PHONE = /(?<![\p{L}\p{N}+.,/-])(?:\+\d{1,3}[\s.-]?)?(?:\(\d{1,4}\)[\s.-]?)?\d{1,4}(?:[\s.-]?\d{2,4}){2,5}(?![\p{L}\p{N}]|[.,:/-]\d)/gu
const UUID = /(?<![\p{L}\p{N}-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}-])/giu

/** Marks that close a sentence or a bracket around an address are not part of it. */
function trimmed(text: string): string {
  let kept = text.replace(/[.,;:!?]+$/, '')
  while (/[)\]}]$/.test(kept) && count(kept, kept.at(-1) ?? '') > count(kept, OPENERS.get(kept.at(-1) ?? '') ?? '')) kept = kept.slice(0, -1).replace(/[.,;:!?]+$/, '')
  return kept
}
const OPENERS: ReadonlyMap<string, string> = new Map([[')', '('], [']', '['], ['}', '{']])
const count = (text: string, mark: string) => text.split(mark).length - 1

function found(text: string, pattern: RegExp, how: string, keep: (match: string) => string = match => match): readonly Reading[] {
  return [...text.matchAll(pattern)].flatMap(match => {
    const value = keep(match[0])
    return value === '' ? [] : [{ value, start: match.index, end: match.index + value.length, how }]
  })
}

export const readEmails = (text: string) => found(text, EMAIL, 'e-mail address', match => match.replace(/\.+$/, ''))
export const readUrls = (text: string) => found(text, URL_LIKE, 'URL', trimmed)
export const readUuids = (text: string) => found(text, UUID, 'UUID')

/** At least seven digits, and not more than a phone number has. */
export function readPhones(text: string): readonly Reading[] {
  return found(text, PHONE, 'phone number').filter(({ value }) => {
    const digits = String(value).replace(/\D/g, '').length
    return digits >= 7 && digits <= 15 && !/^\d{4}-\d{2}-\d{2}/.test(String(value))
  })
}

export function readPaths(text: string): readonly Reading[] {
  const urls = [...readUrls(text), ...readEmails(text)]
  return found(text, PATH, 'path', trimmed).filter(path => !urls.some(url => path.start < url.end && url.start < path.end))
}

export interface MoneyReading extends Reading { readonly value: number, /** ISO 4217, where the words leave no choice: `$` does not. */ readonly currency: string | undefined }

const SIGNS: ReadonlyMap<string, string | undefined> = new Map([['$', undefined], ['\u20AC', 'EUR'], ['\u00A3', 'GBP'], ['\u00A5', undefined], ['us$', 'USD'], ['a$', 'AUD'], ['c$', 'CAD']])
const NAMES: ReadonlyMap<string, string | undefined> = new Map([
  ['euro', 'EUR'], ['euros', 'EUR'], ['eur', 'EUR'], ['usd', 'USD'], ['gbp', 'GBP'], ['chf', 'CHF'], ['jpy', 'JPY'], ['yen', 'JPY'], ['cad', 'CAD'], ['aud', 'AUD'], ['sek', 'SEK'], ['nok', 'NOK'], ['dkk', 'DKK'], ['inr', 'INR'],
  ['dollar', undefined], ['dollars', undefined], ['bucks', undefined], ['pound', undefined], ['pounds', undefined], ['quid', 'GBP'], ['francs', 'CHF'], ['rupees', 'INR'],
])
const SIGN_BEFORE = /(?:us\$|a\$|c\$|[$\u20AC\u00A3\u00A5])\s?$/i
const NAME_AFTER = /^\s?(\u20AC|\u00A3|\$|[a-z]{3,7})(?![\p{L}])/iu

/** Amounts with a currency beside them; in "20 to 50 dollars" the first one has it as well. */
export function readMoney(text: string): readonly MoneyReading[] {
  const numbers = readNumbers(text)
  const read = numbers.map(number => moneyAt(text, number))
  return numbers.flatMap((number, index) => {
    const [own, next] = [read[index], read[index + 1]]
    if (own) return [own]
    return next && /^\s*(?:to|-|\u2013)\s*$/i.test(text.slice(number.end, next.start)) ? [{ ...number, how: 'money', currency: next.currency }] : []
  })
}

function moneyAt(text: string, number: NumberReading): MoneyReading | undefined {
  const before = SIGN_BEFORE.exec(text.slice(Math.max(0, number.start - 5), number.start))
  if (before) return { ...number, start: number.start - before[0].length, how: 'money', currency: SIGNS.get(before[0].trim().toLowerCase()) }
  const after = NAME_AFTER.exec(text.slice(number.end, number.end + 12))
  const name = (after?.[1] ?? '').toLowerCase()
  if (!after || !(NAMES.has(name) || SIGNS.has(name))) return undefined
  return { ...number, end: number.end + after[0].length, how: 'money', currency: NAMES.get(name) ?? SIGNS.get(name) }
}
