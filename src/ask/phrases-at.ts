/** Looks up word lists whose entries are one or more words. */
import type { Token } from './tokens.ts'

/** Entry lengths that start at a token, longest first. @param most words of the longest entry */
export function lengthsAt(list: { has(entry: string): boolean }, tokens: readonly Token[], at: number, end: number, most: number): number[] {
  const found: number[] = []
  let joined = ''
  for (let length = 1; length <= most && at + length <= end; length++) {
    const token = tokens[at + length - 1]
    if (!token || (length > 1 && token.pause === 'hard')) break
    joined = length === 1 ? token.norm : `${joined} ${token.norm}`
    if (list.has(joined)) found.push(length)
  }
  return found.reverse()
}

/** Words [start, end) joined by spaces. */
export function joinedWords(tokens: readonly Token[], start: number, end: number): string {
  return tokens.slice(start, end).map(token => token.norm).join(' ')
}
