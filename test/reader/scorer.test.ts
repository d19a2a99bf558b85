import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clean, pairOf } from '../../src/reader/pair.ts'
import { bundledReaderDir, openAskScorer } from '../../src/reader/scorer.ts'
import { readThresholds } from '../../src/reader/thresholds.ts'
import { LIMITS } from './support.ts'
import type { AskScorer } from '../../src/ports.ts'
import { readManifest, readModelFiles } from '../../src/util/model-files.ts'

interface Known { readonly phrases: readonly string[], readonly text: string, readonly ids: readonly number[], readonly logit: number }

const known = JSON.parse(readFileSync(new URL('./fixtures/parity.json', import.meta.url), 'utf8')) as readonly Known[]
/** Digits after the point at which `toBeCloseTo` compares: 0.3 allows an error of 8 bits of a quarter at the steepest place. */
const PLACES = 0.6
const folders: string[] = []
const open: AskScorer[] = []

async function opened(options: Parameters<typeof openAskScorer>[0] = {}): Promise<AskScorer> {
  const scorer = await openAskScorer(options)
  if (!scorer) throw new Error('no reader')
  open.push(scorer)
  return scorer
}

/** The model's folder without what it does not need, to be spoilt. */
function copy(): string {
  const dir = mkdtempSync(join(tmpdir(), 'usher-reader-'))
  folders.push(dir)
  cpSync(bundledReaderDir(), dir, { recursive: true, filter: file => !file.includes('recipe') })
  return dir
}

afterAll(async () => {
  await Promise.all(open.map(scorer => scorer.close()))
  for (const dir of folders) rmSync(dir, { recursive: true, force: true })
})

describe('the reader that comes with Usher', () => {
  let scorer: AskScorer
  beforeAll(async () => { scorer = await opened() })

  test('encoder:pinned: its id holds the hash of its weights, and its thresholds belong to that id', () => {
    const manifest = readManifest(bundledReaderDir())
    expect(scorer.id).toContain(manifest.files.get(manifest.weights))
    expect(JSON.parse(readFileSync(join(bundledReaderDir(), 'thresholds.json'), 'utf8'))).toMatchObject({ model: scorer.id, ...scorer.thresholds })
  })

  test('each file is the one its manifest names', () => {
    expect(readModelFiles(bundledReaderDir(), readManifest(bundledReaderDir())).size).toBeGreaterThanOrEqual(3)
  })

  test('it says of each known pair what the 32-bit model said when it was made, within the error of 8 bits', async () => {
    for (const { phrases, text, logit } of known) {
      const wanted = 1 / (1 + Math.exp(-logit))
      expect(await scorer.score(phrases, text)).toBeCloseTo(wanted, PLACES)
    }
  })

  test('the same pair gives the same figure to the last bit, whatever ran beside it', async () => {
    const first = await Promise.all(known.slice(0, 8).map(({ phrases, text }) => scorer.score(phrases, text)))
    // Another one: the first may have kept its figures.
    const other = await opened()
    const again = await Promise.all(known.slice(0, 8).toReversed().map(({ phrases, text }) => other.score(phrases, text)))
    await other.close()
    expect(again.toReversed()).toEqual(first)
    expect(await Promise.all(known.slice(0, 8).map(({ phrases, text }) => scorer.score(phrases, text)))).toEqual(first)
  })

  test('a route without phrases is a mistake of the caller', async () => {
    await expect(scorer.score([], 'x')).rejects.toMatchObject({ code: 'BAD_OPTION' })
  })
})

test('a pair has the same tokens here and where the reader was trained', async () => {
  const { OnnxModel } = await import('../../src/util/onnx-model.ts')
  // In a process of its own, as everywhere: the native library stays out of the tests' workers.
  expect(OnnxModel).toBeTypeOf('function')
  const script = `
    const { readManifest, readModelFiles } = await import(${JSON.stringify(new URL('../../dist/util/model-files.js', import.meta.url).href)})
    const { OnnxModel } = await import(${JSON.stringify(new URL('../../dist/util/onnx-model.js', import.meta.url).href)})
    const { pairOf } = await import(${JSON.stringify(new URL('../../dist/reader/pair.js', import.meta.url).href)})
    const dir = ${JSON.stringify(bundledReaderDir())}
    const manifest = readManifest(dir)
    const model = await OnnxModel.load(dir, manifest, readModelFiles(dir, manifest), 1)
    const known = JSON.parse((await import('node:fs')).readFileSync(0, 'utf8'))
    process.stdout.write(JSON.stringify(known.map(({ phrases, text }) => pairOf(part => model.tokenizer.encode(part), phrases, text)?.ids ?? null)))`
  const ids: unknown = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { input: JSON.stringify(known), encoding: 'utf8', maxBuffer: 1 << 24 }))
  expect(ids).toEqual(known.map(pair => pair.ids))
  expect(pairOf(() => [101, 102], ['x'], clean('x'))?.ids).toEqual([101, 102, 102])
})

describe('a reader that is not as it should be', () => {
  test('closed: a missing folder leaves the rules alone, and that is said', async () => {
    const said: string[] = []
    expect(await openAskScorer({ modelDir: join(tmpdir(), 'usher-no-such-reader'), warn: message => said.push(message) })).toBeUndefined()
    expect(said).toEqual([expect.stringContaining('the rules read alone')])
  })

  test('closed: missing weights leave the rules alone', async () => {
    const dir = copy()
    rmSync(join(dir, readManifest(dir).weights))
    expect(await openAskScorer({ modelDir: dir, warn: () => undefined })).toBeUndefined()
  })

  test('closed: one changed byte of the weights is found before they are used', async () => {
    const dir = copy()
    const file = join(dir, readManifest(dir).weights)
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(file, bytes)
    await expect((await opened({ modelDir: dir })).score(['a'], 'b')).rejects.toMatchObject({ code: 'MODEL_CHANGED' })
  })

  test('encoder:pinned: thresholds of another model are refused', async () => {
    const dir = copy()
    const file = join(dir, 'thresholds.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')) as object, model: 'another@00/q8' }))
    await expect(openAskScorer({ modelDir: dir })).rejects.toMatchObject({ code: 'ENCODER_MISMATCH' })
  })

  test.each([
    [{ object: { ...LIMITS.object, open: -1 } }, /object\.open/], [{ object: 0.2, drop: 0.3, sure: 0.9 }, /object/], [{ offer: { ...LIMITS.offer, told: undefined } }, /offer\.told/],
    [{ fire: { ...LIMITS.fire, silent: '1' } }, /fire\.silent/], [{ fire: { ...LIMITS.fire, wording: 0.1 } }, /less than it takes to offer \(`wording`\)/],
  ])('thresholds that are none are refused, and said which: %j', (spoilt, said) => {
    const dir = mkdtempSync(join(tmpdir(), 'usher-reader-'))
    folders.push(dir)
    writeFileSync(join(dir, 'thresholds.json'), JSON.stringify({ model: 'm', ...LIMITS, ...spoilt }))
    expect(() => readThresholds(dir, 'm')).toThrow(said)
  })

  test('a closed reader says so', async () => {
    const scorer = await opened()
    await scorer.close()
    await expect(scorer.score(['a'], 'b')).rejects.toMatchObject({ code: 'CLOSED' })
  })

  test.each([0, 65, 1.5, Number.NaN])('a thread count that is none is refused: %s', async threads => {
    await expect(openAskScorer({ threads })).rejects.toMatchObject({ code: 'BAD_OPTION' })
  })
})
