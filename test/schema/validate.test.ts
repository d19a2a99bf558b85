import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { MAX_PATTERN, MAX_TEXT, compilePattern } from '../../src/schema/patterns.ts'
import { ARGUMENT_CAPS, compileValidator, fitsPart } from '../../src/schema/validate.ts'
import { isMade } from '../../src/schema/visible.ts'
import { visibleFromZod } from '../../src/schema/zod.ts'
import type { Json, JsonObject } from '../../src/types.ts'

function check(schema: JsonObject, args: JsonObject): string {
  const validator = compileValidator(schema)
  if (validator.kind === 'refused') return `refused: ${validator.reason}`
  const result = validator.check(args)
  return result.ok ? 'ok' : result.problems.join('; ')
}

describe('each draft by its own rules', () => {
  const draft = (name: string) => `http://json-schema.org/${name}/schema#`
  const exclusive = { properties: { n: { minimum: 0, exclusiveMinimum: true } } }

  test('draft-04 has exclusiveMinimum: true', () => {
    expect(check({ $schema: draft('draft-04'), ...exclusive }, { n: 0 })).toMatch(/must be > 0/)
    expect(check({ $schema: draft('draft-04'), ...exclusive }, { n: 1 })).toBe('ok')
    expect(check({ $schema: draft('draft-07'), ...exclusive }, { n: 1 })).toMatch(/^refused: not a valid draft-07 schema/)
    expect(check(exclusive, { n: 1 })).toMatch(/^refused: not a valid 2020-12 schema/)
  })
  test.each(['draft-04', 'draft-06', 'draft-07'])('%s has tuples in items', name => {
    const schema = { $schema: draft(name), properties: { t: { items: [{ type: 'number' }, { type: 'string' }] } } }
    expect(check(schema, { t: [1, 'a'] })).toBe('ok')
    expect(check(schema, { t: [1, 2] })).toMatch(/must be string/)
  })
  test.each(['draft/2019-09', 'draft/2020-12'])('%s has dependentRequired', name => {
    const schema = { $schema: `https://json-schema.org/${name}/schema`, dependentRequired: { a: ['b'] } }
    expect(check(schema, { a: 1, b: 1 })).toBe('ok')
    expect(check(schema, { a: 1 })).toMatch(/b/)
  })
  test('2020-12 has prefixItems and closes a tuple with items: false', () => {
    const schema = { properties: { t: { prefixItems: [{ type: 'number' }], items: false } } }
    expect(check(schema, { t: [1] })).toBe('ok')
    expect(check(schema, { t: [1, 2] })).toMatch(/must NOT have more than 1 items/)
  })
})

describe('judged, never changed', () => {
  const schema: JsonObject = { properties: { purge: { type: 'boolean' }, n: { type: 'integer', default: 5 } } }
  test.each<readonly [Json]>([['false'], ['true'], [1], [0], [''], [null]])('fill:never-arms: %j is no boolean', value => {
    expect(check(schema, { purge: value })).not.toBe('ok')
  })
  test('no default is put in and nothing is taken out', () => {
    const args = { other: 1 }
    expect(check({ ...schema, additionalProperties: false }, args)).toMatch(/does not know/)
    expect(check(schema, args)).toBe('ok')
    expect(args).toEqual({ other: 1 })
  })
  test('names that every object has are present only if somebody sent them', () => {
    expect(check({ required: ['toString'] }, {})).not.toBe('ok')
    expect(check({ properties: { constructor: { type: 'number' } } }, {})).toBe('ok')
    expect(check({ properties: { constructor: { type: 'number' } } }, { constructor: 'x' })).not.toBe('ok')
  })
})

describe('work is bounded', () => {
  test('a pattern that would freeze JavaScript\'s engine is run in linear time', () => {
    const schema = { properties: { a: { pattern: '^(a+)+$' } } }
    expect(check(schema, { a: `${'a'.repeat(5_000)}!` })).toMatch(/pattern/)
    expect(check(schema, { a: 'aaa' })).toBe('ok')
  })
  test('each pattern is its own: ajv once took the first one for all', () => {
    const schema = { properties: { a: { pattern: '^x' }, b: { pattern: '^y' } }, patternProperties: { '^c': { type: 'number' }, '^d': { type: 'string' } } }
    expect(check(schema, { a: 'x', b: 'y', c1: 1, d1: 'z' })).toBe('ok')
    expect(check(schema, { a: 'x', b: 'x' })).toMatch(/\/b/)
    expect(check(schema, { d1: 1 })).toMatch(/\/d1/)
  })
  test('compiling many schemas keeps giving right answers', { timeout: 60_000 }, () => {
    for (let index = 0; index < 1_010; index++) expect(check({ properties: { a: { const: index } } }, { a: index })).toBe('ok')
  })
  test('a pattern that cannot be run is not checked and nothing crashes', () => {
    expect(check({ properties: { a: { pattern: '(?=x)' } }, patternProperties: { '(?i)b': { type: 'number' } } }, { a: 'y', b: 1 })).toBe('ok')
  })
  test('patterns and texts over their limits are not run', () => {
    expect(compilePattern('a'.repeat(MAX_PATTERN))).toMatchObject({ kind: 'pattern' })
    expect(compilePattern('a'.repeat(MAX_PATTERN + 1))).toMatchObject({ kind: 'bad', rule: 'unchecked-pattern' })
    const pattern = compilePattern('^a')
    expect(pattern.kind === 'pattern' && pattern.test('a'.repeat(MAX_TEXT))).toBe(true)
    expect(pattern.kind === 'pattern' && pattern.test('a'.repeat(MAX_TEXT + 1))).toBe(false)
  })
  test('the patterns that zod writes for its formats are checked, look-ahead or not', () => {
    const test = (source: string, text: string) => { const pattern = compilePattern(source); return pattern.kind === 'pattern' && pattern.test(text) }
    expect(test(z.regexes.duration.source, 'PT1H')).toBe(true)
    expect(test(z.regexes.duration.source, 'one hour')).toBe(false)
    expect(test(z.regexes.duration.source, `P${'1'.repeat(2_000)}W`)).toBe(false)
    expect(compilePattern(`${z.regexes.duration.source} `).kind).toBe('bad')
  })
  test('patterns mean what they mean in JavaScript', () => {
    const test = (source: string, text: string) => { const pattern = compilePattern(source); return pattern.kind === 'pattern' && pattern.test(text) }
    expect(test('^\\d{4}-\\d{2}$', '2026-11')).toBe(true)
    expect(test('\\u00e9', 'café')).toBe(true)
    expect(test('^(?<y>\\p{Lu})', 'É')).toBe(true)
    expect(test('b', 'abc')).toBe(true)
    expect(test('^a\\/b$', 'a/b')).toBe(true)
  })
  test('a recursive union that doubles its work on every level is given up', () => {
    const node = { type: 'object', properties: { child: { anyOf: [{ $ref: '#/$defs/N' }, { $ref: '#/$defs/M' }] }, end: { const: 1 } } }
    const schema = { properties: { root: { $ref: '#/$defs/N' } }, $defs: { N: { ...node, required: ['nope'] }, M: { ...node, required: ['never'] } } }
    let args: JsonObject = { child: { end: 2 } }
    for (let level = 0; level < 40; level++) args = { child: args }
    expect(check(schema, { root: args })).not.toBe('ok')
  })
  test('arguments without end are refused before the schema looks', () => {
    let deep: JsonObject = {}
    for (let level = 0; level < ARGUMENT_CAPS.depth + 1; level++) deep = { deep }
    expect(check({}, deep)).toMatch(/nest deeper/)
    expect(check({}, { many: Array.from({ length: ARGUMENT_CAPS.nodes }, () => ({})) })).toMatch(/more than/)
  })
  test('a foreign keyword with the name of the counter does nothing', () => {
    expect(check({ 'x-usher-tick': true, properties: { a: { 'x-usher-tick': 5, type: 'number' } } }, { a: 1 })).toBe('ok')
  })
})

describe('what the caller is told', () => {
  test('never that an armed key is missing or what it wants', () => {
    const schema = { properties: { to: { type: 'string' }, confirm: { const: true }, action: { enum: ['send'] } }, required: ['to', 'confirm', 'action'] }
    for (const args of [{ to: 'x' }, { to: 'x', confirm: false }, { to: 'x', confirm: true }, { to: 'x', confirm: true, action: 'keep' }]) {
      expect(check(schema, args)).not.toMatch(/confirm|action|true|send/)
    }
    expect(check(schema, {})).toMatch(/'to'/)
    for (const word of ['dependentRequired', 'dependencies']) {
      expect(check({ ...(word === 'dependencies' ? { $schema: 'http://json-schema.org/draft-07/schema#' } : {}), properties: { confirm: { type: 'boolean' } }, [word]: { to: ['confirm'] } }, { to: 'x' })).not.toMatch(/confirm/)
    }
    expect(check({ ...schema, required: [], anyOf: [{ required: ['confirm'] }] }, {})).not.toMatch(/confirm/)
  })
  test('one line, whatever the keys hold', () => {
    expect(check({ additionalProperties: false }, { 'a\u2028\u202Eb\n': 1 })).toMatch(/^[^\n\u2028\u202E]+$/)
  })
})

test('a part of a schema is judged by itself, with the whole document behind it', () => {
  const schema = { anyOf: [{ $ref: '#/$defs/A' }, { properties: { b: { type: 'string' } }, required: ['b'] }], $defs: { A: { required: ['a'] } } }
  expect(fitsPart(schema, '/anyOf/0', { a: 1 })).toBe(true)
  expect(fitsPart(schema, '/anyOf/0', { b: 'x' })).toBe(false)
  expect(fitsPart(schema, '/anyOf/1', { b: 'x' })).toBe(true)
  expect(fitsPart(schema, '/anyOf/9', {})).toBeUndefined()
})

test('only what our own tools\' library wrote is not judged by its draft\'s own schema; its arguments are judged the same', () => {
  const own = visibleFromZod(z.object({ count: z.number().int().min(1), name: z.string().regex(/^[a-z]+$/).optional() }))
  if (own.kind !== 'visible') throw new Error(own.reason)
  const foreign = JSON.parse(JSON.stringify(own.schema)) as typeof own.schema
  expect([isMade(own.schema), isMade(foreign)]).toEqual([true, false])
  const [made, judged] = [compileValidator(own.schema), compileValidator(foreign)]
  for (const args of [{ count: 2 }, { count: 0 }, { count: 1.5 }, {}, { count: 1, name: 'B' }, { count: 1, other: true }]) {
    expect(made.kind === 'validator' && made.check(args)).toEqual(judged.kind === 'validator' && judged.check(args))
  }
})
