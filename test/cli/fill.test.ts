import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scratch } from './usher.ts'

let here: ReturnType<typeof scratch>
beforeEach(() => {
  here = scratch()
  here.write('schema.json', JSON.stringify({ type: 'object', properties: { n: { type: 'integer', minimum: 2 }, when: { type: 'string', format: 'date-time' }, send: { type: 'boolean', default: true } }, required: ['n', 'when'] }))
})
afterEach(() => { here.remove() })

const at = ['--at', '2026-11-30T15:00:00Z', '--time-zone', 'Europe/Berlin'] as const
const fill = (...args: readonly string[]) => here.run(['fill', '--schema', 'schema.json', ...args])

describe('usher fill', () => {
  test('fill:evidence: --json gives paths, values and spans, what stayed empty and what is armed', () => {
    const { status, json } = fill('--text', 'twenty five of them, tomorrow at 9', ...at, '--json')
    expect(json()).toEqual({
      filled: [{ path: '/n', value: 25, start: 0, end: 11 }, { path: '/when', value: '2026-12-01T09:00:00+01:00', start: 21, end: 34 }],
      empty: [{ path: '/send', reason: 'missing' }],
      armed: [{ path: '/send', value: true, rule: 'verb' }],
      outcome: 'filled',
    })
    expect(status).toBe(0)
  })

  test('a missing value is 1, with the question', () => {
    const { status, json } = fill('--text', 'five', ...at, '--json')
    expect(json()).toMatchObject({ outcome: 'unfilled', question: 'When?', empty: [{ path: '/when', reason: 'missing' }, { path: '/send', reason: 'missing' }] })
    expect(status).toBe(1)
  })

  test('a table for people names the words', () => {
    const { status, stdout } = fill('--text', 'five, tomorrow at 9', ...at)
    expect(stdout).toMatch(/^filled\n/)
    expect(stdout).toContain('"five" (0 to 4)')
    expect(stdout).toMatch(/never filled[\s\S]*\/send\s+true\s+verb/)
    expect(status).toBe(0)
  })

  test('a schema that cannot be used is refused, with the reason', () => {
    here.write('outside.json', JSON.stringify({ type: 'object', properties: { a: { $ref: 'https://x.example/a.json' } } }))
    const { status, json } = here.run(['fill', '--schema', 'outside.json', '--text', 'x', '--json'])
    expect(json()).toEqual({ filled: [], empty: [], armed: [], outcome: 'refused', reason: expect.stringContaining('not fetched') as string })
    expect(status).toBe(1)
  })

  test.each<readonly [readonly string[], RegExp]>([
    [['--schema', 'none.json', '--text', 'x'], /none\.json cannot be read/], [['--schema', 'schema.json'], /--text/], [['--text', 'x'], /--schema/], [['--schema', 'schema.json', '--text', 'x', '--at', 'soon'], /--at must be an ISO time.*"soon"/], [['--schema', 'schema.json', '--text', 'x', '--time-zone', 'Mars/Base'], /--time-zone.*"Mars\/Base"/], [['--schema', 'schema.json', '--text', 'x', 'more'], /too many arguments/],
  ])('used wrongly: %j', (args, words) => {
    const { status, stderr, stdout } = here.run(['fill', ...args])
    expect(stderr + stdout).toMatch(words)
    expect(status).toBe(2)
  })
})
