import { expect, test } from 'vitest'
import { assemble } from '../../src/fill/assemble.ts'
import { contextOf } from '../../src/fill/context.ts'
import type { Json } from '../../src/types.ts'

test.each<readonly [readonly (readonly [string, Json])[], unknown]>([
  [[], {}], [[['/a', 1]], { a: 1 }], [[['/a/b', 1], ['/a/c', 2]], { a: { b: 1, c: 2 } }], [[['/a', 0], ['/b', '']], { a: 0, b: '' }], [[['/a~1b', 1]], { 'a/b': 1 }], [[['/a', [1, 2]]], { a: [1, 2] }], [[['/constructor/x', 1], ['/toString', 2]], { constructor: { x: 1 }, toString: 2 }],
])('values at %j', (values, expected) => {
  expect(assemble(values.map(([path, value]) => ({ path, value })))).toEqual(expected)
})

test('every key is an own one', () => {
  const built = assemble([{ path: '/__proto__/open', value: true }])
  expect(Object.keys(built)).toEqual(['__proto__'])
  expect((built as { readonly open?: unknown }).open).toBeUndefined()
})

test('what the filler is not told: the machine\'s zone, no lists, no synonyms', () => {
  const context = contextOf({ visible: {}, text: 'x', captures: [], at: 5 }, { type: 'object' })
  expect(context).toEqual({ root: { type: 'object' }, text: 'x', at: 5, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, lists: new Map(), synonyms: new Map() })
  const lists = new Map([['rooms', []]])
  const synonyms = new Map([['room', 'rooms']])
  expect(contextOf({ visible: {}, text: 'x', captures: [], at: 5, timeZone: 'UTC', lists, synonyms }, {})).toEqual({ root: {}, text: 'x', at: 5, timeZone: 'UTC', lists, synonyms })
})
