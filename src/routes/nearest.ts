/** "Did you mean ...?" for keys, names of tools and lists. */

/**
 * The known name nearest to a written one: equal but for case and separators, else at most a third of its letters changed (edit distance
 * with transpositions: Damerau 1964, in the restricted form). Undefined: none is near.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  const plain = squeeze(written)
  let best: { name: string, distance: number } | undefined
  for (const name of known) {
    const distance = editDistance(plain, squeeze(name))
    if (distance <= Math.max(1, Math.floor(name.length / 3)) && (!best || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/** ` (did you mean "x"?)`, or nothing. */
export function didYouMean(written: string, known: Iterable<string>): string {
  const name = nearest(written, known)
  return name === undefined ? '' : ` (did you mean ${JSON.stringify(name)}?)`
}

function squeeze(text: string): string {
  return text.slice(0, 64).toLowerCase().replace(/[-_\s/]/g, '')
}

function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
