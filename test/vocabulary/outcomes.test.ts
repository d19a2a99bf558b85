import { expect, test } from 'vitest'
import { isReason, OUTCOMES } from '../../src/vocabulary/outcomes.ts'
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
