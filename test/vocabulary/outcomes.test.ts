import { expect, test } from 'vitest'
import { isReason, nextStep, OUTCOMES } from '../../src/vocabulary/outcomes.ts'
import type { OutcomeKind } from '../../src/types.ts'

test('outcome:distinct: every outcome means something else, has reasons and a next step', () => {
  const entries = Object.entries(OUTCOMES)
  expect(entries).toHaveLength(19)
  expect(new Set(entries.map(([, entry]) => entry.means)).size).toBe(entries.length)
  for (const [, entry] of entries) {
    expect(Object.keys(entry.reasons).length).toBeGreaterThan(0)
    expect(entry.next).not.toBe('')
  }
})

test('a reason is one of its own outcome only', () => {
  expect(isReason('not-explicit', 'abstain:negation')).toBe(true)
  expect(isReason('called' as OutcomeKind, 'abstain:negation')).toBe(false)
  expect(isReason('called' as OutcomeKind, 'toString')).toBe(false)
})

test('outcome:distinct: what only a person may mend says what the person does, and nothing of hours or modes', () => {
  expect(nextStep('stopped', 'halted')).toMatch(/usher contract list.*usher contract review.*usher resume/)
  expect(nextStep('denied', 'control-plane')).toMatch(/a person.*usher contract review/)
  expect([nextStep('stopped', 'halted'), nextStep('denied', 'control-plane')].join()).not.toMatch(/hours|mode|explain/)
  expect(nextStep('stopped', 'when')).toBe(OUTCOMES.stopped.next)
  expect(nextStep('denied', 'toString')).toBe(OUTCOMES.denied.next)
})
