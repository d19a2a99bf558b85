/** What in a text is quotation or code: words there are shown, not said. */
import type { Span } from '../types.ts'

export interface Masks {
  /** Where the words that count begin and end: a message wholly in quotation marks counts as said. */
  readonly body: Span
  readonly quotes: readonly Span[]
  /** The whole lines that look like code or markup. */
  readonly code: readonly Span[]
}

/** Opening mark -> the marks that may close it, in the order of trust. */
const MARKS: readonly (readonly [string, readonly string[]])[] = [['"', ['"', '”']], ['“', ['”', '"', '“']], ['„', ['“', '”', '"']], ['«', ['»']], ['‘', ['’']], ['‚', ['‘', '’']], ['「', ['」']]]
const PAIRS: readonly (readonly [string, string])[] = [...MARKS.flatMap(([open, closes]) => closes.map(close => [open, close] as const)), ['»', '«'], ['\'', '\'']]

/** Operators, calls, tags, shell, configuration and the time stamps of logs: none of it occurs in a spoken request. */
const CODE_LINE = /\b\d{1,2}:\d\d:\d\d\b|(?:^|\s)![A-Za-z]|\w<[A-Z]\w*>|`[^`]+`|\{[^}]*\}|\}|\b\w+\([^)\s]*\)|\b\w+\([\w"']+[,=]|\w\(\)|[=!]=|=>|\w->\w|\w\s?=\s?["'\d\w]|\b[A-Za-z_]{2,}::[A-Za-z_]|\);\s*$|\/\/\s|(?:^|\s)\/\*|(?:\S\s+|^)#+\s|^\s*\.[A-Z]+|(?:^|\s)--?[a-z][\w-]*(?:=|\s|$)|\$\{?\w*[A-Za-z]\w*|<\/?[a-z]+[^>]*>|^\s*-\s\w+:|^\s*(?:\*|\d+)\s+(?:\*|\d+)\s+\*|^\s*\|.*\||^\s*(?:def|const|var|import|assert|elif|fi|echo|curl|sudo|grep|return null)\b|\w\.\w+\(|\b(?:GET|POST|PUT|PATCH|DELETE)\s+\/|["']\s*:\s*[[{"'\d]|\bcmd\b|\s(?:&&|\|\|)\s|^\s*[A-Z]+\d[\dA-Z. -]*;\s/u

const ARROW = /\w\s*->\s*\w|(?<!-)<-\s/u
/** Characters of the longest line in which an arrow may be emphasis. */
const MAX_ARROWS = 60

function strip(text: string): Span {
  const lead = /^[\s.,;:!?…()[\]<>*-]*/u.exec(text)?.[0].length ?? 0
  const trail = /[\s.,;:!?…()[\]<>*-]*$/u.exec(text.slice(lead))?.[0].length ?? 0
  return { start: lead, end: text.length - trail }
}

/** The inside of a message that is one quotation from end to end, or undefined. */
function wholeQuote(text: string): Span | undefined {
  const { start, end } = strip(text)
  if (end - start < 3) return undefined
  for (const [open, close] of PAIRS) {
    if (!text.startsWith(open, start) || !text.endsWith(close, end)) continue
    const inner = text.slice(start + 1, end - 1)
    if (!inner.includes(open) && !inner.includes(close)) return { start: start + 1, end: end - 1 }
  }
  return undefined
}

function quotations(text: string): Span[] {
  const found: Span[] = []
  for (const [open, closes] of MARKS) {
    let at = 0
    for (;;) {
      const start = text.indexOf(open, at)
      if (start < 0) break
      const end = closes.map(close => text.indexOf(close, start + 1)).find(place => place >= 0)
      // An opening mark that is never closed quotes the rest: fail closed. A plain one may be an inch or a slip.
      if (end === undefined) { if (open !== '"' && open !== '‘') found.push({ start, end: text.length }); break }
      found.push({ start, end: end + 1 })
      at = end + 1
    }
  }
  for (const match of text.matchAll(/(?<=^|[\s(:])'(?=\S)[^'\n]*(?:'\w[^'\n]*)*'(?=$|[\s).,;:!?])/gu)) found.push({ start: match.index, end: match.index + match[0].length })
  return found
}

/** A mail's head, or the line over a forwarded one: what follows was written by somebody, to somebody. */
const MAIL = /^[\s>]*(?:-{2,}\s*(?:original|forwarded) message\s*-{2,}|begin forwarded message:|(?:from|von|de|da):[^\n]*\n(?:[>\s]*(?:to|cc|sent|date|subject|an|betreff|gesendet|à|objet|para|asunto):[^\n]*(?:\n|$))+)/imu

function mails(text: string): Span[] {
  const head = MAIL.exec(text)
  return head ? [{ start: head.index, end: text.length }] : []
}

export function findMasks(text: string): Masks {
  const whole = wholeQuote(text)
  const body = whole ?? { start: 0, end: text.length }
  const code: Span[] = []
  let at = 0
  let fenced = false
  for (const line of text.split('\n')) {
    const fence = /^\s*(?:```|~~~)/.test(line)
    if (fence) fenced = !fenced
    // "cancel -> the four o'clock!": an arrow of emphasis in a line of nothing but words.
    const plain = /^[\p{L}\p{N}\s'’"“”.,!?-]*(?:->|<-)[\p{L}\p{N}\s'’"“”.,!?-]*(?:(?:->|<-)[\p{L}\p{N}\s'’.,!?-]*)?$/u.test(line) && line.length < MAX_ARROWS
    if (fence || fenced || (!plain && ARROW.test(line)) || CODE_LINE.test(line.replace(/https?:\/\/\S+/g, 'x'))) code.push({ start: at, end: at + line.length })
    at += line.length + 1
  }
  return { body, quotes: whole ? [] : [...quotations(text), ...mails(text)], code }
}

export function inside(spans: readonly Span[], start: number, end: number): boolean {
  return spans.some(span => start < span.end && end > span.start)
}
