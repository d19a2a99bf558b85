/** Spelling slips: which known words a mistyped one may stand for. Method: symmetric deletion (Garbe, SymSpell, 2012). */

/** Optimal string alignment distance, or `limit + 1` once it is more. */
export function typingDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
      if (best < least) least = best
    }
    if (least > limit) return limit + 1
    before = previous
    previous = row
  }
  return previous[b.length] ?? limit + 1
}

/** The same letters but for two neighbours, or a double letter written once (or once too often). */
export function isTypicalSlip(typed: string, meant: string): boolean {
  if (typed.length === meant.length) {
    let i = 0
    while (i < typed.length && typed[i] === meant[i]) i++
    return i + 1 < typed.length && typed[i] === meant[i + 1] && typed[i + 1] === meant[i] && typed.slice(i + 2) === meant.slice(i + 2)
  }
  const undouble = (word: string) => word.replace(/(.)\1+/g, '$1')
  return Math.abs(typed.length - meant.length) === 1 && undouble(typed) === undouble(meant)
}

function deletions(word: string, depth: number, into: Set<string>): void {
  into.add(word)
  if (depth === 0) return
  for (let i = 0; i < word.length; i++) deletions(word.slice(0, i) + word.slice(i + 1), depth - 1, into)
}

/** Only the beginnings are indexed: two words that differ by d letters have beginnings that do. */
const PREFIX = 7

const depthOf = (length: number): number => length < 4 ? 0 : length < 8 ? 1 : 2

export class SlipIndex {
  readonly #byDeletion = new Map<string, string[]>()

  add(word: string): void {
    if (word.length < 3 || word.length > 20) return
    const keys = new Set<string>()
    deletions(word.slice(0, PREFIX), Math.max(1, depthOf(word.length)), keys)
    for (const key of keys) {
      const known = this.#byDeletion.get(key)
      if (known) known.push(word)
      else this.#byDeletion.set(key, [word])
    }
  }

  /** Known words that the typed one may stand for, with their distance. */
  near(typed: string): Map<string, number> {
    const found = new Map<string, number>()
    if (typed.length < 3 || typed.length > 22) return found
    const keys = new Set<string>()
    deletions(typed.slice(0, PREFIX), Math.max(1, depthOf(typed.length)), keys)
    for (const key of keys) {
      for (const word of this.#byDeletion.get(key) ?? []) {
        if (found.has(word) || word === typed) continue
        const shorter = Math.min(word.length, typed.length)
        // Three letters: only two swapped, as in "pya", or a vowel lost, as in "snd".
        const limit = shorter >= 7 ? 2 : 1
        const distance = typingDistance(typed, word, limit)
        if (distance > limit) continue
        if (shorter <= 3 && !isTypicalSlip(typed, word) && word[0] !== typed[0]) continue
        if (distance === 2 && word[0] !== typed[0]) continue
        found.set(word, distance)
      }
    }
    return found
  }
}
