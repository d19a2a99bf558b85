import { describe, expect, test } from 'vitest'
import { measureSchema, measureSchemas } from '../../src/schema/budget.ts'
import { compareRatchet, parseRatchet, ratchetOf, ratchetText, tightened } from '../../src/schema/ratchet.ts'
import { schemaReport } from '../../src/schema/report.ts'
import { UsherError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/types.ts'

const EMPTY = JSON.stringify({ type: 'object', description: '' }).length
/** A schema of exactly so many UTF-16 units, once serialised. */
const sized = (units: number, char = 'x'): JsonObject => {
  const fill = units - EMPTY
  return { type: 'object', description: char.repeat(Math.floor(fill / char.length)) + 'x'.repeat(fill % char.length) }
}

describe('size, in UTF-16 units of the text that goes out', () => {
  test.each([['x'], ['\u{1F600}']])('the limit itself is over, one less is not: %s', char => {
    expect(measureSchema('t', sized(16_383, char))).toMatchObject({ chars: 16_383, over: false })
    expect(measureSchema('t', sized(16_384, char))).toMatchObject({ chars: 16_384, over: true })
  })
  test('the largest come first, with advice', () => {
    const budget = measureSchemas([{ name: 'small', visible: sized(100) }, { name: 'big', visible: sized(300) }], { maxChars: 300 })
    expect(budget).toMatchObject({ unit: 'UTF-16 units', total: 400, largest: 300, ok: false })
    expect(budget.tools.map(({ tool }) => tool)).toEqual(['big', 'small'])
    expect(budget.advice).toEqual([expect.stringMatching(/^big: 300 UTF-16 units reach the limit of 300/)])
  })
})

describe('described share', () => {
  const d = (more: JsonObject = {}): JsonObject => ({ type: 'string', description: 'x', ...more })
  const n = (more: JsonObject = {}): JsonObject => ({ type: 'string', ...more })
  const share = (schema: JsonObject) => { const { parts, described } = measureSchema('t', schema); return [described, parts] }

  test('ten parameters of which the six nested ones are bare', () => {
    const nested = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map(name => [name, n()]))
    const schema = { properties: { one: d(), two: d(), three: d(), group: d({ type: 'object', properties: nested }) } }
    expect(share(schema)).toEqual([4, 10])
    expect(measureSchemas([{ name: 't', visible: schema }])).toMatchObject({ percent: 40, ok: false, advice: ['t: 6 of 10 parts have no description; describe them'] })
    expect(measureSchemas([{ name: 't', visible: schema }], { minDescribed: 0.4 }).ok).toBe(true)
  })
  test('items, map values and tuples count', () => {
    expect(share({ properties: { a: d({ items: n() }) } })).toEqual([1, 2])
    expect(share({ additionalProperties: d() })).toEqual([1, 1])
    expect(share({ patternProperties: { x: n() } })).toEqual([0, 1])
    expect(share({ properties: { a: d({ prefixItems: [d(), n()] }) } })).toEqual([2, 3])
  })
  test('a definition\'s parts count once, however often it is referenced', () => {
    const schema = { properties: { a: { $ref: '#/$defs/P' }, b: { $ref: '#/$defs/P' } }, $defs: { P: { description: 'x', properties: { x: n(), y: d() } } } }
    expect(share(schema)).toEqual([3, 4])
  })
  test('branches count, a branch itself is no part', () => {
    expect(share({ properties: { a: { description: 'x', anyOf: [{ properties: { b: n() } }, { type: 'null' }] } } })).toEqual([1, 2])
    expect(share({ properties: { a: { anyOf: [{ description: 'x' }] } } })).toEqual([1, 1])
  })
  test('blank is not described, and nothing to describe is all described', () => {
    expect(share({ properties: { a: { description: '  ' } } })).toEqual([0, 1])
    expect(measureSchemas([{ name: 't', visible: { type: 'object' } }])).toMatchObject({ percent: 100, ok: true })
    expect(measureSchemas([])).toMatchObject({ percent: 100, ok: true, largest: 0 })
  })
})

describe('the ratchet only tightens', () => {
  const kept = { version: 1, largest: 100, total: 200, percent: 60 } as const

  test('equal passes, worse fails, better fails until it is lowered', () => {
    expect(compareRatchet(kept, kept)).toEqual({ kind: 'equal' })
    expect(compareRatchet({ ...kept, largest: 101 }, kept)).toEqual({ kind: 'worse', lines: ['worse: largest schema 100 -> 101 UTF-16 units'] })
    expect(compareRatchet({ ...kept, percent: 59.9 }, kept)).toMatchObject({ kind: 'worse' })
    expect(compareRatchet({ ...kept, total: 199 }, kept)).toEqual({ kind: 'better', lines: ['better: all schemas 200 -> 199 UTF-16 units; keep it with --write'] })
    expect(compareRatchet({ ...kept, total: 199, percent: 50 }, kept).kind).toBe('worse')
  })
  test('nothing worse is written into it', () => {
    expect(tightened(kept, undefined)).toBe(kept)
    expect(tightened({ ...kept, total: 150 }, kept).total).toBe(150)
    expect(() => tightened({ ...kept, total: 250 }, kept)).toThrow(/only tightens/)
  })
  test('the file holds figures only, and comes back as it was', () => {
    expect(parseRatchet(ratchetText(kept), 'r.json')).toEqual(kept)
    expect(JSON.parse(ratchetText(ratchetOf({ largest: 1, total: 2, percent: 3 })))).toEqual({ version: 1, largest: 1, total: 2, percent: 3 })
  })
  test.each(['', '[]', 'null', '{"version":2,"largest":1,"total":1,"percent":1}', '{"version":1,"largest":"1","total":1,"percent":1}', '{"version":1,"largest":-1,"total":1,"percent":1}', '{"version":1,"total":1,"percent":1}'])('%s is no ratchet file', text => {
    const thrown = (() => { try { return parseRatchet(text, 'r.json') } catch (error) { return error } })()
    expect(UsherError.is(thrown) && [thrown.code, thrown.where]).toEqual(['BAD_OPTION', 'r.json'])
  })
})

test('the report puts budget, findings and ratchet together', () => {
  const tools = [{ name: 't', description: 'x', visible: { type: 'object', properties: { send: { type: 'boolean', default: true, description: 'x' } } } }]
  const report = schemaReport(tools)
  expect(report).toMatchObject({ passed: true, ratchet: undefined, findings: [{ tool: 't', rule: 'armed-default', at: '/send' }] })
  expect(schemaReport(tools, { ratchet: report.figures }).passed).toBe(true)
  expect(schemaReport(tools, { ratchet: { ...report.figures, total: 10_000 } })).toMatchObject({ passed: false, ratchet: { kind: 'better' } })
})
