import { figures } from './figures.mjs'
/** Share of the rules' right fires that objections may turn into offers. */
const LOST = 0.01
/** Offers on negatives of allowed sources, those of the rules included. */
const OFFERS = 0.045
const STEPS = Array.from({ length: 199 }, (_, i) => (i + 1) / 200)
export function fit(cases) {
  const alone = figures(cases, undefined).all
  let object = 0
  for (const step of STEPS) {
    const all = figures(cases, { object: step, sure: 1 }).all
    if (alone.hits - all.hits > LOST * alone.hits)
      break
    object = step
  }
  let sure = 1
  for (const step of [0.999, 0.998, ...[...STEPS].reverse()]) {
    if (step < object)
      break
    const all = figures(cases, { object, sure: step }).all
    if (all.falseOffers > OFFERS * all.negatives)
      break
    sure = step
  }
  return { thresholds: { object, sure }, about: { asks: alone.asks, negatives: alone.negatives, lostBudget: LOST, offersBudget: OFFERS } }
}
