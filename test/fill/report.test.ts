import { expect, test } from 'vitest'
import { fillReport } from '../../src/fill/report.ts'
import { AT } from './say.ts'

test('the report names what was filled, what stayed empty and what could arm', () => {
  const schema = { type: 'object', properties: { minutes: { type: 'integer' }, title: { type: 'string' }, notify: { type: 'boolean', default: true } }, required: ['minutes'] }
  expect(fillReport({ schema, text: 'wait 5 minutes', at: AT, timeZone: 'UTC' })).toEqual({
    filled: [{ path: '/minutes', value: 5, start: 5, end: 14 }],
    empty: [{ path: '/title', reason: 'missing' }, { path: '/notify', reason: 'missing' }],
    armed: [{ path: '/notify', value: true, rule: 'verb' }],
    outcome: 'filled',
  })
})

test('what blocks comes first, with the question', () => {
  const schema = { type: 'object', properties: { title: { type: 'string' }, n: { type: 'integer' } }, required: ['n'] }
  expect(fillReport({ schema, text: 'hello', at: AT })).toMatchObject({ outcome: 'unfilled', question: 'Which n?', empty: [{ path: '/n', reason: 'missing' }, { path: '/title', reason: 'missing' }] })
})

test('a schema that cannot be used is refused with the reason', () => {
  expect(fillReport({ schema: { $schema: 'other' }, text: 'x', at: AT })).toMatchObject({ outcome: 'refused', filled: [], reason: expect.stringContaining('2020-12') as string })
  expect(fillReport({ schema: 'x', text: 'x', at: AT })).toMatchObject({ outcome: 'refused' })
})
