/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findIgnoredKeys, MAX_NAMED, stripIgnored, WALK_CAPS } from '../../src/schema/dropped.ts'
import type { JsonObject } from '../../src/types.ts'

const string = { type: 'string' }
const tool: JsonObject = { type: 'object', properties: { id: string, dry_run: { type: 'boolean', default: false }, items: { type: 'array', items: { type: 'object', properties: { name: string } } }, data: { type: 'object' }, tags: { type: 'object', additionalProperties: string } } }
const names = (schema: JsonObject, args: JsonObject) => findIgnoredKeys(schema, args).names
const json = (text: string) => JSON.parse(text) as JsonObject

describe('keys that nobody declared', () => {
  test('args:dropped: are named with their place, array items by index', () => {
    const args = { id: 'x', idd: 1, items: [{ name: 'a' }, { name: 'b', nmae: 1 }] }
    expect(findIgnoredKeys(tool, args)).toEqual({ names: ['"idd"', '"items[1].nmae"'], count: 2, exact: true })
    expect(stripIgnored(tool, args)).toEqual({ id: 'x', items: [{ name: 'a' }, { name: 'b' }] })
  })
  test('args:dropped: an open root passes nothing on: a handler might honour it', () => {
    for (const root of [{}, { additionalProperties: true }, { additionalProperties: {} }]) {
      const schema = { type: 'object', properties: { id: string }, ...root }
      expect(names(schema, { open: true })).toEqual(['"open"'])
      expect(stripIgnored(schema, { id: 'x', open: true })).toEqual({ id: 'x' })
    }
    expect(names({ type: 'object' }, { anything: 1 })).toEqual(['"anything"'])
  })
  test('free-form data below the root is data: a filter must not be emptied', () => {
    const args = { data: { a: { b: 1 } }, tags: { any: 'x' } }
    expect(names(tool, args)).toEqual([])
    expect(stripIgnored(tool, args)).toEqual(args)
    expect(names({ type: 'object', properties: { f: { type: 'object', properties: { a: string }, additionalProperties: true } } }, { f: { b: 1 } })).toEqual([])
    expect(names({ type: 'object', properties: { f: { type: 'object', properties: { a: string } } } }, { f: { b: 1 } })).toEqual(['"f.b"'])
    expect(names({ type: 'object', properties: { f: { type: 'object', additionalProperties: false } } }, { f: { b: 1 } })).toEqual(['"f.b"'])
  })
  test('a schema for all other keys declares them, and a pattern those it matches', () => {
    expect(names({ type: 'object', additionalProperties: string }, { any: 'x' })).toEqual([])
    const schema = { type: 'object', patternProperties: { '^x-': string }, properties: { id: string } }
    expect(names(schema, { 'x-a': 'b', y: 1 })).toEqual(['"y"'])
    expect(names({ type: 'object', patternProperties: { '(?=a)': string } }, { a: 1 })).toEqual(['"a"'])
  })
  test('preset:verbatim: own properties only, __proto__ included', () => {
    const args = json('{"__proto__":{"send":true},"constructor":1,"toString":2,"id":"x"}')
    expect(names(tool, args)).toEqual(['"__proto__"', '"constructor"', '"toString"'])
    const kept = stripIgnored(tool, args) as { readonly send?: unknown }
    expect(kept).toEqual({ id: 'x' })
    expect(kept.send).toBeUndefined()
    const declared = json('{"type":"object","properties":{"__proto__":{"type":"object"}}}')
    expect(names(declared, json('{"__proto__":{"a":1}}'))).toEqual([])
    expect(Object.keys(stripIgnored(declared, json('{"__proto__":{"a":1}}')))).toEqual(['__proto__'])
  })
  test('declared aliases are not reported', () => {
    const schema = { type: 'object', properties: { query: { type: 'string', aliases: ['q'] }, limit: { type: 'integer', 'x-aliases': ['max'] } } }
    expect(names(schema, { q: 'x', max: 1, top: 2 })).toEqual(['"top"'])
  })
})

describe('unions, references and reshaped roots', () => {
  const branch = (kind: string, key: string) => ({ type: 'object', properties: { kind: { const: kind }, [key]: string }, required: ['kind'] })

  test('the branch that matched decides', () => {
    for (const word of ['anyOf', 'oneOf']) {
      const schema = { [word]: [branch('a', 'x'), branch('b', 'y')] }
      expect(names(schema, { kind: 'a', x: '1', y: '2' })).toEqual(['"y"'])
      expect(stripIgnored(schema, { kind: 'b', x: '1', y: '2' })).toEqual({ kind: 'b', y: '2' })
    }
  })
  test('where none matched, no notice is wrong', () => {
    expect(names({ anyOf: [branch('a', 'x'), branch('b', 'y')] }, { kind: 'c', x: '1', y: '2' })).toEqual([])
  })
  test('conditions, allOf and references are followed', () => {
    const schema = { type: 'object', properties: { kind: string }, if: { properties: { kind: { const: 'a' } } }, then: { properties: { x: string } }, else: { properties: { y: string } }, allOf: [{ $ref: '#/$defs/M' }], $defs: { M: { properties: { m: string } } } }
    expect(names(schema, { kind: 'a', x: '1', y: '2', m: '3' })).toEqual(['"y"'])
    expect(names(schema, { kind: 'b', x: '1', y: '2', m: '3' })).toEqual(['"x"'])
  })
  test('a union further down, and a recursive schema', () => {
    const nested = { type: 'object', properties: { a: { type: 'array', items: { anyOf: [branch('a', 'x'), branch('b', 'y')] } } } }
    expect(names(nested, { a: [{ kind: 'a', y: '1' }, { kind: 'b', y: '1' }] })).toEqual(['"a[0].y"'])
    const tree = { type: 'object', properties: { child: { $ref: '#' }, name: string } }
    expect(names(tree, { child: { child: { nmae: 'x' } } })).toEqual(['"child.child.nmae"'])
  })
  test('a root that says nothing about itself gives no notice', () => {
    expect(names({ description: 'reshaped before use' }, { a: 1 })).toEqual([])
    expect(stripIgnored({}, { a: 1 })).toEqual({ a: 1 })
  })
})

describe('bounds', () => {
  test('at most 20 are named, with the true count', () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`k${index}`, index]))
    const found = findIgnoredKeys(tool, many)
    expect(found).toMatchObject({ count: 25, exact: true })
    expect(found.names).toHaveLength(MAX_NAMED)
  })
  test('beyond the bound of the walk it is "at least", and nothing more is passed on', () => {
    const many = Object.fromEntries(Array.from({ length: WALK_CAPS.keys + 50 }, (_, index) => [`k${index}`, index]))
    expect(findIgnoredKeys(tool, many)).toMatchObject({ count: WALK_CAPS.keys, exact: false })
    let deep: JsonObject = { end: 1 }
    for (let level = 0; level <= WALK_CAPS.depth; level++) deep = { data: deep }
    expect(findIgnoredKeys(tool, deep).exact).toBe(false)
    expect(JSON.stringify(stripIgnored(tool, deep))).not.toContain('end')
  })
  test('a name of any length is cut', () => {
    expect(names(tool, { ['x'.repeat(10_000)]: 1 })[0]?.length).toBeLessThan(200)
  })
  test('args:dropped: what is kept and what is lost make up the whole', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<string>, { maxKeys: 10 }), extra => {
      const args = Object.fromEntries([...Object.entries(extra), ['id', 'x']])
      const kept = Object.keys(stripIgnored(tool, args))
      expect(kept.length + findIgnoredKeys(tool, args).names.filter(name => !/[.[]/.test(name)).length).toBeLessThanOrEqual(Object.keys(args).length)
      expect(kept.every(key => Object.hasOwn(tool['properties'] as JsonObject, key))).toBe(true)
    }), { seed: 5, numRuns: 300 })
  })
})

describe('keys that must not vanish', () => {
  test.each(['dryRun', 'Dry_Run', 'dry-run', 'DRYRUN', 'dry_rnu', 'dry run', 'isDryRun', 'dryRunMode', 'ｄryRun', 'dryrun'])('args:dropped: %s is near dry_run', lost => {
    expect(findIgnoredKeys(tool, { [lost]: true }).safetyKeyHit).toEqual({ lost, meant: 'dry_run' })
  })
  test.each([['preveiw', 'preview'], ['skipConfirm', 'skip_confirmation'], ['testmode', 'test_mode'], ['require_confirm', 'require_confirmation'], ['readonly', 'read_only'], ['Force', 'force'], ['confirmed', 'confirm']])('args:dropped: %s is near %s', (lost, meant) => {
    const schema = { type: 'object', properties: { [meant]: { type: 'boolean' } } }
    expect(findIgnoredKeys(schema, { [lost]: true }).safetyKeyHit?.meant).toBe(meant)
  })
  test.each(['dryRun', 'simulate', 'what_if', 'noop'])('args:dropped: %s asks not to do it even where the tool has nothing of the kind', lost => {
    expect(findIgnoredKeys({ type: 'object', properties: { id: string } }, { [lost]: true }).safetyKeyHit).toMatchObject({ lost })
  })
  test('a safety key further down, and one lost further down', () => {
    const schema = { type: 'object', properties: { options: { type: 'object', properties: { dry_run: { type: 'boolean' } } } } }
    expect(findIgnoredKeys(schema, { dryRun: true }).safetyKeyHit).toMatchObject({ meant: 'dry_run' })
    expect(findIgnoredKeys(schema, { options: { dryRun: true } }).safetyKeyHit).toMatchObject({ lost: 'dryRun' })
  })
  test.each(['note', 'run', 'drying', 'id2', 'runner', 'limit', 'tags2', 'day'])('%s is only unknown', lost => {
    expect(findIgnoredKeys(tool, { [lost]: true }).safetyKeyHit).toBeUndefined()
  })
  test.each(['open', 'Open', 'OPEN', 'ｏpen', 'options.open', 'a[open]', 'o_pen'])('preset:verbatim: %s is a preset-only key, by name', key => {
    expect(findIgnoredKeys(tool, { [key]: true }, { presetOnly: ['open'] }).presetOnlyHit).toBe(key)
  })
  test('a key that only begins like one is none', () => {
    expect(findIgnoredKeys(tool, { opening: true }, { presetOnly: ['open'] }).presetOnlyHit).toBeUndefined()
    expect(findIgnoredKeys(tool, { id: 'open' }, { presetOnly: ['open'] }).presetOnlyHit).toBeUndefined()
  })
})
