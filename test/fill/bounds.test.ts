import { expect, test } from 'vitest'
import { obeys } from '../../src/fill/bounds.ts'
import type { Json, JsonObject } from '../../src/types.ts'

const holds = (schema: JsonObject, value: Json, conditional = false) => obeys([{ schema, names: [], conditional, parent: undefined }], value)

test.each<readonly [JsonObject, number, boolean]>([
  [{ minimum: 5 }, 5, true], [{ minimum: 5 }, 4, false], [{ maximum: 5 }, 5, true], [{ maximum: 5 }, 6, false], [{ exclusiveMinimum: 5 }, 5, false], [{ exclusiveMinimum: 5 }, 6, true], [{ exclusiveMaximum: 5 }, 5, false], [{ exclusiveMaximum: 5 }, 4, true],
  [{ minimum: 5, exclusiveMinimum: true }, 5, false], [{ minimum: 5, exclusiveMinimum: true }, 6, true], [{ maximum: 5, exclusiveMaximum: true }, 5, false], [{ maximum: 5, exclusiveMaximum: true }, 4, true], [{ minimum: 5, exclusiveMinimum: false }, 5, true],
  [{ multipleOf: 5 }, 10, true], [{ multipleOf: 5 }, 12, false], [{ multipleOf: 0.1 }, 0.3, true], [{ multipleOf: 0.01 }, 19.99, true], [{ multipleOf: 0 }, 3, true], [{ minimum: '9' }, 1, true], [{ minLength: 5 }, 1, true], [{}, 1, true],
  [{ const: 5 }, 5, true], [{ const: 5 }, 6, false], [{ enum: [1, 2] }, 2, true], [{ enum: [1, 2] }, 3, false],
])('%j and %d: %s', (schema, value, expected) => {
  expect(holds(schema, value)).toBe(expected)
})

test.each<readonly [JsonObject, string, boolean]>([
  [{ minLength: 2 }, 'ab', true], [{ minLength: 2 }, 'a', false], [{ maxLength: 2 }, 'ab', true], [{ maxLength: 2 }, 'abc', false], [{ maxLength: 2 }, '\u{1F600}\u{1F600}', true], [{ minLength: 2 }, '\u{1F600}', false], [{ pattern: '^a' }, 'ab', true], [{ pattern: '^a' }, 'ba', false], [{ pattern: '(?=a)b' }, 'b', false], [{ pattern: '(?i)b' }, 'b', false],
  [{ minimum: 5 }, 'a', true], [{ pattern: 5 }, 'a', true], [{ const: 'a' }, 'b', false],
])('%j and "%s": %s', (schema, value, expected) => {
  expect(holds(schema, value)).toBe(expected)
})

test('only what is certain is asked', () => {
  expect(holds({ minimum: 5 }, 1, true)).toBe(true)
  expect(obeys([], 1)).toBe(true)
})

test('a list is not a member of a list of values', () => {
  expect(holds({ enum: ['a'] }, ['a'])).toBe(true)
})
