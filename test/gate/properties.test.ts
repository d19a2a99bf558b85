/** What holds for every route, event, history and switch: the gate over random inputs. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gate, GATE_RULES } from '../../src/gate/gate.ts'
import { BURST_WINDOW, DAY, overLimit } from '../../src/gate/limits.ts'
import type { GateInput, OwnerView } from '../../src/gate/rule.ts'
import { sourceAllowed } from '../../src/gate/words.ts'
import type { Limits } from '../../src/types.ts'
import { permits } from '../../src/vocabulary/effects.ts'
import { isReason } from '../../src/vocabulary/outcomes.ts'
import { ask, input, notAsk, NOON, route, unasked } from './inputs.ts'

const RUNS = { seed: 2026, numRuns: 1500 }
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const defined = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T

const limits: fc.Arbitrary<Limits> = fc.record({ cooldown: optional(fc.integer({ min: 1, max: 600_000 })), perMinute: optional(fc.integer({ min: 1, max: 5 })), perHour: optional(fc.integer({ min: 1, max: 9 })), perDay: optional(fc.integer({ min: 1, max: 12 })), burst: optional(fc.integer({ min: 1, max: 4 })), concurrent: optional(fc.integer({ min: 1, max: 4 })), depth: optional(fc.integer({ min: 1, max: 4 })) }).map(value => defined(value) as Limits)
const times = fc.array(fc.integer({ min: 0, max: DAY + 3_600_000 }), { maxLength: 15 }).map(ages => ages.sort((a, b) => a - b).map(age => NOON - age))
const owner: fc.Arbitrary<OwnerView> = fc.record({
  stopped: optional(fc.record({ reason: fc.constantFrom('kill-switch' as const, 'halted' as const), why: fc.constant('because') })), breaker: optional(fc.constant('open')),
  inFlight: fc.integer({ min: 0, max: 4 }), all: fc.record({ callTimes: times, inFlight: fc.integer({ min: 0, max: 4 }) }),
}).map(value => defined(value) as OwnerView)
const effects = fc.subarray(['browser.open', 'fs.write:/notes/a', 'message.send', 'unknown'])

/** Mostly the value that lets it pass, so that a verdict hangs on one or two things and not on all at once. */
const mostly = <T>(good: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> => fc.oneof({ weight: 14, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: other })
const sources: fc.Arbitrary<'user' | 'chat:alice' | 'chat:bob' | 'notification' | 'users'> = fc.constantFrom('user', 'chat:alice', 'chat:bob', 'notification', 'users')

const inputs: fc.Arbitrary<GateInput> = fc.record({
  asked: mostly(true, fc.boolean()), not: optional(fc.constantFrom('abstain:question', 'abstain:negation', 'abstain:reader', 'abstain:similar')), offer: fc.boolean(),
  source: mostly('user', sources), from: mostly(['user', 'chat'], fc.subarray(['user', 'chat', 'chat:alice', 'notification'], { minLength: 1 })),
  score: fc.double({ min: -1, max: 1, noNaN: true }), second: optional(fc.double({ min: -1, max: 1, noNaN: true })), exact: fc.boolean(), age: mostly(10, fc.integer({ min: -1000, max: 200_000 })),
  mode: mostly('fire', fc.constantFrom('fire', 'ask', 'shadow')), approve: mostly('never', fc.constantFrom('never', 'always')), asks: fc.boolean(), allow: mostly(['browser.open', 'fs.write', 'message.send'], fc.subarray(['browser.open', 'fs.write', 'message.send'])),
  effects: mostly(['browser.open', 'fs.write:/notes/a'], effects), armed: mostly(false, fc.boolean()), causes: mostly([], fc.array(fc.constantFrom('open-console', 'other', undefined), { maxLength: 4 })), echo: mostly(false, fc.boolean()), justFired: mostly(false, fc.boolean()),
  times: mostly([], times), limits: mostly({}, limits), all: optional(limits), owner: mostly(undefined, owner), maxDepth: fc.integer({ min: 1, max: 4 }),
}).map(one => {
  const more: Partial<GateInput> = {
    route: route({ from: one.from, mode: one.mode, approve: one.approve, ask: one.asks, allow: one.allow, limits: one.limits }), event: { id: '1', source: one.source, text: 'open the console', at: NOON - one.age }, effects: one.effects, armedDefaults: one.armed ? ['dry_run defaults to false'] : [],
    candidate: { route: 'open-console', phrase: 'open the console', score: one.score, exact: one.exact }, ...one.second === undefined ? {} : { runnerUp: { route: 'close-console', phrase: 'close it', score: one.second, exact: false } },
    history: { causes: one.causes.map((name, nth) => ({ callId: `c-${nth}`, ...name === undefined ? {} : { route: name } })), callTimes: one.times, justFired: one.justFired, echo: one.echo }, maxDepth: one.maxDepth,
    ...one.not === undefined || one.asked ? {} : { notAsk: { ...notAsk, reason: one.not, offer: one.offer } }, ...one.owner ? { owner: one.owner } : {}, ...one.all ? { limits: one.all } : {},
  }
  return one.asked ? input({ ...more, ask }) : unasked(more)
})

const within = (callTimes: readonly number[], length: number): number => callTimes.filter(time => NOON - time < length).length

/** What a passing verdict has against it; empty: nothing. */
function objections(given: GateInput): string[] {
  const { route: one, event, history, owner: switches } = given
  const all = switches ? given.limits ?? {} : {}
  const fine: Record<string, boolean> = {
    source: sourceAllowed(event.source, one.from),
    explicit: given.effects.length === 0 || given.ask !== undefined,
    effects: given.effects.every(effect => permits(one.allow, effect)) && !given.effects.includes('unknown') && given.armedDefaults.length === 0,
    self: !history.causes.some(cause => cause.route === one.name) && !history.echo && !history.justFired,
    depth: history.causes.length < Math.min(given.maxDepth, one.limits.depth ?? Infinity),
    switches: switches?.stopped === undefined && switches?.breaker === undefined,
    mode: one.mode === 'fire' && one.approve === 'never',
    age: given.effects.length === 0 || given.now - event.at <= one.maxAge,
    burst: within(history.callTimes, BURST_WINDOW) < (one.limits.burst ?? Infinity),
    perDay: within(history.callTimes, DAY) < (one.limits.perDay ?? Infinity),
    concurrent: (switches?.inFlight ?? 0) < (one.limits.concurrent ?? Infinity),
    allPerMinute: within(switches?.all.callTimes ?? [], 60_000) < (all.perMinute ?? Infinity),
  }
  return Object.keys(fine).filter(name => fine[name] !== true)
}

test('what passes was allowed by everything that there is to be allowed by', () => {
  let passed = 0
  fc.assert(fc.property(inputs, given => {
    const verdict = gate(given)
    if (verdict.kind === 'pass') passed++
    expect(verdict.kind === 'pass' ? objections(given) : []).toEqual([])
  }), { ...RUNS, numRuns: 4000 })
  expect(passed).toBeGreaterThan(500)
})

test('gate:limits: a stop or an open breaker lets nothing through, and asks nobody', () => {
  fc.assert(fc.property(inputs, owner.filter(one => one.stopped !== undefined || one.breaker !== undefined), (given, switches) => {
    const verdict = gate({ ...given, owner: switches })
    expect(verdict.kind === 'hold' ? verdict.hold.kind : 'pass').not.toMatch(/^(?:pass|needs-approval)$/)
  }), RUNS)
})

test('outcome:distinct: a verdict has a reason of the table, the last step is the one that held, and the same input gives the same', () => {
  fc.assert(fc.property(inputs, given => {
    const verdict = gate(given)
    expect(gate(given)).toEqual(verdict)
    expect(verdict.steps.map(step => step.rule)).toEqual(GATE_RULES.slice(0, verdict.steps.length).map(rule => rule.name))
    expect(verdict.steps.slice(0, -1).every(step => step.passed)).toBe(true)
    expect(verdict.steps.at(-1)?.passed).toBe(verdict.kind === 'pass')
    expect(verdict.kind === 'pass' || (isReason(verdict.hold.kind, verdict.hold.reason) && verdict.hold.why !== '')).toBe(true)
  }), RUNS)
})

test('gate:limits: a stricter limit never lets more through, nor does one call more', () => {
  fc.assert(fc.property(limits, limits, times, fc.integer({ min: 0, max: 4 }), (first, second, callTimes, inFlight) => {
    const stricter = Object.fromEntries(Object.keys({ ...first, ...second }).map(name => {
      const [a, b] = [first[name as keyof Limits], second[name as keyof Limits]]
      return [name, a === undefined ? b : b === undefined ? a : name === 'cooldown' ? Math.max(a, b) : Math.min(a, b)]
    })) as Limits
    const held = overLimit(first, callTimes, NOON, inFlight) !== undefined
    expect(!held || overLimit(stricter, callTimes, NOON, inFlight) !== undefined).toBe(true)
    expect(!held || overLimit(first, [NOON, ...callTimes], NOON, inFlight + 1) !== undefined).toBe(true)
  }), RUNS)
})
