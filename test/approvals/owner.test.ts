import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/index.ts'
import { pruneLog } from '../../src/log/prune.ts'
import { alice, bench, done, failing, ROUTES, type Bench } from './bench.ts'

let on: Bench
beforeEach(async () => { on = await bench() })
afterEach(async () => { await on.close() })
const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind, reason }) => `${kind}:${reason}`)

describe('a stop', () => {
  test('halts all auto-invocation at once, says who and how to go on, and ends with a resume', async () => {
    expect(kinds(await on.say('strike the chime'))).toEqual(['called:ask'])
    await on.usher.desk.owner.stop('alice', 'it rings again')
    const [held] = await on.say('strike the chime')
    expect(held).toMatchObject({ kind: 'stopped', reason: 'kill-switch' })
    expect(held?.why).toMatch(/alice stopped auto-invocation at .*: it rings again.*usher resume/)
    expect(kinds([await on.usher.call('chime', {}, { by: 'model' })])).toEqual(['stopped:kill-switch'])
    expect(kinds([await on.usher.call('note', { text: 'x' }, { by: 'proxy' })])).toEqual(['stopped:kill-switch'])
    expect(done).toEqual(['chime'])
    expect(await on.usher.desk.owner.resume('alice')).toBe(true)
    on.clock.at += 60_000
    expect(kinds(await on.say('strike the chime'))).toEqual(['called:ask'])
  })
  test('leaves a person\'s own calls, and their yes to a card', async () => {
    const [waiting] = await on.say('ring the bell')
    await on.usher.desk.owner.stop('alice')
    expect(kinds([await on.usher.call('chime', {}, { by: 'person', who: 'alice' })])).toEqual(['called:direct'])
    expect(await on.usher.desk.approvals.approve(waiting?.decisionId ?? '', alice)).toMatchObject({ kind: 'done', outcome: { kind: 'called' } })
  })
  test('makes no cards meanwhile', async () => {
    await on.usher.desk.owner.stop('alice')
    expect(kinds(await on.say('ring the bell'))).toEqual(['stopped:kill-switch'])
    expect(await on.usher.desk.approvals.list()).toEqual([])
  })
  test('holds for another process\'s Usher on the same log, and survives a restart', async () => {
    const other = await on.second()
    expect(kinds((await other.handle({ source: 'user', text: 'strike the chime' })).outcomes)).toEqual(['called:ask'])
    await on.usher.desk.owner.stop('alice')
    on.clock.at += 60_000
    expect(kinds((await other.handle({ source: 'user', text: 'strike the chime' })).outcomes)).toEqual(['stopped:kill-switch'])
    await on.restart()
    expect(kinds(await on.say('strike the chime'))).toEqual(['stopped:kill-switch'])
    await other.desk.owner.resume('bob')
    on.clock.at += 60_000
    expect(kinds(await on.say('strike the chime'))).toEqual(['called:ask'])
  })
  test('outlives the retention of the log, and so do an open breaker, a report and the passphrase', async () => {
    await on.usher.desk.owner.stop('alice')
    await on.usher.log.act({ who: 'alice', act: 'report', about: 'c-1', detail: { route: 'bell', name: 'bell', wrong: 'x' }, at: on.clock.at })
    await on.usher.desk.proof.setPassphrase('correct horse', alice)
    await on.say('strike the chime')
    await on.usher.close()
    on.clock.at += 400 * 86_400_000
    expect(pruneLog(join(on.folder, 'log.sqlite'), { before: on.clock.at - 1000, stateDir: join(on.folder, 'state'), now: on.clock.at }).cut).toBeGreaterThan(0)
    await on.restart()
    expect(await on.usher.desk.owner.stopped()).toMatchObject({ who: 'alice' })
    expect(await on.usher.desk.owner.breakers()).toMatchObject([{ name: 'bell' }])
    expect(await on.usher.desk.proof.notice()).toBeUndefined()
  })
  test('is in the log, with the gate step that held', async () => {
    await on.usher.desk.owner.stop('alice', 'tabs')
    await on.say('strike the chime')
    await wait(150)
    expect(on.sql('SELECT act, who, about FROM acts WHERE act IN (\'stop\', \'resume\')')).toEqual([{ act: 'stop', who: 'alice', about: 'all' }])
    const [row] = on.sql('SELECT gate FROM decisions ORDER BY seq DESC LIMIT 1')
    expect(JSON.parse(String(row?.['gate'])).at(-1)).toMatchObject({ rule: 'stop', passed: false })
  })
})

describe('a halt of Usher\'s own', () => {
  test('contract:human: stops like a person\'s, until a person resumes; the same finding does not halt again, another does', async () => {
    expect(await on.usher.desk.owner.halt('notes/read', 'it describes itself otherwise', ['description'])).toBe(true)
    expect(await on.usher.desk.owner.halt('notes/read', 'it describes itself otherwise', ['description'])).toBe(false)
    expect(kinds(await on.say('strike the chime'))).toEqual(['stopped:halted'])
    await on.usher.desk.owner.resume('alice')
    expect(await on.usher.desk.owner.halt('notes/read', 'it describes itself otherwise', ['description'])).toBe(false)
    await on.restart()
    expect(await on.usher.desk.owner.halt('notes/read', 'it describes itself otherwise', ['description'])).toBe(false)
    expect(kinds(await on.say('strike the chime'))).toEqual(['called:ask'])
    expect(await on.usher.desk.owner.halt('notes/read', 'it has another schema', ['schema'])).toBe(true)
    expect(await on.usher.desk.owner.stopped()).toMatchObject({ reason: 'halted', who: 'usher' })
  })
})

describe('a breaker', () => {
  const strike = async () => { on.clock.at += 60_000; return kinds(await on.say('strike the chime')) }
  test('gate:limits: opens after five failures in a row, and stays open until a person closes it', async () => {
    failing.on = true
    for (let nth = 0; nth < 5; nth++) expect(await strike()).toEqual(['failed:error'])
    failing.on = false
    expect(await strike()).toEqual(['limited:breaker'])
    expect(done).toHaveLength(5)
    on.clock.at += 30 * 86_400_000
    expect(await strike()).toEqual(['limited:breaker'])
    await on.restart()
    expect(await strike()).toEqual(['limited:breaker'])
    expect(on.sql('SELECT who, about FROM acts WHERE act = \'breaker.open\'')).toEqual([{ who: 'usher', about: 'chime' }])
    expect(await on.usher.desk.owner.closeBreaker('chime', 'alice')).toBe(true)
    expect(await on.usher.desk.owner.closeBreaker('chime', 'alice')).toBe(false)
    expect(await strike()).toEqual(['called:ask'])
  })
  test('does not open while a call in between ends well', async () => {
    for (let nth = 0; nth < 8; nth++) { failing.on = nth % 4 !== 3; await strike() }
    expect(await on.usher.desk.owner.breakers()).toEqual([])
  })
  test('opens after three denials in a row, and not where a yes came between', async () => {
    const answer = async (yes: boolean) => {
      on.clock.at += 60_000
      const [card] = await on.say('ring the bell')
      return yes ? on.usher.desk.approvals.approve(card?.decisionId ?? '', alice) : on.usher.desk.approvals.deny(card?.decisionId ?? '', 'alice')
    }
    for (const yes of [false, false, true, false, false]) await answer(yes)
    expect(await on.usher.desk.owner.breakers()).toEqual([])
    await answer(false)
    expect(await on.usher.desk.owner.breakers()).toMatchObject([{ name: 'bell', reason: 'denials' }])
    expect(kinds(await on.say('ring the bell'))).toEqual(['limited:breaker'])
  })
  test('can be set otherwise, or not at all', async () => {
    await on.restart({ breaker: { failures: 2 } })
    failing.on = true
    for (let nth = 0; nth < 2; nth++) await strike()
    expect(await strike()).toEqual(['limited:breaker'])
    await on.usher.desk.owner.closeBreaker('chime', 'alice')
    await on.restart({ breaker: { failures: 0 } })
    for (let nth = 0; nth < 7; nth++) expect(await strike()).toEqual(['failed:error'])
  })
  test('names that are names of Object\'s are names like others', async () => {
    for (const name of ['constructor', '__proto__', 'toString']) expect(on.usher.desk.owner.state.breaker(name)).toBeUndefined()
  })
})

describe('limits', () => {
  const limited = async (limits: string) => { on.routes(ROUTES.replace('triggers: ["strike the chime"]', `triggers: ["strike the chime"]\n    limits: ${limits}`)); await on.restart() }
  const strike = async (after: number) => { on.clock.at += after; return kinds(await on.say('strike the chime'))[0] }
  test('gate:limits: burst counts ten seconds', async () => {
    await limited('{ burst: 2 }')
    expect([await strike(6_000), await strike(6_000), await strike(6_000), await strike(6_000)]).toEqual(['called:ask', 'called:ask', 'called:ask', 'called:ask'])
    expect([await strike(30_000), await strike(5_100), await strike(100 + 4_799)]).toEqual(['called:ask', 'called:ask', 'limited:burst'].slice(0, 2).concat('duplicate:text'))
    on.clock.at += 100
    expect(await strike(5_000)).toBe('called:ask')
  })
  test('gate:limits: all routes together have limits of their own', async () => {
    await on.restart({ limits: { perMinute: 2 } })
    expect(await strike(60_000)).toBe('called:ask')
    expect(kinds(await on.say('note down buy milk'))).toEqual(['called:ask'])
    expect(await strike(6_000)).toBe('limited:total')
    expect(kinds([await on.usher.call('chime', {}, { by: 'person' })])).toEqual(['called:direct'])
    expect(await strike(60_000)).toBe('called:ask')
  })
  test('gate:limits: the chain of causes may be shorter for one route', async () => {
    await limited('{ depth: 1 }')
    const [first] = await on.say('note down one')
    expect(kinds(await on.say('strike the chime', { causedBy: first?.callId }))).toEqual(['limited:depth'])
  })
  test('gate:limits: a call that is under way in another process counts', async () => {
    await limited('{ concurrent: 1 }')
    await on.usher.log.begin({ callId: 'c-open', by: 'router', tool: 'chime', route: 'chime', explicit: true, args: {}, origins: {}, allowed: [], at: on.clock.at })
    expect(await strike(60_000)).toBe('limited:concurrent')
    await on.usher.log.end({ callId: 'c-open', kind: 'called', reason: 'ask', why: '', at: on.clock.at, ms: 1 })
    expect(await strike(6_000)).toBe('called:ask')
  })
})
