import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { schemaHashV1, wireHash } from '../../src/contract/hash.ts'
import type { JsonObject } from '../../src/types.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const schema: JsonObject = { type: 'object', required: ['a', 'b'], properties: { a: { type: ['string', 'null'] }, b: { enum: [1, 2] }, c: { anyOf: [{ type: 'string' }, { type: 'number' }] }, d: { prefixItems: [{ type: 'string' }, { type: 'number' }] } } }
const tool = (inputSchema: JsonObject): JsonObject => ({ name: 't', description: 'd', inputSchema })
const hash = (change: JsonObject): string => wireHash(tool({ ...schema, ...change }))

test('member order, and order in `required` and `type`, do not change the wire hash', () => {
  const turned = Object.fromEntries(Object.entries(tool(schema)).reverse())
  expect(wireHash(turned)).toBe(wireHash(tool(schema)))
  expect(hash({ required: ['b', 'a'] })).toBe(hash({}))
  expect(hash({ properties: { ...schema['properties'] as JsonObject, a: { type: ['null', 'string'] } } })).toBe(hash({}))
})

test('order in `enum`, `anyOf` and `prefixItems` changes it', () => {
  const changed = (name: string, value: JsonObject) => hash({ properties: { ...schema['properties'] as JsonObject, [name]: value } })
  expect(changed('b', { enum: [2, 1] })).not.toBe(hash({}))
  expect(changed('c', { anyOf: [{ type: 'number' }, { type: 'string' }] })).not.toBe(hash({}))
  expect(changed('d', { prefixItems: [{ type: 'number' }, { type: 'string' }] })).not.toBe(hash({}))
})

test('a list that is data, such as a default named `required`, keeps its order', () => {
  expect(hash({ default: { required: ['a', 'b'] } })).not.toBe(hash({ default: { required: ['b', 'a'] } }))
})

test('what an SDK drops is in the wire hash: __proto__ of properties, unknown fields, unknown annotations', () => {
  const plain = wireHash(tool(schema))
  const proto = JSON.parse('{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}') as JsonObject
  expect(wireHash(proto)).not.toBe(wireHash(tool({ type: 'object', properties: {} })))
  expect(wireHash({ ...tool(schema), 'x-danger': true })).not.toBe(plain)
  expect(wireHash({ ...tool(schema), annotations: { weird: 1 } })).not.toBe(wireHash({ ...tool(schema), annotations: {} }))
})

test('schema_hash of version 1 leaves out origin, signed_by and schema_hash, and lists integer-like names first as JavaScript does', () => {
  const record: JsonObject = { signed_by: 'alice', origin: 'human', schema_hash: 'old', name: 't', inputSchema: { z: 1, 10: 'ten', 9: 'nine', a: [{ y: 1, x: 2 }] } }
  const text = '{"inputSchema":{"9":"nine","10":"ten","a":[{"x":2,"y":1}],"z":1},"name":"t"}'
  expect(schemaHashV1(record)).toBe(createHash('sha256').update(text).digest('hex'))
})
