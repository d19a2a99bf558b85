/** Distinct texts as fast as they go, all cores. */
import { hits, madeRoutes } from './texts.mjs'
import { median, short } from './stats.mjs'

export async function throughput(context) {
  const routes = madeRoutes(1500)
  const [rounds, texts] = context.quick ? [3, 150] : [7, 600]
  const peers = context.routers()
  const all = (context.quick ? [2] : [1, 2]).map(workers => ({ ...context.usher(), name: `usher, ${workers} worker${workers > 1 ? 's' : ''}`, workers })).concat(context.quick ? [] : context.naive(), ...peers)
  for (const { contender, workers } of all) await contender.ask({ op: 'load', routes, workers, ...(workers ? { cache: context.cacheDir('events') } : {}) })
  const rates = new Map(all.map(({ name }) => [name, []]))
  for (const { contender } of all) await contender.ask({ op: 'throughput', texts: hits(routes, texts, 300) })
  for (let round = 0; round < rounds; round++) {
    for (const { name, contender } of round % 2 === 0 ? all : [...all].reverse()) {
      const { ms } = await contender.ask({ op: 'throughput', texts: hits(routes, texts, 301 + round) })
      rates.get(name).push(texts / ms * 1000)
    }
  }
  for (const { contender } of all) await contender.close()
  const best = median(rates.get('usher, 2 workers'))
  const detail = [...rates].map(([name, rate]) => `${name} ${short(median(rate))}/s`).join('; ')
  context.pictures.set('throughput', [...rates].map(([name, rate]) => ({ name, value: median(rate) })))
  const rivals = [...rates].filter(([name]) => name.startsWith('semantic-router'))
  if (rivals.length === 0) context.unmeasured('throughput, distinct texts, over semantic-router', 'no semantic-router')
  for (const [name, rate] of rivals) {
    // Ratios round by round: both saw the same state of the machine.
    const ratios = rates.get('usher, 2 workers').map((value, round) => value / rate[round])
    context.row(`throughput, distinct texts, 1,500 phrases, over ${name}`, median(ratios), { least: 2.5, detail: `${detail}; usher ${short(best)}/s` })
  }
}
