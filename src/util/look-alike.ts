/** Letters that print like a Latin one, and characters that print like nothing: what a name looks like to a person. */

/** Cyrillic, Greek, Armenian, Cherokee and full-width letters that print like a Latin one (from Unicode's confusables, the letters and digits of it). */
const LOOK_ALIKE: ReadonlyMap<string, string> = new Map(Object.entries({
  а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', ԁ: 'd', һ: 'h', ӏ: 'l', ԛ: 'q', ԝ: 'w', ѵ: 'v', г: 'r', к: 'k', т: 't', м: 'm', п: 'n', в: 'b', н: 'h',
  А: 'A', В: 'B', Е: 'E', К: 'K', М: 'M', Н: 'H', О: 'O', Р: 'P', С: 'C', Т: 'T', У: 'Y', Х: 'X', Ѕ: 'S', І: 'I', Ј: 'J',
  α: 'a', ο: 'o', ν: 'v', ρ: 'p', τ: 't', υ: 'u', ι: 'i', κ: 'k', ω: 'w', χ: 'x', γ: 'y', η: 'n', ε: 'e', Α: 'A', Β: 'B', Ε: 'E', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M', Ν: 'N', Ο: 'O', Ρ: 'P', Τ: 'T', Χ: 'X', Υ: 'Y', Ζ: 'Z',
  օ: 'o', ո: 'n', ս: 'u', հ: 'h', ց: 'g', յ: 'j', ı: 'i', ɑ: 'a', ɡ: 'g', ǀ: 'l', ﬁ: 'fi', ﬂ: 'fl',
}))

/** The Latin letter that a character of another script prints like. */
export const lookAlikeOf = (char: string): string | undefined => LOOK_ALIKE.get(char)

/** Case kept: other scripts' twins of Latin letters as Latin ones, compatibility forms folded, invisible characters out. */
export function latinLook(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return [...text.normalize('NFKC')].map(char => LOOK_ALIKE.get(char) ?? char).join('').replace(/[\p{Mn}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '').normalize('NFKC')
}

/** Accents off: `sénd` is `send`. */
export const unaccented = (word: string): string => /^[\x20-\x7e]*$/.test(word) ? word : word.normalize('NFD').replace(/\p{Mn}/gu, '')
