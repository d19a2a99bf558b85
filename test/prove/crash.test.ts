import { expect, test } from 'vitest'
import { crashRuns } from './harness.mjs'

const LONG = { timeout: 600_000 }

test('trace:crash: after kill -9 at 50 random moments each effect has its row from before it, cut calls read unknown, none runs again, the chain verifies', LONG, async () => {
  const figures = await crashRuns({ runs: 50, seed: 6 })
  expect(figures.faults).toEqual([])
  expect(figures.runs).toBe(50)
  expect(figures.effects).toBeGreaterThan(100)
  expect(figures.cut).toBeGreaterThan(5)
})

test('trace:crash: the proof can fail: it sees calls without a row, and calls that only claim their effect', LONG, async () => {
  const rowless = await crashRuns({ runs: 3, broken: 'no-row' })
  expect(rowless.faults.join('\n')).toMatch(/has no call/)
  const claimed = await crashRuns({ runs: 4, broken: 'no-effect' })
  expect(claimed.faults.join('\n')).toMatch(/reads called, and its effect is not there/)
})
