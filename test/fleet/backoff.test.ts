import { expect, test } from 'vitest'
import { Backoff } from '../../src/fleet/backoff.ts'

const waits = (backoff: Backoff, tries: number) => Array.from({ length: tries }, () => backoff.wait())

test('each wait is twice the last up to 15 s, and it begins anew when the server is back', () => {
  const backoff = new Backoff(() => 0)
  expect(waits(backoff, 9)).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000])
  backoff.reset()
  expect(waits(backoff, 2)).toEqual([250, 500])
})

test('an hour without a server is some 250 tries, not 14,000; machines do not try in step', () => {
  const backoff = new Backoff(() => 0)
  let spent = 0
  let tries = 0
  while (spent < 3_600_000) { spent += backoff.wait(); tries++ }
  expect(tries).toBeLessThan(260)
  expect(waits(new Backoff(() => 1), 2)).toEqual([188, 375])
  expect(new Set(Array.from({ length: 20 }, () => waits(new Backoff(), 7).join())).size).toBeGreaterThan(10)
})
