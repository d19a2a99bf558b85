import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { textId } from '../../src/match/files.ts'
import { openHnsw } from '../../src/match/hnsw-store.ts'
import type { HnswIndex } from '../../src/match/hnsw.ts'
import { clustered, generator } from './points.ts'

let dir: string
beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'usher-hnsw-')) })
afterEach(() => rmSync(dir, { recursive: true }))

const DIMENSION = 24
const VECTORS = clustered(400, DIMENSION, generator(9))
const IDS = VECTORS.map((_, place) => textId(`text ${place}`))

/** Opens the stored index over some of the texts and says which vectors had to be given. */
async function open(places: readonly number[], over: { dimension?: number, encoder?: string, dir?: string } = {}): Promise<{ index: HnswIndex, given: number[] }> {
  const given: number[] = []
  const dimension = over.dimension ?? DIMENSION
  const index = await openHnsw({
    dir: over.dir ?? dir, encoder: over.encoder ?? 'words@1', dimension, ids: places.map(place => IDS[place] ?? ''),
    vectorsOf: async keys => {
      given.push(...keys.map(key => places[key] ?? -1))
      return keys.map(key => (VECTORS[places[key] ?? -1] ?? new Float32Array()).subarray(0, dimension))
    },
  })
  return { index, given }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)
const graphFile = (): string => join(dir, readdirSync(dir).find(name => name.endsWith('.bin')) ?? '')
const sideFile = (): string => join(dir, readdirSync(dir).find(name => name.endsWith('.side')) ?? '')

function expectWhole(index: HnswIndex, places: readonly number[]): void {
  expect(index.size).toBe(places.length)
  expect(places.map(place => index.search(VECTORS[place] ?? new Float32Array(), 1)[0]?.key)).toEqual(places.map((_, key) => key))
}

test('a second start reads the graph and needs no vector', async () => {
  expect((await open(range(0, 300))).given).toHaveLength(300)
  const { index, given } = await open(range(0, 300))
  expect(given).toEqual([])
  expectWhole(index, range(0, 300))
})

test('texts in another order need no vector either: keys follow the texts', async () => {
  await open(range(0, 300))
  const { index, given } = await open(range(0, 300).reverse())
  expect(given).toEqual([])
  expectWhole(index, range(0, 300).reverse())
})

test('changed routes: only new texts are added, old ones are forgotten, and the next start has both', async () => {
  await open(range(0, 300))
  const { index, given } = await open(range(40, 320))
  expect(given).toEqual(range(300, 320))
  expectWhole(index, range(40, 320))
  const next = await open(range(40, 320))
  expect(next.given).toEqual([])
  expectWhole(next.index, range(40, 320))
})

test('when too much of the graph is unused it is built anew, and the old file goes', async () => {
  await open(range(0, 300))
  const { index, given } = await open(range(200, 400))
  expect(given).toHaveLength(200)
  expect(index.points).toBe(200)
  expect(readdirSync(dir)).toHaveLength(2)
})

test('without a folder nothing is written', async () => {
  const index = await openHnsw({ dir: undefined, encoder: 'words@1', dimension: DIMENSION, ids: IDS.slice(0, 10), vectorsOf: async keys => keys.map(key => VECTORS[key] ?? new Float32Array()) })
  expectWhole(index, range(0, 10))
  expect(readdirSync(dir)).toEqual([])
})

function overwrite(path: string, where: number): void {
  const bytes = readFileSync(path)
  const at = Math.floor(bytes.length * where)
  bytes.fill(255, at, at + 60)
  writeFileSync(path, bytes)
}

test.each([
  ['graph cut short', () => truncateSync(graphFile(), 5000)],
  ['graph empty', () => truncateSync(graphFile(), 0)],
  ['first bytes of the graph overwritten', () => overwrite(graphFile(), 0)],
  ['middle of the graph overwritten', () => overwrite(graphFile(), 0.5)],
  ['graph missing', () => rmSync(graphFile())],
  ['side file cut short', () => truncateSync(sideFile(), 100)],
  ['side file overwritten', () => overwrite(sideFile(), 0.8)],
  ['side file missing', () => rmSync(sideFile())],
  ['side file no JSON', () => writeFileSync(sideFile(), 'x\n')],
])('closed: %s: built anew, and right', async (_, damage) => {
  await open(range(0, 200))
  damage()
  const { index, given } = await open(range(0, 200))
  expect(given).toHaveLength(200)
  expectWhole(index, range(0, 200))
  expect((await open(range(0, 200))).given).toEqual([])
})

test('encoder:pinned: a graph of another encoder, dimension or shape is not read', async () => {
  await open(range(0, 100))
  expect((await open(range(0, 100), { encoder: 'words@2' })).given).toHaveLength(100)
  expect((await open(range(0, 100), { dimension: 12 })).given).toHaveLength(100)
  const side = readFileSync(sideFile())
  expect(side.includes('"metric":"ip"')).toBe(true)
  writeFileSync(sideFile(), Buffer.from(side.toString('latin1').replace('"metric":"ip"', '"metric":"l2"'), 'latin1'))
  expect((await open(range(0, 100))).given).toHaveLength(100)
})

test('two processes that store at once leave an index that the next start can read', async () => {
  await Promise.all([open(range(0, 150)), open(range(50, 200)), open(range(0, 150))])
  const { index } = await open(range(0, 150))
  expectWhole(index, range(0, 150))
  expect(readdirSync(dir).filter(name => name.endsWith('.tmp'))).toEqual([])
})

test('closed: vectors that cannot be had are an error, and nothing is stored', async () => {
  const failing = openHnsw({ dir, encoder: 'words@1', dimension: DIMENSION, ids: IDS.slice(0, 3), vectorsOf: async () => { throw new Error('the encoder is gone') } })
  await expect(failing).rejects.toThrow('the encoder is gone')
  expect(readdirSync(dir)).toEqual([])
})
