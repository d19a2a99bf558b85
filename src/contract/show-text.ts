/** Text from outside as a person must see it: what cannot be seen, or looks like something else, is spelled out and named. */
import { lookAlikeOf } from '../util/look-alike.ts'

/** Names from the Unicode Character Database, for those that hide or reorder text. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00AD, 'soft hyphen'], [0x034F, 'combining grapheme joiner'], [0x061C, 'Arabic letter mark'], [0x115F, 'Hangul filler'], [0x1160, 'Hangul filler'], [0x180E, 'Mongolian vowel separator'],
  [0x200B, 'zero width space'], [0x200C, 'zero width non-joiner'], [0x200D, 'zero width joiner'], [0x200E, 'left-to-right mark'], [0x200F, 'right-to-left mark'], [0x2028, 'line separator'], [0x2029, 'paragraph separator'],
  [0x202A, 'left-to-right embedding'], [0x202B, 'right-to-left embedding'], [0x202C, 'pop directional formatting'], [0x202D, 'left-to-right override'], [0x202E, 'right-to-left override'],
  [0x2060, 'word joiner'], [0x2061, 'function application'], [0x2062, 'invisible times'], [0x2063, 'invisible separator'], [0x2064, 'invisible plus'],
  [0x2066, 'left-to-right isolate'], [0x2067, 'right-to-left isolate'], [0x2068, 'first strong isolate'], [0x2069, 'pop directional isolate'], [0x3164, 'Hangul filler'], [0xFEFF, 'zero width no-break space'], [0xFFA0, 'halfwidth Hangul filler'],
])
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115F\u1160\u3164\uFFA0]|\u034F|\u17B4|\u17B5|[\u{FE00}-\u{FE0F}]|[\u{E0100}-\u{E01EF}]/u
const PLAIN_CONTROL = /[\n\t]/
const WORD = /[\p{L}\p{N}\p{M}_]+/gu

function nameOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code >= 0xE0020 && code <= 0xE007E) return `tag "${String.fromCodePoint(code - 0xE0000)}"`
  if ((code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF)) return 'variation selector'
  return NAMES.get(code) ?? (/\p{Cc}/u.test(char) ? 'control character' : /\p{Co}/u.test(char) ? 'private use' : /\p{Cs}/u.test(char) ? 'half a character' : 'format character')
}

const codePoint = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Letters of another script inside a word that is Latin otherwise. */
function strangers(word: string): ReadonlySet<string> {
  const chars = [...word]
  return /[a-z]/i.test(word) ? new Set(chars.filter(char => lookAlikeOf(char) !== undefined)) : new Set()
}

/** An emoji in its coloured form, or joined of several: these invisible characters are part of a picture that a person sees. */
const PICTURE = /\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?)*/gu

/** `[U+202E right-to-left override]`, `[U+0435 looks like "e"]`; line ends and tabs as `\n` and `\t`. */
export function shown(text: string): string {
  const mixed = text.replace(WORD, word => {
    const strange = strangers(word)
    return [...word].map(char => strange.has(char) ? `[${codePoint(char)} looks like "${lookAlikeOf(char)}"]` : char).join('')
  })
  return spelled(mixed)
}

/** Everything but pictures, character by character. */
function spelled(text: string): string {
  const spell = (part: string): string => [...part].map(char => PLAIN_CONTROL.test(char) ? JSON.stringify(char).slice(1, -1) : HIDDEN.test(char) ? `[${codePoint(char)} ${nameOf(char)}]` : char).join('')
  let at = 0
  let out = ''
  for (const picture of text.matchAll(PICTURE)) {
    out += spell(text.slice(at, picture.index)) + picture[0]
    at = picture.index + picture[0].length
  }
  return out + spell(text.slice(at))
}

/** What is hidden in it, each kind once, in words; empty: nothing. */
export function hiddenIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const char of text.replace(PICTURE, '')) if (HIDDEN.test(char) && !PLAIN_CONTROL.test(char) && char !== '\r') found.add(`${codePoint(char)} ${nameOf(char)}`)
  for (const [word] of text.matchAll(WORD)) for (const char of strangers(word)) found.add(`${codePoint(char)} looks like "${lookAlikeOf(char)}"`)
  return [...found]
}
