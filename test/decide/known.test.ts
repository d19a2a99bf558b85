import { expect, test } from 'vitest'
import { beginReading, knowingMatcher, knowingReader } from '../../src/decide/known.ts'
import type { Matcher } from '../../src/ports.ts'
import type { AskReading, Candidate } from '../../src/types.ts'

const candidate = (route: string): Candidate => ({ route, phrase: route, score: 0.5, exact: false })

function counted(): { readonly asked: string[], readonly matcher: Matcher } {
  const asked: string[] = []
  return { asked, matcher: { head: 'abc', vectorOf: text => text === 'phrase' ? Float32Array.of(1) : undefined, match: (text, vector, k, further) => { asked.push(`${text} ${vector.join()} ${k} ${further?.join()}`); return [candidate(text)] } } }
}

test('the same text with the very same vector is matched once, with another vector again', () => {
  const { asked, matcher } = counted()
  const knowing = knowingMatcher(matcher)
  const vector = Float32Array.of(1)
  const first = knowing.match('toString', vector)
  expect(knowing.match('toString', vector)).toBe(first)
  expect(knowing.match('toString', Float32Array.of(1))).toEqual(first)
  expect(knowing.match('tostring', vector)).toEqual([candidate('tostring')])
  expect(asked).toHaveLength(3)
})

test('a further vector and a wanted number of routes are never answered from another question', () => {
  const { asked, matcher } = counted()
  const knowing = knowingMatcher(matcher)
  const vector = Float32Array.of(1)
  knowing.match('a', vector)
  knowing.match('a', vector, undefined, Float32Array.of(2))
  knowing.match('a', vector, 3)
  knowing.match('a', vector, 3)
  expect(asked).toEqual(['a 1 undefined undefined', 'a 1 undefined 2', 'a 1 3 undefined', 'a 1 3 undefined'])
})

test('what else a matcher can do stays, and what it cannot is not made up', () => {
  const { matcher } = counted()
  const knowing = knowingMatcher(matcher)
  expect([knowing.head, knowing.vectorOf?.('phrase'), knowing.further]).toEqual(['abc', Float32Array.of(1), undefined])
  expect(Object.keys(knowingMatcher({ match: () => [] }))).toEqual(['match'])
})

test('a text is read once for the very same candidates, a long one every time', () => {
  let reads = 0
  const reading: AskReading = { asks: [], notAsks: [] }
  const reader = knowingReader({ read: () => { reads++; return { ...reading } } })
  const near = [candidate('a')]
  expect(reader.read('x', near)).toBe(reader.read('x', near))
  reader.read('x', [candidate('a')])
  expect(reads).toBe(2)
  reader.read('y'.repeat(5000), near)
  reader.read('y'.repeat(5000), near)
  expect(reads).toBe(4)
})

test('a text that is known is not begun again, and one with other candidates is read anew', () => {
  const asked: string[] = []
  const of = (text: string, near: readonly Candidate[]): AskReading => { asked.push(`${text} ${near[0]?.route}`); return { asks: [], notAsks: [] } }
  const reader = knowingReader({ read: of, begin: text => { asked.push(`begin ${text}`); return { asks: [], finish: near => of(text, near) } } })
  const near = [candidate('a')]
  const reading = beginReading(reader, 'x').finish(near)
  expect(beginReading(reader, 'x').finish(near)).toBe(reading)
  expect(asked).toEqual(['begin x', 'x a'])
  beginReading(reader, 'x').finish([candidate('b')])
  expect(asked).toEqual(['begin x', 'x a', 'x b'])
})

test('a reader that reads in one step has nothing begun', () => {
  const begun = beginReading(knowingReader({ read: () => ({ asks: [], notAsks: [] }) }), 'x')
  expect([begun.asks, begun.finish([])]).toEqual([[], { asks: [], notAsks: [] }])
})
