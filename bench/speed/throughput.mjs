/** Distinct texts as fast as they go, all cores. */
import { hits, madeRoutes } from './texts.mjs'
import { median, short } from './stats.mjs'

/** Usher's two ways: by its rules alone, which is what the peers' encoder run compares with, and as it comes, with a second model about texts that come near a route. */
const RULES = 'usher, 2 workers, rules only'
const WHOLE = 'usher, 2 workers, with the second reader'

export async function throughput(context) {
  const routes = madeRoutes(1500)
  const [rounds, texts] = context.quick ? [3, 100] : [5, 400]
  const ushers = [{ name: RULES, workers: 2, second: false }, { name: WHOLE, workers: 2, second: true }, ...context.quick ? [] : [{ name: 'usher, 1 worker, rules only', workers: 1, second: false }]]
  const all = [...ushers.map(each => ({ ...context.usher(), ...each })), ...context.quick ? [] : [context.naive()], ...context.routers()]
  for (const { contender, workers, second } of all) await contender.ask({ op: 'load', routes, workers, second, ...(workers ? { cache: context.cacheDir('events') } : {}) })
  const rates = new Map(all.map(({ name }) => [name, []]))
  for (const { contender } of all) await contender.ask({ op: 'throughput', texts: hits(routes, texts, 300) })
  for (let round = 0; round < rounds; round++) {
    for (const { name, contender } of round % 2 === 0 ? all : [...all].reverse()) {
      const { ms } = await contender.ask({ op: 'throughput', texts: hits(routes, texts, 301 + round) })
      rates.get(name).push(texts / ms * 1000)
    }
  }
  for (const { contender } of all) await contender.close()
  const detail = [...rates].map(([name, rate]) => `${name} ${short(median(rate))}/s`).join('; ')
  context.pictures.set('throughput', [...rates].map(([name, rate]) => ({ name, value: median(rate) })))
  const rivals = [...rates].filter(([name]) => name.startsWith('semantic-router'))
  if (rivals.length === 0) context.unmeasured('throughput, distinct texts, over semantic-router', 'no semantic-router')
  for (const [name, rate] of rivals) {
    for (const own of [RULES, WHOLE]) {
      // Ratios round by round: both saw the same state of the machine.
      const ratios = rates.get(own).map((value, round) => value / rate[round])
      context.row(`throughput, distinct texts, 1,500 phrases, ${own.replace('usher, 2 workers, ', '')}: over ${name}`, median(ratios), { least: 2.5, detail })
    }
  }
}
