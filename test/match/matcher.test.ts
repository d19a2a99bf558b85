import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openEmbedder } from '../../src/embed/embedder.ts'
import { buildMatcher, type RoutePhrase } from '../../src/match/matcher.ts'
import type { Candidate } from '../../src/types.ts'
import { WordEmbedder } from './points.ts'

const PHRASES: RoutePhrase[] = [
  { route: 'console', text: 'open the console' },
  { route: 'console', text: 'show me the call log in the browser' },
  { route: 'note', text: 'note down {text}' },
  { route: 'timer', text: 'set a timer for {duration}' },
  { route: 'door', text: 'lock the front door' },
  { route: 'garage', text: 'open the garage door' },
]

describe.each([['scan', 6000], ['graph', 0]])('over the %s', (_, exactBelow) => {
  const embedder = new WordEmbedder()
  async function match(text: string, k?: number, phrases: readonly RoutePhrase[] = PHRASES): Promise<readonly Candidate[]> {
    const matcher = await buildMatcher(phrases, embedder, { exactBelow })
    return matcher.match(text, (await embedder.embed(text)).vector, k)
  }

  test('each route comes once, with its best phrase, best route first', async () => {
    const found = await match('open the console in the browser')
    expect(found[0]).toMatchObject({ route: 'console', phrase: 'open the console', exact: false })
    expect(found.map(({ route }) => route).sort()).toEqual(['console', 'door', 'garage', 'note', 'timer'])
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a))
  })

  test('k routes come back, not k phrases', async () => {
    const crowd = Array.from({ length: 60 }, (_, i) => ({ route: 'crowd', text: `open the console ${'very '.repeat(i % 9)}now ${i}` }))
    const found = await match('open the console now', 3, [...crowd, ...PHRASES])
    expect(found).toHaveLength(3)
    expect(new Set(found.map(({ route }) => route)).size).toBe(3)
  })

  test.each(['open the console', 'OPEN the  Console!', '"open the console."', 'open\u200B the console'])('a text equal to a phrase after normalisation is exact, score 1, first: %j', async text => {
    expect((await match(text))[0]).toEqual({ route: 'console', phrase: 'open the console', score: 1, exact: true })
  })

  test('a phrase in much white space is still exact, one in a megabyte of it is not looked for', async () => {
    expect((await match(`${' '.repeat(2000)}open the console${'\n'.repeat(2000)}`))[0]).toMatchObject({ route: 'console', exact: true })
    expect((await match(`open the console${' '.repeat(1_000_000)}`))[0]).toMatchObject({ exact: false })
  })

  test('an exact phrase is found whatever its vector is', async () => {
    const matcher = await buildMatcher(PHRASES, embedder, { exactBelow })
    const other = (await embedder.embed('something else')).vector
    expect(matcher.match('Lock the front door', other, 1)).toEqual([{ route: 'door', phrase: 'lock the front door', score: 1, exact: true }])
  })

  test('a phrase with a slot is no exact text, and routes are not merged by equal phrases', async () => {
    expect((await match('note down {text}')).every(({ exact }) => !exact)).toBe(true)
    const found = await match('close it', 2, [{ route: 'a', text: 'close it' }, { route: 'b', text: 'Close it.' }])
    expect(found.map(({ route, exact }) => [route, exact])).toEqual([['a', true], ['b', true]])
  })

  test('names of Object are routes and texts like any other', async () => {
    const phrases = ['constructor', '__proto__', 'toString'].map(name => ({ route: name, text: `call ${name}` }))
    for (const { route, text } of phrases) expect((await match(text, 1, phrases))[0]).toMatchObject({ route, exact: true })
    expect((await match('hasOwnProperty', 3, phrases)).every(({ exact }) => !exact)).toBe(true)
  })

  test('the vector of a phrase is known without the encoder, that of any other text is not', async () => {
    const matcher = await buildMatcher([{ route: 'twin', text: 'Open the console' }, ...PHRASES], embedder, { exactBelow })
    for (const text of ['Open the console!', 'lock the front door']) expect(matcher.vectorOf?.(text)).toEqual((await embedder.embed(text.toLowerCase().replace('!', ''))).vector)
    for (const text of ['open a console', 'note down {text}', 'constructor', '']) expect(matcher.vectorOf?.(text)).toBe(undefined)
  })

  test('no phrases: no candidates', async () => {
    expect(await match('open the console', 5, [])).toEqual([])
  })

  test('k of 0 gives none', async () => {
    expect(await match('open the console', 0)).toEqual([])
  })

  test('scores stay within -1 and 1', async () => {
    for (const { text } of PHRASES) for (const { score } of await match(text.replace(/[{}]/g, ''))) expect(Math.abs(score)).toBeLessThanOrEqual(1)
  })
})

describe('with a cache folder', () => {
  const dir = mkdtempSync(join(tmpdir(), 'usher-matcher-'))
  afterAll(() => rmSync(dir, { recursive: true }))

  test.each([['scan', 6000], ['graph', 0]])('a second start embeds nothing and matches alike (%s)', async (name, exactBelow) => {
    const first = new WordEmbedder()
    const cacheDir = join(dir, name)
    const progress: [number, number][] = []
    const query = (await first.embed('open a door')).vector
    const one = await buildMatcher(PHRASES, first, { cacheDir, exactBelow, onProgress: (done, total) => progress.push([done, total]) })
    expect(progress.at(-1)).toEqual([6, 6])
    const again = new WordEmbedder()
    const two = await buildMatcher(PHRASES, again, { cacheDir, exactBelow, onProgress: () => { throw new Error('nothing to do') } })
    expect(again.asked).toEqual([])
    expect(two.match('open a door', query)).toEqual(one.match('open a door', query))
  })
})

test('closed: an encoder that fails leaves no matcher', async () => {
  const broken = new WordEmbedder()
  broken.embed = async () => { throw new Error('the encoder is gone') }
  await expect(buildMatcher(PHRASES, broken)).rejects.toThrow('the encoder is gone')
})

test('closed: a query vector of another encoder is an error, not a match', async () => {
  const matcher = await buildMatcher(PHRASES, new WordEmbedder())
  expect(() => matcher.match('open the console', new Float32Array(31).fill(1))).toThrow(expect.objectContaining({ code: 'INDEX_INVALID' }))
})

test.each([-1, 1.5, Number.NaN])('exactBelow of %s is refused', async exactBelow => {
  await expect(buildMatcher(PHRASES, new WordEmbedder(), { exactBelow })).rejects.toMatchObject({ code: 'BAD_OPTION' })
})

test('with the real encoder, what people say finds its route', async () => {
  const embedder = await openEmbedder({ workers: 1 })
  const matcher = await buildMatcher(PHRASES, embedder)
  for (const [text, route] of [['could you show the log of calls', 'console'], ['timer for ten minutes please', 'timer'], ['write down that the bins go out on monday', 'note'], ['make sure the front door is locked', 'door']] as const) {
    expect(matcher.match(text, (await embedder.embed(text)).vector, 1)[0]?.route).toBe(route)
  }
  await embedder.close()
})
