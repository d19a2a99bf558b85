import { expect, test } from 'vitest'
import * as z from 'zod'
import { secretPaths } from '../../src/schema/secret-paths.ts'
import { defineTool } from '../../src/tools/define.ts'
import type { JsonObject } from '../../src/types.ts'

const paths = (visible: JsonObject, args: JsonObject, presetOnly = {}) => [...secretPaths({ visible, presetOnly }, args)].sort()

test('each way to mark a value as secret is read, at any depth, through references, items and branches', () => {
  const visible: JsonObject = {
    type: 'object',
    properties: {
      pin: { type: 'number', writeOnly: true }, login: { type: 'object', properties: { word: { type: 'string', format: 'password' }, name: { type: 'string' } } },
      keys: { type: 'array', items: { $ref: '#/$defs/Key' } }, either: { anyOf: [{ type: 'string' }, { 'type': 'string', 'x-secret': true }] }, to: { type: 'string' },
    },
    $defs: { Key: { type: 'object', properties: { value: { 'type': 'string', 'x-secret': true } } } },
  }
  expect(paths(visible, { pin: 1, login: { word: 'w', name: 'n' }, keys: [{ value: 'a' }, { value: 'b' }], either: 'e', to: 't' })).toEqual(['/either', '/keys/0/value', '/keys/1/value', '/login/word', '/pin'])
  expect(paths(visible, { to: 't' })).toEqual([])
})

test('a preset-only parameter can be secret, and a whole object too', () => {
  expect(paths({ type: 'object' }, { token: 'x', open: true }, { token: { type: 'string', writeOnly: true }, open: { type: 'boolean' } })).toEqual(['/token'])
  expect(paths({ type: 'object', properties: { card: { 'x-secret': true, 'type': 'object' } } }, { card: { number: '4' } })).toEqual(['/card'])
})

test('names from outside are keys and nothing else', () => {
  const visible = JSON.parse('{"type":"object","properties":{"a/b~c":{"x-secret":true},"__proto__":{"x-secret":true},"constructor":{"type":"string"}}}') as JsonObject
  const args = JSON.parse('{"a/b~c":"1","__proto__":"2","constructor":"3","toString":"4"}') as JsonObject
  expect(paths(visible, args)).toEqual(['/__proto__', '/a~1b~0c'])
})

test('only a mark of true counts', () => {
  expect(paths({ type: 'object', properties: { a: { 'x-secret': false }, b: { writeOnly: 'true' }, c: { format: 'email' } } }, { a: '1', b: '2', c: '3' })).toEqual([])
})

test('more values than can be looked through are all held for secret, where the schema marks any', () => {
  const many = Array.from({ length: 6000 }, (_, i) => i)
  expect(paths({ type: 'object', properties: { pin: { 'x-secret': true } } }, { many, note: 'n' })).toEqual(['/many', '/note'])
  expect(paths({ type: 'object', properties: { pin: { type: 'number' } } }, { many, note: 'n' })).toEqual([])
})

test('a tool in code marks with zod\'s meta', () => {
  const tool = defineTool({ name: 'unlock', description: 'Unlocks.', input: z.object({ code: z.string().meta({ 'x-secret': true }), door: z.string() }), run: () => undefined })
  expect(secretPaths(tool, { code: '1', door: 'front' })).toEqual(['/code'])
})
