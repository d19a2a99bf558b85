import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { combine, type ReaderScore } from '../../src/reader/combine.ts'
import type { AskReading, NotAsk } from '../../src/types.ts'
import { isReason } from '../../src/vocabulary/outcomes.ts'
import { ask, LIMITS, notAsk, read } from './support.ts'

const NEVER = { model: 'ask-reader@12345678', mayFire: () => false }
const ALWAYS = { ...NEVER, mayFire: () => true }
const TEXT = 'raise the shutters would you'
const nothing: AskReading = { asks: [], notAsks: [] }

describe('an objection', () => {
  test('gate:explicit: an ask that the second reader does not believe becomes an offer, with the reason and both figures', () => {
    const { asks, notAsks } = combine(TEXT, { asks: [ask('shutters', 'raise the shutters')], notAsks: [] }, [read('shutters', 'raise the shutters', 0.1)], LIMITS, NEVER)
    expect(asks).toEqual([])
    expect(notAsks).toMatchObject([{ route: 'shutters', reason: 'abstain:reader', offer: true, steps: ['second reader 0.100 (ask-reader@12345678)'] }])
    expect(notAsks[0]?.why).toContain('0.100, below 0.200')
    expect(isReason('not-explicit', notAsks[0]?.reason ?? '')).toBe(true)
  })

  test('an ask that it believes stays what the rules read, with the figure as a step', () => {
    const before = ask('shutters', 'raise the shutters')
    const { asks } = combine(TEXT, { asks: [before], notAsks: [] }, [read('shutters', 'raise the shutters', 0.2)], LIMITS, NEVER)
    expect(asks).toEqual([{ ...before, steps: ['second reader 0.200 (ask-reader@12345678)'] }])
  })

  test.each([
    ['open: words in a slot and nothing that speaks for a request', { ...ask('shutters', 'raise the {what}'), captures: [{ slot: { name: 'what' }, text: 'shutters', span: { start: 10, end: 18 } }] }, 0.4],
    ['whole: the words of the phrase', ask('shutters', 'raise the shutters'), 0.2],
    ['worked: typed slots only', { ...ask('shutters', 'raise the {what}'), captures: [{ slot: { name: 'what', type: 'rest' as const }, text: 'shutters', span: { start: 10, end: 18 } }] }, 0.05],
    ['worked: a wrapper or a slip was read', { ...ask('shutters', 'raise the {what}'), captures: [{ slot: { name: 'what' }, text: 'shutters', span: { start: 10, end: 18 } }], steps: ['wrapper "would you"'] }, 0.05],
  ])('how much doubt an ask can bear hangs on how it was read: %s', (_, before, least) => {
    const left = (probability: number) => combine(TEXT, { asks: [before], notAsks: [] }, [read('shutters', 'raise the shutters', probability)], LIMITS, NEVER).asks.length
    expect([left(least), left(least - 0.001)]).toEqual([1, 0])
  })

  test('closed: an answer that was due and did not come counts as an objection', () => {
    const { asks, notAsks } = combine(TEXT, { asks: [ask('shutters', 'raise the shutters')], notAsks: [] }, [{ kind: 'failed', route: 'shutters', why: 'the reading worker ended' }], LIMITS, NEVER)
    expect(asks).toEqual([])
    expect(notAsks[0]).toMatchObject({ reason: 'abstain:reader', offer: true })
    expect(notAsks[0]?.why).toContain('the reading worker ended')
  })

  test('closed: a text too long for it is no consent; a route that it was not asked about stays with the rules', () => {
    const asks = [ask('shutters', 'raise the shutters'), ask('lamp', 'light the lamp', 30)]
    const { asks: left, notAsks } = combine(TEXT, { asks, notAsks: [] }, [{ kind: 'unread', route: 'shutters' }], LIMITS, NEVER)
    expect(left.map(each => each.route)).toEqual(['lamp'])
    expect(notAsks).toMatchObject([{ route: 'shutters', reason: 'abstain:reader', offer: true, why: expect.stringContaining('so long a text') as string }])
  })

  test('two asks of one route are judged each by its own score', () => {
    const asks = [ask('lamp', 'light the lamp'), ask('lamp', 'light the lamp', 30)]
    const scores = [{ ...read('lamp', 'light the lamp', 0.9), at: 0 }, { ...read('lamp', 'light the lamp', 0.01), at: 30 }]
    expect(combine(TEXT, { asks, notAsks: [] }, scores, LIMITS, NEVER).asks.map(each => each.span.start)).toEqual([0])
  })

  test('of two asks only the doubted one is held back', () => {
    const asks = [ask('shutters', 'raise the shutters'), ask('lamp', 'light the lamp', 30)]
    const { asks: left, notAsks } = combine(TEXT, { asks, notAsks: [] }, [read('shutters', 'raise the shutters', 0.01), read('lamp', 'light the lamp', 0.99)], LIMITS, NEVER)
    expect(left.map(each => each.route)).toEqual(['lamp'])
    expect(notAsks.map(each => each.route)).toEqual(['shutters'])
  })
})

describe('a sure yes', () => {
  test('gate:explicit: where the rules found nothing it is an offer, never a fire', () => {
    const reading = combine(TEXT, nothing, [read('shutters', 'raise the shutters', 0.99), read('lamp', 'light the lamp', 0.95)], LIMITS, NEVER)
    expect(reading.asks).toEqual([])
    expect(reading.notAsks).toMatchObject([{ route: 'shutters', reason: 'abstain:similar', offer: true }])
  })

  test('a near miss that the rules were not sure about is offered, its own reason kept', () => {
    const { notAsks } = combine(TEXT, { asks: [], notAsks: [notAsk('shutters', 'raise the shutters', 'abstain:left-over')] }, [read('shutters', 'raise the shutters', 0.95)], LIMITS, NEVER)
    expect(notAsks).toMatchObject([{ reason: 'abstain:left-over', offer: true, steps: ['second reader 0.950 (ask-reader@12345678)'] }])
  })

  test.each(['abstain:not-phrase', 'abstain:negation', 'abstain:quotation', 'abstain:code', 'abstain:undo', 'abstain:later', 'abstain:opposite'])('what the rules settled is not brought up again: %s', reason => {
    const before = { asks: [], notAsks: [notAsk('shutters', 'raise the shutters', reason)] }
    expect(combine(TEXT, before, [read('shutters', 'raise the shutters', 0.999)], LIMITS, ALWAYS)).toEqual(before)
  })

  test('below `offer` nothing is added', () => {
    expect(combine(TEXT, nothing, [read('shutters', 'raise the shutters', 0.899)], LIMITS, ALWAYS)).toEqual(nothing)
  })

  test.each([['abstain:similar', 0.3], ['abstain:other-object', 0.5], ['abstain:question', 0.5], ['abstain:report', 0.95], ['abstain:condition', 0.95]])('how sure it must be hangs on what the rules say: %s from %s', (reason, least) => {
    const offers = (probability: number) => combine(TEXT, { asks: [], notAsks: [notAsk('shutters', 'raise the shutters', reason)] }, [read('shutters', 'raise the shutters', probability)], LIMITS, NEVER).notAsks.map(not => not.offer)
    expect([offers(least), offers(least - 0.001)]).toEqual([[true], [false]])
  })

  test('a likelier route that the rules settled does not hide one that they did not', () => {
    const { notAsks } = combine(TEXT, { asks: [], notAsks: [notAsk('lamp', 'light the lamp', 'abstain:negation')] }, [read('lamp', 'light the lamp', 0.99), read('shutters', 'raise the shutters', 0.95)], LIMITS, NEVER)
    expect(notAsks.filter(not => not.offer).map(not => not.route)).toEqual(['shutters'])
  })

  test('between `offer` and `fire` a route that it may fire alone is offered', () => {
    expect(combine(TEXT, nothing, [read('shutters', 'raise the shutters', 0.95)], LIMITS, ALWAYS)).toMatchObject({ asks: [], notAsks: [{ route: 'shutters', offer: true }] })
  })

  test('it fires alone only a route that may be fired so, and then the whole text is the ask', () => {
    const { asks, notAsks } = combine(TEXT, nothing, [read('shutters', 'raise the shutters', 0.99)], LIMITS, { ...NEVER, mayFire: route => route === 'shutters' })
    expect(asks).toMatchObject([{ route: 'shutters', span: { start: 0, end: TEXT.length }, captures: [] }])
    expect(notAsks).toEqual([])
  })

  test('fill:evidence: a phrase with a slot is never fired alone, for nothing was captured', () => {
    const { asks, notAsks } = combine(TEXT, nothing, [read('shutters', 'raise the {what}', 0.99)], LIMITS, ALWAYS)
    expect(asks).toEqual([])
    expect(notAsks).toMatchObject([{ route: 'shutters', offer: true, captures: [] }])
  })
})

describe('an offer of the rules', () => {
  const before: AskReading = { asks: [], notAsks: [notAsk('shutters', 'raise the shutters', 'abstain:left-over', true)] }

  test('one that it does not believe is not put to anybody, and stays a near miss with its reason', () => {
    expect(combine(TEXT, before, [read('shutters', 'raise the shutters', 0.49)], LIMITS, NEVER).notAsks).toMatchObject([{ route: 'shutters', reason: 'abstain:left-over', offer: false, steps: ['second reader 0.490 (ask-reader@12345678)'] }])
  })

  test.each([0.5, 0.95])('one that it can believe stays one: %s', probability => {
    expect(combine(TEXT, before, [read('shutters', 'raise the shutters', probability)], LIMITS, NEVER).notAsks).toMatchObject([{ reason: 'abstain:left-over', why: 'because', offer: true }])
  })

  test('closed: without an answer it stays one', () => {
    expect(combine(TEXT, before, [{ kind: 'failed', route: 'shutters', why: 'x' }], LIMITS, NEVER)).toEqual(before)
  })
})

describe('whatever the figures are', () => {
  const names = ['shutters', 'lamp', 'constructor', '__proto__', 'toString']
  const scores = fc.uniqueArray(fc.record({ route: fc.constantFrom(...names), probability: fc.double({ min: 0, max: 1, noNaN: true }), how: fc.constantFrom('read', 'unread', 'failed') }), { selector: score => score.route })
    .map(list => list.map(({ route, probability, how }): ReaderScore => how === 'read' ? read(route, `do the ${route}`, probability) : how === 'unread' ? { kind: 'unread', route } : { kind: 'failed', route, why: 'x' }))
  const readings = fc.record({ asks: fc.subarray(names), nots: fc.subarray(names) }).map(({ asks, nots }): AskReading => ({
    asks: asks.map(route => ask(route, `do the ${route}`)),
    notAsks: nots.filter(route => !asks.includes(route)).map((route): NotAsk => notAsk(route, `do the ${route}`, 'abstain:left-over')),
  }))

  test('gate:explicit: without leave nothing fires that the rules would not fire', () => {
    fc.assert(fc.property(readings, scores, (reading, given) => {
      const fired = combine(TEXT, reading, given, LIMITS, NEVER).asks.map(each => each.route)
      expect(reading.asks.map(each => each.route)).toEqual(expect.arrayContaining(fired))
    }), { seed: 14 })
  })

  test('no ask is lost: what does not fire is an offer', () => {
    fc.assert(fc.property(readings, scores, (reading, given) => {
      const after = combine(TEXT, reading, given, LIMITS, NEVER)
      for (const before of reading.asks) expect([...after.asks, ...after.notAsks.filter(not => not.offer)].filter(each => each.route === before.route)).toHaveLength(1)
    }), { seed: 14 })
  })

  test('the same inputs give the same reading, and none is changed', () => {
    fc.assert(fc.property(readings, scores, (reading, given) => {
      const before = JSON.stringify([reading, given])
      expect(combine(TEXT, reading, given, LIMITS, ALWAYS)).toEqual(combine(TEXT, reading, given, LIMITS, ALWAYS))
      expect(JSON.stringify([reading, given])).toBe(before)
    }), { seed: 14 })
  })
})
