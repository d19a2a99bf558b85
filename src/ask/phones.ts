/** How alike two pronunciations are, and which known words sound like what was heard. Phonemes are the letters of pronunciation.ts. */

const VOWELS = 'aAuowyerEiIO0hU'
const isVowel = (phone: string): boolean => VOWELS.includes(phone)

/** Consonants that differ only by the voice, or that recognisers mix up. One letter stands for each group in a skeleton. */
const GROUPS: ReadonlyMap<string, string> = new Map(['PB', 'TD76', 'KG', 'FV', 'SZ54CJ', 'MN9', 'L', 'R', 'W'].flatMap(group => [...group].map(phone => [phone, group[0] ?? ''] as const)))

/** Vowels that are heard for each other: near in the mouth, or spoken alike without stress. */
const NEAR_VOWELS = new Set(['ae', 'aA', 'ao', 'au', 'Ae', 'Au', 'ow', 'oO', 'oh', 'uw', 'ue', 'ui', 'uh', 'uU', 'ur', 'uo', 'uE', 'uO', 'wO', 'wa', 'ei', 'eE', 'eI', 'EI', 'iI', 'iy', 'yI', 'Oh', 'OU', 'hU', 'er', 'or', 'AE', 'wo', 'yE', 'yA', 'ya'])

function swapped(a: string, b: string): number {
  if (a === b) return 0
  const vowels = isVowel(a)
  if (vowels !== isVowel(b)) return a === 'r' && b === 'R' || a === 'R' && b === 'r' ? 0.3 : 2
  if (vowels) return NEAR_VOWELS.has(a + b) || NEAR_VOWELS.has(b + a) ? 0.4 : 0.8
  if (GROUPS.get(a) === GROUPS.get(b)) return 0.4
  const pair = a < b ? a + b : b + a
  if (/^(?:[BDGKPT]{2}|7F|F7|6V|V6|LR|VW)$/.test(pair)) return 0.7
  return /^(?:ST|5T|CT|DZ|TZ)$/.test(pair) ? 0.8 : 1.2
}

/** A sound that is swallowed, or put in. */
const DROPPED: ReadonlyMap<string, number> = new Map([['H', 0.4], ['Y', 0.4], ['u', 0.5], ['i', 0.5], ['R', 0.6], ['r', 0.6], ['T', 0.5], ['D', 0.5], ['L', 0.7], ['N', 0.7], ['9', 0.7], ['W', 0.8], ['e', 0.7], ['I', 0.7]])
const dropped = (phone: string): number => DROPPED.get(phone) ?? 1.1

/** The same weights by letter codes, since events of a thousand words compare hundreds of thousands of pronunciations. */
const CODES = 128
const SWAPPED = new Float64Array(CODES * CODES)
const DROPS = new Float64Array(CODES)
const ALPHABET = [...`${VOWELS}BCD6FGHJKLMN9PRS5T7VWYZ4`]
for (const one of ALPHABET) {
  DROPS[one.charCodeAt(0)] = dropped(one)
  for (const other of ALPHABET) SWAPPED[one.charCodeAt(0) * CODES + other.charCodeAt(0)] = swapped(one, other)
}
/** Two rows of the edit matrix, used anew by each comparison. */
let [before, row] = [new Float64Array(64), new Float64Array(64)]

/** Weighted edit distance of two pronunciations; more than `limit` is Infinity. Weights by hand: what speech recognition mixes up costs less. */
export function soundDistance(a: string, b: string, limit: number): number {
  const width = b.length
  if (Math.abs(a.length - width) > 3) return Infinity
  if (before.length <= width) [before, row] = [new Float64Array(width * 2), new Float64Array(width * 2)]
  before[0] = 0
  for (let j = 1; j <= width; j++) before[j] = (before[j - 1] as number) + (DROPS[b.charCodeAt(j - 1)] as number)
  for (let i = 0; i < a.length; i++) {
    const heard = a.charCodeAt(i)
    const lost = DROPS[heard] as number
    let least = row[0] = (before[0] as number) + lost
    for (let j = 1; j <= width; j++) {
      const meant = b.charCodeAt(j - 1)
      let best = (before[j] as number) + lost
      const added = (row[j - 1] as number) + (DROPS[meant] as number)
      if (added < best) best = added
      const other = (before[j - 1] as number) + (SWAPPED[heard * CODES + meant] as number)
      if (other < best) best = other
      row[j] = best
      if (best < least) least = best
    }
    if (least > limit) return Infinity
    const spare = before
    before = row
    row = spare
  }
  const distance = before[width] as number
  return distance > limit ? Infinity : distance
}

/** The groups of the consonants, one of them left out at most: words that sound alike share one of these keys. */
function skeletons(phones: string): ReadonlySet<string> {
  const whole = [...phones].map(phone => GROUPS.get(phone) ?? '').join('')
  const found = new Set([whole])
  if (whole.length >= 3) for (let i = 0; i < whole.length; i++) found.add(whole.slice(0, i) + whole.slice(i + 1))
  return found
}

/** Of its phonemes a word may differ by a quarter. */
const SHARE = 0.26

export class SoundIndex {
  readonly #bySkeleton = new Map<string, { readonly word: string, readonly phones: string }[]>()

  add(word: string, phones: string): void {
    for (const key of skeletons(phones)) {
      const known = this.#bySkeleton.get(key)
      if (known) known.push({ word, phones })
      else this.#bySkeleton.set(key, [{ word, phones }])
    }
  }

  /** Known words that what was heard may stand for, with their distance; 0 are homophones. */
  near(phones: string): Map<string, number> {
    const found = new Map<string, number>()
    for (const key of skeletons(phones)) {
      for (const { word, phones: meant } of this.#bySkeleton.get(key) ?? []) {
        if (found.has(word)) continue
        const longest = Math.max(phones.length, meant.length)
        const distance = soundDistance(phones, meant, longest < 3 ? 0 : longest * SHARE)
        if (distance !== Infinity) found.set(word, distance)
      }
    }
    return found
  }
}
