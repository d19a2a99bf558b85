/** Chooses the thresholds from prices and a budget, on sets that the reader was not trained on, for each standing of the rules by itself. */
import { askStanding, missStanding, SETTLED } from '../../dist/reader/standing.js'
import { figures } from './figures.mjs'

/** Right fires that may become offers for one false fire that does not happen. */
const LOST_FOR_FALSE = 3
/** Asks that must be fired by the reader alone for each false fire it makes. */
const HITS_FOR_FALSE = 10
/** Offers on negatives of allowed sources, those of the rules included. The promise is 0.05; sets that nobody saw are harder. */
const OFFERS = 0.04

/** Of the next routes that are not asked about, at most this part would have been brought up. */
const UNHEARD = 1 / 400

const ASKS = ['open', 'whole', 'worked']
const MISSES = ['near', 'wording', 'told', 'silent']
const read = item => item.scores.filter(score => score.kind === 'read')
/** Rounded outwards, so that the case that set a threshold stays on its side. */
const rounded = value => Number(value.toFixed(4))

/**
 * The cut of ranked points with the greatest worth; the threshold lies half way to the next point, in logits, as the sample is small.
 * @param {{ at: number, worth: number }[]} points
 * @param none threshold where no point is worth taking
 */
function cut(points, none) {
  let sum = 0
  let best = { sum: 0, after: -1 }
  points.forEach(({ worth }, after) => {
    sum += worth
    if (sum > best.sum) best = { sum, after }
  })
  if (best.after < 0) return none
  const last = points[best.after].at
  const next = points[best.after + 1]?.at ?? last
  const logit = p => Math.log(p / (1 - p))
  return rounded(1 / (1 + Math.exp(-(logit(last) + logit(next)) / 2)))
}

/** Objections: the least likely first. */
function objections(cases) {
  const points = { open: [], whole: [], worked: [] }
  for (const item of cases) {
    for (const ask of item.reading.asks) {
      const score = read(item).find(each => each.route === ask.route)
      if (score) points[askStanding(ask)].push({ at: score.probability, worth: item.route === ask.route ? -1 : LOST_FOR_FALSE })
    }
  }
  return Object.fromEntries(ASKS.map(key => [key, cut(points[key].sort((a, b) => a.at - b.at), 0)]))
}

/** What the reader could bring up, the likeliest of each standing and case first. @param price of one that is no ask, in asks */
function misses(cases, price) {
  const points = { near: [], wording: [], told: [], silent: [] }
  for (const item of cases.filter(each => each.reading.asks.length === 0)) {
    const best = new Map()
    for (const { route, probability } of read(item)) {
      const miss = item.reading.notAsks.find(not => not.route === route)
      const key = missStanding(miss)
      if (miss && !miss.offer && SETTLED.has(miss.reason)) continue
      if (probability > (best.get(key)?.at ?? 0)) best.set(key, { at: probability, worth: item.route === route ? 1 : -price })
    }
    for (const [key, point] of best) points[key].push(point)
  }
  return Object.fromEntries(MISSES.map(key => [key, cut(points[key].sort((a, b) => b.at - a.at), 1)]))
}

/** The greatest probability of the nearest route below which the next one hardly ever says yes. */
function noneBelow(cases, offer) {
  const pairs = cases.filter(item => item.reading.asks.length === 0).flatMap(item => {
    const [first, second] = read(item)
    if (!first || !second || item.scores[0] !== first) return []
    return [{ at: first.probability, heard: second.probability >= offer[missStanding(item.reading.notAsks.find(not => not.route === second.route))] }]
  }).sort((a, b) => a.at - b.at)
  let [heard, none] = [0, 0]
  pairs.forEach((pair, place) => {
    if (pair.heard) heard++
    if (heard <= UNHEARD * (place + 1)) none = pair.at
  })
  return Math.floor(none * 1e4) / 1e4
}

/** @returns {{ thresholds: import('../../dist/ports.js').ReaderThresholds, about: Record<string, number> }} */
export function fit(cases) {
  const object = objections(cases)
  const sure = misses(cases, HITS_FOR_FALSE)
  const never = { near: 1, wording: 1, told: 1, silent: 1 }
  let offer = never
  let most = -1
  for (let price = 0.2; price < HITS_FOR_FALSE; price *= 1.1) {
    const tried = misses(cases, price)
    const { all } = figures(cases, { object, offer: tried, fire: never })
    if (all.falseOffers <= OFFERS * all.negatives && all.offered > most) [offer, most] = [tried, all.offered]
  }
  const fire = Object.fromEntries(MISSES.map(key => [key, Math.max(sure[key], offer[key])]))
  const { asks, negatives } = figures(cases, undefined).all
  return { thresholds: { object, offer, fire, none: noneBelow(cases, offer) }, about: { asks, negatives, lostForFalse: LOST_FOR_FALSE, hitsForFalse: HITS_FOR_FALSE, offersBudget: OFFERS } }
}
