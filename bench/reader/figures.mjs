/** Figures of rules alone and of rules with the second reader, from cases that both have read. */
import { firing } from '../../dist/eval/eval.js'
import { combine } from '../../dist/reader/combine.js'
import { endsReading } from '../../dist/reader/second.js'

/** The scores of a case, all of which were made, as far as they would be with these thresholds. */
export function asked({ reading, scores }, thresholds) {
  if (reading.asks.length > 0) return scores
  const end = scores.findIndex(score => endsReading([score], thresholds))
  return end < 0 ? scores : scores.slice(0, end + 1)
}
const none = () => ({ asks: 0, hits: 0, offered: 0, wrong: 0, negatives: 0, falseFires: 0, falseOffers: 0 })
function add(into, item, reading) {
  const fired = [...new Set(firing(reading, 'user', new Map()).map(ask => ask.route))]
  const offers = reading.notAsks.filter(not => not.offer).map(not => not.route)
  if (item.route === null) {
    into.negatives++
    if (fired.length > 0)
      into.falseFires++
    else if (offers.length > 0)
      into.falseOffers++
    return
  }
  into.asks++
  if (fired.some(route => route !== item.route))
    into.wrong++
  else if (fired.length === 1)
    into.hits++
  else if (offers.includes(item.route))
    into.offered++
}
/** @param thresholds undefined: the rules alone */
export function figures(cases, thresholds, fire = false) {
  const all = none()
  const byKind = new Map()
  for (const item of cases) {
    const reading = thresholds ? combine(item.text, item.reading, asked(item, thresholds), thresholds, { model: 'bench', mayFire: () => fire }) : item.reading
    const key = `${item.route === null ? 'no ask' : 'ask'} ${item.kind}`
    const kind = byKind.get(key) ?? none()
    byKind.set(key, kind)
    add(all, item, reading)
    add(kind, item, reading)
  }
  return { all, byKind }
}
const share = (part, whole) => whole === 0 ? '-' : `${part} (${(100 * part / whole).toFixed(1)} %)`
export function row(name, { asks, hits, offered, wrong, negatives, falseFires, falseOffers }) {
  return `| ${name} | ${asks} | ${share(hits, asks)} | ${share(hits + offered, asks)} | ${wrong} | ${negatives} | ${share(falseFires, negatives)} | ${share(falseOffers, negatives)} |`
}
export const HEAD = '| | asks | fired | fired or offered | wrong route | must not fire | fired | offered |\n| --- | --- | --- | --- | --- | --- | --- | --- |'
export function percentile(values, at) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN
}
