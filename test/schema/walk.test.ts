/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import { describe, expect, test } from 'vitest'
import { MAX_PLACES, schemasAt, walkSchema } from '../../src/schema/walk.ts'
import type { JsonObject } from '../../src/types.ts'

const paths = (schema: JsonObject) => [...new Set(walkSchema(schema).places.map(({ path }) => path))].sort()

describe('every corner of a schema is walked', () => {
  const leaf = { properties: { x: { type: 'boolean' } } }
  test.each<readonly [string, JsonObject, string]>([
    ['properties', { properties: { a: leaf } }, '/a/x'],
    ['items', { properties: { a: { items: leaf } } }, '/a/*/x'],
    ['items as a list', { properties: { a: { items: [leaf] } } }, '/a/*/x'],
    ['prefixItems', { properties: { a: { prefixItems: [leaf] } } }, '/a/*/x'],
    ['contains', { properties: { a: { contains: leaf } } }, '/a/*/x'],
    ['patternProperties', { patternProperties: { '^a': leaf } }, '/*/x'],
    ['additionalProperties', { additionalProperties: leaf }, '/*/x'],
    ['unevaluatedProperties', { unevaluatedProperties: leaf }, '/*/x'],
    ['allOf', { allOf: [leaf] }, '/x'],
    ['anyOf', { anyOf: [{}, leaf] }, '/x'],
    ['oneOf', { oneOf: [leaf] }, '/x'],
    ['if', { if: leaf }, '/x'],
    ['then', { if: {}, then: leaf }, '/x'],
    ['else', { else: leaf }, '/x'],
    ['dependentSchemas', { dependentSchemas: { a: leaf } }, '/x'],
    ['dependencies', { dependencies: { a: leaf, b: ['c'] } }, '/x'],
    ['$ref', { $ref: '#/$defs/A', $defs: { A: leaf } }, '/x'],
    ['$ref in anyOf in items', { properties: { a: { items: { anyOf: [{ $ref: '#/definitions/A' }] } } }, definitions: { A: leaf } }, '/a/*/x'],
    ['$dynamicRef', { properties: { a: { $dynamicRef: '#A' } }, $defs: { A: { $dynamicAnchor: 'A', ...leaf } } }, '/a/x'],
  ])('%s', (_, schema, path) => {
    expect(paths(schema)).toContain(path)
    expect(schemasAt(schema, path.slice(1).split('/').map(name => name === '*' ? (schema['additionalProperties'] ?? schema['patternProperties'] ?? schema['unevaluatedProperties']) === undefined ? '0' : 'abc' : name))).not.toHaveLength(0)
  })

  test('definitions that nothing refers to are no places', () => {
    expect(paths({ $defs: { A: leaf } })).toEqual([''])
  })
  test('data that looks like a schema is none', () => {
    expect(paths({ default: leaf, enum: [leaf], examples: [leaf], const: leaf })).toEqual([''])
  })
  test('a name with a slash or a tilde is one step', () => {
    expect(paths({ properties: { 'a/b~c': {} } })).toContain('/a~1b~0c')
  })
})

describe('bounds', () => {
  test('a reference to itself ends', () => {
    const schema = { properties: { child: { $ref: '#' }, purge: { type: 'boolean' } } }
    expect(paths(schema)).toContain('/child/purge')
    expect(walkSchema(schema).whole).toBe(true)
  })
  test('two definitions that refer to each other in many ways end at the bound', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, { $ref: `#/$defs/D${index % 30}` }]))
    const schema = { properties: many, $defs: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`D${index}`, { properties: many }])) }
    const walked = walkSchema(schema)
    expect(walked.whole).toBe(false)
    expect(walked.places).toHaveLength(MAX_PLACES)
  })
  test('a path is followed through a cycle as far as it goes', () => {
    const schema = { properties: { child: { $ref: '#' }, purge: { type: 'boolean' } } }
    expect(schemasAt(schema, ['child', 'child', 'child', 'child', 'purge']).map(({ schema }) => schema)).toEqual([{ type: 'boolean' }])
    expect(schemasAt({ $ref: '#' }, ['a'])).toEqual([])
  })
})

test('what is certain and what is only in a branch is told apart', () => {
  const places = walkSchema({ properties: { a: {} }, anyOf: [{ properties: { b: {} } }], allOf: [{ properties: { c: {} } }] }).places
  expect(places.filter(({ path }) => path !== '').map(({ path, conditional }) => [path, conditional])).toEqual([['/a', false], ['/b', true], ['/c', false]])
})
