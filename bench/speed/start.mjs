/** From the start of the process to the first decision, trigger vectors cached. */
import { madeRoutes } from './texts.mjs'
import { median, short } from './stats.mjs'

export async function start(context) {
  const routes = madeRoutes(1500)
  const rounds = context.quick ? 1 : 3
  const cache = context.cacheDir('events')
  const warm = context.usher().contender
  await warm.ask({ op: 'load', routes, cache })
  await warm.close()
  const ages = new Map()
  for (let round = 0; round < rounds; round++) {
    for (const { name, contender } of [context.usher(), ...context.routers()]) {
      await contender.ask({ op: 'load', routes, cache })
      await contender.ask({ op: 'route', texts: ['please open the console in the kitchen'] })
      ages.set(name, [...ages.get(name) ?? [], contender.age])
      await contender.close()
    }
  }
  const detail = [...ages].map(([name, age]) => `${name} ${short(median(age) / 1000)} s`).join('; ')
  const peers = [...ages].filter(([name]) => name !== 'usher')
  if (peers.length === 0) context.unmeasured('start to first decision over semantic-router', 'no semantic-router')
  for (const [name, age] of peers) {
    context.row(`start to first decision, 1,500 cached phrases, over ${name}`, median(ages.get('usher').map((value, round) => value / age[round])), { most: 0.1, detail })
  }
}
