/** From a budget of false fires to the probability that a route has to reach, with how far the evidence carries. */
import type { Judged } from './evidence.ts'

export interface Threshold {
  /** Least logit of the probability. */
  readonly logit: number
  /** Neutral texts judged, and how many of them would fire some route at the threshold. */
  readonly neutral: number
  readonly fired: number
  /** Upper end of the 95 % interval of the share of neutral texts that fire (one-sided, exact). */
  readonly bound: number
  /** Too few texts to have seen the budget's share even once in three tries: the threshold rests on the shape of the tail. */
  readonly thin: boolean
}

/** Part of the scores that the tail is fitted on. */
const TAIL = 0.1

/**
 * The lowest logit at which at most `budget` of the neutral texts fire. Where they are too few to show so small a share, the tail beyond their upper tenth is
 * taken to be exponential (peaks over threshold; Coles, An Introduction to Statistical Modeling of Extreme Values, 2001, ch. 4, shape 0).
 * @param fires does the route fire by its head at all?
 */
export function budgetThreshold(judged: readonly Judged[], budget: number, fires: (route: number) => boolean): Threshold {
  const far = judged.filter(({ kind }) => kind === 'far')
  const scores = far.filter(({ top }) => fires(top)).map(({ logit }) => logit).sort((a, b) => b - a)
  const thin = far.length * budget < 3
  const logit = scores.length === 0 ? 0 : thin ? tail(scores, far.length, budget) : nextAbove(scores[Math.floor(far.length * budget)] ?? -Infinity)
  return { ...firedAt(far, logit, fires), logit, thin }
}

/** What the neutral texts say of a threshold. */
export function firedAt(far: readonly Judged[], logit: number, fires: (route: number) => boolean): Pick<Threshold, 'neutral' | 'fired' | 'bound'> {
  const fired = far.filter(item => fires(item.top) && item.logit >= logit).length
  return { neutral: far.length, fired, bound: upperBound(fired, far.length) }
}

function tail(scores: readonly number[], total: number, budget: number): number {
  const count = Math.max(1, Math.min(scores.length - 1, Math.ceil(total * TAIL)))
  const from = scores[count] ?? (scores[0] as number)
  const excess = scores.slice(0, count).reduce((sum, score) => sum + score - from, 0) / count
  const reached = from + excess * Math.log(count / total / budget)
  // What was seen counts as well: never below the point where the texts themselves are over the budget.
  return Math.max(reached, nextAbove(scores[Math.floor(total * budget)] ?? -Infinity))
}

/** Just above a score that must not fire. */
export function nextAbove(logit: number): number {
  return logit + 1e-6
}

/** Upper end of the one-sided 95 % interval of a share, exact (Clopper and Pearson, Biometrika 26, 1934), by bisection of the binomial's sum. */
export function upperBound(hits: number, total: number): number {
  if (total === 0 || hits >= total) return 1
  let [low, high] = [hits / total, 1]
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2
    if (atMost(hits, total, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}

/** Probability of at most `hits` of `total` at a share. */
function atMost(hits: number, total: number, share: number): number {
  let term = total * Math.log1p(-share)
  let sum = Math.exp(term)
  for (let at = 1; at <= hits; at++) {
    term += Math.log((total - at + 1) / at) + Math.log(share) - Math.log1p(-share)
    sum += Math.exp(term)
  }
  return sum
}
