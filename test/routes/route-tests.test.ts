import { expect, test } from 'vitest'
import { runRouteTests, type TestVerdict } from '../../src/routes/route-tests.ts'
import { OUTCOMES } from '../../src/vocabulary/outcomes.ts'
import type { OutcomeKind } from '../../src/types.ts'
import { table } from './helpers.ts'

const routes = table({ r: ['open the console'] }, 'must_fire: ["open it please"]\nmust_not_fire: ["did it open?"]')
const run = (verdicts: { readonly [text: string]: TestVerdict }) => runRouteTests(routes, text => Promise.resolve(verdicts[text] ?? 'no-match'))
const GOOD = { 'open it please': 'called', 'did it open?': 'not-explicit' } as const

test('no finding when every sentence does what it must', async () => {
  expect(await run(GOOD)).toEqual([])
})

test('a must_fire sentence that does not reach its route is an error with the outcome and why', async () => {
  expect(await run({ ...GOOD, 'open it please': { kind: 'not-explicit', why: 'a mention' } })).toEqual([
    { level: 'error', rule: 'must-fire', route: 'r', file: 'r.yaml', line: 3, message: expect.stringContaining('"open it please" must fire this route, and the outcome is not-explicit') },
  ])
})

test('a must_not_fire sentence that reaches its route is an error', async () => {
  expect((await run({ ...GOOD, 'did it open?': 'called' })).map(({ rule, message }) => [rule, message])).toEqual([['must-not-fire', expect.stringContaining('"did it open?" must not fire')]])
})

test('waiting for approval and shadow count as reached: the words were an ask', async () => {
  for (const kind of ['needs-approval', 'stopped', 'limited'] as const) {
    expect(await run({ ...GOOD, 'open it please': kind })).toEqual([])
    expect(await run({ ...GOOD, 'did it open?': kind })).toHaveLength(1)
  }
})

test('an offer is no ask: it fails must_fire and passes must_not_fire', async () => {
  expect(await run({ ...GOOD, 'open it please': 'offered' })).toHaveLength(1)
  expect(await run({ ...GOOD, 'did it open?': 'offered' })).toEqual([])
})

test('another route that fires fails must_fire and not must_not_fire', async () => {
  const other = { kind: 'called', route: 'other' } as const
  expect((await run({ ...GOOD, 'open it please': other })).map(({ message }) => message)).toEqual([expect.stringContaining('fires route "other"')])
  expect(await run({ ...GOOD, 'did it open?': other })).toEqual([])
})

test('closed: every outcome is on one of the two sides', async () => {
  for (const kind of Object.keys(OUTCOMES) as OutcomeKind[]) {
    const findings = [...await run({ ...GOOD, 'open it please': kind }), ...await run({ ...GOOD, 'did it open?': kind })]
    expect(findings).toHaveLength(1)
  }
})

test('an error of the decision is not swallowed', async () => {
  await expect(runRouteTests(routes, () => Promise.reject(new Error('no model')))).rejects.toThrow('no model')
})
