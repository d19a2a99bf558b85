/** Looks up word lists whose entries are one or more words. */
import type { Token } from './tokens.ts'

/** A list that knows how its entries begin, so that most words are passed over with one look. */
export class PhraseList {
  readonly #entries: ReadonlySet<string>
  /** First word -> words of the longest entry that begins with it. */
  readonly #longest = new Map<string, number>()
  readonly #longestByLast = new Map<string, number>()

  constructor(entries: Iterable<string>) {
    this.#entries = new Set(entries)
    for (const entry of this.#entries) {
      let count = 1
      for (let at = entry.indexOf(' '); at >= 0; at = entry.indexOf(' ', at + 1)) count++
      const first = count === 1 ? entry : entry.slice(0, entry.indexOf(' '))
      const last = count === 1 ? entry : entry.slice(entry.lastIndexOf(' ') + 1)
      if ((this.#longest.get(first) ?? 0) < count) this.#longest.set(first, count)
      if ((this.#longestByLast.get(last) ?? 0) < count) this.#longestByLast.set(last, count)
    }
  }

  has(entry: string): boolean {
    return this.#entries.has(entry)
  }

  entries(): Iterable<string> {
    return this.#entries
  }

  /** Lengths in words of the entries that start at a token and end by `end`, longest first. An entry never runs over the end of a sentence. */
  lengthsAt(tokens: readonly Token[], at: number, end: number): number[] {
    const first = tokens[at]?.norm
    const most = first === undefined ? undefined : this.#longest.get(first)
    if (most === undefined || at >= end) return NONE
    let joined = first as string
    const found: number[] = this.#entries.has(joined) ? [1] : []
    for (let length = 2; length <= most && at + length <= end; length++) {
      const token = tokens[at + length - 1]
      if (!token || token.pause === 'hard') break
      joined = `${joined} ${token.norm}`
      if (this.#entries.has(joined)) found.push(length)
    }
    return found.length > 1 ? found.reverse() : found
  }

  /** Entries that end before `end` and begin at `from` or later, longest first. */
  endingAt(tokens: readonly Token[], from: number, end: number): string[] {
    const last = tokens[end - 1]?.norm
    const most = last === undefined ? undefined : this.#longestByLast.get(last)
    if (most === undefined || end <= from) return []
    let joined = ''
    const found: string[] = []
    for (let length = 1; length <= most && end - length >= from; length++) {
      const token = tokens[end - length]
      if (!token) break
      joined = length === 1 ? token.norm : `${token.norm} ${joined}`
      if (this.#entries.has(joined)) found.push(joined)
    }
    return found.reverse()
  }
}
const NONE: number[] = []

/** Entries of a list, and whatever begins with an entry of a first list and goes on with one of a second. */
export class ChainedLists {
  readonly #whole: PhraseList
  readonly #halves: readonly [PhraseList, PhraseList]

  constructor(whole: PhraseList, halves: readonly [PhraseList, PhraseList]) {
    this.#whole = whole
    this.#halves = halves
  }

  /** As a list of all of them would give it. */
  lengthsAt(tokens: readonly Token[], at: number, end: number): number[] {
    const [first, second] = this.#halves
    const heads = first.lengthsAt(tokens, at, end)
    const whole = this.#whole.lengthsAt(tokens, at, end)
    if (heads.length === 0) return whole
    const found = heads.flatMap(head => tokens[at + head]?.pause === 'hard' ? NONE : second.lengthsAt(tokens, at + head, end).map(tail => head + tail))
    return [...new Set([...whole, ...found])].sort((a, b) => b - a)
  }
}

/** Words [start, end) joined by spaces. */
export function joinedWords(tokens: readonly Token[], start: number, end: number): string {
  let joined = tokens[start]?.norm ?? ''
  for (let at = start + 1; at < end; at++) joined += ` ${tokens[at]?.norm ?? ''}`
  return joined
}
