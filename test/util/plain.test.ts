import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_NESTING, notPlain } from '../../src/util/plain.ts'

class Made { readonly x = 1 }
const nested = (levels: number): object => { let value: object = {}; for (let n = 0; n < levels; n++) value = { in: value }; return value }
const circle: Record<string, unknown> = {}
circle['self'] = { again: circle }

test.each<[string, unknown, RegExp]>([
  ['a map', { a: { b: new Map([[1, 2]]) } }, /^args\.a\.b is a Map$/],
  ['a set in a list', { a: [1, new Set([1])] }, /^args\.a\[1\] is a Set$/],
  ['a date', { at: new Date(0) }, /^args\.at is a Date$/],
  ['an error', { e: new Error('hidden') }, /^args\.e is a Error$/],
  ['a pattern', { p: /x/ }, /is a RegExp$/],
  ['bytes', { b: Buffer.from('hi') }, /is a Buffer$/],
  ['a class of the host', { m: new Made() }, /is a Made$/],
  ['a function', { f: () => 1 }, /is a function$/],
  ['toJSON', { t: { toJSON: () => 'other' } }, /toJSON is a function$/],
  ['a symbol', { s: Symbol('q') }, /is a symbol$/],
  ['a key that is a symbol', { s: { [Symbol('q')]: 1 } }, /key that is a symbol$/],
  ['a getter, which is not called', { g: { get x(): never { throw new Error('called') } } }, /^args\.g\.x is a getter$/],
  ['a proxy, which is not asked', { p: new Proxy({}, { ownKeys: () => { throw new Error('asked') } }) }, /is a Proxy$/],
  ['a circle', circle, /refers back to itself$/],
  ['20,000 levels', nested(20_000), /nested deeper than 64 levels$/],
])('trace:before: %s is named', (_name, value, problem) => {
  expect(notPlain(value, 'args')).toMatch(problem)
})

test('what JSON has, and what the log can store beside it, is plain; a part that is there twice is no circle', () => {
  const part = { a: [1, 2] }
  expect(notPlain({ one: part, two: [part, part], big: 10n, nan: Number.NaN, none: undefined, bare: Object.create(null) as object, text: 'a\0\ud800' })).toBeUndefined()
  expect(notPlain(nested(MAX_NESTING))).toBeUndefined()
  expect(notPlain(nested(MAX_NESTING + 1))).toMatch(/64 levels/)
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 8 }), value => notPlain(value) === undefined), { seed: 20261130, numRuns: 300 })
})
