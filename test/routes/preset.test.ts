/** `preset:verbatim`: what the YAML says is what the route holds, byte for byte. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/types.ts'
import { canonicalJson } from '../../src/util/canonical.ts'
import { oneRoute } from './helpers.ts'

/** Integers and fractions as JSON.stringify writes them; what it writes with an exponent is refused by the loader, and has a test there. */
const number = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1e6, max: 1e6 }).map(n => n / 100)).filter(n => !Object.is(n, -0))
const key = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }), fc.constantFrom('constructor', 'toString', 'hasOwnProperty', 'on', 'yes', '1', 'null', '#', ': ', '- a')).filter(text => text !== '__proto__' && text !== '<<')
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('NO', 'on', '0755', '1.10', '7e5', 'null', '~', '', ' x ', '#a', '&a', '*a', '!a', '2024-02-03', 'a: b', '- a', '"', '\\', '%', '\u2028', '\u0000', '\uD83D\uDE00'))
const value: fc.Memo<Json> = fc.memo(depth => {
  const scalar: fc.Arbitrary<Json> = fc.oneof(text, number, fc.boolean(), fc.constant(null))
  return depth <= 1 ? scalar : fc.oneof(scalar, fc.array(value(depth - 1), { maxLength: 3 }), fc.dictionary(key, value(depth - 1), { maxKeys: 3, noNullPrototype: true }))
})
const preset: fc.Arbitrary<JsonObject> = fc.dictionary(key, value(3), { maxKeys: 4, noNullPrototype: true })

test('preset:verbatim: any JSON preset, written as JSON inside the YAML, has the same canonical bytes in the route', () => {
  fc.assert(fc.property(preset, written => {
    const route = oneRoute(`preset: ${JSON.stringify(written)}`)
    expect(route.presetBytes).toBe(canonicalJson(written))
    expect(canonicalJson(route.preset)).toBe(route.presetBytes)
  }), { seed: 11, numRuns: 250 })
})

/** Block style, with texts in single quotation marks: the other way that people write. */
function block(json: Json, indent: string): string {
  if (typeof json === 'string') return /^[\x20-\x7E]*$/.test(json) ? ` '${json.replaceAll('\'', '\'\'')}'` : ` ${JSON.stringify(json)}`
  if (typeof json !== 'object' || json === null) return ` ${JSON.stringify(json)}`
  if (Array.isArray(json)) return json.length === 0 ? ' []' : (json as readonly Json[]).map(item => `\n${indent}-${block(item, `${indent}  `)}`).join('')
  const entries = Object.entries(json)
  return entries.length === 0 ? ' {}' : entries.map(([name, inner]) => `\n${indent}${JSON.stringify(name)}:${block(inner as Json, `${indent}  `)}`).join('')
}

test('preset:verbatim: the same preset in block style has the same bytes', () => {
  fc.assert(fc.property(preset, written => {
    expect(oneRoute(`preset:${block(written, '  ')}`).presetBytes).toBe(canonicalJson(written))
  }), { seed: 12, numRuns: 250 })
})

test('preset:verbatim: any plain scalar is read as exactly what is written, or refused', () => {
  fc.assert(fc.property(fc.stringMatching(/^[-+.0-9a-zA-Z_~][-+.0-9a-zA-Z_:~]{0,8}$/).filter(word => !word.endsWith(':')), word => {
    let read: Json | undefined
    try {
      read = oneRoute(`preset: { x: ${word} }`).preset['x']
    } catch {
      return
    }
    expect(typeof read === 'string' ? read : JSON.stringify(read)).toBe(word)
  }), { seed: 13, numRuns: 1000 })
})
