/** Cuts a text into words with their exact places. Punctuation is kept as the kind of pause before a word. */

/** `glue`: hyphen or nothing. `soft`: comma, bracket, dash, ellipsis, emoji. `hard`: end of a sentence or line. */
export type Pause = 'glue' | 'space' | 'soft' | 'colon' | 'hard'

export interface Token {
  /** Lower case, apostrophes plain, accents kept. */
  readonly norm: string
  readonly start: number
  readonly end: number
  /** What lies between the word before and this one. */
  readonly pause: Pause
  /** The punctuation itself, white space folded. */
  readonly before: string
  /** A question mark right after this word ends its sentence. */
  readonly asks: boolean
  /** Written with a capital where the text is not all capitals. */
  readonly capital: boolean
  /** Written like a name in a program: `MinimalUser`, `getItem`. */
  readonly camel: boolean
}

/** More is not a request: it is a document. */
export const MAX_TEXT = 20_000
const MAX_TOKENS = 3_000

const WORD = /&(?=\s)|https?:\/\/[^\s"“”<>]+|(?:[$€£¥₹#@]|(?<![\p{L}\p{N}])(?:[/~+]|\*\.))?[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\u00B0%\u200B-\u200D\u2060\uFEFF\u00AD]|['’ʼ][\p{L}\p{N}]|[.:@/_+&#,](?=[\p{L}\p{N}]))*[%€$£°]?/gu
const INVISIBLE = /[\u200B-\u200D\u2060\uFEFF\u00AD]/g
const ABBREVIATION = new Set(['mr', 'mrs', 'ms', 'dr', 'prof', 'st', 'no', 'nr', 'vs', 'sr', 'jr', 'sra', 'srta', 'mme', 'mlle', 'hr', 'fr', 'sgt', 'capt', 'lt', 'rev', 'ltd', 'e.g', 'i.e'])
/** "O.F.T.D. from ...", "D. Kovacs": the point belongs to the letters. */
const DOTTED = /^(?:\p{L}\.)+\p{L}$/u

/** Comma and slash join only what is one number or one name: `1,500`, `a/b`; `red,green` is two words. */
function pieces(text: string, start: number): { text: string, start: number }[] {
  if (text.startsWith('http')) return [{ text: text.replace(/[.,;:!?)]+$/, ''), start }]
  const found: { text: string, start: number }[] = []
  let at = 0
  for (const piece of text.split(/(?<=\p{L}),|,(?=\p{L})|:(?=\p{L})(?<=\p{L}:)/u)) {
    const place = text.indexOf(piece, at)
    if (piece !== '') found.push({ text: piece, start: start + place })
    at = place + piece.length
  }
  return found
}

const OPENS_NAME = /^(?:the|an?|my|your|our|this|that|these|those|any|some|all|every|each|no)$/

function pauseOf(gap: string, previous: string): Pause {
  if (gap === '' || gap === '-') return 'glue'
  if (/^\s+$/u.test(gap) && !/[\n\r\u2028\u2029]/.test(gap)) return 'space'
  if (/^\.["”’)]*[ \t]+$/u.test(gap) && (ABBREVIATION.has(previous) || DOTTED.test(previous))) return 'space'
  if (/[\n\r\u2028\u2029]/.test(gap)) return 'hard'
  // "remove the .so file": the dot begins a name.
  if (/^[ \t]+\.$/.test(gap) && OPENS_NAME.test(previous)) return 'space'
  const bare = gap.replace(/\.{2,}|…/g, ',').replace(/[:;]-?[()DPp3]/g, ',')
  if (/[.!?;](?=[\s"'”’)\]]|$)/.test(bare)) return 'hard'
  if (bare.includes(':')) return 'colon'
  if (/^\s+[&+/]\s+$/.test(gap)) return 'space'
  return /[\s'"“”‘’]/u.test(gap) && !/[^\s'"“”‘’„«»]/u.test(gap) ? 'space' : 'soft'
}

/** A question mark after the word, whatever other marks, dashes or faces stand between. */
const ASKED = /^(?:[\s"'”’)\]!]*[?]|[\s"'”’)\]!.…,:;*_~-]*[?](?!!))/u

/** @param text at most MAX_TEXT long: the caller has checked it. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  let last = 0
  for (const match of text.matchAll(WORD)) {
    if (tokens.length >= MAX_TOKENS) return []
    // ":p" is a face, not a word.
    if (/^[pdox]$/i.test(match[0]) && /[:;=]-?$/.test(text.slice(Math.max(0, match.index - 2), match.index))) continue
    for (const piece of pieces(match[0], match.index)) {
      const gap = text.slice(last, piece.start)
      const previous = tokens[tokens.length - 1]
      const pause = previous === undefined ? 'hard' : pauseOf(gap, previous.norm)
      if (previous && ASKED.test(gap)) tokens[tokens.length - 1] = { ...previous, asks: true }
      const end = piece.start + piece.text.length
      tokens.push({ norm: normWord(piece.text), start: piece.start, end, pause, before: gap.replace(/\s+/gu, ' '), asks: false, capital: /^\p{Lu}\p{Ll}/u.test(piece.text) || (pause === 'space' && /^[A-HJ-Z]$/.test(piece.text) && !/^[^\p{Ll}]*$/u.test(text)), camel: /\p{Ll}\p{Lu}/u.test(piece.text) })
      last = end
    }
  }
  // "Block. This. Number.", "merge! it!": marks for emphasis, not between sentences.
  const hard = tokens.map(token => token.pause === 'hard')
  tokens.forEach((token, i) => {
    const before = tokens[i - 1]
    // "delete (finally!) the draft", "stop!! the press": the mark ends no sentence.
    const aside = /^[!?.]+\)\s/.test(token.before) && tokens.slice(Math.max(0, i - 4), i).some(other => other.before.includes('('))
    const shouted = i === 1 && /^!!+ $/.test(token.before) && tokens.length < 6 && /^(?:the|my|our|this|that)$/.test(token.norm) && !token.capital
    if (aside || shouted) tokens[i] = { ...token, pause: 'soft' }
    if (before && token.pause === 'hard' && /^[.!]+ ?$/.test(token.before) && hard[i - 1] === true && (hard[i + 1] ?? true) && tokens.length < 12) tokens[i] = { ...token, pause: 'soft' }
  })
  const final = tokens[tokens.length - 1]
  // "stop it!?!": a mark between two others shouts, and asks nothing.
  if (final && ASKED.test(text.slice(last)) && !/^!+\?+!+\s*$/.test(text.slice(last))) tokens[tokens.length - 1] = { ...final, asks: true }
  return tokens
}

export function normWord(word: string): string {
  if (word === '&') return 'and'
  return word.normalize('NFKC').replace(INVISIBLE, '').toLowerCase().replace(/[’ʼ`´]/g, '\'')
}

/** The words of a phrase, for word lists and triggers. */
export function words(text: string): string[] {
  return tokenise(text).map(token => token.norm)
}
