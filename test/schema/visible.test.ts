import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { SCHEMA_CAPS, visibleFromForeign } from '../../src/schema/visible.ts'
import { visibleFromZod } from '../../src/schema/zod.ts'

const ADDRESS = { 'draft-04': 'http://json-schema.org/draft-04/schema#', 'draft-06': 'http://json-schema.org/draft-06/schema', 'draft-07': 'https://json-schema.org/draft-07/schema#', '2019-09': 'https://json-schema.org/draft/2019-09/schema', '2020-12': 'https://json-schema.org/draft/2020-12/schema#' }

describe('the draft', () => {
  test.each(Object.entries(ADDRESS))('%s is known by its address', (dialect, $schema) => {
    expect(visibleFromForeign({ $schema, type: 'object' })).toMatchObject({ kind: 'visible', dialect })
  })
  test('is 2020-12 where nothing says so', () => {
    expect(visibleFromForeign({ type: 'object' })).toMatchObject({ kind: 'visible', dialect: '2020-12' })
  })
  test.each(['http://json-schema.org/draft-03/schema#', 'https://example.org/own', 7])('%s is refused with a reason', $schema => {
    expect(visibleFromForeign({ $schema, type: 'object' })).toMatchObject({ kind: 'refused', code: 'unknown-dialect', reason: expect.stringContaining('2020-12') as string })
  })
  test.each([
    [ADDRESS['draft-07'], { prefixItems: [] }, 'prefixItems'],
    [ADDRESS['draft-07'], { dependentRequired: {} }, 'dependentRequired'],
    [ADDRESS['draft-04'], { const: 1 }, 'const'],
    [ADDRESS['2020-12'], { additionalItems: false }, 'additionalItems'],
  ])('a keyword of another draft is a finding: %s %j', ($schema, inner, name) => {
    const seen = visibleFromForeign({ $schema, type: 'object', properties: { a: inner } })
    expect(seen).toMatchObject({ kind: 'visible', findings: [{ rule: 'foreign-keyword', at: `/properties/a/${name}` }] })
  })
})

describe('references', () => {
  const seen = (schema: object) => { const result = visibleFromForeign({ type: 'object', ...schema }); return result.kind === 'refused' ? result.code : result.kind }

  test.each(['http://example.org/x', 'other.json#/a', 'file:///etc/passwd', '//host/x'])('outside ones are refused and never fetched: %s', $ref => {
    expect(seen({ properties: { a: { items: { $ref } } } })).toBe('external-ref')
  })
  test.each(['#/$defs/None', '#none', '#/$defs/A/%ZZ', '#/__proto__', '#/constructor'])('dangling ones are refused: %s', $ref => {
    expect(seen({ properties: { a: { $ref } }, $defs: { A: {} } })).toBe('dangling-ref')
  })
  test.each([
    { properties: { a: { $ref: '#' } } },
    { properties: { a: { $ref: '#/$defs/A~1b' } }, $defs: { 'A/b': {} } },
    { properties: { a: { $ref: '#here' } }, $defs: { A: { $anchor: 'here' } } },
    { $id: 'https://example.org/me', properties: { a: { $ref: 'https://example.org/me#/$defs/A' } }, $defs: { A: {} } },
    { properties: { a: { $ref: '#/allOf/0' } }, allOf: [{}] },
  ])('local ones are followed: %j', schema => {
    expect(seen(schema)).toBe('visible')
  })
  test('a property, a default or an example called $ref is no reference', () => {
    expect(seen({ properties: { $ref: { type: 'string' }, a: { default: { $ref: 'http://x.example' }, examples: [{ $ref: 'http://x.example' }] } } })).toBe('visible')
  })
  test('an id inside would give "#" another meaning', () => {
    expect(seen({ $defs: { A: { $id: 'https://example.org/a' } } })).toBe('embedded-id')
  })
})

describe('caps come before anything else', () => {
  const nested = (levels: number): object => { let schema: object = { $schema: 'never-looked-at' }; for (let level = 1; level < levels; level++) schema = { not: schema }; return schema }

  test('depth', () => {
    expect(visibleFromForeign(nested(SCHEMA_CAPS.depth + 1))).toMatchObject({ code: 'too-deep' })
    expect(visibleFromForeign(nested(SCHEMA_CAPS.depth))).toMatchObject({ kind: 'visible' })
    expect(visibleFromForeign(nested(100_000))).toMatchObject({ code: 'too-deep' })
  })
  test('nodes: eleven nested unions of two branches are looked at, eighteen are not', () => {
    const union = (levels: number): object => levels === 0 ? { type: 'string' } : { anyOf: [union(levels - 1), union(levels - 1)] }
    expect(visibleFromForeign({ properties: { a: union(9) } })).toMatchObject({ kind: 'visible' })
    expect(visibleFromForeign({ properties: { a: union(12) } })).toMatchObject({ code: 'too-many-nodes' })
  })
  test('size', () => {
    expect(visibleFromForeign({ description: 'x'.repeat(SCHEMA_CAPS.size + 1) })).toMatchObject({ code: 'too-big' })
    expect(visibleFromForeign({ description: 'x'.repeat(SCHEMA_CAPS.size - 100) })).toMatchObject({ kind: 'visible' })
  })
  test.each([null, [], 'x', 5, true, undefined])('%j is no object schema', value => {
    expect(visibleFromForeign(value)).toMatchObject({ code: 'not-an-object' })
  })
  test('a root that describes something else is refused', () => {
    expect(visibleFromForeign({ type: 'string' })).toMatchObject({ code: 'not-an-object' })
    expect(visibleFromForeign({ type: ['object', 'null'] })).toMatchObject({ kind: 'visible' })
  })
})

describe('patterns', () => {
  test('one that is no regular expression is a finding, not a crash', () => {
    expect(visibleFromForeign({ properties: { a: { pattern: '(?i)x' } } })).toMatchObject({ kind: 'visible', findings: [{ rule: 'bad-pattern', at: '/properties/a/pattern' }] })
  })
  test('one that cannot be run in bounded time is a finding', () => {
    expect(visibleFromForeign({ patternProperties: { '(?=a)b': {}, '^x': {} } })).toMatchObject({ kind: 'visible', findings: [{ rule: 'unchecked-pattern' }] })
  })
  test('a choice at the root is a finding', () => {
    expect(visibleFromForeign({ anyOf: [{}] })).toMatchObject({ findings: [{ rule: 'root-combinator', at: '/anyOf' }] })
  })
})

describe('own tools', () => {
  test('fill:blind: come through the input side, as data', () => {
    const seen = visibleFromZod(z.object({ name: z.string().describe('Who'), count: z.number().default(1), length: z.string().transform(text => text.length) }))
    expect(seen).toMatchObject({ kind: 'visible', schema: { type: 'object', properties: { name: { type: 'string', description: 'Who' }, count: { type: 'number', default: 1 }, length: { type: 'string' } }, required: ['name', 'length'] } })
  })
  test('what JSON cannot say is refused with a reason', () => {
    expect(visibleFromZod(z.object({ when: z.date() }))).toMatchObject({ kind: 'refused', code: 'not-representable' })
    expect(visibleFromZod(z.string())).toMatchObject({ code: 'not-an-object' })
  })
  test('a recursive schema comes with local references', () => {
    const node: z.ZodType = z.object({ name: z.string(), get children() { return z.array(node) } })
    expect(visibleFromZod(node)).toMatchObject({ kind: 'visible' })
  })
})
