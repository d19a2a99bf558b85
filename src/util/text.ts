/** The normal form under which two texts are the same ask: for exact hits, caches and duplicate phrases. */

/** NFKC, lower case, invisible characters out, quotes and dashes made plain, outer punctuation off, white space folded. */
export function normalise(text: string): string {
  return trimmed(text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\u2018\u2019\u02BC\u0060\u00B4]/g, '\'')
    .replace(/[\u201C\u201D\u00AB\u00BB\u201E]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
}

const LASTING = /[a-z0-9]/i

/** Is nothing left of the text? The same as `normalise(text) === ''`, which would hold the event loop on a megabyte: a plain letter always stays. */
export function isBlank(text: string): boolean {
  return !LASTING.test(text) && normalise(text) === ''
}

/** What comes off at both ends. A loop: as an end-anchored pattern it takes quadratic time on a long run of dashes or dots. */
const OUTER = /[\s.,;:!?…"'-]/

function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && OUTER.test(text.charAt(start))) start++
  while (end > start && OUTER.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
