/** One event at a time: the whole way without dispatch over the encoder alone, each contender over its own encoder, rounds interleaved. */
import { hits, madeRoutes, misses } from './texts.mjs'
import { median, percentile, short } from './stats.mjs'

/** Usher as it comes also asks a trained second reader, a model of its own, about texts that come near a route. */
const RULES = 'usher, rules only'

/** Ms of a doorman with nothing to do. */
const IDLE = 9000

/** Rounds and texts a round. */
const size = quick => quick ? { rounds: 4, texts: 30 } : { rounds: 10, texts: 60 }

async function loaded(context, routes) {
  const all = [context.usher(), { ...context.usher(), name: RULES, second: false }, context.naive(), ...context.routers()]
  for (const { name, contender, second } of all) await contender.ask({ op: 'load', routes, second, ...(name.startsWith('usher') ? { cache: context.cacheDir('events') } : {}) })
  return all
}

export async function events(context) {
  const routes = madeRoutes(1500)
  const { rounds, texts } = size(context.quick)
  const all = await loaded(context, routes)
  const times = new Map(all.map(({ name }) => [name, { hit: [], miss: [], encode: [], hitRatio: [], missRatio: [], hitCpu: [], missCpu: [] }]))
  for (const { contender } of all) await contender.ask({ op: 'route', texts: hits(routes, texts, 97) })
  for (let round = 0; round < rounds; round++) {
    const turn = round % 2 === 0 ? all : [...all].reverse()
    for (const { name, contender } of turn) {
      const at = times.get(name)
      const [hit, miss] = [hits(routes, texts, round), misses(texts, round)]
      const { ms: encodeHit, cpu: encodeHitCpu } = await contender.ask({ op: 'encode', texts: hit })
      const { ms: routeHit, cpu: routeHitCpu } = await contender.ask({ op: 'route', texts: hit })
      const { ms: routeMiss, cpu: routeMissCpu } = await contender.ask({ op: 'route', texts: miss })
      const { ms: encodeMiss, cpu: encodeMissCpu } = await contender.ask({ op: 'encode', texts: miss })
      if (encodeHitCpu !== undefined) {
        at.hitCpu.push(routeHitCpu - encodeHitCpu)
        at.missCpu.push(routeMissCpu - encodeMissCpu)
      }
      at.hit.push(...routeHit)
      at.miss.push(...routeMiss)
      at.encode.push(...encodeHit, ...encodeMiss)
      at.hitRatio.push(median(routeHit) / median(encodeHit))
      at.missRatio.push(median(routeMiss) / median(encodeMiss))
    }
  }
  for (const { contender } of all) await contender.close()
  const said = kind => [...times].map(([name, at]) => `${name} ${short(median(at[`${kind}Ratio`]))} (${short(median(at[kind]))} ms, p99 ${short(percentile(at[kind], 0.99))})`).join('; ')
  for (const kind of ['hit', 'miss']) {
    for (const name of ['usher', RULES]) {
      const { [`${kind}Ratio`]: ratios, [`${kind}Cpu`]: cpu } = times.get(name)
      context.row(`one event, ${kind}, 1,500 phrases, ${name === RULES ? 'rules only' : 'with the second reader'}: whole way over the encoder alone`, median(ratios), { most: 1.1, detail: `${said(kind)}; own processor time beyond the encoder ${short(median(cpu))} ms` })
    }
  }
  context.pictures.set('latency', [...times].map(([name, at]) => ({ name, encode: median(at.encode), hit: median(at.hit), miss: median(at.miss) })))
}

/** The same text again, and a phrase as it stands, over the encoder. */
export async function repeats(context) {
  const routes = madeRoutes(1500)
  const { rounds, texts } = size(context.quick)
  const { contender } = context.usher()
  await contender.ask({ op: 'load', routes, cache: context.cacheDir('events'), cacheSize: 4096 })
  const phrases = routes.flatMap(route => route.utterances)
  const ratios = { repeated: [], exact: [] }
  const times = { repeated: [], exact: [] }
  // A doorman runs for days: what is measured is code that has run for a while.
  for (let warm = 0; warm < 6; warm++) await contender.ask({ op: 'route', texts: [...hits(routes, 100, 900), ...phrases.slice(-150)] })
  // What a phrase gives is found between other work, at a tenth of a core: all 1,500 within these seconds of a start.
  await contender.ask({ op: 'idle', ms: IDLE })
  for (let round = 0; round < rounds; round++) {
    const fresh = hits(routes, texts, round + 200)
    const encode = median((await contender.ask({ op: 'encode', texts: fresh })).ms)
    await contender.ask({ op: 'route', texts: fresh })
    const repeated = (await contender.ask({ op: 'route', texts: fresh })).ms
    const exact = (await contender.ask({ op: 'route', texts: phrases.slice(round * texts, (round + 1) * texts).map(text => `${text}!`) })).ms
    ratios.repeated.push(median(repeated) / encode)
    ratios.exact.push(median(exact) / encode)
    times.repeated.push(...repeated)
    times.exact.push(...exact)
  }
  await contender.close()
  for (const kind of ['repeated', 'exact']) {
    context.row(`${kind === 'exact' ? 'an exact phrase' : 'a repeated text'}, to the decision, over the encoder`, median(ratios[kind]), { most: 0.05, detail: `median ${short(median(times[kind]))} ms, p99 ${short(percentile(times[kind], 0.99))} ms` })
  }
}
