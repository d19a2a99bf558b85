import { expect, test } from 'vitest'
import { longest, outside, overlaps, type Reading } from '../../../src/fill/read/reading.ts'

const at = (start: number, end: number): Reading => ({ value: `${start}-${end}`, start, end, how: '' })

test('spans that only touch do not overlap', () => {
  expect([overlaps(at(0, 2), at(2, 4)), overlaps(at(2, 4), at(0, 2)), overlaps(at(0, 3), at(2, 4)), overlaps(at(0, 9), at(2, 4)), overlaps(at(2, 4), at(0, 9))]).toEqual([false, false, true, true, true])
})

test('the longest reading wins, of equal ones the first, and they come in the order of the text', () => {
  const given = [at(6, 8), at(0, 2), at(1, 5), at(5, 6), at(7, 9)]
  expect(longest(given).map(({ value }) => value)).toEqual(['1-5', '5-6', '6-8'])
  expect(given.map(({ value }) => value)).toEqual(['6-8', '0-2', '1-5', '5-6', '7-9'])
  expect(longest([at(3, 5), at(2, 4)]).map(({ value }) => value)).toEqual(['2-4'])
})

test('what touches a taken span is left out', () => {
  expect(outside([at(0, 2), at(2, 4), at(5, 9)], [at(1, 2), at(8, 20)]).map(({ value }) => value)).toEqual(['2-4'])
  expect(outside([at(0, 2)], [])).toHaveLength(1)
})
