/** Self-corrections in speech: "five, no, make it ten". Terms: reparandum, editing term, repair (Levelt 1983). */
import type { Token } from './tokens.ts'
import { isDescriptive, isFinite } from './english.ts'
import { retractionAt } from './right.ts'
import { tellsFact } from './statements.ts'
import { CORRECTIONS, CORRECTION_LINKS, INSIDE, INSIDE_PHRASES, NUMBER_WORDS, PREPOSITION, SUBJECT } from './words/classes.ts'
import { SUFFIXES } from './words/suffixes.ts'
import { STRONG_RETRACTIONS } from './words/retractions.ts'

/** "fifty er seventy", "Tuesday, um, Wednesday". */
const HESITATES = /^(?:u+h*m*|e+r+m?|h+m+)$/
const isNumber = (token: Token): boolean => /^[$€£]?\d/.test(token.norm) || (NUMBER_WORDS.has(token.norm) && !/^(?:oh|and|point)$/.test(token.norm))
const isDay = (token: Token): boolean => /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:today|tomorrow|tonight)$/.test(token.norm)

/** Is the one word said in the place of the other: a number for a number, a day for a day, a name for a name? */
export function restates(before: Token | undefined, after: Token | undefined): boolean {
  return before !== undefined && after !== undefined && ((isNumber(before) && isNumber(after)) || (isDay(before) && isDay(after)) || (before.capital && after.capital))
}

/** For each token that begins an editing term, the token after it. */
export function editingTerms(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (let at = 0; at < tokens.length; at++) {
    // "is no joke", "with no milk": nothing is corrected.
    if (tokens[at]?.norm === 'no' && tokens[at]?.pause === 'space' && tokens[at + 1]?.pause === 'space' && (isFinite(tokens[at - 1]?.norm ?? '') || PREPOSITION.has(tokens[at - 1]?.norm ?? ''))) continue
    // "no rush", "sorry to bother you": courtesy.
    if (SUFFIXES.lengthsAt(tokens, at, tokens.length).some(length => length >= 2 && tokens[at + length]?.pause !== 'space')) continue
    let end = at
    let strong = false
    for (;;) {
      const [term] = CORRECTIONS.lengthsAt(tokens, end, tokens.length)
      const [link] = CORRECTION_LINKS.lengthsAt(tokens, end, tokens.length)
      if (term !== undefined && term >= (link ?? 0)) { strong = true; end += term }
      else if (link !== undefined && (strong || end > at || link > 0)) end += link
      else break
      if (tokens[end]?.pause === 'hard') break
    }
    // "wait, not the blue one, the red one": what it is not is part of the correction.
    if (strong && tokens[end]?.norm === 'not') {
      let after = end + 1
      while (after < tokens.length && after <= end + 5 && tokens[after]?.pause === 'space') after++
      if (tokens[after]?.pause === 'soft') end = after
      else continue
    }
    // "wait, not balanced": a reason to stop.
    if (tokens[end - 1]?.norm === 'not' && isDescriptive(tokens[end]?.norm ?? '')) continue
    if (!strong && end >= at + 1 && restates(tokens[at - 1], tokens[end]) && tokens.slice(at, end).some(token => HESITATES.test(token.norm))) strong = true
    if (!strong || end >= tokens.length || retractionAt(tokens, end, true) !== undefined) continue
    if (STRONG_RETRACTIONS.lengthsAt(tokens, at, tokens.length).length > 0) continue
    // "sorry, I'm in a hurry": an apology, not a correction.
    if (SUBJECT.has(tokens[end]?.norm ?? '')) continue
    if (tellsWhy(tokens, at, end)) continue
    found.set(at, end)
  }
  return found
}

/** "wait, found some", "no, fits fine", "hang on, lunch first": a reason to stop, and no other thing to take. */
export function tellsWhy(tokens: readonly Token[], at: number, end: number): boolean {
  const first = tokens[end]
  if (!first) return false
  if (tellsFact(tokens, end)) return true
  let last = end
  while (last + 1 < tokens.length && tokens[last + 1]?.pause !== 'hard' && last < end + 4) last++
  const waits = tokens.slice(at, end).some(token => /^(?:wait|hang|hold)$/.test(token.norm))
  return waits && last > end && tokens[last]?.norm === 'first' && (last + 1 >= tokens.length || tokens[last + 1]?.pause === 'hard')
}

/** "the gar, the garage", "the uh the": where the words from here are begun anew, said in full. */
export function restartOf(tokens: readonly Token[], at: number): number | undefined {
  const token = tokens[at] as Token
  for (let again = at + 1; again <= at + 6; again++) {
    const other = tokens[again]
    if (!other || other.pause === 'hard') return undefined
    if (other.norm !== token.norm) continue
    let offset = 1
    let broken = false
    for (let i = at + 1; i < again && !broken;) {
      const [filler] = INSIDE_PHRASES.lengthsAt(tokens, i, again)
      if (filler !== undefined) { i += filler; continue }
      if (INSIDE.has(tokens[i]?.norm ?? '')) { i++; continue }
      // What was begun must be a beginning of what is said then.
      broken = tokens[again + offset]?.norm.startsWith(tokens[i]?.norm ?? ' ') !== true
      offset++
      i++
    }
    if (!broken) return again
  }
  return undefined
}
