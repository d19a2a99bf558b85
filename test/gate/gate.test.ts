import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gate, GATE_RULES } from '../../src/gate/gate.ts'
import { isReason } from '../../src/vocabulary/outcomes.ts'
import { input, NOON, notAsk, route, unasked } from './inputs.ts'

const held = (verdict: ReturnType<typeof gate>) => verdict.kind === 'hold' ? `${verdict.hold.kind} ${verdict.hold.reason}` : 'pass'
const other = { route: 'close-console', phrase: 'close the console' }

test('an explicit ask of an allowed source passes every rule, and every rule is on record', () => {
  const verdict = gate(input())
  expect(verdict.kind).toBe('pass')
  expect(verdict.steps.map(step => step.rule)).toEqual(GATE_RULES.map(rule => rule.name))
})

describe('gate:explicit: what is needed before an effect', () => {
  test.each([
    ['a source that the route does not name', input({ event: { id: '1', source: 'notification', text: 'open the console', at: NOON } }), 'source-blocked source'],
    ['a source that only starts like an allowed one', input({ event: { id: '1', source: 'username', text: 'open the console', at: NOON } }), 'source-blocked source'],
    ['words that do not ask', unasked({ notAsk }), 'not-explicit abstain:question'],
    ['nearness in meaning alone, however near', unasked({ candidate: { route: 'open-console', phrase: 'open the console', score: 0.999, exact: false } }), 'not-explicit abstain:similar'],
    ['a tool that nobody described', unasked({ effects: ['unknown'] }), 'not-explicit abstain:similar'],
  ])('%s', (_name, given, expected) => {
    expect(held(gate(given))).toBe(expected)
  })

  test('a sender is let in by its kind or by its own name, and no other', () => {
    const from = (source: string, allowed: string[]) => held(gate(input({ route: route({ from: allowed }), event: { id: '1', source, text: 'x', at: NOON } })))
    expect(from('chat:alice', ['chat'])).toBe('pass')
    expect(from('chat:alice', ['chat:alice'])).toBe('pass')
    expect(from('chat:bob', ['chat:alice'])).toBe('source-blocked source')
    expect(from('chat', ['chat:alice'])).toBe('source-blocked source')
  })
})

test('gate:default-only: without an ask, a route that has no effects is reached, and one whose effects nobody declared waits for a person', () => {
  expect(held(gate(unasked({ effects: [], route: route({ preset: {}, presetBytes: '{}', allow: [] }) })))).toBe('pass')
  expect(held(gate(input({ effects: ['unknown'] })))).toBe('needs-approval unknown-effect')
})

describe('gate:margin: nearness in meaning counts only with a clear distance', () => {
  const read = { effects: [], route: route({ preset: {}, presetBytes: '{}', allow: [] }) }
  const near = (score: number, second: number) => gate(unasked({ ...read, candidate: { route: 'open-console', phrase: 'open the console', score, exact: false }, runnerUp: { ...other, score: second, exact: false } }))
  test('closer than the margin: ambiguous, with both named', () => {
    const verdict = near(0.9, 0.86)
    expect(held(verdict)).toBe('ambiguous margin')
    expect(verdict.steps.at(-1)?.detail).toMatch(/open-console.*close-console/)
  })
  test('exactly the margin apart fires', () => expect(held(near(0.75, 0.5))).toBe('pass'))
  test('below the threshold: no match', () => expect(held(near(0.59, 0.1))).toBe('no-match below-threshold'))
  test('the phrase itself needs no margin', () => {
    const exact = gate(unasked({ ...read, candidate: { route: 'open-console', phrase: 'x', score: 1, exact: true }, runnerUp: { ...other, score: 0.99, exact: false } }))
    expect(held(exact)).toBe('pass')
  })
})

describe('gate:self: our own calls do not come back', () => {
  test('a call of the same route anywhere in the chain of causes', () => {
    const causes = [{ callId: 'c-2', route: 'other' }, { callId: 'c-1', route: 'open-console' }]
    expect(held(gate(input({ history: { causes, callTimes: [], justFired: false, echo: false } })))).toBe('self-caused skip:self')
  })
  test('words that a call just returned', () => expect(held(gate(input({ history: { causes: [], callTimes: [], justFired: false, echo: true } })))).toBe('self-caused skip:echo'))
  test('a chain as deep as the limit', () => {
    const causes = ['a', 'b', 'c'].map(name => ({ callId: `c-${name}`, route: name }))
    expect(held(gate(input({ history: { causes, callTimes: [], justFired: false, echo: false } })))).toBe('limited depth')
  })
})

describe('gate:limits: cooldown, rates and repeats', () => {
  const after = (callTimes: number[], limits: object) => held(gate(input({ route: route({ limits }), history: { causes: [], callTimes, justFired: false, echo: false } })))
  test('within the cooldown', () => expect(after([NOON - 9_999], { cooldown: 10_000 })).toBe('limited cooldown'))
  test('after the cooldown', () => expect(after([NOON - 10_000], { cooldown: 10_000 })).toBe('pass'))
  test('the sixth call of an hour passes and the seventh does not', () => {
    const times = (count: number) => Array.from({ length: count }, (_, index) => NOON - 60_000 * (index + 1))
    expect(after(times(5), { perHour: 6 })).toBe('pass')
    expect(after(times(6), { perHour: 6 })).toBe('limited rate')
  })
  test('calls out of the window do not count', () => expect(after([NOON - 3_600_000], { perHour: 1 })).toBe('pass'))
  test('the same words a moment ago', () => expect(held(gate(input({ history: { causes: [], callTimes: [], justFired: true, echo: false } })))).toBe('duplicate text'))
})

test('an old event is expired for a route with effects only', () => {
  const old = { event: { id: '1', source: 'user', text: 'x', at: NOON - 60_001 } }
  expect(held(gate(input(old)))).toBe('expired max-age')
  expect(held(gate(input({ ...old, effects: [] })))).toBe('pass')
})

describe('the owner\'s own rules', () => {
  test('an effect that the route does not allow waits for a person', () => expect(held(gate(input({ route: route({ allow: [] }) })))).toBe('needs-approval effect-not-allowed'))
  test('a schema that acts unless it is told not to waits for a person', () => expect(held(gate(input({ armedDefaults: ['/notify defaults to true'] })))).toBe('needs-approval armed-default'))
  test('shadow mode says what would have been called', () => expect(held(gate(input({ route: route({ mode: 'shadow' }) })))).toBe('stopped shadow'))
  test('ask mode and approve: always wait for a person', () => {
    expect(held(gate(input({ route: route({ mode: 'ask' }) })))).toBe('needs-approval mode:ask')
    expect(held(gate(input({ route: route({ approve: 'always' }) })))).toBe('needs-approval approve:always')
  })
  test('hours run over midnight, in the owner\'s time zone', () => {
    const when = { hours: [{ from: 22 * 60, to: 6 * 60 }] }
    const at = (hour: number, timeZone = 'UTC') => held(gate(input({ route: route({ when }), timeZone, now: Date.UTC(2026, 2, 3, hour), event: { id: '1', source: 'user', text: 'x', at: Date.UTC(2026, 2, 3, hour) } })))
    expect([at(23), at(5), at(6), at(12)]).toEqual(['pass', 'pass', 'stopped when', 'stopped when'])
    expect(at(13, 'Asia/Tokyo')).toBe('pass')
  })
  test('days and the host\'s state', () => {
    expect(held(gate(input({ route: route({ when: { days: [2] } }) })))).toBe('pass') // a Tuesday
    expect(held(gate(input({ route: route({ when: { days: [0, 6] } }) })))).toBe('stopped when')
    const home = route({ when: { state: { home: true } } })
    expect(held(gate(input({ route: home })))).toBe('stopped when')
    expect(held(gate(input({ route: home, hostState: new Map([['home', true]]) })))).toBe('pass')
    expect(held(gate(input({ route: home, hostState: new Map<string, unknown>([['home', 'true']]) })))).toBe('stopped when')
  })
  test('a near miss is offered where the route says so', () => {
    expect(held(gate(unasked({ notAsk: { ...notAsk, offer: true }, route: route({ ask: true }) })))).toBe('offered near-miss')
    expect(held(gate(unasked({ notAsk: { ...notAsk, offer: true } })))).toBe('not-explicit abstain:question')
  })
})

test('outcome:distinct: whatever the input, a hold has a reason of its own table, and an effect is never passed without an ask', () => {
  const arbitrary = fc.record({
    source: fc.constantFrom('user', 'notification', 'chat:alice', 'model'), asked: fc.boolean(), denied: fc.boolean(), score: fc.double({ min: -1, max: 1, noNaN: true }), second: fc.double({ min: -1, max: 1, noNaN: true }),
    effects: fc.constantFrom([], ['browser.open'], ['unknown'], ['data.delete']), age: fc.integer({ min: -1000, max: 200_000 }), mode: fc.constantFrom('fire' as const, 'ask' as const, 'shadow' as const), echo: fc.boolean(),
  })
  fc.assert(fc.property(arbitrary, given => {
    const base = {
      event: { id: '1', source: given.source, text: 'x', at: NOON - given.age }, effects: given.effects, route: route({ mode: given.mode }),
      candidate: { route: 'open-console', phrase: 'open the console', score: given.score, exact: false }, runnerUp: { ...other, score: given.second, exact: false },
      history: { causes: [], callTimes: [], justFired: false, echo: given.echo },
    }
    const verdict = gate(given.asked ? input(base) : unasked({ ...base, ...(given.denied ? { notAsk } : {}) }))
    if (verdict.kind === 'hold') return isReason(verdict.hold.kind, verdict.hold.reason) && verdict.hold.why !== ''
    return given.source === 'user' && given.mode === 'fire' && !given.echo && (given.effects.length === 0 || (given.asked && given.effects[0] === 'browser.open' && given.age <= 60_000))
  }), { seed: 4, numRuns: 2000 })
})
