import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { UsherError } from '../../src/errors.ts'
import { fromPlain, toPlain } from '../../src/log/plain.ts'
import { revive } from '../../src/log/revive.ts'
import { MAX_DEPTH, serialise } from '../../src/log/serialise.ts'
import { openDatabase } from '../../src/log/db.ts'

function codeOf(work: () => unknown): string {
  try { work() } catch (error) { return UsherError.is(error) ? error.code : String(error) }
  return 'nothing was thrown'
}

const through = (value: unknown): unknown => revive(serialise(value))

test('every value that an argument can be comes back as it was', () => {
  const values = [
    true, null, undefined, 0, -0, 1.5, Number.NaN, Infinity, -Infinity, 9007199254740993n, '', 'a\0b', 's\uD800e', '\uDC00', '\u2028', '😀', new Date(5), new Date(Number.NaN), new URL('https://a.example/b?c'),
    new Uint8Array([0, 255]), new Map<unknown, unknown>([[1n, { a: undefined }]]), new Set([-0, 'x']), [undefined, Number.NaN, [[]]], { a: 1n, b: { c: -0 } }, JSON.parse('{"__proto__":{"send":true},"a":1}') as unknown,
    { $usher: 'bigint', value: '9' }, { $usher: { $usher: 1 } }, { 'a/b~c': undefined }, { toString: 1, constructor: 2 },
  ]
  for (const value of values) expect(through(value)).toStrictEqual(value)
  expect(Object.is(through(-0), -0)).toBe(true)
})

test('any plain value comes back as it was', () => {
  const value = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true, withNullPrototype: false, withUnicodeString: true, key: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('$usher', '__proto__', 'value')) } as fc.ObjectConstraints)
  fc.assert(fc.property(value, any => { expect(through(any)).toStrictEqual(any) }), { seed: 6, numRuns: 2000 })
})

test('a circle comes back as a circle', () => {
  const a: Record<string, unknown> = { name: 'a', list: [] as unknown[] }
  a['self'] = a
  ;(a['list'] as unknown[]).push(a['list'])
  const back = through(a) as typeof a
  expect(back['self']).toBe(back)
  expect((back['list'] as unknown[])[0]).toBe(back['list'])
})

test('the same object twice is no circle', () => {
  const shared = { x: 1 }
  expect(through([shared, shared])).toStrictEqual([{ x: 1 }, { x: 1 }])
})

test('equal values give equal bytes, whatever the order of their keys', () => {
  expect(serialise({ b: 1, a: { d: 1, c: 2 }, 10: 0, 9: 0 })).toBe(serialise({ 9: 0, 10: 0, a: { c: 2, d: 1 }, b: 1 }))
  expect(serialise({ b: [1, 'x'], a: null })).toBe('{"a":null,"b":[1,"x"]}')
})

test('what cannot be kept is refused with its place, and nothing is lost in silence', () => {
  class Door { open = true }
  const deep: unknown[] = []
  let at = deep
  for (let i = 0; i < 100_000; i++) { const next: unknown[] = []; at.push(next); at = next }
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{ a: [() => 1] }, /"\/a\/0".*it is a function/], [{ 'x/y': Symbol('s') }, /"\/x~1y".*it is a symbol/], [{ [Symbol('k')]: 1 }, /symbol keys/], [{ d: new Door() }, /instance of "Door"/],
    [deep, /nested deeper than 400/], [{ get bad() { throw new Error('no') } }, /reading it threw no/],
    [new Proxy({}, { ownKeys: () => { throw new Error('closed') } }), /reading it threw closed/], [Object.assign([], { length: 4_000_000_000 }), /has 4000000000 items/], [Promise.resolve(), /instance of "Promise"/], [/x/, /instance of "RegExp"/],
  ]
  for (const [value, message] of refused) {
    expect(() => serialise(value)).toThrow(message)
    expect(codeOf(() => serialise(value))).toBe('LOG_VALUE')
    const kept = serialise({ before: 1, value }, { strict: false })
    expect(kept).toMatch(/"before":1.*"\$usher":"unstorable","why":"/)
  }
})

test('values at the depth limit can still be read by SQLite\'s own JSON functions', () => {
  let value: unknown = 'bottom'
  for (let i = 0; i < MAX_DEPTH - 1; i++) value = [value]
  const db = openDatabase(':memory:', { timeout: 0 })
  expect(db.prepare('SELECT json_extract(?, \'$.a\') IS NOT NULL').pluck().get(serialise({ a: value }))).toBe(1)
})

test('text that SQLite would change is stored in another form, and no two texts in the same', () => {
  fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('json:', '"', '\\', '\0', '\uD800', '\uDC00', 'a') })), text => {
    expect(fromPlain(toPlain(text))).toBe(text)
    expect(toPlain(text)).not.toMatch(/\0|\p{Cs}/u)
  }), { seed: 6, numRuns: 1000 })
  expect(toPlain('json:"a\0b"')).not.toBe(toPlain('a\0b'))
})
