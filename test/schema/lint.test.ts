import { describe, expect, test } from 'vitest'
import { lintTool } from '../../src/schema/lint.ts'
import type { JsonObject } from '../../src/types.ts'

const lint = (visible: JsonObject, more: Partial<Parameters<typeof lintTool>[0]> = {}, options?: Parameters<typeof lintTool>[1]) =>
  lintTool({ name: 't', description: 'Does it.', visible, ...more }, options).map(({ rule, at }) => `${rule} ${at}`)

describe('findings on a tool', () => {
  test('an armed default that no route presets', () => {
    const schema = { type: 'object', properties: { to: { type: 'string' }, notify: { type: 'boolean', default: true } } }
    expect(lint(schema)).toEqual(['armed-default /notify'])
    expect(lint(schema, {}, { presetKeys: new Set(['notify']) })).toEqual([])
  })
  test('a parameter without a type', () => {
    expect(lint({ properties: { day: { description: 'a date' }, a: { enum: [1] }, b: { $ref: '#/$defs/B' }, c: { anyOf: [{ type: 'string' }] } }, $defs: { B: { type: 'string' } } })).toEqual(['untyped /day'])
  })
  test('a schema that names no parameters', () => {
    expect(lint({ type: 'object' })).toEqual(['untyped '])
    expect(lint({ type: 'object', properties: {} })).toEqual([])
    expect(lint({ type: 'object', additionalProperties: false })).toEqual([])
  })
  test('an armed flag in strict form', () => {
    const properties = { a: { type: 'string' }, send: { type: 'boolean' } }
    expect(lint({ type: 'object', properties, required: ['a', 'send'] })).toEqual(['strict-armed /send'])
    expect(lint({ type: 'object', properties, required: ['a'] })).toEqual([])
    expect(lint({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] })).toEqual([])
  })
  test('a required key with one legal value', () => {
    expect(lint({ properties: { confirm: { const: true }, a: { type: 'string' } }, required: ['confirm'] })).toEqual(['only-value-required /confirm'])
    expect(lint({ properties: { confirm: { const: true }, a: { type: 'string' } } })).toEqual([])
  })
  test('fill:blind: a text that names what only a preset may set, in description, key or example', () => {
    const presetOnly = { open_tab: { type: 'boolean' } }
    expect(lint({ properties: {} }, { presetOnly, description: 'Set openTab to see it.' })).toEqual(['names-preset-only '])
    expect(lint({ properties: { a: { type: 'string', description: 'with open_tab', examples: ['open-tab'] } } }, { presetOnly })).toEqual(['names-preset-only /properties/a/description', 'names-preset-only /properties/a/examples/0'])
    expect(lint({ properties: { open_tab: { type: 'string' } } }, { presetOnly })).toEqual(['names-preset-only /properties/open_tab'])
    expect(lint({ properties: {} }, { presetOnly, description: 'Opens a tab.' })).toEqual([])
    expect(lint({ properties: {} }, { presetOnly, description: 'Set open_tab.' }, { accepted: new Set(['open_tab']) })).toEqual([])
  })
  test('what the schema itself has wrong', () => {
    expect(lint({ properties: { a: { $ref: 'http://x.example' } } })).toEqual(['refused '])
    expect(lint({ anyOf: [{ properties: { a: { type: 'string', pattern: '(?i)x' } } }] })).toEqual(['root-combinator /anyOf', 'bad-pattern /anyOf/0/properties/a/pattern'])
  })
  test('each message is one line that says what to do', () => {
    for (const { message } of lintTool({ name: 't', description: '', visible: { properties: { send: { type: 'boolean', default: true }, 'a\u2028': { pattern: '(?i)\n', type: 'string' } } } })) expect(message).toMatch(/^[^\n\u2028]{20,}$/)
  })
})
