/** Text from outside, made safe to print on one line: nothing invisible, nothing that moves the cursor or reorders the line. */

/** Control, format (bidi, zero-width, tags), line and paragraph separators, surrogates alone, private use, variation selectors and whatever else a font shows as nothing. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu

function escapeOne(char: string): string {
  const code = char.codePointAt(0) ?? 0
  return code <= 0xFFFF ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}

/** One line of visible characters. */
export function visible(text: string): string {
  return text.replace(UNSAFE, escapeOne)
}

/** JSON-quoted and visible: for names that came from outside. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text))
}

/** At most `max` UTF-16 units, never half a character, with an ellipsis and the true length where something was cut. */
export function capped(text: string, max: number): string {
  if (text.length <= max) return text
  let end = max
  const last = text.charCodeAt(end - 1)
  if (last >= 0xD800 && last <= 0xDBFF) end--
  return `${text.slice(0, end)}… (${text.length} characters)`
}
