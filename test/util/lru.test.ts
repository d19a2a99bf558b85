import { expect, test } from 'vitest'
import { Lru } from '../../src/util/lru.ts'

test('the entry that was not read for longest goes first', () => {
  const lru = new Lru<number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  expect(lru.get('a')).toBe(1)
  lru.set('c', 3)
  expect([lru.get('a'), lru.get('b'), lru.get('c')]).toEqual([1, undefined, 3])
  expect(lru.size).toBe(2)
})

test('setting an entry again counts as use and does not grow the cache', () => {
  const lru = new Lru<number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  lru.set('a', 3)
  lru.set('c', 4)
  expect([lru.get('a'), lru.get('b'), lru.get('c')]).toEqual([3, undefined, 4])
})

test('names of Object are keys like any other, and a size of 0 keeps nothing', () => {
  const lru = new Lru<number>(5)
  expect(lru.get('constructor')).toBe(undefined)
  lru.set('__proto__', 1)
  expect(lru.get('__proto__')).toBe(1)
  const none = new Lru<number>(0)
  none.set('a', 1)
  expect(none.get('a')).toBe(undefined)
})
