/** What a fitted head's own rows say of it: how sure its scores are, and which threshold keeps to a budget of false fires. */
import type { Fitted, Standing } from './fit.ts'
import { fitLogistic, logitOf, type Logistic, type Sample } from './logistic.ts'
import { headed, type HeadRoute, type Row } from './rows.ts'

/** One judged text: the logit of its best route, and whether that route was right. `far`: neutral text; `near`: its own route was not there. */
export interface Judged { readonly kind: 'own' | 'near' | 'far', readonly top: number, readonly logit: number, readonly right: boolean, readonly route: number }

export interface Evidence { readonly probability: Logistic, readonly judged: readonly Judged[] }

/** Share of the weight of all samples: most ask for a route, neutral text comes next, and few are of the routes' kind and yet for none of them. */
const SHARE = { own: 0.6, near: 0.1, far: 0.3 } as const

const features = ({ first, second }: Standing): number[] => [first, second]

/**
 * Probability that a text asks for its best route, from the best and second-best score (Platt scaling with two scores; Platt, Advances in Large Margin
 * Classifiers, 1999), fitted on scores that each row got from the other triggers' rows.
 */
export function weigh(rows: readonly Row[], fitted: Fitted, routes: readonly HeadRoute[]): Evidence {
  const pool = standings(rows, fitted, routes)
  const counts = { own: 0, near: 0, far: 0 }
  for (const { kind } of pool) counts[kind]++
  const samples: Sample[] = pool.map(({ kind, standing, right }) => ({ features: features(standing), target: right ? 1 : 0, weight: SHARE[kind] * pool.length / counts[kind] }))
  const both = fitLogistic(samples, 2)
  // A better runner-up can only speak against the best: where few rows say otherwise, they are not believed.
  const probability = (both.weights[1] as number) <= 0 ? both : withoutSecond(samples)
  const judged = pool.map(({ kind, standing, right, route }) => ({ kind, top: standing.top, logit: logitOf(probability, features(standing)), right, route }))
  return { probability, judged }
}

function withoutSecond(samples: readonly Sample[]): Logistic {
  const { intercept, weights } = fitLogistic(samples.map(sample => ({ ...sample, features: sample.features.slice(0, 1) })), 1)
  return { intercept, weights: [weights[0] as number, 0] }
}

interface Pooled { readonly kind: Judged['kind'], readonly standing: Standing, readonly right: boolean, readonly route: number }

/** Names are no evidence: nobody says them. */
function standings(rows: readonly Row[], { held, stranger }: Fitted, routes: readonly HeadRoute[]): Pooled[] {
  return rows.flatMap((row, at): Pooled[] => {
    const standing = held[at] as Standing
    if (row.name) return []
    if (row.route < 0) return standing.top < 0 ? [] : [{ kind: 'far', standing, right: false, route: -1 }]
    const without = stranger[at]
    return [
      ...headed(routes[row.route] as HeadRoute) ? [{ kind: 'own' as const, standing, right: standing.top === row.route, route: row.route }] : [],
      ...without && without.top >= 0 ? [{ kind: 'near' as const, standing: without, right: false, route: row.route }] : [],
    ]
  })
}
