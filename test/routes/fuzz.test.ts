/** Whatever stands in a route file: a table, or ROUTES_INVALID in which each problem has its place. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UsherError } from '../../src/errors.ts'
import { parseRoutes } from '../../src/routes/load.ts'

const SEED = ['console', 'timer', 'notes'].map(name => readFileSync(new URL(`../../routes/${name}.yaml`, import.meta.url), 'utf8').replace(/^ *#.*\n/gm, ''))
const PIECES = [': ', '- ', '#', ' #', '&a ', '*a', '!!str ', '! ', '<<: ', '{', '}', '[', ']', '"', '\'', '|', '>', '%YAML 1.1\n', '---\n', '...\n', '\n', '\t', '  ', ',', '?', '\\', '\u0000', '\uFEFF', '\uD800', '\u2028', '0755', '1e999', 'on', 'null', '~', '__proto__: ', 'constructor: ', 'extends: a\n', 'shared: {a: {}}\n', 'triggers: []\n', '-1', '{x}', '(a|b)', '{x:rest}']

/** Lines of a refusal that do not name a place: there must be none. */
const placeless: string[] = []

function outcome(text: string): 'table' | 'refused' {
  try {
    parseRoutes(text, 'r.yaml')
    return 'table'
  } catch (error) {
    if (!UsherError.is(error) || error.code !== 'ROUTES_INVALID') throw error
    const lines = error.message.split('\n')
    placeless.push(...(lines.length > 1 ? lines.slice(1) : lines).filter(line => !/^r\.yaml:\d+:\d+: .+/.test(line)))
    return 'refused'
  }
}

test('closed: a file with pieces put in, taken out or doubled is read or refused, and never crashes', () => {
  const seen = { table: 0, refused: 0 }
  fc.assert(fc.property(fc.constantFrom(...SEED), fc.array(fc.tuple(fc.nat(), fc.nat(6), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 4 }), (text, edits) => {
    const edited = edits.reduce((now, [at, cut, piece]) => {
      const from = at % (now.length + 1)
      return now.slice(0, from) + piece + now.slice(from + cut)
    }, text)
    seen[outcome(edited)]++
  }), { seed: 21, numRuns: 600 })
  expect(placeless).toEqual([])
  expect(Math.min(seen.table, seen.refused)).toBeGreaterThan(25)
})

test('closed: any text at all is refused and never crashes', () => {
  fc.assert(fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 5 })), { maxLength: 12 }).map(parts => parts.join('')), text => {
    expect(outcome(text)).toBe('refused')
  }), { seed: 22, numRuns: 600 })
  expect(placeless).toEqual([])
})
