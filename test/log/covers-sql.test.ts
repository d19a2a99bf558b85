import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { coversSql, FULFILS_CTE } from '../../src/log/covers-sql.ts'
import { openDatabase } from '../../src/log/db.ts'
import { covers, EFFECT_KINDS, FULFILS, SEEN_EFFECTS } from '../../src/vocabulary/effects.ts'

const db = openDatabase(':memory:', { timeout: 0 })
const statement = db.prepare(`WITH ${FULFILS_CTE} SELECT ${coversSql(':allowed', ':kind', ':target')}`).pluck()
const inSql = (allowed: readonly string[], kind: string, target: string) => statement.get({ allowed: JSON.stringify(allowed), kind, target }) === 1
const inProgram = (allowed: readonly string[], kind: string, target: string) => allowed.some(pattern => covers(pattern, { kind, target }))

/** Few characters, all of those that GLOB or the pattern language reads in its own way, so that hits are common. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '[', ']', '^', '-', '/', ':', '.', '\'', 'ü', '😀'), maxLength: 8 })
const targets = fc.oneof(word, fc.constantFrom('xdg-open', '/usr/bin/xdg-open', '/usr/bin/', 'GET https://a.example', 'POST https://a.example', 'GET ', 'a.example:443'))
const kinds = fc.oneof(fc.constantFrom(...EFFECT_KINDS), fc.constantFrom('', 'toString', 'fs', 'constructor'))
const pattern = fc.oneof(kinds, fc.tuple(kinds, targets).map(([kind, target]) => `${kind}:${target}`), word)

test('the owner\'s view and the program agree on which effect a declaration covers', () => {
  fc.assert(fc.property(fc.array(pattern, { maxLength: 3 }), fc.constantFrom(...Object.keys(SEEN_EFFECTS)), targets, (allowed, kind, target) => {
    expect(inSql(allowed, kind, target)).toBe(inProgram(allowed, kind, target))
  }), { seed: 6, numRuns: 3000 })
})

test('they agree on every pair of a declared and a seen kind, and both answers occur', () => {
  const answers = new Set<boolean>()
  for (const declared of EFFECT_KINDS) {
    for (const kind of Object.keys(SEEN_EFFECTS)) {
      for (const target of ['xdg-open', '/opt/mail', 'GET https://a.example', 'PUT https://a.example']) {
        const answer = inProgram([declared], kind, target)
        answers.add(answer)
        expect(inSql([declared], kind, target)).toBe(answer)
      }
    }
  }
  expect(answers.size).toBe(2)
})

test('every part of the vocabulary is in the SQL', () => {
  const rows = db.prepare(`WITH ${FULFILS_CTE} SELECT count(*) FROM fulfils`).pluck().get()
  expect(rows).toBe(EFFECT_KINDS.length + Object.values(FULFILS).flat().length)
})

test('nothing declared covers nothing, and a pattern too long for SQLite covers nothing instead of breaking the view', () => {
  expect(statement.get({ allowed: null, kind: 'fs.write', target: '/a' })).toBe(0)
  expect(inSql([`fs.write:${'*'.repeat(60_000)}`], 'fs.write', '/a')).toBe(false)
})
