import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Judged } from '../../src/heads/evidence.ts'
import { budgetThreshold, firedAt } from '../../src/heads/thresholds.ts'

const far = (logits: readonly number[], top = 0): Judged[] => logits.map(logit => ({ kind: 'far', top, logit, right: false, route: -1 }))
const every = () => true
const logits = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 20, maxLength: 400 })

test('at most the budget of the neutral texts fires, whatever their scores', () => {
  fc.assert(fc.property(logits, fc.double({ min: 0.0005, max: 0.5, noNaN: true }), (scores, budget) => {
    const judged = far(scores)
    const { logit, fired, bound } = budgetThreshold(judged, budget, every)
    expect(fired).toBeLessThanOrEqual(scores.length * budget)
    expect(firedAt(judged, logit, every).fired).toBe(fired)
    expect(bound).toBeGreaterThan(fired / scores.length)
  }), { seed: 3, numRuns: 200 })
})

test('a smaller budget never gives a lower threshold', () => {
  fc.assert(fc.property(logits, fc.double({ min: 0.0005, max: 0.4, noNaN: true }), fc.double({ min: 0.1, max: 0.9, noNaN: true }), (scores, budget, part) => {
    const [wide, narrow] = [budgetThreshold(far(scores), budget, every), budgetThreshold(far(scores), budget * part, every)]
    // Where only one of them rests on the tail's shape, they do not compare.
    fc.pre(wide.thin === narrow.thin)
    expect(narrow.logit).toBeGreaterThanOrEqual(wide.logit - 1e-9)
  }), { seed: 4, numRuns: 200 })
})

test('too few texts for a budget are said to be, and the threshold lies beyond all of them', () => {
  const scores = Array.from({ length: 200 }, (_, at) => -at / 40)
  const { thin, logit, fired } = budgetThreshold(far(scores), 0.001, every)
  expect(thin).toBe(true)
  expect(fired).toBe(0)
  expect(logit).toBeGreaterThan(0)
  expect(budgetThreshold(far(scores), 0.05, every).thin).toBe(false)
})

test('texts whose best route goes by its nearest phrase are not fires of a head', () => {
  const judged = [...far([5, 4, 3], 1), ...far(Array.from({ length: 97 }, () => -5), 0)]
  expect(budgetThreshold(judged, 0.1, route => route === 0).fired).toBeLessThanOrEqual(10)
  expect(firedAt(judged, 0, route => route === 0).fired).toBe(0)
  expect(firedAt(judged, 0, every).fired).toBe(3)
})
