/** Two texts compared word by word. Longest common subsequence by dynamic programming (Wagner and Fischer, 1974). */
import { shown } from './show-text.ts'

export interface Piece { readonly kind: 'same' | 'gone' | 'new', readonly text: string }

/** Beyond this many words a side the middle is told as one change: time and memory grow with the product. */
const MAX_WORDS = 2000

const wordsOf = (text: string): readonly string[] => text.match(/\s+|[^\s]+/g) ?? []

function lengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const [here, below] = [table[i] as Uint16Array, table[i + 1] as Uint16Array]
      here[j] = a[i] === b[j] ? (below[j + 1] as number) + 1 : Math.max(below[j] as number, here[j + 1] as number)
    }
  return table
}

function middle(a: readonly string[], b: readonly string[]): Piece[] {
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) return [{ kind: 'gone', text: a.join('') }, { kind: 'new', text: b.join('') }]
  const table = lengths(a, b)
  const found: Piece[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { found.push({ kind: 'same', text: a[i] as string }); i++; j++ }
    else if (j >= b.length || (i < a.length && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))) found.push({ kind: 'gone', text: a[i++] as string })
    else found.push({ kind: 'new', text: b[j++] as string })
  }
  return found
}

/** Pieces in order; neighbours of one kind are joined. */
export function wordDiff(before: string, after: string): readonly Piece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const same = (words: readonly string[]): Piece[] => words.map(text => ({ kind: 'same', text }))
  const pieces = [...same(a.slice(0, head)), ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)), ...same(a.slice(a.length - tail))]
  return pieces.reduce<Piece[]>((joined, piece) => {
    const last = joined.at(-1)
    if (last?.kind === piece.kind) joined[joined.length - 1] = { kind: piece.kind, text: last.text + piece.text }
    else joined.push(piece)
    return joined
  }, [])
}

/** `Reads {+and sends +}one note.`, with what cannot be seen spelled out. */
export function diffText(before: string, after: string): string {
  return wordDiff(before, after).map(({ kind, text }) => kind === 'same' ? shown(text) : kind === 'new' ? `{+${shown(text)}+}` : `[-${shown(text)}-]`).join('')
}
