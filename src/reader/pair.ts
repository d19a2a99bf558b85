/**
 * A route's phrases and an event as the second reader sees them: `[CLS] phrases [SEP] event [SEP]`. The same rules of text stand in
 * models/ask-reader/recipe/network.py, which trained it; a test compares the two.
 */

/** Tokens of the phrases, marks not counted. */
export const PHRASE_TOKENS = 96
/** Tokens of the event. A longer one is not read at all: what was cut off could take the rest back. */
export const TEXT_TOKENS = 160
/** Characters beyond which a text is too long whatever its words are. */
export const TEXT_LENGTH = 4000
const JOINER = ' ; '
/** Format characters, lone surrogates and default ignorables: what nobody sees must not change a reading. */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/** A text's ids, the model's two marks included. */
export type Encode = (text: string) => readonly number[]

export interface Pair {
  readonly ids: readonly number[]
  /** 0: phrases, 1: event. */
  readonly kinds: readonly number[]
}

/** NFKC, lower case, invisible characters out, quotes and dashes plain, white space folded. Square brackets become round: `[SEP]` in an event is no mark. */
export function clean(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(INVISIBLE, '')
    .replace(/[\u2018\u2019\u02BC\u0060\u00B4]/g, '\'')
    .replace(/[\u201C\u201D\u00AB\u00BB\u201E]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll('[', '(').replaceAll(']', ')')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Undefined where the event is too long to be read whole. Phrases that no longer fit are left out. */
export function pairOf(encode: Encode, phrases: readonly string[], text: string): Pair | undefined {
  if (text.length > TEXT_LENGTH) return undefined
  const bare = (part: string): readonly number[] => encode(part).slice(1, -1)
  const marks = encode('')
  const event = bare(clean(text))
  if (event.length > TEXT_TOKENS) return undefined
  let head: readonly number[] = []
  for (const phrase of phrases) {
    const more = bare((head.length > 0 ? JOINER : '') + clean(phrase))
    if (head.length + more.length > PHRASE_TOKENS) {
      if (head.length === 0) head = more.slice(0, PHRASE_TOKENS)
      break
    }
    head = [...head, ...more]
  }
  const [cls = 0, sep = 0] = marks
  return {
    ids: [cls, ...head, sep, ...event, sep],
    kinds: [...Array.from<number>({ length: head.length + 2 }).fill(0), ...Array.from<number>({ length: event.length + 1 }).fill(1)],
  }
}
