import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Generator } from '../../src/audit/generate.ts'
import { planCalls } from '../../src/audit/plan.ts'
import type { JsonObject } from '../../src/types.ts'

const context = { file: '/s/work/usher-canary.txt', folder: '/s/work/folder', fresh: '/s/work/new', toolName: 'do_it' }
const calls = (schema: JsonObject): readonly JsonObject[] => planCalls(schema, context).map(call => call.arguments)
const object = (properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}): JsonObject => ({ type: 'object', properties, required, ...more })

describe('the argument sets of a tool', () => {
  test('nothing, then what a bad filler sends', () => {
    expect(calls(object({ send: { type: 'boolean' }, note: { type: 'string' } }))).toEqual([{}, { send: true }])
  })

  test('booleans true, inverted flags false, enums at the effect value, consts, declared defaults', () => {
    const schema = object({ quick: { type: 'boolean' }, dry_run: { type: 'boolean', default: true }, mode: { enum: ['look', 'purge'] }, kind: { const: 'x' }, size: { type: 'integer', default: 7 } })
    expect(calls(schema)[1]).toEqual({ quick: true, dry_run: false, mode: 'purge', kind: 'x', size: 7 })
  })

  test('what is required gets valid values on top', () => {
    expect(calls(object({ to: { type: 'string', format: 'email' }, confirm: { const: true } }, ['to']))).toEqual([{}, { confirm: true }, { to: 'usher-canary-to@usher-canary.invalid', confirm: true }, { to: 'usher-canary-to@usher-canary.invalid' }])
  })

  test('each effect of an enum has its own call', () => {
    expect(calls(object({ action: { enum: ['view', 'archive', 'delete'] } }))).toEqual([{}, { action: 'archive' }, { action: 'delete' }])
  })

  test('an armed flag is also tried alone where a switch of an unknown name could hold it back', () => {
    expect(calls(object({ send: { type: 'boolean' }, gently: { type: 'boolean' } }))).toEqual([{}, { send: true, gently: true }, { send: true }])
  })

  test('flags inside lists, maps and references are reached', () => {
    const schema = object({ steps: { type: 'array', items: { $ref: '#/$defs/step' } }, by_name: { type: 'object', additionalProperties: { $ref: '#/$defs/step' } } }, [], { $defs: { step: object({ publish: { type: 'boolean' }, at: { type: 'integer', minimum: 3 } }, ['at']) } })
    expect(calls(schema)[1]).toEqual({ steps: [{ publish: true }], by_name: { 'usher-canary': { publish: true } } })
    expect(calls(schema)[2]).toEqual({ steps: [{ at: 3, publish: true }], by_name: { 'usher-canary': { at: 3, publish: true } } })
  })

  test('the number of calls is bounded', () => {
    expect(calls(object({ action: { enum: Array.from({ length: 50 }, (_, index) => `delete_${index}`) } }))).toHaveLength(12)
  })

  test('a key named __proto__ is a key like any other', () => {
    const [, filler] = calls(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object","properties":{"send":{"type":"boolean"}}}}}') as JsonObject)
    expect(JSON.stringify(filler)).toBe('{"__proto__":{"send":true}}')
    expect(({} as { send?: boolean }).send).toBeUndefined()
  })
})

describe('valid values', () => {
  test.each<[string, JsonObject]>([
    ['formats', object({ a: { type: 'string', format: 'date-time' }, b: { type: 'string', format: 'uuid' }, c: { type: 'string', format: 'uri' }, d: { type: 'string', format: 'ipv6' } }, ['a', 'b', 'c', 'd'])],
    ['bounds', object({ a: { type: 'integer', exclusiveMinimum: 4, maximum: 9, multipleOf: 3 }, b: { type: 'string', minLength: 40, maxLength: 50 }, c: { type: 'number', maximum: -2 }, d: { type: 'array', minItems: 3, items: { type: 'string' } } }, ['a', 'b', 'c', 'd'])],
    ['nested', object({ a: object({ b: object({ c: { type: 'boolean' } }, ['c']) }, ['b']) }, ['a'])],
    ['references', object({ a: { $ref: '#/$defs/a' } }, ['a'], { $defs: { a: { allOf: [object({ x: { type: 'string' } }, ['x']), object({ y: { enum: [1, 2] } }, ['y'])] } } })],
    ['nullable', object({ a: { type: ['null', 'string'] }, b: { anyOf: [{ type: 'null' }, { type: 'integer' }] } }, ['a', 'b'])],
    ['alternatives at the root', { type: 'object', properties: { url: { type: 'string', format: 'uri' }, file: { type: 'string' } }, oneOf: [{ required: ['url'] }, { required: ['file'] }] }],
    ['alternatives in an item', object({ list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] } } }, ['list'])],
    ['tuples', object({ a: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false, minItems: 2 } }, ['a'])],
    ['patterns', object({ a: { type: 'string', pattern: '^\\d{4}$' }, b: { type: 'string', pattern: '^https?://' } }, ['a', 'b'])],
    ['draft-04', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', properties: { a: { type: 'number', minimum: 0 } }, required: ['a'] }],
  ])('%s', (_name, schema) => {
    const generator = new Generator(schema, context)
    const made = generator.required()
    expect({ made, fits: generator.fits(made) }).toEqual({ made, fits: true })
  })

  test('the choice that arms nothing is taken, where there is one', () => {
    expect(new Generator(object({ mode: { enum: ['delete', 'show'] }, dry_run: { type: 'boolean' } }, ['mode', 'dry_run']), context).required()).toEqual({ mode: 'show', dry_run: true })
  })

  test('a schema that refers to itself comes to an end', () => {
    expect(() => new Generator(object({ a: { $ref: '#' } }, ['a']), context).required()).not.toThrow()
  })

  test('any object of plain properties gets what it requires', () => {
    const leaf = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.integer({ min: 0, max: 60 }) }),
      fc.integer({ min: -50, max: 50 }).map(minimum => ({ type: 'integer', minimum, maximum: minimum + 5 })),
      fc.constant({ type: 'boolean' }), fc.array(fc.string(), { minLength: 1, maxLength: 4 }).map(values => ({ enum: values })),
    )
    const schema = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), leaf, { maxKeys: 6 }).map(properties => object(properties, Object.keys(properties)))
    fc.assert(fc.property(schema, one => {
      const generator = new Generator(one, context)
      return generator.fits(generator.required())
    }), { numRuns: 100, seed: 7 })
  })

  test.each([['list_directory', 'folder'], ['search_files', 'folder'], ['create_directory', 'fresh'], ['read_file', 'file'], ['delete_file', 'file']] as const)('the path of %s is a %s', (toolName, place) => {
    expect(new Generator(object({ path: { type: 'string' } }, ['path']), { ...context, toolName }).required()).toEqual({ path: context[place] })
  })
})
