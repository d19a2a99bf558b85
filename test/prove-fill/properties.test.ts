import fc from 'fast-check'
import { test } from 'vitest'
import { PROPERTIES } from './properties.ts'

/** 20,000 cases in all; the same ones each time. */
const CASES = [16_000, 2_500, 500, 1_000]

test.each(PROPERTIES.map((one, index) => ({ ...one, cases: CASES[index] ?? 0 })))('$name', { timeout: 120_000 }, ({ property, perRun, cases }) => {
  fc.assert(property, { seed: 20_261_130, numRuns: Math.ceil(cases / perRun) })
})
