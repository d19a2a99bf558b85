/** Words and pieces of words of a text, as a unit vector: what two phrases share to the letter, beside what they share in meaning. */
import { normalise } from '../util/text.ts'

/** Gram -> weight; the squares add up to 1. Empty for a text without words. */
export type Grams = ReadonlyMap<string, number>

/** Longer texts are no phrase; their beginning is enough to compare. */
const LONGEST = 2000

/** Single words and pairs of neighbours: scikit-learn's TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, use_idf=False) with one-letter words kept. */
export function wordGrams(text: string): Grams {
  const words = normalise(text.slice(0, LONGEST)).match(/[\p{L}\p{N}_]+/gu) ?? []
  return unit([...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)])
}

/** Two to four letters in a row within a word, its ends marked by a blank: TfidfVectorizer(analyzer='char_wb', ngram_range=(2, 4), sublinear_tf=True, use_idf=False). */
export function letterGrams(text: string): Grams {
  const grams: string[] = []
  for (const word of normalise(text.slice(0, LONGEST)).split(' ')) {
    if (word === '') continue
    const letters = [' ', ...word, ' ']
    for (const length of [2, 3, 4]) {
      for (let at = 0; at === 0 || at + length <= letters.length; at++) grams.push(letters.slice(at, at + length).join(''))
      if (letters.length <= length) break // a short word counts once
    }
  }
  return unit(grams)
}

function unit(grams: readonly string[]): Grams {
  const counts = new Map<string, number>()
  for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1)
  let square = 0
  for (const [gram, count] of counts) {
    const weight = 1 + Math.log(count)
    counts.set(gram, weight)
    square += weight * weight
  }
  const length = Math.sqrt(square)
  for (const [gram, weight] of counts) counts.set(gram, weight / length)
  return counts
}

/** Which rows hold a gram, and how much of it: a text is compared with all rows at once. */
export class GramIndex {
  readonly #rows = new Map<string, { readonly at: number[], readonly weight: number[] }>()
  #size = 0

  add(grams: Grams): void {
    for (const [gram, weight] of grams) {
      let held = this.#rows.get(gram)
      if (!held) this.#rows.set(gram, held = { at: [], weight: [] })
      held.at.push(this.#size)
      held.weight.push(weight)
    }
    this.#size++
  }

  /** Adds `scale` times the cosine with each row to `into`. */
  addCosines(grams: Grams, scale: number, into: Float64Array): void {
    for (const [gram, weight] of grams) {
      const held = this.#rows.get(gram)
      if (!held) continue
      held.at.forEach((row, place) => { into[row] = (into[row] as number) + scale * weight * (held.weight[place] as number) })
    }
  }
}
