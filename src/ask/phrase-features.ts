/** What features.ts finds of the phrases of a table, as numbers and one list of words. */

/** Stands where a word may be any, or where there is none. */
export const NO_WORD = -1

/** Words by their number in `words`; a synonym's verb stands there as `~verb`. Phrases in the order of the table. */
export interface PhraseFeatures {
  readonly words: readonly string[]
  /** Two numbers an entry of the vocabulary: a word and NO_WORD, or two words that a text may write as one. */
  readonly vocabulary: Int32Array
  /** The same of all two words that stand side by side in a pattern, one entry for each spelling. */
  readonly joined: Int32Array
  /** Verbs that have synonyms in some pattern. */
  readonly synonyms: Int32Array
  /** A phrase: how many sets of words, then each set: how many, and the words. A text that holds none of the sets holds no pattern of the phrase. */
  readonly needs: Int32Array
  /** Four numbers a phrase, of its pattern as written: first word, the next two that are no determiners (NO_WORD: any), and how many determiners stand between. First NO_WORD: it does not begin with a word. */
  readonly openings: Int32Array
  /** Two numbers a phrase: its verb, and the first word of its object (NO_WORD: none but the verb). */
  readonly gists: Int32Array
}
