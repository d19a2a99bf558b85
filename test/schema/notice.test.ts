import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findIgnoredKeys, withNotice } from '../../src/schema/dropped.ts'
import { noticeLine } from '../../src/schema/notice.ts'

const two = { names: ['"a"', '"b"'], count: 2, exact: true }
const none = { names: [], count: 0, exact: true }
const NOTE = 'Ignored keys that this tool does not know, so they had no effect: "a", "b"'
const keys = { _ignoredKeys: ['a', 'b'], _ignoredKeysNote: NOTE }

describe('the notice, on a result of any shape', () => {
  test('args:dropped: without lost keys the result is the same one', () => {
    const result = { a: 1 }
    expect(withNotice(result, none)).toBe(result)
  })
  test('args:dropped: an object gets both fields', () => {
    expect(withNotice({ ok: true }, two)).toEqual({ ok: true, ...keys })
  })
  test('args:dropped: an array is wrapped', () => {
    expect(withNotice([1, 2], two)).toEqual({ results: [1, 2], ...keys })
  })
  test('args:dropped: text gets it on a line of its own', () => {
    expect(withNotice('done', two)).toBe(`done\n\n${NOTE}`)
    expect(withNotice('', two)).toBe(NOTE)
  })
  test.each([[5], [true], [null], [undefined], [new Date(0)], [new Map()]])('args:dropped: %s stays what it is, under `result`', result => {
    expect(withNotice(result, two)).toEqual({ result: result ?? null, ...keys })
  })
  test('args:dropped: an MCP result keeps what its parts mean', () => {
    const result = { content: [{ type: 'text', text: 'hi' }], structuredContent: { n: 1 }, isError: true, _meta: { own: 1 } }
    expect(withNotice(result, two)).toEqual({ content: [{ type: 'text', text: 'hi' }, { type: 'text', text: NOTE }], structuredContent: { n: 1 }, isError: true, _meta: { own: 1, ...keys } })
    expect(result.content).toHaveLength(1)
  })
  test('an object that only has a field called content is an object', () => {
    expect(withNotice({ content: 'x' }, two)).toEqual({ content: 'x', ...keys })
    expect(withNotice({ content: [{ note: 1 }] }, two)).toEqual({ content: [{ note: 1 }], ...keys })
  })
  test('a result cannot hide or forge the notice', () => {
    expect(withNotice({ _ignoredKeys: [], _ignoredKeysNote: 'none' }, two)).toEqual(keys)
  })
  test('an own __proto__ of a result stays a key', () => {
    const result = withNotice(JSON.parse('{"__proto__":{"a":1}}'), two) as object
    expect(Object.keys(result)).toContain('__proto__')
  })
})

describe('one line', () => {
  test('says how many there are in all', () => {
    expect(noticeLine({ names: ['"a"'], count: 1, exact: true })).toBe('Ignored a key that this tool does not know, so it had no effect: "a"')
    expect(noticeLine({ names: ['"a"'], count: 25, exact: true })).toMatch(/"a", \.\.\. \(25 in all\)$/)
    expect(noticeLine({ names: ['"a"'], count: 25, exact: false })).toMatch(/\(at least 25 in all\)$/)
    expect(noticeLine({ names: ['"a"'], count: 1, exact: false })).toMatch(/^Ignored keys .* they .*at least 1/)
  })
  test('args:dropped: names are quoted, and nothing in them ends, hides or turns the line', () => {
    const names = findIgnoredKeys({ type: 'object' }, { 'a\nb\u2028c\u202Ed\u200Be"f': 1 }).names
    expect(names).toEqual([String.raw`"a\nb\u2028c\u202ed\u200be\"f"`])
  })
  test('args:dropped: for any keys', () => {
    fc.assert(fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.constant(1), { minKeys: 1, maxKeys: 30 }), args => {
      const line = noticeLine(findIgnoredKeys({ type: 'object' }, args))
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    }), { seed: 5, numRuns: 500 })
  })
})
