import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { inspectWire, readWire } from '../../src/contract/wire.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

test('a member that is there twice is refused, also when the second is spelled with an escape', () => {
  expect(readWire('{"name":"t","description":"reads","description":"deletes"}')).toMatchObject({ kind: 'bad', reason: 'repeated-member' })
  expect(readWire('{"name":"t","description":"reads","\\u0064escription":"deletes"}')).toMatchObject({ kind: 'bad', reason: 'repeated-member' })
})

test('repeated members are found at every depth and named with their place', () => {
  const found = inspectWire('{"result":{"tools":[{"name":"good"},{"name":"bad","inputSchema":{"a":1,"b":[{"x":1,"x":2}]}}]}}')
  expect(found).toMatchObject({ kind: 'json', breaches: [{ reason: 'repeated-member', path: ['result', 'tools', 1, 'inputSchema', 'b', 0, 'x'] }] })
})

test('equal names in different objects, and equal strings in a list, are no repetition', () => {
  expect(readWire('[{"a":"a"},{"a":["a","a",{"a":"\\"a\\":"}]}]').kind).toBe('json')
})

test('an own __proto__ member comes back as a member and changes no other object', () => {
  const reading = readWire('{"__proto__":{"send":true},"a":1}')
  expect(reading.kind).toBe('json')
  if (reading.kind !== 'json') return
  expect(Object.keys(reading.value as object)).toEqual(['__proto__', 'a'])
  expect(({} as { send?: true }).send).toBeUndefined()
})

test('numbers that overflow, half characters and absurd depth are refused', () => {
  expect(readWire('{"n":1e999}')).toMatchObject({ kind: 'bad', reason: 'number' })
  expect(readWire('{"s":"\\ud800e"}')).toMatchObject({ kind: 'bad', reason: 'lone-surrogate' })
  expect(readWire('{"\\udc00":1}')).toMatchObject({ kind: 'bad', reason: 'lone-surrogate' })
  expect(readWire(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toMatchObject({ kind: 'bad', reason: 'depth' })
  expect(readWire('{"s":"\\ud83d\\ude00"}').kind).toBe('json')
})

test('property: any value that JSON.stringify writes is read back the same, and repeating any member of an object is found', () => {
  fc.assert(fc.property(fc.jsonValue(), value => {
    const text = JSON.stringify(value)
    const inspected = inspectWire(text)
    expect(inspected.kind === 'json' && JSON.stringify(inspected.value)).toBe(text)
    expect(inspected.kind === 'json' && inspected.breaches.some(breach => breach.reason === 'repeated-member')).toBe(false)
  }), { seed: 7, numRuns: 500 })
  fc.assert(fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { minKeys: 1 }), fc.jsonValue(), fc.nat(), (record, again, pick) => {
    const keys = Object.keys(record)
    const key = keys[pick % keys.length] as string
    const escaped = [...key].map(char => [...char].length === 1 && char.length === 1 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char).join('')
    const body = JSON.stringify(record)
    const text = `${body.slice(0, -1)},"${escaped}":${JSON.stringify(again)}}`
    expect(readWire(text).kind).toBe('bad')
  }), { seed: 7, numRuns: 500 })
})
