import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_BUDGET, fitHead } from '../../src/heads/build.ts'
import { calibrate } from '../../src/heads/calibrate.ts'
import { readSideFile, writeSideFile, type SideFile } from '../../src/heads/side-file.ts'
import { route, THREE, WEATHER, wordVector, wordVectors } from './support.ts'

const side: SideFile = { encoder: 'words@1', inputs: 'abc', budget: 0.01, probability: { intercept: -3, weights: [6, -1] }, thresholds: new Map([['weather', 0.7], ['__proto__', 0.9]]), who: 'alice', at: 1, why: ['since'], evidence: {} }
let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-side-'))
  file = join(folder, 'calibration.json')
  writeSideFile(file, side)
})
afterEach(() => { rmSync(folder, { recursive: true, force: true }) })
const refused = (code: string, words: string) => expect.objectContaining({ code, message: expect.stringContaining(words) as string })

describe('control:human: the file of a calibration', () => {
  test('comes back as it was written', () => {
    expect(readSideFile(file, 'words@1')).toEqual(side)
  })

  test('encoder:pinned: is refused for another encoder', () => {
    expect(() => readSideFile(file, 'words@2')).toThrow(refused('ENCODER_MISMATCH', 'usher calibrate'))
  })

  test('is refused when a threshold was changed by hand', () => {
    writeFileSync(file, readFileSync(file, 'utf8').replace('0.7', '0.1'))
    expect(() => readSideFile(file, 'words@1')).toThrow(refused('ROUTES_INVALID', 'not what was written'))
  })

  test('is refused when others may write it, and when it is a link', () => {
    chmodSync(file, 0o666)
    expect(() => readSideFile(file, 'words@1')).toThrow(refused('ROUTES_INVALID', 'mode'))
    chmodSync(file, 0o600)
    symlinkSync(file, join(folder, 'link.json'))
    expect(() => readSideFile(join(folder, 'link.json'), 'words@1')).toThrow(refused('ROUTES_INVALID', 'symbolic link'))
  })

  test.each(['', '{}', '[]', 'null', '{"version":1}', '{"version":2}'])('closed: %j is refused', text => {
    writeFileSync(file, text)
    expect(() => readSideFile(file, 'words@1')).toThrow(refused('ROUTES_INVALID', 'calibrat'))
  })
})

describe('a calibration', () => {
  const options = { encoder: 'words@1', routes: THREE, vectors: wordVectors }
  const labelled = (text: string, of: string | null) => ({ text, route: of, vectors: { plain: wordVector(text), framed: wordVector(`the intent of the user who says this is: ${text}`) } })

  test('counts for exactly the routes that it was made for; a kept threshold is never lowered for others', async () => {
    const built = await fitHead(options)
    if (!built) throw new Error('no head')
    const low = { ...side, inputs: built.inputs, probability: built.head.facts.probability, thresholds: new Map([['weather', 0.05], ['trains', 0.99]]) }
    const exact = await fitHead({ ...options, calibration: low })
    expect(exact?.head.facts.evidence.get('weather')).toMatchObject({ threshold: 0.05, by: 'calibrated' })
    const changed = await fitHead({ ...options, routes: [route('weather', [...WEATHER, 'any fog']), ...THREE.slice(1)], calibration: low })
    expect(changed?.head.facts.evidence.get('weather')?.threshold).toBeGreaterThan(0.05)
    expect(changed?.head.facts.evidence.get('weather')?.by).toBe('budget')
    expect(changed?.head.facts.evidence.get('trains')).toMatchObject({ threshold: 0.99, by: 'kept' })
  })

  test('a smaller budget asks for more, and says when the texts are too few to show it', async () => {
    const built = await fitHead(options)
    if (!built) throw new Error('no head')
    const [wide, narrow] = [calibrate(built, 0.05, []), calibrate(built, 0.001, [])]
    for (const { route: name, threshold } of narrow.routes) expect(threshold).toBeGreaterThanOrEqual(wide.thresholds.get(name) ?? 1)
    expect(narrow.thin.join(' ')).toContain('3000')
    expect(wide.thin.join(' ')).not.toContain('cannot show')
    expect(calibrate(built, DEFAULT_BUDGET, []).curve[0]).toMatchObject({ probability: 0 })
  })

  test('labelled texts count: those for no route among the false fires, those for a route among its texts', async () => {
    const built = await fitHead(options)
    if (!built) throw new Error('no head')
    const texts = [...Array.from({ length: 30 }, (_, nth) => labelled(`${WEATHER[nth % WEATHER.length]} ${nth}`, null)), labelled('umbrella needed', 'weather')]
    const [without, with_] = [calibrate(built, 0.02, []), calibrate(built, 0.02, texts)]
    expect(with_.threshold.neutral).toBe(without.threshold.neutral + 30)
    expect(with_.threshold.logit).toBeGreaterThan(without.threshold.logit)
    expect(with_.routes.find(item => item.route === 'weather')?.texts).toBe(WEATHER.length + 1)
  })
})
