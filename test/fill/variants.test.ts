/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import { describe, expect, test } from 'vitest'
import { variantsOf, withoutPreset } from '../../src/fill/variants.ts'
import type { JsonObject } from '../../src/types.ts'
import { args, capture, object, say } from './say.ts'

const string = { type: 'string' }

describe('a root that is a choice', () => {
  const either = object({ url: string, file: string, send: { type: 'boolean' } }, { required: [], anyOf: [{ required: ['url'] }, { required: ['file'] }] })

  test('fill:evidence: is filled where the words satisfy exactly one branch', () => {
    expect(args(say(either, 'read https://a.example/x'))).toEqual({ url: 'https://a.example/x' })
    const text = 'read notes'
    expect(args(say(either, text, { captures: [capture(text, 'file', 'notes')] }))).toEqual({ file: 'notes' })
  })

  test('is left alone where both or none are satisfied', () => {
    const text = 'read https://a.example/x or notes'
    expect(say(either, text, { captures: [capture(text, 'file', 'notes')] })).toMatchObject({ kind: 'unfilled', question: expect.stringMatching(/file or url/) as string })
    expect(args(say(either, 'read it'))).toMatch(/^unfilled/)
  })

  test('branches with properties of their own, behind references', () => {
    const schema = { oneOf: [{ $ref: '#/$defs/Day' }, { $ref: '#/$defs/Count' }], type: 'object', $defs: { Day: object({ day: { type: 'string', format: 'date' } }), Count: object({ count: { type: 'integer' } }) } }
    expect(args(say(schema, 'on friday'))).toEqual({ day: '2026-12-04' })
    expect(args(say(schema, 'count 5'))).toEqual({ count: 5 })
  })

  test('fill:never-arms: a branch that wants a const is never chosen', () => {
    const schema = { type: 'object', oneOf: [object({ kind: { const: 'send' }, n: { type: 'integer' } }), object({ kind: { const: 'keep' }, n: { type: 'integer' } })] }
    expect(args(say(schema, 'keep 5'))).toMatch(/^unfilled/)
  })

  test('more branches than anybody could mean are not tried', () => {
    const schema = object({ a: string }, { required: [], anyOf: Array.from({ length: 65 }, () => ({ required: ['a'] })) })
    expect(say(schema, 'a')).toMatchObject({ kind: 'unfilled', filled: [] })
  })

  test('a condition at the root has the last word', () => {
    const schema = object({ n: { type: 'integer' }, reason: string }, { required: ['n'], if: { properties: { n: { minimum: 10 } } }, then: { required: ['reason'] } })
    expect(args(say(schema, 'n 5'))).toEqual({ n: 5 })
    expect(say(schema, 'n 50').kind).toBe('unfilled')
  })
})

describe('keys that the route presets', () => {
  const preset = { presetKeys: new Set(['open']) }

  test('fill:blind: are neither filled nor missing', () => {
    const schema = object({ open: string, n: { type: 'integer' } }, { additionalProperties: false })
    const text = 'open door, n 5'
    const filled = say(schema, text, { ...preset, captures: [capture(text, 'open', 'door')] })
    expect(args(filled)).toEqual({ n: 5 })
    expect(filled.empty).toEqual([])
  })

  test('fill:blind: are taken out of branches and of what those refer to', () => {
    const schema = { type: 'object', anyOf: [{ $ref: '#/$defs/A' }], $defs: { A: object({ open: { type: 'boolean' }, n: { type: 'integer' } }) } }
    expect(args(say(schema, 'n 5', preset))).toEqual({ n: 5 })
    const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#', ...object({ open: { type: 'boolean' } }) }
    expect(args(say(draft4, 'x', preset))).toEqual({})
  })

  test('fill:blind: the result is the same with and without the key in the schema', () => {
    const without = object({ n: { type: 'integer' } })
    const withKey = object({ n: { type: 'integer' }, open: { type: 'boolean', default: true } })
    expect(say(withKey, 'n 5', preset)).toEqual(say(without, 'n 5', preset))
  })
})

describe('the branches one by one', () => {
  test.each<readonly [string, JsonObject, unknown]>([
    ['no choice', { type: 'object' }, [{ type: 'object' }]],
    ['anyOf', { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ type: 'object', allOf: [{ required: ['a'] }] }, { type: 'object', allOf: [{ required: ['b'] }] }]],
    ['oneOf beside allOf', { allOf: [{ minProperties: 1 }], oneOf: [{ required: ['a'] }] }, [{ allOf: [{ minProperties: 1 }, { required: ['a'] }] }]],
    ['both', { anyOf: [{ required: ['a'] }, { required: ['b'] }], oneOf: [{ required: ['c'] }] }, [{ allOf: [{ required: ['a'] }, { required: ['c'] }] }, { allOf: [{ required: ['b'] }, { required: ['c'] }] }]],
    ['a branch that never holds', { anyOf: [false, true] }, [{ allOf: [true] }]],
    ['no branches at all', { anyOf: 'x' }, [{ anyOf: 'x' }]],
    ['an empty choice', { anyOf: [] }, []],
  ])('%s', (_name, root, expected) => {
    expect(variantsOf(root)).toEqual(expected)
  })
  test('sixty-four are tried, sixty-five are not', () => {
    const many = (count: number) => ({ anyOf: Array.from({ length: count }, () => ({ required: ['a'] })) })
    expect(variantsOf(many(64))).toHaveLength(64)
    expect(variantsOf(many(65))).toBeUndefined()
    expect(variantsOf({ ...many(9), oneOf: many(8).anyOf })).toBeUndefined()
  })
  test('are the same objects each time', () => {
    const root = { anyOf: [{ required: ['a'] }] }
    expect(variantsOf(root)).toBe(variantsOf(root))
  })
})

describe('a root without keys', () => {
  const keys = new Set(['open', 'send'])
  test.each<readonly [string, JsonObject, unknown]>([
    ['properties and required', object({ open: string, n: string, send: string }), { type: 'object', properties: { n: string }, required: ['n'] }],
    ['no empty required', object({ open: string }), { type: 'object', properties: {} }],
    ['names that are no names', { required: ['n', 5], properties: 'x' }, { required: ['n', 5], properties: 'x' }],
    ['branches', { anyOf: [{ required: ['open', 'n'] }], oneOf: [{ required: ['send'] }], allOf: [object({ open: string })] }, { anyOf: [{ required: ['n'] }], oneOf: [{}], allOf: [{ type: 'object', properties: {} }] }],
    ['conditions', { if: { required: ['open'] }, then: { required: ['send', 'n'] }, else: object({ open: string }) }, { if: {}, then: { required: ['n'] }, else: { type: 'object', properties: {} } }],
    ['conditions that are booleans', { if: true, then: false, anyOf: [true] }, { if: true, then: false, anyOf: [true] }],
    ['what a branch refers to, with what stands beside it', { anyOf: [{ $ref: '#/$defs/A', title: 'mine' }], $defs: { A: object({ open: string, n: string }) } }, { anyOf: [{ type: 'object', properties: { n: string }, required: ['n'], title: 'mine' }], $defs: { A: object({ open: string, n: string }) } }],
    ['a reference to nothing', { anyOf: [{ $ref: '#/$defs/A', required: ['open'] }] }, { anyOf: [{ $ref: '#/$defs/A' }] }],
    ['a reference to a boolean', { anyOf: [{ $ref: '#/$defs/A' }], $defs: { A: true } }, { anyOf: [{ $ref: '#/$defs/A' }], $defs: { A: true } }],
    ['only at the root, not below', object({ n: object({ open: string }) }), object({ n: object({ open: string }) })],
    ['branches of branches', { anyOf: [{ allOf: [{ required: ['open', 'n'] }] }] }, { anyOf: [{ allOf: [{ required: ['n'] }] }] }],
  ])('%s', (_name, root, expected) => {
    expect(withoutPreset(root, keys)).toEqual(expected)
  })
  test('no keys: the very schema; the same keys: the same object', () => {
    const root = object({ open: string })
    expect(withoutPreset(root, new Set())).toBe(root)
    expect(withoutPreset(root, new Set(['a', 'b']))).toBe(withoutPreset(root, new Set(['b', 'a'])))
    expect(withoutPreset(root, new Set(['a']))).not.toBe(withoutPreset(root, new Set(['b'])))
  })
  test('a circle of references ends', () => {
    const root = { anyOf: [{ $ref: '#' }], required: ['open'] }
    let depth = 0
    for (let at = withoutPreset(root, keys) as { readonly anyOf?: readonly JsonObject[] }; at.anyOf; at = at.anyOf[0] as typeof at) depth++
    expect(depth).toBeGreaterThan(5)
    expect(depth).toBeLessThan(12)
  })
})

describe('which branch the words satisfy', () => {
  const either = (more: JsonObject = {}) => ({ type: 'object', anyOf: [object({ day: { type: 'string', format: 'date' } }), object({ count: { type: 'integer' } }, more)] })
  test('two are two candidates, each told by its keys', () => {
    expect(say(either(), 'friday, count 5')).toEqual({ kind: 'unfilled', filled: [], empty: [{ path: '', reason: 'two-candidates', question: 'branch 1: /day' }, { path: '', reason: 'two-candidates', question: 'branch 2: /count' }], question: 'Which of these: day or count?' })
  })
  test('none: everything that is missing, and the first question', () => {
    expect(say(either(), 'nothing')).toEqual({ kind: 'unfilled', filled: [], empty: [{ path: '/day', reason: 'missing', question: 'Which day?' }, { path: '/count', reason: 'missing', question: 'Which count?' }], question: 'Which day?' })
  })
  test('too many to try, and none to try, ask back', () => {
    expect(say(object({ a: string }, { anyOf: Array.from({ length: 65 }, () => true) }), 'a')).toEqual({ kind: 'unfilled', filled: [], empty: [], question: 'There are too many ways to say this; which one?' })
    expect(say({ type: 'object', anyOf: [false] }, 'a')).toEqual({ kind: 'unfilled', filled: [], empty: [], question: 'What exactly?' })
  })
})

