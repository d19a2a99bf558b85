/** Chooses the thresholds from budgets, on sets that the reader was not trained on. */
import { figures } from './figures.mjs'

/** Share of the rules' right fires that objections may turn into offers. */
const LOST = 0.02
/** Offers on negatives of allowed sources, those of the rules included. The promise is 0.05; sets that nobody saw are harder. */
const OFFERS = 0.04

/** Probabilities at even steps of the logit: the ends matter most. */
const steps = (from, to, by) => Array.from({ length: Math.round((to - from) / by) + 1 }, (_, i) => Number((1 / (1 + Math.exp(-from - i * by))).toFixed(5)))

/** @returns {{ thresholds: import('../../dist/ports.js').ReaderThresholds, about: Record<string, number> }} */
export function fit(cases) {
  const alone = figures(cases, undefined).all
  let object = 0
  for (const step of steps(-7, 2, 0.1)) {
    const { all } = figures(cases, { object: step, drop: 0, sure: 1 })
    if (alone.hits - all.hits > LOST * alone.hits) break
    object = step
  }
  let best = { drop: 0, sure: 1, offered: -1, falseOffers: Infinity }
  for (const sure of steps(-1, 7, 0.25)) {
    for (const drop of [0, ...steps(-6, 4, 0.25)]) {
      if (drop > sure || object > sure) continue
      const { all } = figures(cases, { object, drop, sure })
      if (all.falseOffers > OFFERS * all.negatives) continue
      if (all.offered > best.offered || (all.offered === best.offered && all.falseOffers < best.falseOffers)) best = { drop, sure, offered: all.offered, falseOffers: all.falseOffers }
    }
  }
  return { thresholds: { object, drop: best.drop, sure: best.sure }, about: { asks: alone.asks, negatives: alone.negatives, lostBudget: LOST, offersBudget: OFFERS } }
}
