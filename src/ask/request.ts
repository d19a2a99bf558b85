/** Is there a request in the text at all, whatever for? Needed to tell a paraphrase from talk: only a request is worth an offer. */
import { hasTag, isBaseVerb } from './english.ts'
import { readLeft } from './left.ts'
import { inside, type Masks } from './mask.ts'
import { retractionAt } from './right.ts'
import { conditionAt, timeAhead } from './times.ts'
import type { Token } from './tokens.ts'
import { ARTICLES, AUX, BARE_SUBJECT, CONJUNCTION, MODAL, NEGATION, PREPOSITION, QUANTIFIER, QUESTION, SUBJECT } from './words/classes.ts'
import { SUFFIXES } from './words/suffixes.ts'

/** Words [start, end) that ask somebody to do something now. */
export interface Request { readonly start: number, readonly end: number }

const WISH = /^(?:i (?:need|want)|i'd like|i would like|let me|let us|no more|time for) /

/** "nuke the cache": an unknown word that begins the sentence and takes an object is a verb. */
function verbLike(tokens: readonly Token[], from: number, start: number): boolean {
  const first = tokens[start]?.norm ?? ''
  const next = tokens[start + 1]
  if (next?.pause !== 'space' || !/^(?:the|my|our|this|that|these|those|me|us|up|off|out|down|a|an)$/.test(next.norm)) return false
  if (PREPOSITION.has(first) || SUBJECT.has(first) || BARE_SUBJECT.has(first) || ARTICLES.has(first) || AUX.has(first) || MODAL.has(first) || NEGATION.has(first) || QUESTION.has(first) || CONJUNCTION.has(first) || QUANTIFIER.has(first)) return false
  return readLeft(tokens, from, start).whole && !/(?:ed|ing|s|ly)$/.test(first)
}

function requestAt(tokens: readonly Token[], masks: Masks, from: number, start: number): Request | undefined {
  const first = tokens[start] as Token
  const next = tokens.slice(start, start + 4).map(token => token.norm).join(' ')
  const wish = WISH.test(`${next} `)
  if (!wish && !verbLike(tokens, from, start) && (!isBaseVerb(first.norm) || (AUX.has(first.norm) && !/^(?:do|have)$/.test(first.norm)) || MODAL.has(first.norm) && !/^(?:let|make|do)$/.test(first.norm))) return undefined
  if (inside(masks.code, first.start, first.end) || inside(masks.quotes, first.start, first.end)) return undefined
  // "build #12 started by a push": a line of a log, whose first word only looks like a verb.
  if (/^#\d/.test(tokens[start + 1]?.norm ?? '') || [1, 2, 3].some(offset => hasTag(tokens[start + offset]?.norm ?? '', 'PastTense') && tokens[start + offset + 1]?.norm === 'by')) return undefined
  const left = readLeft(tokens, from, start)
  if (left.objection || left.form !== 'base') return undefined
  let end = start + 1
  while (end < tokens.length && tokens[end]?.pause !== 'hard') end++
  for (let at = start; at < end; at++) {
    const word = tokens[at]?.norm ?? ''
    const paused = at > start && tokens[at]?.pause === 'soft'
    if (paused && retractionAt(tokens, at, true) !== undefined) return undefined
    if (at > start && timeAhead(tokens, at, end) > 0) return undefined
    if (at > start && conditionAt(tokens, at) && SUFFIXES.lengthsAt(tokens, at, end).length === 0) return undefined
    if (at <= start + 2 && NEGATION.has(word) && !wish) return undefined
    if (QUANTIFIER.has(word) && word !== 'all' && word !== 'any' && !wish && at <= start + 1) return undefined
    if (tokens[at]?.asks && !left.asked) return undefined
  }
  if (end < tokens.length && retractionAt(tokens, end, true) !== undefined) return undefined
  return { start, end }
}

/** The requests of a text, in its order. */
export function requestsOf(tokens: readonly Token[], masks: Masks): readonly Request[] {
  const found: Request[] = []
  let from = 0
  for (let at = 0; at < tokens.length && found.length < 8; at++) {
    if (tokens[at]?.pause === 'hard') from = at
    const last = found[found.length - 1]
    if (last && at < last.end) continue
    const request = requestAt(tokens, masks, from, at)
    if (request) found.push(request)
  }
  return found
}
