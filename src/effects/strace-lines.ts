/** The form of strace's lines: `PID TIME name(arguments) = result`, with calls that another thread's line cut in two put together again. */

export interface TracedCall {
  readonly pid: number
  /** ms since 1970. */
  readonly at: number
  readonly name: string
  /** As written, split at the commas of the outermost level. */
  readonly args: readonly string[]
  /** What follows `= `: `0`, `3</path>`, `-1 ENOENT (No such file or directory)`, `?`. */
  readonly result: string
}

const START = /^(?:\[pid\s+)?(\d+)\]?\s+(\d+\.\d+)\s+(.*)$/s
const RESUMED = /^<\.\.\. (\w+) resumed>\s?(.*)$/s
const UNFINISHED = ' <unfinished ...>'

/** Reads line by line; keeps the first halves of unfinished calls by process. */
export class StraceLines {
  readonly #halves = new Map<number, string>()
  /** Lines that were neither a call nor one of strace's own remarks. */
  malformed = 0

  /** Processes that are inside a fork or clone whose end is not written yet. */
  forking(): number[] {
    return [...this.#halves].flatMap(([pid, half]) => /^(v?fork|clone3?)\(/.test(half) ? [pid] : [])
  }

  /** Undefined for first halves, signals, exits and lines that say nothing. */
  line(text: string): TracedCall | undefined {
    if (text.trim() === '') return undefined
    const start = START.exec(text)
    if (!start) { this.malformed++; return undefined }
    const [, pidText, time, rest = ''] = start
    const pid = Number(pidText)
    if (/^(---|\+\+\+|strace:)/.test(rest)) return undefined
    const resumed = RESUMED.exec(rest)
    const whole = resumed ? `${this.#take(pid, resumed[1] ?? '')}${resumed[2] ?? ''}` : rest
    const body = whole.trimEnd()
    if (body.endsWith(UNFINISHED.trim())) {
      this.#halves.set(pid, body.slice(0, -UNFINISHED.trim().length).trimEnd())
      return undefined
    }
    const call = callOf(body)
    if (!call) { this.malformed++; return undefined }
    return { pid, at: Math.round(Number(time) * 1000), ...call }
  }

  /** A half that was never seen (a trace begun in the middle) leaves the arguments unknown. */
  #take(pid: number, name: string): string {
    const half = this.#halves.get(pid) ?? `${name}(`
    this.#halves.delete(pid)
    return half
  }
}

const CLOSING: { readonly [open: string]: string } = { '(': ')', '[': ']', '{': '}', '<': '>' }

function callOf(body: string): Omit<TracedCall, 'pid' | 'at'> | undefined {
  const name = /^(\w+)\(/.exec(body)?.[1]
  if (name === undefined) return undefined
  const args: string[] = []
  const open: string[] = []
  let from = name.length + 1
  for (let at = from; at < body.length; at++) {
    const char = body[at] ?? ''
    if (char === '"') { at = endOfString(body, at); continue }
    // `->` between the two ends of a socket and `<<` between numbers are no brackets.
    if (char === '>' && body[at - 1] === '-') continue
    if (char === '<' && (body[at + 1] === '<' || body[at - 1] === '<')) continue
    if (open.length === 0 && (char === ',' || char === ')')) {
      args.push(body.slice(from, at).trim())
      from = at + 1
      if (char === ',') continue
      const result = /^\s*=\s*(.*)$/s.exec(body.slice(at + 1))?.[1]
      return result === undefined ? undefined : { name, args: args.length === 1 && args[0] === '' ? [] : args, result }
    }
    const closing = CLOSING[char]
    if (closing !== undefined) open.push(closing)
    else if (char === open.at(-1)) open.pop()
  }
  return undefined
}

/** The place of the quote that ends the string begun at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '"') return end
  }
  return text.length
}

/** A quoted argument as bytes: C escapes, octal and hexadecimal; undefined for anything else (`NULL`, an address). */
export function stringBytes(argument: string | undefined): Buffer | undefined {
  if (argument === undefined || !argument.startsWith('"')) return undefined
  return unescaped(argument.slice(1, endOfString(argument, 0)))
}

export function stringOf(argument: string | undefined): string | undefined {
  return stringBytes(argument)?.toString()
}

const ESCAPES: { readonly [letter: string]: number } = { n: 10, t: 9, r: 13, v: 11, f: 12, b: 8, a: 7, e: 27 }

export function unescaped(text: string): Buffer {
  const parts: Buffer[] = []
  for (const [, plain, octal, hex, other] of text.matchAll(/([^\\]+)|\\([0-7]{1,3})|\\x([0-9a-fA-F]{2})|\\(.)/gs)) {
    if (plain !== undefined) parts.push(Buffer.from(plain))
    else if (octal !== undefined) parts.push(Buffer.from([Number.parseInt(octal, 8) & 0xFF]))
    else if (hex !== undefined) parts.push(Buffer.from([Number.parseInt(hex, 16)]))
    else if (other !== undefined) parts.push(Object.hasOwn(ESCAPES, other) ? Buffer.from([ESCAPES[other] ?? 0]) : Buffer.from(other))
  }
  return Buffer.concat(parts)
}

/** What `-y` writes behind a descriptor: `3</a/b>` -> `/a/b`, `4<TCP:[1.2.3.4:5->6.7.8.9:80]>` -> `TCP:[...]`. */
export function behind(argument: string | undefined): string | undefined {
  const start = argument?.indexOf('<') ?? -1
  if (argument === undefined || start < 0 || !argument.endsWith('>')) return undefined
  const inside = argument.slice(start + 1, -1).replace(/<(?:char|block) \d+:\d+>$/, '').replace(/\(deleted\)$/, '')
  return unescaped(inside).toString()
}
