import { describe, expect, test } from 'vitest'
import { buildHead, fitHead, type HeadOptions } from '../../src/heads/build.ts'
import { headOfHash } from '../../src/heads/cache.ts'
import { headed, NEUTRAL, routeRows } from '../../src/heads/rows.ts'
import { memoryCache, MEALS, route, THREE, TRAINS, WEATHER, wordVector, wordVectors } from './support.ts'

const options = (more: Partial<HeadOptions> = {}): HeadOptions => ({ encoder: 'words@1', routes: THREE, vectors: wordVectors, ...more })
const vectorsOf = (text: string) => ({ plain: wordVector(text), framed: wordVector(`the intent of the user who says this is: ${text}`) })

describe('which routes get a head', () => {
  test('one without effects, with auto as its threshold and five triggers or more', () => {
    expect(headed(route('a', WEATHER.slice(0, 5)))).toBe(true)
    expect(headed(route('a', WEATHER.slice(0, 4)))).toBe(false)
  })

  test('gate:explicit: none with effects, however many phrases it has', () => {
    expect(headed(route('a', WEATHER, { free: false }))).toBe(false)
  })

  test('sentences of one trigger count once, and triggers with slots not at all', () => {
    expect(headed(route('a', [], { phrases: WEATHER.map(text => ({ text, template: 'what is it (a|b|c)', slots: false })) }))).toBe(false)
    expect(headed(route('a', [], { phrases: WEATHER.map(text => ({ text, template: text, slots: true })) }))).toBe(false)
  })

  test('without such a route there is no head at all', async () => {
    expect(await buildHead(options({ routes: [route('a', ['one phrase']), route('b', WEATHER, { free: false })] }))).toBeUndefined()
  })

  test('routes with effects take part as what a text may mean instead, and have no threshold', async () => {
    const built = await fitHead(options({ routes: [...THREE, route('open-door', ['open the door', 'unlock the door'], { free: false })] }))
    expect(built?.head.facts.routes).toContain('open-door')
    expect([...built?.head.facts.evidence.keys() ?? []]).toEqual(['weather', 'trains', 'meals'])
    expect(built?.head.rank('please open the door', vectorsOf('please open the door'))[0]?.route).toBe('open-door')
  })

  test('names like those of Object\'s own properties are names like others', async () => {
    const built = await fitHead(options({ routes: [route('constructor', WEATHER), route('__proto__', TRAINS), route('toString', MEALS)] }))
    expect(built?.head.rank('is my train late today', vectorsOf('is my train late today'))[0]?.route).toBe('__proto__')
    expect(built?.head.facts.evidence.get('constructor')?.phrases).toBe(WEATHER.length)
  })

  test('a table of very many phrases is cut down evenly, or has no head', () => {
    const many = Array.from({ length: 300 }, (_, nth) => route(`r${nth}`, Array.from({ length: 30 }, (_, at) => `say ${nth} in way ${at}`)))
    const rows = routeRows(many)
    expect(new Set(rows.map(row => row.route)).size).toBe(300)
    expect(rows.length).toBeLessThanOrEqual(2424)
    expect(routeRows(Array.from({ length: 600 }, (_, nth) => route(`r${nth}`, Array.from({ length: 30 }, (_, at) => `say ${nth} in way ${at}`))))).toEqual([])
  })
})

describe('what a head rests on', () => {
  test('the same routes give the same head, to the bit', async () => {
    const [a, b] = [await buildHead(options()), await buildHead(options())]
    expect(a?.hash).toBe(b?.hash)
    expect(a?.rank('rain tomorrow', vectorsOf('rain tomorrow'))).toEqual(b?.rank('rain tomorrow', vectorsOf('rain tomorrow')))
  })

  test('another phrase, another sentence that must not fire, another encoder: another head', async () => {
    const hashes = await Promise.all([options(), options({ encoder: 'words@2' }), options({ routes: [route('weather', [...WEATHER, 'any fog']), ...THREE.slice(1)] }), options({ routes: [route('weather', WEATHER, { never: ['what is the weather like in that song'] }), ...THREE.slice(1)] })].map(async it => (await buildHead(it))?.hash))
    expect(new Set(hashes).size).toBe(4)
  })

  test('a sentence that must not fire stays below the threshold, whatever the budget says', async () => {
    const said = 'what is the weather like in that song'
    const guarded = await fitHead(options({ routes: [route('weather', WEATHER, { never: [said] }), ...THREE.slice(1)] }))
    const [best] = guarded?.head.rank(said, vectorsOf(said)) ?? []
    expect(best?.route).toBe('weather')
    const evidence = guarded?.head.facts.evidence.get('weather')
    expect(evidence?.by).toBe('never')
    expect(best?.probability).toBeLessThan(evidence?.threshold ?? 0)
  })

  test('probabilities fall where text is for no route', async () => {
    const built = await fitHead(options())
    const far = built?.evidence.judged.filter(({ kind }) => kind === 'far') ?? []
    const own = built?.evidence.judged.filter(({ kind }) => kind === 'own') ?? []
    expect(far.length).toBeGreaterThan(NEUTRAL.length * 0.9)
    const mean = (of: readonly { logit: number }[]) => of.reduce((sum, { logit }) => sum + logit, 0) / of.length
    expect(mean(own)).toBeGreaterThan(mean(far) + 2)
  })
})

describe('the cache', () => {
  test('a second start fits nothing, and has the same head', async () => {
    const cache = memoryCache()
    const first = await buildHead(options({ cache }))
    let asked = 0
    const second = await buildHead(options({ cache, vectors: async texts => { asked += texts.length; return wordVectors(texts) } }))
    expect(asked).toBe(0)
    expect(second?.hash).toBe(first?.hash)
    expect(second?.rank('late trains', vectorsOf('late trains'))).toEqual(first?.rank('late trains', vectorsOf('late trains')))
  })

  test('a changed route gives the head that a fresh fit gives, to seven places', async () => {
    const cache = memoryCache()
    await buildHead(options({ cache }))
    const routes = [route('weather', [...WEATHER.slice(1), 'any fog this morning']), ...THREE.slice(1)]
    const patched = await buildHead(options({ cache, routes }))
    const fresh = await buildHead(options({ routes }))
    for (const text of ['fog today', 'when does it leave', 'vegan soup']) {
      const [a, b] = [patched?.rank(text, vectorsOf(text)) ?? [], fresh?.rank(text, vectorsOf(text)) ?? []]
      a.forEach(({ route: name, probability }, at) => {
        expect(name).toBe(b[at]?.route)
        expect(probability).toBeCloseTo(b[at]?.probability as number, 6)
      })
    }
  })

  test('a head is found by its hash long after its routes changed; a damaged one is none', async () => {
    const cache = memoryCache()
    const old = await buildHead(options({ cache }))
    await buildHead(options({ cache, routes: [route('weather', [...WEATHER, 'any fog']), ...THREE.slice(1)] }))
    expect((await headOfHash(cache, old?.hash ?? ''))?.hash).toBe(old?.hash)
    const file = [...cache.files].find(([name]) => name.endsWith(`${old?.hash}.bin`))?.[1]
    if (file) file.body[9] = (file.body[9] as number) ^ 1
    expect(await headOfHash(cache, old?.hash ?? '')).toBeUndefined()
    expect(await headOfHash(cache, 'constructor')).toBeUndefined()
  })
})
