/** What every implementation of the port CallLog must do, whatever it keeps its rows in. */
import { expect, test } from 'vitest'
import type { CallLog, MaybePromise } from '../../../src/ports.ts'
import { callOf, decisionOf, effectOf, endOf, eventOf, T0 } from './rows.ts'

export interface CallLogUnderTest {
  readonly log: CallLog
  /** Closes the log and opens it again. */
  readonly reopen: () => MaybePromise<CallLog>
}

/** @param open an empty log, removed when the test ends */
export function callLogCases(name: string, open: () => MaybePromise<CallLogUnderTest>): void {
  test(`${name}: an event id is known at once, with the decisions it got, and still after opening again`, async () => {
    const { log, reopen } = await open()
    expect(await log.seen('user', 'sender-1')).toBeUndefined()
    await log.event(eventOf())
    expect(await log.seen('user', 'sender-1')).toEqual([])
    await log.decision(decisionOf())
    const expected = [{ decisionId: 'decision-1', kind: 'called', reason: 'ask', why: 'the words ask for it', route: 'open-console', tool: 'call_console', callId: 'call-1' }]
    expect(await log.seen('user', 'sender-1')).toEqual(expected)
    expect(await log.seen('webhook', 'sender-1')).toBeUndefined()
    expect(await (await reopen()).seen('user', 'sender-1')).toEqual(expected)
  })

  test(`${name}: outcome:distinct: a call that is refused before its row is known as what it became, not as called`, async () => {
    const { log, reopen } = await open()
    await log.event(eventOf())
    await log.decision(decisionOf())
    await log.refused?.({ decisionId: 'decision-1', eventId: 'event-1', kind: 'stopped', reason: 'kill-switch', why: 'a person stopped all', at: T0 + 2 })
    expect(await log.seen('user', 'sender-1')).toMatchObject([{ kind: 'stopped', reason: 'kill-switch' }])
    expect(await (await reopen()).seen('user', 'sender-1')).toMatchObject([{ kind: 'stopped', reason: 'kill-switch', tool: 'call_console' }])
  })

  test(`${name}: an event that was logged, never decided and sent again is known with what was decided the second time`, async () => {
    const { log, reopen } = await open()
    await log.event(eventOf())
    const again = await reopen()
    expect(await again.seen('user', 'sender-1')).toEqual([])
    await again.event(eventOf({ eventId: 'event-2' }))
    await again.decision(decisionOf({ eventId: 'event-2' }))
    expect((await again.seen('user', 'sender-1'))?.map(found => found.decisionId)).toEqual(['decision-1'])
  })

  test(`${name}: ids that a database cannot keep as text are still found, and two of them are never the same`, async () => {
    const { log, reopen } = await open()
    const odd = ['a\0b', 'a', '\uD800', '\uD801', '\uFFFD', 'json:"a"', '__proto__', 'toString', '', ' ', 'x'.repeat(10_000)]
    for (const [i, senderId] of odd.entries()) {
      expect(await log.seen('user', senderId)).toBeUndefined()
      await log.event(eventOf({ eventId: `event-${i}`, senderId }))
      await log.decision(decisionOf({ eventId: `event-${i}`, decisionId: `decision-${i}` }))
    }
    const again = await reopen()
    for (const [i, senderId] of odd.entries()) expect((await again.seen('user', senderId))?.map(found => found.decisionId)).toEqual([`decision-${i}`])
  })

  test(`${name}: call times of a route come newest first, and only since the time asked for`, async () => {
    const { log } = await open()
    for (const [i, at] of [10, 30, 20].entries()) await log.begin(callOf({ callId: `call-${i}`, at: T0 + at }))
    await log.begin(callOf({ callId: 'other', route: 'constructor', at: T0 + 25 }))
    expect(await log.callTimes('open-console', T0 + 20)).toEqual([T0 + 30, T0 + 20])
    expect(await log.callTimes('constructor', 0)).toEqual([T0 + 25])
    expect(await log.callTimes('toString', 0)).toEqual([])
  })

  test(`${name}: the chain of causes goes from the call to its event, to the call behind that, and ends in a circle`, async () => {
    const { log } = await open()
    await log.event(eventOf({ eventId: 'e-1', causedBy: 'c-3' }))
    await log.begin(callOf({ callId: 'c-1', eventId: 'e-1', route: 'one' }))
    await log.event(eventOf({ eventId: 'e-2', senderId: 's-2', causedBy: 'c-1' }))
    await log.begin(callOf({ callId: 'c-2', eventId: 'e-2', route: 'two' }))
    await log.event(eventOf({ eventId: 'e-3', senderId: 's-3', causedBy: 'c-2' }))
    await log.begin(callOf({ callId: 'c-3', eventId: 'e-3', route: 'three' }))
    expect(await log.causes('c-3')).toEqual([{ callId: 'c-3', route: 'three', eventId: 'e-3' }, { callId: 'c-2', route: 'two', eventId: 'e-2' }, { callId: 'c-1', route: 'one', eventId: 'e-1' }])
    expect(await log.causes('nobody')).toEqual([])
  })

  test(`${name}: closed: a closed log says so instead of writing, and closing twice is fine`, async () => {
    const { log } = await open()
    await log.close()
    await log.close()
    await expect((async () => log.begin(callOf()))()).rejects.toThrow(/is closed; open it again/)
    await expect((async () => log.end(endOf()))()).rejects.toThrow(/is closed/)
    expect(() => log.effect(effectOf())).toThrow(/is closed/)
  })

  test(`${name}: trace:before, closed: arguments that cannot be kept are refused`, async () => {
    const { log } = await open()
    await expect((async () => log.begin(callOf({ args: { run: () => 1 } as never })))()).rejects.toThrow(/cannot be logged: it is a function/)
    await log.begin(callOf({ args: { n: Number.NaN, b: 1n, text: 'a\0b\uD800' } as never }))
    expect(await log.callTimes('open-console', 0)).toEqual([T0 + 2])
  })
}
