import * as fc from 'fast-check'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test, vi } from 'vitest'
import { widening } from '../../src/contract/subsume.ts'
import { schemaSentences } from '../../src/contract/schema-changes.ts'
import type { Json, JsonObject } from '../../src/types.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const base: JsonObject = {
  type: 'object', required: ['path'],
  properties: { path: { type: 'string', maxLength: 100, pattern: '^/' }, mode: { enum: ['a', 'b'] }, n: { type: 'integer', minimum: 1, maximum: 9 }, tags: { type: 'array', items: { type: 'string' }, maxItems: 3 } },
}
const withProp = (name: string, schema: Json): JsonObject => ({ ...base, properties: { ...base['properties'] as JsonObject, [name]: schema } })

describe('control:human: what widens a schema', () => {
  test.each<[string, Json]>([
    ['the same with other words', { ...base, description: 'new words', title: 't' }],
    ['a shorter text', withProp('path', { type: 'string', maxLength: 50, pattern: '^/' })],
    ['fewer words', withProp('mode', { enum: ['b'] })], ['one of the words', withProp('mode', { const: 'a' })],
    ['a smaller range', withProp('n', { type: 'integer', minimum: 2, maximum: 8 })], ['another range keyword inside it', withProp('n', { type: 'integer', minimum: 1, maximum: 9, multipleOf: 3 })],
    ['more required', { ...base, required: ['path', 'n'] }], ['a property less', { type: 'object', required: ['path'], properties: { path: (base['properties'] as JsonObject)['path'] as Json } }],
    ['fewer items', withProp('tags', { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 2 })],
    ['one alternative of one', withProp('mode', { anyOf: [{ enum: ['a'] }, { const: 'b' }] })], ['closed as before', { ...base, additionalProperties: false }],
  ])('%s does not', (_, next) => expect(widening(base, next)).toBeUndefined())

  test.each<[string, Json]>([
    ['a new property', withProp('bcc', { type: 'string' })], ['a new property called constructor', withProp('constructor', { type: 'string' })], ['a new property called toString', withProp('toString', {})],
    ['a longer text', withProp('path', { type: 'string', maxLength: 101, pattern: '^/' })], ['no limit', withProp('path', { type: 'string', pattern: '^/' })], ['another pattern', withProp('path', { type: 'string', maxLength: 100, pattern: '.' })],
    ['a new word', withProp('mode', { enum: ['a', 'b', 'c'] })], ['any word', withProp('mode', { type: 'string' })], ['any number', withProp('n', { type: 'number', minimum: 1, maximum: 9 })],
    ['null too', withProp('n', { type: ['integer', 'null'], minimum: 1, maximum: 9 })], ['a larger range', withProp('n', { type: 'integer', minimum: 0, maximum: 9 })],
    ['nothing required', { ...base, required: [] }], ['open for other keys', { ...base, additionalProperties: true }], ['other items', withProp('tags', { type: 'array', items: {}, maxItems: 3 })],
    ['a default', withProp('mode', { enum: ['a', 'b'], default: 'b' })], ['an alternative', withProp('mode', { anyOf: [{ enum: ['a'] }, { type: 'number' }] })],
    ['a keyword that is not understood', { ...base, 'x-danger': true }], ['a reference', withProp('mode', { $ref: '#/$defs/m' })], ['no schema', true], ['pattern properties', { ...base, patternProperties: { '^x': {} } }],
  ])('%s does', (_, next) => expect(widening(base, next)).toBeTypeOf('string'))

  test('a property behind a reference is compared where it points, and a changed target widens', () => {
    const ref = (target: Json): JsonObject => ({ type: 'object', properties: { f: { $ref: '#/$defs/F' } }, $defs: { F: target } })
    expect(widening(ref({ type: 'string' }), ref({ type: 'string', maxLength: 3 }))).toBeUndefined()
    expect(widening(ref({ type: 'string' }), ref({ type: ['string', 'null'] }))).toBeTypeOf('string')
    expect(widening(ref({ $ref: '#/$defs/F' }), ref({ $ref: '#/$defs/F', title: 'x' }))).toBeTypeOf('string')
  })

  const leaf = fc.oneof(
    fc.record({ type: fc.constant('string'), maxLength: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }), minLength: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }) }),
    fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined }), exclusiveMaximum: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }) }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom<Json>('a', 'b', 1, true, null), { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: fc.constantFrom<Json>('a', 1, null) }), fc.record({ type: fc.uniqueArray(fc.constantFrom('string', 'integer', 'null', 'boolean'), { minLength: 1 }) }), fc.constant({}),
  )
  const clean = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json
  const schema = fc.record({ properties: fc.dictionary(fc.constantFrom('p', 'q'), fc.oneof(leaf, fc.record({ anyOf: fc.array(leaf, { minLength: 1, maxLength: 2 }) }))), required: fc.option(fc.subarray(['p', 'q'], { minLength: 1 }), { nil: undefined }) })
    .map(made => clean({ type: 'object', ...made, additionalProperties: false }) as JsonObject)
  const value = fc.dictionary(fc.constantFrom('p', 'q', 'r'), fc.constantFrom<Json>('', 'a', 'b', 'aaa', 'aaaa', -3, 0, 1, 1.5, 4, true, null))

  test('property: whatever is called "no widening" lets nothing through that was not let through before (ajv is the judge)', () => {
    let narrowings = 0
    fc.assert(fc.property(schema, schema, fc.array(value, { minLength: 12, maxLength: 12 }), (old, next, values) => {
      if (widening(old, next) !== undefined) return
      narrowings++
      const ajv = new Ajv2020({ strict: false })
      const [before, after] = [ajv.compile(old), ajv.compile(next)]
      for (const one of values) expect(!after(one) || before(one)).toBe(true)
    }), { seed: 7, numRuns: 1200 })
    expect(narrowings).toBeGreaterThan(20)
  })
})

describe('changes in sentences', () => {
  test('a new required parameter and a loosened one are told by name', () => {
    const next = { ...withProp('bcc', { type: 'string' }), required: ['path', 'bcc'] }
    expect(schemaSentences(base, next)).toEqual(['adds a required string "bcc"'])
    expect(schemaSentences(base, withProp('path', { type: 'string', pattern: '^/' }))).toEqual(['loosens "path" (the schema lost the restriction maxLength)', 'drops maxLength of "path", was 100'])
    expect(schemaSentences(base, withProp('path', { type: 'string', maxLength: 9, pattern: '^/' }))).toEqual(['tightens "path"', 'sets maxLength of "path" to 9, was 100'])
    expect(schemaSentences(base, base)).toEqual([])
  })
  test('words from outside are quoted, and what cannot be seen in them is shown', () => {
    expect(schemaSentences({ description: 'a' }, { description: 'a\u202Eb' })[0]).toContain('a[U+202E right-to-left override]b')
  })
})
