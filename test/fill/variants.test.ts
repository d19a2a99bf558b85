/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import { describe, expect, test } from 'vitest'
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
