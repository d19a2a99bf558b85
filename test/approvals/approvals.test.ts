import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { alice, bench, done, ROUTES, tools, type Bench } from './bench.ts'

let on: Bench
beforeEach(async () => { on = await bench() })
afterEach(async () => { await on.close() })

const ring = async (): Promise<string> => (await on.say('ring the bell 3 times'))[0]?.decisionId ?? ''
const committed = () => wait(150) // rows that call nothing are written in groups

describe('a card', () => {
  test('is made for an ask that waits, with the exact bytes, what matched, the effects and the event', async () => {
    const [outcome] = await on.say('ring the bell 3 times')
    expect(outcome).toMatchObject({ kind: 'needs-approval', reason: 'approve:always', args: { times: 3 } })
    expect(done).toEqual([])
    const [card] = await on.usher.desk.approvals.list()
    expect(card).toMatchObject({ id: outcome?.decisionId, state: 'waiting', tool: 'bell', route: 'bell', args: { times: 3 }, presetBytes: '{"loud":true}', effects: ['device.actuate'], by: 'router', event: { source: 'user', text: 'ring the bell 3 times' } })
    expect(JSON.parse(card?.bytes ?? '')).toMatchObject(['usher-approval', 1, { tool: 'bell', route: 'bell', presetBytes: '{"loud":true}', args: { times: 3 }, eventId: outcome?.eventId, contractHash: null }])
    expect(card?.expiresAt).toBe(on.clock.at + 600_000)
    expect(on.cards.map(made => made.id)).toEqual([card?.id])
  })
  test('is called once it is approved: by a person, with the preset, under the card\'s name', async () => {
    const id = await ring()
    const decision = await on.usher.desk.approvals.approve(id, alice)
    expect(decision).toMatchObject({ kind: 'done', outcome: { kind: 'called', reason: 'approved', result: 'rang', args: { times: 3, loud: true } } })
    expect(done).toEqual(['bell {"times":3,"loud":true}'])
    const [row] = on.sql('SELECT body FROM rows WHERE kind = \'call\'')
    expect(JSON.parse(String(row?.['body']))).toMatchObject({ by: 'approval', who: 'alice', card: id, route: 'bell', tool: 'bell', presetBytes: '{"loud":true}', explicit: true })
  })
  test('is used up by one yes', async () => {
    const id = await ring()
    await on.usher.desk.approvals.approve(id, alice)
    expect(await on.usher.desk.approvals.approve(id, alice)).toMatchObject({ kind: 'gone', state: 'spent' })
    expect(done).toHaveLength(1)
  })
  test('outcome:distinct: is denied by a person, with a row of its own', async () => {
    const id = await ring()
    expect(await on.usher.desk.approvals.deny(id, 'alice', 'too late at night')).toMatchObject({ kind: 'denied' })
    expect(await on.usher.desk.approvals.approve(id, alice)).toMatchObject({ kind: 'gone', state: 'denied' })
    expect(done).toEqual([])
    await committed()
    expect(on.sql('SELECT outcome, reason, why FROM decisions ORDER BY seq')).toMatchObject([{ outcome: 'needs-approval' }, { outcome: 'denied', reason: 'person', why: 'alice said no: too late at night' }])
    expect(on.sql('SELECT who, act, about FROM acts WHERE act = \'deny\'')).toEqual([{ who: 'alice', act: 'deny', about: id }])
  })
  test('closed: expires, with a row of its own; a later yes does nothing', async () => {
    const id = await ring()
    on.clock.at += 600_000
    expect(await on.usher.desk.approvals.approve(id, alice)).toMatchObject({ kind: 'gone', state: 'expired' })
    expect(done).toEqual([])
    await committed()
    expect(on.sql('SELECT outcome, reason FROM decisions ORDER BY seq')).toMatchObject([{ outcome: 'needs-approval' }, { outcome: 'expired', reason: 'approval' }])
  })
  test('stands as long as its route says', async () => {
    on.routes(ROUTES.replace('approve: always', 'approve: always\n    approveWithin: 90s'))
    await on.restart()
    await ring()
    expect((await on.usher.desk.approvals.list())[0]?.expiresAt).toBe(on.clock.at + 90_000)
  })
  test('outlives a restart, and is then called once', async () => {
    const id = await ring()
    await on.restart()
    expect(await on.usher.desk.approvals.approve(id, alice)).toMatchObject({ kind: 'done', outcome: { kind: 'called' } })
    await on.restart()
    expect(await on.usher.desk.approvals.approve(id, alice)).toMatchObject({ kind: 'gone', state: 'spent' })
    expect(done).toHaveLength(1)
  })
  test('is found by the unique beginning of its id, and by no other', async () => {
    const id = await ring()
    expect(on.usher.desk.approvals.find(id.slice(0, 6))).toMatchObject({ id })
    await ring()
    expect(on.usher.desk.approvals.find('d-')).toBe('many')
    for (const typed of ['', 'x', 'constructor', '__proto__', '%', '*']) expect(on.usher.desk.approvals.find(typed)).toBe('none')
  })
  test('holds the very bytes that the log masks, and drops them when it is decided', async () => {
    const { decisionId = '' } = await on.usher.call('secret', { password: 'correct horse battery' }, { by: 'model', who: 'gpt' })
    expect((await on.usher.desk.approvals.list())[0]).toMatchObject({ id: decisionId, args: { password: 'correct horse battery' }, by: 'model', who: 'gpt' })
    expect(await on.usher.desk.approvals.approve(decisionId, alice)).toMatchObject({ kind: 'done', outcome: { kind: 'called' } })
    expect(done).toEqual(['secret correct horse battery'])
    await on.restart()
    for (const file of ['log.sqlite', 'state/cards.sqlite']) expect(readFileSync(join(on.folder, file)).includes('correct horse')).toBe(false)
  })
})

describe('a yes is void once what it was given to has changed, and a person is asked anew', () => {
  const bell = tools()[0]
  test.each([
    ['the tool\'s schema', { tools: tools({ bell: { visible: { ...bell?.visible, additionalProperties: false, description: 'now with more' } } }) }, 'the tool\'s schema or effects'],
    ['the tool\'s effects', { tools: tools({ bell: { effects: { always: ['device.actuate', 'message.send'] } } }) }, 'the tool\'s schema or effects'],
    ['the tool\'s contract', { tools: tools({ bell: { origin: { kind: 'mcp', server: 's', contractHash: 'b'.repeat(64) } } }) }, 'the tool\'s contract'],
  ])('%s', async (_name, more, changed) => {
    const id = await ring()
    await on.restart(more)
    const decision = await on.usher.desk.approvals.approve(id, alice)
    expect(decision).toMatchObject({ kind: 'void', next: { state: 'waiting', args: { times: 3 } } })
    expect(decision.kind === 'void' && decision.changed).toContain(changed)
    expect(done).toEqual([])
    const next = decision.kind === 'void' ? decision.next?.id ?? '' : ''
    expect(on.usher.desk.approvals.find(id)).toMatchObject({ state: 'void', replacedBy: next })
    expect(await on.usher.desk.approvals.approve(next, alice)).toMatchObject({ kind: 'done' })
    expect(done).toHaveLength(1)
  })
  test.each([
    ['the preset', (text: string) => text.replace('loud: true', 'loud: false'), 'the preset'],
    ['the route', (text: string) => text.replace('from: [user, chat]', 'from: [user]').replace('approve: always', 'approve: always\n    maxAge: 5s'), 'the route'],
  ])('%s', async (_name, change, changed) => {
    const id = await ring()
    on.routes(change(ROUTES))
    await on.restart()
    const decision = await on.usher.desk.approvals.approve(id, alice)
    expect(decision.kind === 'void' && decision.changed).toContain(changed)
    expect(done).toEqual([])
    await committed()
    expect(on.sql('SELECT outcome, reason FROM decisions ORDER BY seq')).toMatchObject([{ outcome: 'needs-approval' }, { outcome: 'expired', reason: 'changed' }, { outcome: 'needs-approval' }])
  })
  test('another route is another matter: the yes stands', async () => {
    const id = await ring()
    on.routes(ROUTES.replace('strike the chime', 'strike the small chime'))
    await on.restart()
    expect(await on.usher.desk.approvals.approve(id, alice)).toMatchObject({ kind: 'done' })
  })
  test('a route or a tool that is gone asks for nothing more', async () => {
    const first = await ring()
    const second = await ring()
    on.routes(ROUTES.replace(/ {2}- name: bell[\s\S]*?(?= {2}- name: chime)/, ''))
    await on.restart()
    expect(await on.usher.desk.approvals.approve(first, alice)).toMatchObject({ kind: 'void', changed: ['the route is gone'] })
    await on.restart({ tools: tools().slice(1) })
    expect(await on.usher.desk.approvals.approve(second, alice)).toMatchObject({ kind: 'void', changed: ['the tool is gone'] })
    expect(await on.usher.desk.approvals.list()).toEqual([])
    expect(done).toEqual([])
  })
  test('contract:human: a contract that does not hold now refuses the call, and the card waits on', async () => {
    await on.restart({ tools: tools({ bell: { admit: async () => ({ reason: 'drift', why: 'it says something else now' }) } }) })
    on.usher.setState('x', 1)
    const id = await on.usher.call('bell', {}, { by: 'model' })
    expect(id).toMatchObject({ kind: 'contract-refused', reason: 'drift' })
    expect(await on.usher.desk.approvals.list()).toEqual([])
  })
})

describe('who gets a card', () => {
  test('a near miss only where the route says ask: true', async () => {
    expect(await on.say('maybe sound the great gong some time?')).not.toMatchObject([{ kind: 'called' }])
    for (const card of await on.usher.desk.approvals.list()) expect(card.route).toBe('near')
    await on.say('we rang the bell yesterday')
    for (const card of await on.usher.desk.approvals.list()) expect(card.route).toBe('near')
  })
  test('no event of a source that the route does not name', async () => {
    expect(await on.say('ring the bell', { source: 'webhook' })).toMatchObject([{ kind: 'source-blocked' }])
    expect(await on.usher.desk.approvals.list()).toEqual([])
  })
  test('gate:limits: a source that asks without end is held, and the owner keeps a short list', async () => {
    const outcomes = []
    for (let nth = 0; nth < 25; nth++) outcomes.push(...await on.say(`ring the bell ${nth + 1} times`))
    expect(outcomes.filter(outcome => outcome.kind === 'needs-approval')).toHaveLength(20)
    expect(outcomes.slice(20)).toMatchObject(Array.from({ length: 5 }, () => ({ kind: 'limited', reason: 'cards' })))
    expect(await on.usher.desk.approvals.list()).toHaveLength(20)
    on.clock.at += 599_999
    expect(await on.say('ring the bell 99 times')).toMatchObject([{ kind: 'limited' }])
    on.clock.at += 2
    expect(await on.say('ring the bell 100 times')).toMatchObject([{ kind: 'needs-approval' }])
  })
  test('a model\'s call with effects, with preset-only keys that nobody else may set', async () => {
    const { decisionId = '', kind } = await on.usher.call('bell', { times: 2, loud: false }, { by: 'model' })
    expect(kind).toBe('needs-approval')
    expect(await on.usher.desk.approvals.approve(decisionId, alice)).toMatchObject({ kind: 'done', outcome: { kind: 'called' } })
    expect(done).toEqual(['bell {"loud":false,"times":2}'])
  })
  test('arguments that the tool would refuse make no card', async () => {
    const outcome = await on.usher.call('bell', { times: 'many' }, { by: 'model' })
    expect(outcome.kind).not.toBe('called')
    expect(await on.usher.desk.approvals.list()).toEqual([])
  })
})

test('preset:verbatim: an approved call cannot override the preset', async () => {
  const id = await ring()
  const [card] = await on.usher.desk.approvals.list()
  expect(Object.keys(card?.args ?? {})).toEqual(['times'])
  await on.usher.desk.approvals.approve(id, alice)
  expect(done).toEqual(['bell {"times":3,"loud":true}'])
})

test('effect:bounded: an approved call is held to what its tool declares', async () => {
  const sly = { ...z.toJSONSchema(z.object({})), type: 'object' as const }
  await on.restart({ tools: tools({ bell: { visible: sly as never, run: async () => { const { writeFileSync } = await import('node:fs'); writeFileSync(join(on.folder, 'stray.txt'), 'x') } } }) })
  const { decisionId = '' } = await on.usher.call('bell', {}, { by: 'model' })
  expect(await on.usher.desk.approvals.approve(decisionId, alice)).toMatchObject({ kind: 'done', outcome: { kind: 'blocked', reason: 'undeclared-effect' } })
})
