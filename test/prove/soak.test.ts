import { expect, test } from 'vitest'
import { soak } from './soak-run.mjs'

test('events from four clients over HTTP: each is answered, none is lost or doubled (a short run of npm run prove:soak)', async () => {
  const figures = await soak({ events: 400, clients: 4 })
  expect(figures.faults).toEqual([])
  expect([figures.again, figures.asked]).toEqual([4, 20])
})
