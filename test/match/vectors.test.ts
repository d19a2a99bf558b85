import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { VectorStore } from '../../src/match/vectors.ts'
import { WordEmbedder } from './points.ts'

let dir: string
beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'usher-vectors-')) })
afterEach(() => rmSync(dir, { recursive: true }))

const TEXTS = ['open the console', 'lock the door', 'call the dentist']

async function fetch(embedder: WordEmbedder, texts: readonly string[] = TEXTS, folder: string | undefined = dir): Promise<Float32Array[]> {
  const store = await VectorStore.open(folder, embedder.id, embedder.dimension)
  return await store.vectors(texts, async text => (await embedder.embed(text)).vector)
}

const file = (): string => join(dir, readdirSync(dir)[0] ?? '')

test('a second start embeds nothing and gets the same vectors', async () => {
  const first = await fetch(new WordEmbedder())
  const again = new WordEmbedder()
  expect(await fetch(again)).toEqual(first)
  expect(again.asked).toEqual([])
})

test('only new texts are embedded, each once, and vectors come in the order of the texts', async () => {
  await fetch(new WordEmbedder())
  const again = new WordEmbedder()
  const texts = ['lock the door', 'dim the lamp', 'open the console', 'dim the lamp']
  expect(await fetch(again, texts)).toEqual(await fetch(new WordEmbedder(), texts, undefined))
  expect(again.asked).toEqual(['dim the lamp'])
})

test('encoder:pinned: vectors of another encoder or dimension are not used', async () => {
  await fetch(new WordEmbedder())
  for (const other of [new WordEmbedder('words@2'), new WordEmbedder('words@1', 16)]) {
    await fetch(other)
    expect(other.asked).toEqual(TEXTS)
  }
})

test.each([
  ['cut short', (path: string) => truncateSync(path, 300)],
  ['empty', (path: string) => truncateSync(path, 0)],
  ['one bit changed in the numbers', (path: string) => flip(path, 0.9)],
  ['one bit changed in the ids', (path: string) => flip(path, 0.45)],
  ['one bit changed in the head', (path: string) => flip(path, 0.05)],
  ['no head', (path: string) => writeFileSync(path, Buffer.alloc(500, 255))],
  ['a head that is no object', (path: string) => writeFileSync(path, 'null\n')],
])('closed: a cache file that is %s is made again', async (_, damage) => {
  const right = await fetch(new WordEmbedder())
  damage(file())
  const again = new WordEmbedder()
  expect(await fetch(again)).toEqual(right)
  expect(again.asked).toEqual(TEXTS)
  const third = new WordEmbedder()
  expect(await fetch(third)).toEqual(right)
  expect(third.asked).toEqual([])
})

function flip(path: string, where: number): void {
  const bytes = readFileSync(path)
  const at = Math.floor(bytes.length * where)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
  writeFileSync(path, bytes)
}

test('texts that are not in use now are kept for another table', async () => {
  await fetch(new WordEmbedder())
  await fetch(new WordEmbedder(), ['dim the lamp'])
  const again = new WordEmbedder()
  await fetch(again)
  expect(again.asked).toEqual([])
})

test('two stores that write at once leave a whole file and no other', async () => {
  const many = (name: string): string[] => Array.from({ length: 100 }, (_, i) => `${name} ${i}`)
  await Promise.all([fetch(new WordEmbedder(), many('left')), fetch(new WordEmbedder(), many('right')), fetch(new WordEmbedder(), many('left'))])
  expect(readdirSync(dir)).toHaveLength(1)
  const again = new WordEmbedder()
  await fetch(again, [...many('left'), ...many('right')])
  expect([0, 100]).toContain(again.asked.length)
})

test('closed: an encoder error is the caller\'s, and what was embedded before it is kept', async () => {
  const store = await VectorStore.open(dir, 'words@1', 32)
  const embedder = new WordEmbedder()
  const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`)
  const failing = store.vectors(texts, async text => {
    if (text === 'text 80') throw new Error('the encoder is gone')
    return (await embedder.embed(text)).vector
  })
  await expect(failing).rejects.toThrow('the encoder is gone')
  const again = new WordEmbedder()
  await fetch(again, texts)
  expect(again.asked).toContain('text 80')
  expect(again.asked.length).toBeLessThanOrEqual(36)
})

test('closed: an encoder that answers with another dimension or no number is refused', async () => {
  const store = await VectorStore.open(dir, 'words@1', 32)
  await expect(store.vectors(['a'], async () => new Float32Array(31).fill(1))).rejects.toMatchObject({ code: 'INDEX_INVALID' })
  await expect(store.vectors(['a'], async () => new Float32Array(32).fill(Number.NaN))).rejects.toMatchObject({ code: 'INDEX_INVALID' })
  expect(readdirSync(dir)).toEqual([])
})

test('closed: a cache folder that cannot be written is an error that names it', async () => {
  writeFileSync(join(dir, 'plain'), '')
  await expect(fetch(new WordEmbedder(), TEXTS, join(dir, 'plain', 'cache'))).rejects.toMatchObject({ code: 'INDEX_INVALID', message: expect.stringContaining('plain') })
})
