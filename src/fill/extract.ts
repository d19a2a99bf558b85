/** Typed values straight from the event's words, for parameters that no slot captured. Plain strings are never taken this way. */
import { outside, overlaps } from './read/reading.ts'
import type { Span } from '../types.ts'
import type { Context } from './context.ts'
import { interpret, type Found, type Interpretation } from './interpret.ts'
import type { Kind, Target } from './targets.ts'

export type Extracted =
  | { readonly kind: 'value', readonly found: Found }
  | { readonly kind: 'two', readonly candidates: readonly Found[] }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'none' }

/** Longer texts are read through slots only: a page of text is no argument list. */
export const MAX_READ = 4_000

/** @param taken spans that slots captured: their words are spoken for */
export function extractAll(targets: readonly Target[], taken: readonly Span[], context: Context): ReadonlyMap<Target, Extracted> {
  const results = new Map<Target, Extracted>()
  if (context.text.length > MAX_READ) return results
  const claims = targets.map(target => ({ target, ...readFor(target, taken, context) })).filter(claim => claim.found.length > 0 || claim.unfit.length > 0)
  for (const claim of claims) {
    const rivals = claims.filter(other => other !== claim && sameWords(claim, other))
    results.set(claim.target, settle(claim, rivals, context.text))
  }
  return results
}

interface Claim extends Interpretation { readonly target: Target }

function readFor(target: Target, taken: readonly Span[], context: Context): Interpretation {
  const read = interpret(target, context.text, context, false)
  const found = RANGED.has(target.kind) ? withRoles(context.text, read.found) : read.found
  const { unfit } = read
  const kept = { found: outside(found, taken), unfit: outside(unfit, taken) }
  if (target.required) return kept
  // An optional parameter takes only what points to it: a listed value, a shape or unit of its own, or its name beside the number.
  const cued = namedBy(target, kept.found, context.text)
  return { found: POINTED.has(target.kind) ? kept.found : cued, unfit: [] }
}

const POINTED: ReadonlySet<Kind> = new Set<Kind>(['enum', 'duration-number', 'duration', 'date', 'time', 'date-time', 'email', 'url', 'uuid', 'string'])

const RANGED: ReadonlySet<Kind> = new Set<Kind>(['number', 'money', 'duration-number'])
const AT_LEAST = /(?:\b(?:at least|min(?:imum)?(?: of)?|over|above|(?<!\bnot? )more than|from|between|no less than|not less than))\s*$/i
const AT_MOST = /(?:\b(?:at most|max(?:imum)?(?: of)?|under|below|(?<!\bnot? )less than|up to|not? more than))\s*$/i
const UP_TO = /^\s*(?:to|and|through|-|\u2013)\s*$/i

/** "between 5 and 10", "5 to 10", "at least 5", "under 10": which end of a range a number is. */
function withRoles(text: string, found: readonly Found[]): readonly Found[] {
  return found.map((one, index): Found => {
    const before = text.slice(Math.max(0, one.start - 16), one.start)
    const [last, next] = [found[index - 1], found[index + 1]]
    const opens = next !== undefined && UP_TO.test(text.slice(one.end, next.start)) && (/^\s*(?:to|through|-|\u2013)/i.test(text.slice(one.end)) || /\bbetween\s*$/i.test(before))
    const closes = last !== undefined && UP_TO.test(text.slice(last.end, one.start)) && (/(?:to|through|-|\u2013)\s*$/i.test(before) || /\bbetween\s*$/i.test(text.slice(Math.max(0, last.start - 16), last.start)))
    if (opens || (!closes && AT_LEAST.test(before))) return { ...one, role: 'start' }
    return closes || AT_MOST.test(before) ? { ...one, role: 'end' } : one
  })
}

const sameWords = (a: Claim, b: Claim) => a.found.some(one => b.found.some(other => overlaps(one, other)))

function settle(claim: Claim, rivals: readonly Claim[], text: string): Extracted {
  const { target, found } = claim
  const cued = namedBy(target, found, text)
  const pool = cued.length > 0 ? cued : found.filter(one => !rivals.some(rival => namedBy(rival.target, rival.found, text).some(other => overlaps(one, other))))
  const distinct = new Map(pool.map(one => [JSON.stringify(one.value), one]))
  const [only] = [...distinct.values()]
  if (!only) return found.length > 0 || claim.unfit.length === 0 ? { kind: 'none' } : { kind: 'invalid' }
  if (distinct.size > 1) return { kind: 'two', candidates: [...distinct.values()] }
  return rivals.some(rival => isContested(only, cued.length > 0, target, rival, text)) ? { kind: 'none' } : { kind: 'value', found: only }
}

/** One value, two parameters that could take it, and no word that says which, or one for each ("20 width 30 height"). */
function isContested(only: Found, isCued: boolean, target: Target, rival: Claim, text: string): boolean {
  if (rival.target.kind !== target.kind) return false
  const theirs = namedBy(rival.target, rival.found, text)
  if (!isCued) return theirs.length === 0 && rival.found.some(other => overlaps(only, other))
  return theirs.some(other => overlaps(only, other) && JSON.stringify(other.value) === JSON.stringify(only.value))
}

/** The values that a word beside them gives to this parameter; a word before ("width 20") counts more than one after ("20 width"). */
function namedBy(target: Target, found: readonly Found[], text: string): readonly Found[] {
  const before = found.filter(one => cueOf(target, one, text) === 'before')
  return before.length > 0 ? before : found.filter(one => cueOf(target, one, text) === 'after')
}

const STARTS: ReadonlySet<string> = new Set(['start', 'starts', 'from', 'begin', 'begins', 'since', 'after', 'departure', 'checkin', 'min', 'minimum', 'least', 'lower', 'low'])
const ENDS: ReadonlySet<string> = new Set(['end', 'ends', 'until', 'till', 'before', 'due', 'deadline', 'return', 'stop', 'checkout', 'to', 'max', 'maximum', 'most', 'upper', 'high'])
const WORD_BEFORE = /([\p{L}\p{N}]+)(?:\s+(?:is|of|to|at|=|:|by|number|no\.?))?[\s:=#]*$/iu
const WORD_AFTER = /^[\s-]*([\p{L}]+)/u

/** Where a word beside the value (or its place in a range) names the parameter. */
function cueOf(target: Target, found: Found, text: string): 'before' | 'after' | undefined {
  const borders = (side: ReadonlySet<string>) => target.words.some(word => side.has(word))
  if (found.role === 'start' || found.role === 'end') return borders(found.role === 'start' ? STARTS : ENDS) ? 'before' : undefined
  const before = WORD_BEFORE.exec(text.slice(Math.max(0, found.start - 40), found.start))?.[1]?.toLowerCase()
  const after = WORD_AFTER.exec(text.slice(found.end, found.end + 30))?.[1]?.toLowerCase()
  if (before !== undefined && (borders(STARTS) || borders(ENDS)) && (STARTS.has(before) || ENDS.has(before))) return borders(STARTS.has(before) ? STARTS : ENDS) ? 'before' : undefined
  const within = text.slice(found.start, found.end).toLowerCase().split(/[^\p{L}]+/u)
  const isName = (word: string | undefined) => word !== undefined && target.words.some(name => name === word || `${name}s` === word || name === `${word}s`)
  return isName(before) ? 'before' : isName(after) || within.some(isName) ? 'after' : undefined
}
