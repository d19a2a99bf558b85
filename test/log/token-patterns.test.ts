import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayHoldToken, replaceRandomRuns, TOKEN_PATTERNS } from '../../src/log/token-patterns.ts'

/** Pieces that begin, end or nearly make what the patterns look for. */
const piece = fc.oneof(
  fc.constantFrom('is', 'IS', 'this', 'bearer', 'Basic', 'password', 'token', ' ', '\n', '\u00a0', '\u2003', ':', '=', '-', '-----BEGIN PRIVATE KEY-----', 'eyJ', 'sk-live-', 'gh', 'AKIA', '://', '@', 'ſ', 'K', 'é', '😀', '\uD800', '\0'),
  fc.stringMatching(/^[A-Za-z0-9_+=.-]{0,40}$/), fc.string({ maxLength: 6 }),
)
const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''))
const settings = { seed: 20_260, numRuns: 3000 }

test('a text in which a pattern finds something is never taken for one that has nothing', () => {
  fc.assert(fc.property(text, said => {
    const hinted = /[\w+=.-]{16}|[:=]|bearer\s|basic\s|\sis\s|--|(?:^|\s)-(?:u|pass|secret|token|api|access|client|auth)/i.test(said) || /bearer\s|basic\s|\sis\s/i.test(said)
    expect(!hinted || mayHoldToken(said)).toBe(true)
    expect(hinted ? [] : TOKEN_PATTERNS.filter(pattern => said.search(pattern) >= 0 && said.length >= 16).map(String)).toEqual([])
  }), settings)
})

test('what surely holds none is told at once', () => {
  for (const said of ['', 'please open the console in the kitchen', 'this was the best of all', 'some words of a log '.repeat(500)]) expect(mayHoldToken(said)).toBe(false)
})

test('long random runs are the greedy ones of the pattern, wherever they stand', () => {
  const run = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'
  expect(replaceRandomRuns(`${run} is ${run}!`, () => '*')).toBe('* is *!')
  expect(replaceRandomRuns(`x${run.slice(0, 30)} y`, () => '*')).toBe(`x${run.slice(0, 30)} y`)
  fc.assert(fc.property(fc.array(fc.oneof(fc.constant(run), piece), { maxLength: 8 }).map(pieces => pieces.join('')), said => {
    const seen: string[] = []
    expect(replaceRandomRuns(said, found => { seen.push(found); return '*' })).toBe(said.replace(/[A-Za-z0-9_+=-]{32,}/g, found => seen.includes(found) ? '*' : found))
    for (const found of seen) expect(found).toMatch(/^[A-Za-z0-9_+=-]{32,}$/)
  }), settings)
})
