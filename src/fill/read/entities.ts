/** Things with a shape of their own: e-mail, URL, path, phone. The value is always the very characters. */
import { overlaps, type Reading } from './reading.ts'

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

const QUOTED = /(?<![\p{L}\p{N}])(["'])([^"'\n]*[./\\][^"'\n]*)\1(?![\p{L}\p{N}])|\u201C([^\u201D\n]*[./\\][^\u201D\n]*)\u201D/gu
/** `e.g.`, `a.m.`: single letters with dots. */
const SHORT_FORM = /^(?:\p{L}\.)+\p{L}?$/u

/** In quotes a path may have spaces: then it is all that stands between them. */
export function readPaths(text: string): readonly Reading[] {
  const others = [...readUrls(text), ...readEmails(text)]
  const bare = found(text, PATH, 'path', trimmed).filter(path => !SHORT_FORM.test(String(path.value)) && !others.some(one => overlaps(path, one)))
  const quoted = [...text.matchAll(QUOTED)].flatMap(match => {
    const value = match[2] ?? match[3] ?? ''
    const start = match.index + 1
    const inside = bare.filter(path => path.start >= start && path.end <= start + value.length)
    return value.includes(' ') && inside.some(path => path.end === start + value.length) && inside.length === 1 ? [{ value, start, end: start + value.length, how: 'path' }] : []
  })
  return [...bare.filter(path => !quoted.some(one => overlaps(path, one))), ...quoted].sort((a, b) => a.start - b.start)
}
