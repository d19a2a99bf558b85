import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { readScope, writeScope } from '../../src/effects/child-scope.ts'
import type { EffectScope } from '../../src/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-scope-'))
const file = join(folder, 'scope.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const scope = (nth: number): EffectScope => ({ callId: `c-${nth}`, mode: 'enforce', allowed: ['fs.write'] })

test('the newest scope is read, none after the call, and the files of old ones go', () => {
  expect(readScope(file)).toBeUndefined()
  for (let nth = 1; nth <= 200; nth++) {
    writeScope(file, scope(nth))
    expect(readScope(file)).toEqual(scope(nth))
  }
  writeScope(file, undefined)
  expect(readScope(file)).toBeUndefined()
  expect(readdirSync(folder)).toHaveLength(1 + 64)
})

test('effect:bounded: another process that reads all the time sees a whole scope at every moment', async () => {
  writeScope(file, scope(0))
  const reader = new Worker(`
    const { readFileSync } = require('node:fs')
    const { parentPort, workerData } = require('node:worker_threads')
    let bad = 0, good = 0
    const end = Date.now() + 1500
    const text = tries => { try { return readFileSync(workerData, 'utf8') } catch (error) { if (tries === 1) throw error; return text(tries - 1) } }
    while (Date.now() < end) { try { JSON.parse(text(5)).callId.startsWith('c-') ? good++ : bad++ } catch { bad++ } }
    parentPort.postMessage({ bad, good })
  `, { eval: true, workerData: file })
  const told: { bad: number, good: number }[] = []
  reader.once('message', (value: { bad: number, good: number }) => { told.push(value) })
  for (let nth = 1; told.length === 0; nth++) {
    writeScope(file, scope(nth))
    if (nth % 50 === 0) await new Promise(resolve => { setImmediate(resolve) })
  }
  expect(told).toEqual([{ bad: 0, good: expect.any(Number) as number }])
  expect(told[0]?.good).toBeGreaterThan(0)
})
