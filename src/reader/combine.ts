/**
 * What the rules read and what the second reader thinks of it, as one reading. The second reader may object, and it may bring a near miss to its owner; it decides
 * alone only where nothing can happen or where the route's owner said so (`gate:explicit`).
 */
import type { ReaderThresholds } from '../ports.ts'
import type { Ask, AskReading, NotAsk, Phrase, Span } from '../types.ts'
import { askStanding, missStanding, SETTLED } from './standing.ts'

/**
 * What the second reader said of one route. `unread`: even the words around the ask are too long for it, or there are more asks than it reads; `failed`: it was asked and could not answer.
 * `at`: of the ask that begins there, else of the whole route. `span`: what of the text it read, where not all.
 */
export type ReaderScore =
  | { readonly kind: 'read', readonly route: string, readonly at?: number, readonly phrase: Phrase, readonly probability: number, readonly span?: Span }
  | { readonly kind: 'unread', readonly route: string, readonly at?: number }
  | { readonly kind: 'failed', readonly route: string, readonly at?: number, readonly why: string }

export interface ReaderPolicy {
  /** Short name of the model, for the row. */
  readonly model: string
  /** May the second reader alone fire the route? Only where it has no effects or its owner wrote `reader: fire`. */
  readonly mayFire: (route: string) => boolean
}

const figure = (share: number): string => share.toFixed(3)

function objection(ask: Ask, score: ReaderScore | undefined, thresholds: ReaderThresholds, model: string): NotAsk | undefined {
  const least = thresholds.object[askStanding(ask)]
  if (!score || (score.kind === 'read' && score.probability >= least)) return undefined
  // Fail closed: an answer that was due and did not come is no consent, and neither is a text too long to be read.
  const why = score.kind === 'failed' ? `the second reader could not read it: ${score.why}` : score.kind === 'unread' ? 'the second reader does not read so long a text, nor so many asks in one' : `the rules take it for an ask, the second reader does not (${figure(score.probability)}, below ${figure(least)})`
  return { kind: 'not-ask', route: ask.route, phrase: ask.phrase, reason: 'abstain:reader', why, span: ask.span, offer: true, captures: ask.captures, steps: [...ask.steps, step(score, model)] }
}

function step(score: ReaderScore, model: string): string {
  return score.kind === 'read' ? `second reader ${figure(score.probability)} (${model})` : `second reader: ${score.kind} (${model})`
}

function offered(score: Extract<ReaderScore, { kind: 'read' }>, before: NotAsk | undefined, thresholds: ReaderThresholds, model: string): NotAsk {
  const why = `the second reader takes it for an ask (${figure(score.probability)}, at least ${figure(thresholds.offer[missStanding(before)])})`
  return before
    ? { ...before, offer: true, why: `${before.why}; ${why}`, steps: [...before.steps, step(score, model)] }
    : { kind: 'not-ask', route: score.route, phrase: score.phrase, reason: 'abstain:similar', why, offer: true, captures: [], steps: [step(score, model)] }
}

/** An offer of the rules that the second reader does not believe stays a near miss, and is not put to anybody. */
function believed(not: NotAsk, score: ReaderScore | undefined, thresholds: ReaderThresholds, model: string): NotAsk {
  if (!not.offer || score?.kind !== 'read') return not
  const steps = [...not.steps, step(score, model)]
  return score.probability < thresholds.offer[missStanding(not)] ? { ...not, offer: false, steps } : { ...not, steps }
}

/**
 * Pure. Routes and asks without a score keep the reading of the rules.
 * @param text the event's text: what the reader fires alone spans all of it
 * @param scores at most one a route, or one an ask
 */
export function combine(text: string, reading: AskReading, scores: readonly ReaderScore[], thresholds: ReaderThresholds, policy: ReaderPolicy): AskReading {
  const byRoute = new Map(scores.map(score => [score.route, score]))
  const asks: Ask[] = []
  const notAsks: NotAsk[] = reading.notAsks.map(not => believed(not, byRoute.get(not.route), thresholds, policy.model))
  for (const ask of reading.asks) {
    const score = scores.find(each => each.route === ask.route && (each.at ?? ask.span.start) === ask.span.start)
    const against = objection(ask, score, thresholds, policy.model)
    if (against) notAsks.push(against)
    else asks.push(score ? { ...ask, steps: [...ask.steps, step(score, policy.model)] } : ask)
  }
  // Where the rules took the words for one route, another one is not brought up: they have been read.
  return reading.asks.length > 0 ? { asks, notAsks } : withSureYes(text, { asks, notAsks }, scores, thresholds, policy)
}

/** The likeliest route, where the second reader is sure of it and no rule has settled the matter. */
function withSureYes(text: string, reading: AskReading, scores: readonly ReaderScore[], thresholds: ReaderThresholds, policy: ReaderPolicy): AskReading {
  const { notAsks } = reading
  const missed = (route: string): NotAsk | undefined => notAsks.find(not => not.route === route)
  const sure = scores.filter(score => score.kind === 'read').filter(score => {
    const before = missed(score.route)
    return !(before && SETTLED.has(before.reason)) && score.probability >= thresholds.offer[missStanding(before)]
  })
  const best = sure.sort((a, b) => b.probability - a.probability)[0]
  if (!best) return reading
  const before = missed(best.route)
  if (policy.mayFire(best.route) && best.probability >= thresholds.fire[missStanding(before)] && best.phrase.parts.every(part => part.kind === 'text')) {
    return { asks: [{ kind: 'ask', route: best.route, phrase: best.phrase, span: { start: 0, end: text.length }, captures: [], steps: [...before?.steps ?? [], step(best, policy.model)], readerAlone: before ? `${before.reason}, ${before.why}` : 'they read nothing of it' }], notAsks: notAsks.filter(not => not.route !== best.route) }
  }
  if (before?.offer) return reading
  const offer = offered(best, before, thresholds, policy.model)
  return { asks: [], notAsks: before ? notAsks.with(notAsks.indexOf(before), offer) : [...notAsks, offer] }
}
