import { expect, test } from 'vitest'
import { writeAtOnce } from './writers.mjs'

test('four processes that write one log at once lose no row and break no chain', { timeout: 600_000 }, async () => {
  const result = await writeAtOnce({ processes: 4, calls: 500 })
  expect(result.failed).toEqual([])
  expect(result).toMatchObject({ calls: 2000, events: 2000, genesis: 1, verdict: { kind: 'ok' } })
  expect(result.switches).toBeGreaterThan(3)
})
