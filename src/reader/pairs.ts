/** Which routes the second reader is asked about: few, and only where a cheap step found something (chatter must not pay for it). */
import type { Ask, AskReading, Candidate, Phrase, Span } from '../types.ts'
import { contextsOf, partOf } from './context.ts'
import { SETTLED } from './standing.ts'
import { TEXT_LENGTH } from './pair.ts'

export interface ReaderRoute { readonly name: string, readonly phrases: readonly Phrase[] }

/** Asks of one text that are scored; what comes after them is not taken for read. */
export const MAX_ASKS = 6
/**
 * Near routes that are scored. On 12 sets that it was not trained on, a second one brought 10 of 1,364 asks to their owner that else nobody heard of; a third one none. On sets that it
 * knows by heart the first is nearly always the right one: they cannot tell.
 */
export const MAX_NEAR = 2
/**
 * Phrases of a route that it is shown, those with most of the text's words first: of what would fire, and of what is only near. Of 204 near pairs with more than four, the fifth and sixth
 * changed what became of three, all of them no asks; they make a run half as long again.
 */
const MAX_PHRASES = { asked: 6, near: 4 } as const
/**
 * Cosine from which a route is looked at though the rules say nothing of it. bench/reader measures both sides of it: how many asks that the rules miss lie above, and how
 * much chatter does.
 */
export const FLOOR = 0.42
/** A shared word lowers the floor: paraphrases keep the thing and change the verb, chatter seldom has both. */
export const FLOOR_SHARED = 0.38

const WORD = /[\p{L}\p{N}]+(?:['\u2019][\p{L}]+)?/gu
/** Words that say nothing of what a text is about. */
const COMMON: ReadonlySet<string> = new Set('a an the this that these those my your our it its me i you we to of in on at for from with by and or is are was be do does not no please can could would will up down out off'.split(' '))

function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(WORD) ?? []).filter(word => !COMMON.has(word)))
}

function shared(mine: ReadonlySet<string>, phrase: Phrase): number {
  let count = 0
  for (const word of wordsOf(fixedText(phrase))) if (mine.has(word)) count++
  return count
}

function fixedText(phrase: Phrase): string {
  return phrase.parts.map(part => part.kind === 'text' ? part.text : ' ').join(' ')
}

const said = (text: string): string => text.trim().toLowerCase().replace(/[.!]$/, '')

/** The owner's own words, whole: a trained reader has nothing to object to them. Marks that change what is said, as `?` or quotes, do not count as whole. */
function isPhrase(text: string, { text: phrase, parts }: Phrase): boolean {
  return parts.every(part => part.kind === 'text') && said(text) === said(phrase)
}

const MARKS = /^[\p{L}\p{N}\s'\u2019,.!]*$/u
const STEP = /^(?:wrapper|suffix) "(.*)"$/

/**
 * A phrase word for word, and around it only what the rules know as courtesy ("could you ... for me, please"). Of 150 such texts in 13 sets the reader objected to three, all of them asks.
 */
function isCourteous(text: string, part: Span, { phrase, steps, span }: Ask): boolean {
  if (!isPhrase(text.slice(span.start, span.end), phrase)) return false
  const around = `${text.slice(part.start, span.start)} ${text.slice(span.end, part.end)}`
  if (!MARKS.test(steps.length > 0 ? around.replace(/\?\s*$/, '') : around)) return false
  let known = 0
  for (const step of steps) {
    const words = STEP.exec(step)?.[1]
    if (words === undefined) return false
    known += words.match(WORD)?.length ?? 0
  }
  return known === (around.match(WORD)?.length ?? 0)
}

/** It was trained on orders, and takes a question for talk about one. Where the owner's own phrase is a question, the rules alone read it. */
const QUESTION = /^(?:who|whom|whose|what|which|where|when|why|how|is|are|was|were|does|did|has)\b/i

const isQuestion = (phrase: Phrase): boolean => QUESTION.test(fixedText(phrase).trim())

export interface ReaderPair {
  readonly route: string
  readonly phrase: Phrase
  readonly phrases: readonly string[]
  /** What of the text may be scored, widest first: the first that is not too long counts. None: it is not read. */
  readonly spans: readonly Span[]
  /** Of what would fire: where it begins. */
  readonly at?: number
}

type Words = ReadonlySet<string>

function ranked({ phrases }: ReaderRoute, mine: Words, most: number): readonly Phrase[] {
  return phrases.map((phrase, at) => ({ phrase, at, count: shared(mine, phrase) })).sort((a, b) => b.count - a.count || a.at - b.at).slice(0, most).map(({ phrase }) => phrase)
}

function pairOf(route: ReaderRoute, mine: Words, most: number, more: Pick<ReaderPair, 'spans' | 'at'>): ReaderPair[] {
  const best = ranked(route, mine, most)
  return best[0] ? [{ route: route.name, phrase: best[0], phrases: best.map(({ text }) => text), ...more }] : []
}

function askPairs(text: string, asks: readonly Ask[], routes: ReadonlyMap<string, ReaderRoute>, allowed: (route: string) => boolean): readonly ReaderPair[] {
  const pairs: ReaderPair[] = []
  for (const ask of asks) {
    const part = partOf(text, ask, asks)
    if (isPhrase(text.slice(part.start, part.end), ask.phrase) || isCourteous(text, part, ask) || isQuestion(ask.phrase)) continue
    const route = routes.get(ask.route)
    if (!route || !allowed(ask.route)) continue
    const spans = pairs.length < MAX_ASKS ? contextsOf(text, ask, asks) : []
    const first = spans[0]
    pairs.push(...pairOf(route, first ? wordsOf(text.slice(first.start, first.end)) : NO_WORDS, MAX_PHRASES.asked, { spans, at: ask.span.start }))
  }
  return pairs
}

const NO_WORDS: Words = new Set()

/**
 * What the rules would fire, unless it is a phrase word for word, courtesy aside, or the phrase is a question; else what they would offer, then the nearest. Where a rule has settled it
 * nothing is asked, nor where the rules are silent and the text is plainly talk: of 7,403 such pairs of 83 sets that held 2,000 of them, the reader took six for an ask, and none was one.
 * @param allowed may the event's source fire the route at all?
 */
export function readerPairs(text: string, reading: AskReading, candidates: readonly Candidate[], routes: ReadonlyMap<string, ReaderRoute>, allowed: (route: string) => boolean): readonly ReaderPair[] {
  if (reading.asks.length > 0) return askPairs(text, reading.asks, routes, allowed)
  // Finding the words of a megabyte would hold the event loop, for a text that no pair takes in.
  if (text.length > TEXT_LENGTH) return []
  let words: Words | undefined
  const mine = (): Words => words ??= wordsOf(text)
  const wanted = new Set(reading.notAsks.filter(not => not.offer).map(not => not.route))
  const settled = new Set(reading.notAsks.filter(not => !not.offer && SETTLED.has(not.reason)).map(not => not.route))
  const spoken = new Set(reading.notAsks.map(not => not.route))
  for (const { route, score } of candidates) {
    if (settled.has(route) || (reading.talk && !spoken.has(route))) continue
    const phrases = routes.get(route)?.phrases ?? []
    if (score >= FLOOR || (score >= FLOOR_SHARED && phrases.some(phrase => shared(mine(), phrase) > 0))) wanted.add(route)
  }
  const pairs: ReaderPair[] = []
  for (const name of wanted) {
    const route = routes.get(name)
    if (!route || !allowed(name)) continue
    pairs.push(...pairOf(route, mine(), MAX_PHRASES.near, { spans: [{ start: 0, end: text.length }] }))
    if (pairs.length === MAX_NEAR) break
  }
  return pairs
}
