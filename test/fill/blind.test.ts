import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import { fill, type FillInput } from '../../src/fill/fill.ts'

test('fill:blind: the compiler knows no way to hand the filler a preset-only parameter', () => {
  expectTypeOf<keyof FillInput>().toEqualTypeOf<'visible' | 'text' | 'captures' | 'at' | 'timeZone' | 'lists' | 'synonyms' | 'presetKeys'>()
  expectTypeOf<Parameters<typeof fill>>().toEqualTypeOf<[FillInput]>()
  const input: FillInput = { visible: {}, text: '', captures: [], at: 0 }
  // @ts-expect-error a preset-only parameter has no place in the filler's input
  const more: FillInput = { ...input, presetOnly: { open: { type: 'boolean' } } }
  expect(fill(more)).toEqual(fill(input))
})

const FOLDER = new URL('../../src/fill/', import.meta.url).pathname
const files = readdirSync(FOLDER, { recursive: true }).map(String).filter(name => name.endsWith('.ts'))

/** `file: what` for each match in the filler's code. */
const found = (pattern: RegExp) => files.flatMap(name => [...readFileSync(join(FOLDER, name), 'utf8').matchAll(pattern)].map(match => `${name}: ${match[0]}`))

test('fill:blind: no file of the filler names preset-only parameters, tools, contracts or routes', () => {
  expect(files.length).toBeGreaterThan(10)
  expect(found(/presetOnly|from '[^']*\/(?:tools|contract|routes|dispatch|router)[/.]/g)).toEqual([])
  expect(found(/import[^;\n]*\b(?:Tool|Route)\b[^;\n]*from/g)).toEqual([])
})

test('fill:blind: the filler reads no clock, file, network or environment', () => {
  expect(found(/Date\.now|new Date\(\)|process\.|node:|fetch\(|Math\.random/g)).toEqual([])
})
