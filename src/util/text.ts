/** The normal form under which two texts are the same ask: for exact hits, caches and duplicate phrases. */

/** NFKC, lower case, invisible characters out, quotes and dashes made plain, outer punctuation off, white space folded. */
export function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{Cf}\p{Cs}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]|[\u{FE00}-\u{FE0F}]|[\u{E0100}-\u{E01EF}]/gu, '')
    .replace(/[\u2018\u2019\u02BC\u0060\u00B4]/g, '\'')
    .replace(/[\u201C\u201D\u00AB\u00BB\u201E]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/^[\s.,;:!?…"'-]+|[\s.,;:!?…"'-]+$/g, '')
    .trim()
}
