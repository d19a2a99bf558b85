import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { env, pipeline } from '@xenova/transformers'
import { afterAll, expect, test } from 'vitest'
import { openEmbedder } from '../../src/embed/embedder.ts'
import { bundledModelDir } from '../../src/embed/model-files.ts'
import { builtFile } from '../../src/util/built.ts'

const embedder = await openEmbedder({ workers: 1 })
afterAll(() => embedder.close())

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? Number.NaN), 0)
const vectorOf = async (text: string): Promise<Float32Array> => (await embedder.embed(text)).vector

test('a vector has the dimension it says and unit length', async () => {
  const vector = await vectorOf('remind me to water the plants')
  expect(vector).toHaveLength(embedder.dimension)
  expect(dot(vector, vector)).toBeCloseTo(1, 5)
})

test('the vectors are those of the library\'s own pipeline', async () => {
  env.localModelPath = join(bundledModelDir(), '..')
  env.allowRemoteModels = false
  const extract = await pipeline('feature-extraction', 'all-MiniLM-L6-v2')
  for (const text of ['open the console', 'set a timer for ten minutes', 'naïve café, 3.5 km (round-trip)', '明日の天気', 'a'.repeat(150), 'word '.repeat(400).trim()]) {
    const theirs = (await extract(text, { pooling: 'mean', normalize: true })).data as Float32Array
    expect(dot(await vectorOf(text), theirs)).toBeGreaterThan(0.9999)
  }
})

test('near texts are nearer than others', async () => {
  const [open, show, cook] = await Promise.all(['open the call log', 'show me the log of calls', 'boil the pasta'].map(vectorOf))
  expect(dot(open as Float32Array, show as Float32Array)).toBeGreaterThan(0.6)
  expect(dot(open as Float32Array, cook as Float32Array)).toBeLessThan(0.3)
})

test('a text has one vector, whatever its case, spacing, invisible characters and outer punctuation', async () => {
  const plain = await vectorOf('open the console')
  for (const text of ['Open the console', '  OPEN  THE\tCONSOLE ', '"open the console!"', 'open\u200B the console', 'ｏｐｅｎ the console']) {
    expect(await vectorOf(text)).toBe(plain)
  }
  const cold = await openEmbedder({ cacheSize: 0, workers: 1 })
  expect((await cold.embed('OPEN the  console.')).vector).toEqual(plain)
  await cold.close()
})

test('the vector of a text does not depend on what is embedded beside it', async () => {
  const cold = await openEmbedder({ cacheSize: 0, workers: 2 })
  const alone = (await cold.embed('open the shop')).vector
  const texts = Array.from({ length: 40 }, (_, i) => i % 4 === 0 ? 'open the shop' : 'a long text about other things '.repeat(i))
  const together = await Promise.all(texts.map(text => cold.embed(text)))
  for (let i = 0; i < texts.length; i += 4) expect(together[i]?.vector).toEqual(alone)
  await cold.close()
})

test('a text that asks twice at once is embedded once', async () => {
  const [one, two] = await Promise.all([embedder.embed('twice at once'), embedder.embed('Twice at once.')])
  expect(one).toBe(two)
})

test('a text of more tokens than the model takes is cut, and says how many were kept', async () => {
  expect((await embedder.embed('word '.repeat(510))).cutAt).toBe(undefined)
  expect((await embedder.embed('word '.repeat(511))).cutAt).toBe(512)
  const long = await embedder.embed(`${'word '.repeat(3000)} open the console`)
  expect(long.cutAt).toBe(512)
  expect(long.vector).toEqual((await embedder.embed('word '.repeat(511))).vector)
})

test('of a text of many pages the first is sent, and the rest only where that does not fill the model', async () => {
  const full = (await embedder.embed('word '.repeat(511))).vector
  expect((await embedder.embed('word '.repeat(30_000))).vector).toEqual(full)
  const console = (await embedder.embed('open the console')).vector
  for (const hidden of ['\u200b '.repeat(40_000), ' '.repeat(80_000), '\u00ad'.repeat(80_000)]) {
    const found = await embedder.embed(`${hidden}open the console`)
    expect(found).toEqual({ vector: console })
  }
})

test.each([
  ['empty', ''], ['blank', ' \n\t '], ['only punctuation', '?!...'], ['a lone surrogate', 'open \uD83D the console'], ['NUL', 'open\u0000the console'],
  ['only invisible characters', '\u200B\u{E0041}'], ['a special token', '[CLS] [SEP] [MASK] [PAD]'], ['names of Object', '__proto__ constructor toString'],
  ['one megabyte of one word', 'x'.repeat(1_000_000)], ['one megabyte of dashes', `a${'-'.repeat(1_000_000)}b`], ['one megabyte of combining marks', '\u0301'.repeat(500_000)],
  ['one megabyte of emoji', '\u{1F600}'.repeat(250_000)], ['one megabyte of ideographs', '漢'.repeat(330_000)],
])('%s gives a unit vector', async (_, text) => {
  const { vector } = await embedder.embed(text)
  expect(dot(vector, vector)).toBeCloseTo(1, 5)
})

test('what is no text is refused', async () => {
  for (const text of [undefined, null, 7, ['a'], { length: 1 }]) {
    await expect(embedder.embed(text as unknown as string)).rejects.toMatchObject({ code: 'EMBED_FAILED' })
  }
})

test.each([
  [{ workers: 0 }], [{ workers: Number.NaN }], [{ threads: 1.5 }], [{ cacheSize: -1 }],
])('the option %o is refused', async options => {
  await expect(openEmbedder(options)).rejects.toMatchObject({ code: 'BAD_OPTION' })
})

test('after close a text is refused with CLOSED, known or not, and closing again does nothing', async () => {
  const short = await openEmbedder({ workers: 1 })
  await short.embed('open the console')
  await short.close()
  await expect(short.embed('open the console')).rejects.toMatchObject({ code: 'CLOSED' })
  await expect(short.embed('something else')).rejects.toMatchObject({ code: 'CLOSED' })
  await short.close()
})

const built = builtFile(import.meta.url.replace('/test/', '/src/'), './embedder.js').href

function run(script: string): { status: number | null, stdout: string } {
  return spawnSync(process.execPath, ['--input-type=module', '-e', `import { openEmbedder } from ${JSON.stringify(built)}\n${script}`], { encoding: 'utf8', timeout: 60_000 })
}

test('an embedder that nobody closed lets the process end, but not before the answer', () => {
  const ended = run('const e = await openEmbedder(); const v = await e.embed("hello"); console.log(v.vector.length)')
  expect(ended).toMatchObject({ status: 0, stdout: '384\n' })
})

const linux = existsSync('/proc/self/maps')

test.skipIf(!linux)('nothing is started before the first text, one worker for the first, and the worker loads no image library (needs /proc)', () => {
  const ended = run(`import { readFileSync } from 'node:fs'
    const pids = []
    const e = await openEmbedder({ around: start => { const child = start(); pids.push(child.pid); return child } })
    const before = pids.length; await e.embed('hello'); await e.embed('more')
    const maps = readFileSync('/proc/' + pids[0] + '/maps', 'utf8'); console.log(before, pids.length, /onnxruntime/.test(maps), /sharp|vips/.test(maps))`)
  expect(ended).toMatchObject({ status: 0, stdout: '0 1 true false\n' })
})

test.skipIf(!linux)('a worker ends when its host is killed (needs /proc)', async () => {
  const host = spawn(process.execPath, ['--input-type=module', '-e', `import { openEmbedder } from ${JSON.stringify(built)}
    let pid; const e = await openEmbedder({ around: start => { const child = start(); pid = child.pid; return child } })
    await e.embed('hello'); console.log(pid); setInterval(() => {}, 1000)`])
  const pid = Number(await new Promise<string>(resolve => { host.stdout.once('data', data => resolve(String(data))) }))
  expect(pid).toBeGreaterThan(0)
  host.kill('SIGKILL')
  while (existsSync(`/proc/${pid}`)) await setTimeout(20)
})
