import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UsherError } from '../../src/errors.ts'
import { Intake, type Answer, type IntakeParts } from '../../src/serve/intake.ts'
import { readPrefer } from '../../src/serve/prefer.ts'
import type { Event, Outcome } from '../../src/types.ts'

const event = (id: string, source = 'user'): Event => ({ id, source, text: id, at: 0 })
const outcome = (kind: Outcome['kind'], reason: string): Outcome => ({ kind, reason, why: '', nearMisses: [] })
const tick = () => new Promise(resolve => { setTimeout(resolve, 1) })

function intakeOf(more: Partial<IntakeParts> = {}): Intake {
  return new Intake({ handle: async () => ({ eventId: 'e', outcomes: [outcome('no-match', 'below-threshold')] }), first: async () => undefined, clock: { now: () => 0 }, capacity: 4, ...more })
}

test('one at a time, in the order they came, and each is answered', async () => {
  const order: string[] = []
  let running = 0
  const intake = intakeOf({ capacity: 100, handle: async ({ id }) => { expect(++running).toBe(1); await tick(); order.push(id); running--; return { eventId: id, outcomes: [] } } })
  const ids = Array.from({ length: 20 }, (_, nth) => `e${nth}`)
  const answers = await Promise.all(ids.map(id => intake.submit(event(id), 'http')))
  expect(order).toEqual(ids)
  expect(answers.map(answer => answer.kind === 'handled' && answer.eventId)).toEqual(ids)
  expect(intake.waiting).toBe(0)
})

test('all of a request or none, and one source has at most its half', () => {
  const intake = intakeOf({ capacity: 4, handle: () => new Promise(() => undefined) })
  expect(intake.admit([event('a', 'webhook:x'), event('b', 'webhook:y')], 'http').kind).toBe('admitted')
  expect(intake.admit([event('c', 'webhook')], 'http').kind).toBe('full')
  expect(intake.admit([event('d'), event('e', 'chat'), event('f', 'chat')], 'http')).toMatchObject({ kind: 'full', waiting: 2 })
  expect(intake.admit([event('d'), event('e', 'chat')], 'http').kind).toBe('admitted')
  expect(intake.admit([event('g', 'voice')], 'http').kind).toBe('full')
})

test('a duplicate is answered with the first outcome, where the log knows it', async () => {
  const duplicate = { eventId: 'e2', outcomes: [outcome('duplicate', 'id')] }
  const known = intakeOf({ handle: async () => duplicate, first: async () => [outcome('called', 'ask')] })
  expect(await known.submit(event('a'), 'http')).toMatchObject({ kind: 'handled', duplicate: true, outcomes: [{ kind: 'called' }] })
  const unknown = intakeOf({ handle: async () => duplicate })
  expect(await unknown.submit(event('a'), 'http')).toMatchObject({ duplicate: true, outcomes: [{ kind: 'duplicate' }] })
  const words = intakeOf({ handle: async () => ({ eventId: 'e', outcomes: [outcome('duplicate', 'text')] }), first: () => Promise.reject(new Error('not asked')) })
  expect(await words.submit(event('a'), 'http')).toMatchObject({ duplicate: false, outcomes: [{ kind: 'duplicate', reason: 'text' }] })
})

test('closed: an event that the log could not take is answered as not handled, and the next one is handled', async () => {
  let fails = true
  const intake = intakeOf({ handle: async () => { if (fails) throw new UsherError('LOG_WRITE_FAILED', 'the disk is full'); return { eventId: 'e', outcomes: [] } } })
  expect(await intake.submit(event('a'), 'http')).toEqual({ kind: 'not-handled', code: 'LOG_WRITE_FAILED', why: 'the disk is full' })
  fails = false
  expect((await intake.submit(event('a'), 'http')).kind).toBe('handled')
})

test('closing answers each one that waits, finishes the one that runs, and takes nothing more', async () => {
  let finish: (() => void) | undefined
  const intake = intakeOf({ handle: ({ id }) => new Promise(resolve => { finish = () => resolve({ eventId: id, outcomes: [] }) }) })
  const [runs, waits, blocked] = [intake.submit(event('a'), 'http'), intake.submit(event('b', 'chat'), 'http'), intake.submit(event('c'), 'stdin')]
  const late = intake.submit(event('d'), 'stdin')
  await tick()
  const closing = intake.close()
  expect([(await waits).kind, (await blocked).kind, (await late).kind]).toEqual(['not-handled', 'not-handled', 'not-handled'])
  expect(intake.admit([event('e')], 'http').kind).toBe('closed')
  finish?.()
  expect((await runs).kind).toBe('handled')
  expect(await closing).toEqual({ refused: 2 })
})

test('whatever comes in whatever order: every admitted event is answered once, and the room is free again', async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('user', 'webhook:a', 'webhook:b', 'chat'), fc.integer({ min: 1, max: 5 })), { maxLength: 40 }), async requests => {
    const handled: string[] = []
    const intake = intakeOf({ capacity: 7, handle: async ({ id }) => { handled.push(id); return { eventId: id, outcomes: [] } } })
    const answers: Promise<Answer>[] = []
    const admitted: string[] = []
    for (const [nth, [source, count]] of requests.entries()) {
      const events = Array.from({ length: count }, (_, at) => event(`${nth}-${at}`, source))
      const admission = intake.admit(events, 'http')
      expect(intake.waiting).toBeLessThanOrEqual(7)
      if (admission.kind === 'admitted') { answers.push(...admission.answers); admitted.push(...events.map(({ id }) => id)) }
      if (nth % 3 === 0) await tick()
    }
    await Promise.all(answers)
    expect(handled).toEqual(admitted)
    expect(intake.admit([event('x'), event('y', 'chat'), event('z', 'voice')], 'http').kind).toBe('admitted')
  }), { numRuns: 60, seed: 9 })
})

test('Prefer is read as its standard says', () => {
  expect(readPrefer(undefined)).toEqual({ kind: 'wait' })
  expect(readPrefer('respond-async')).toEqual({ kind: 'async' })
  expect(readPrefer('Respond-Async, wait=10')).toEqual({ kind: 'at-most', seconds: 10 })
  expect(readPrefer('return=minimal, wait="3"; x=y')).toEqual({ kind: 'at-most', seconds: 3 })
  for (const nonsense of ['wait', 'wait=-1', 'wait=abc', 'toString', '__proto__']) expect(readPrefer(nonsense)).toEqual({ kind: 'wait' })
})
