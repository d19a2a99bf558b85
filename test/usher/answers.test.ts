/** A question about a missing value is answered by the next words of the same source, and by nothing else. */
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineTool, type Outcome } from '../../src/index.ts'
import { bench, type Bench } from '../approvals/bench.ts'

const done: string[] = []
const tools = [
  defineTool({ name: 'timer', description: 'sets a timer', input: z.object({ minutes: z.number().int().min(1).max(600), label: z.string().optional() }), effects: { always: ['timer.set'] }, run: args => { done.push(`timer ${JSON.stringify(args)}`) } }),
  defineTool({ name: 'note', description: 'writes', input: z.object({ text: z.string() }), effects: { always: ['fs.write'] }, run: args => { done.push(`note ${args.text}`) } }),
  defineTool({ name: 'mail', description: 'mails', input: z.object({ to: z.email(), amount: z.number().int() }), presetOnly: z.object({ send: z.boolean() }), effects: { send: ['message.send'] }, run: args => { done.push(`mail ${JSON.stringify(args)}`) } }),
  defineTool({ name: 'wipe', description: 'wipes', input: z.object({ target: z.enum(['cache', 'everything']), force: z.boolean() }), effects: { always: ['fs.delete'] }, run: args => { done.push(`wipe ${JSON.stringify(args)}`) } }),
  defineTool({ name: 'room', description: 'lights', input: z.object({ room: z.string() }), effects: { always: ['device.actuate'] }, run: args => { done.push(`room ${args.room}`) } }),
]
const routes = `
version: 1
routes:
  - name: timer
    tool: timer
    triggers: ["set a timer", "set a timer for {minutes:integer} minutes"]
    allow: [timer.set]
    from: [user, chat]
  - name: note
    tool: note
    triggers: ["take a note"]
    allow: [fs.write]
  - name: mail
    tool: mail
    triggers: ["send the invoice"]
    preset: { send: true }
    allow: [message.send]
  - name: wipe
    tool: wipe
    triggers: ["wipe it"]
    allow: [fs.delete]
  - name: asked
    tool: note
    triggers: ["dictate something"]
    allow: [fs.write]
    approve: always
  - name: room
    tool: room
    triggers: ["switch the lamp on"]
    allow: [device.actuate]
    when: { state: { home: true } }
`

let on: Bench
beforeEach(async () => {
  done.length = 0
  on = await bench({ tools }, routes)
})
afterEach(async () => { await on.close() })
const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind, reason }) => `${kind}:${reason}`)
const said = async (text: string, more: object = {}) => kinds(await on.say(text, more))

describe('an answer', () => {
  test('completes the first words, and the two events are linked in the log', async () => {
    const [asked] = await on.say('set a timer')
    expect(asked).toMatchObject({ kind: 'unfilled', question: expect.stringMatching(/\?$/) })
    on.clock.at += 20_000
    const [called] = await on.say('10 minutes')
    expect(called).toMatchObject({ kind: 'called', reason: 'ask', args: { minutes: 10 } })
    expect(done).toEqual(['timer {"minutes":10}'])
    await wait(150)
    const rows = on.sql('SELECT body FROM rows WHERE kind = \'decision\' ORDER BY seq').map(row => JSON.parse(String(row['body'])) as Record<string, unknown>)
    expect(rows).toMatchObject([{ kind: 'unfilled' }, { kind: 'called', reason: 'answer', answers: asked?.decisionId, origins: { '/minutes': { kind: 'event', span: { start: 0 } } } }])
    expect(on.sql('SELECT body FROM rows WHERE kind = \'call\'')).toHaveLength(1)
  })
  test.each(['10', '10 minutes please', 'ten', 'for 10 minutes', '10.', ' 10 ', "let's say 10 minutes", 'about 10 minutes, please'])('is read by its type: %j', async words => {
    await on.say('set a timer')
    expect(await said(words)).toEqual(['called:ask'])
    expect(done).toEqual(['timer {"minutes":10}'])
  })
  test('may be a free text, as it was said', async () => {
    await on.say('take a note')
    expect(await said('Call the plumber at 9')).toEqual(['called:ask'])
    expect(done).toEqual(['note Call the plumber at 9'])
  })
  test('to the first of two questions brings the second', async () => {
    const [first] = await on.say('send the invoice')
    const [second] = await on.say('bob@example.org')
    expect([first?.kind, second?.kind]).toEqual(['unfilled', 'unfilled'])
    expect(second?.question).not.toBe(first?.question)
    expect(await said('250')).toEqual(['called:ask'])
    expect(done).toEqual(['mail {"to":"bob@example.org","amount":250,"send":true}'])
  })
  test('to a route that asks a person makes a card, with the answer in it', async () => {
    await on.say('dictate something')
    expect(await said('the meeting is at noon')).toEqual(['needs-approval:approve:always'])
    expect(await on.usher.desk.approvals.list()).toMatchObject([{ args: { text: 'the meeting is at noon' }, route: 'asked' }])
  })
})

describe('is no answer', () => {
  test.each(['never mind', 'cancel that', 'no', 'no thanks', 'what?', 'how long does it take?', 'forget it', 'stop', 'yes', '', '   ', 'nothing', 'I do not know', 'why', 'actually no, never mind', 'the plumber... no wait, forget it', 'ok. not now'])('%j', async words => {
    await on.say('take a note')
    await said(words)
    expect(done).toEqual([])
    expect(await said('Call the plumber')).not.toEqual(['called:ask']) // one utterance, one chance
    expect(done).toEqual([])
  })
  test('what another source says', async () => {
    await on.say('set a timer', { source: 'chat:alice' })
    for (const source of ['user', 'chat:bob', 'notification', 'webhook', 'chat', 'model']) await said('10 minutes', { source })
    expect(done).toEqual([])
    expect(await said('10 minutes', { source: 'chat:alice' })).toEqual(['called:ask'])
  })
  test('what comes after a minute, or after a restart', async () => {
    await on.say('set a timer')
    on.clock.at += 60_001
    await said('10 minutes')
    await on.say('set a timer')
    await on.restart()
    await said('10 minutes')
    expect(done).toEqual([])
  })
  test('a new ask: it is decided as itself, and the question is gone', async () => {
    await on.say('take a note')
    expect(await said('set a timer for 5 minutes')).toEqual(['called:ask'])
    expect(done).toEqual(['timer {"minutes":5}'])
    await said('Call the plumber')
    expect(done).toHaveLength(1)
  })
  test.each(['set a timer for 15 minutes... actually no, never mind', '15 minutes... actually no, never mind', 'not 15 minutes', 'the meeting took 10 minutes', 'he said 10 minutes', 'is it 10 minutes?', 'do not set a timer for 10 minutes', 'we have 10 people here', '10 minutes, no wait, stop'])('words that take it back, or only mention a value: %j', async words => {
    await on.say('set a timer')
    await said(words)
    expect(done).toEqual([])
  })
  test('a value that the schema does not take', async () => {
    await on.say('set a timer')
    await said('9000 minutes')
    expect(done).toEqual([])
  })
  test('fill:never-arms: to what could set off an effect', async () => {
    for (const words of ['everything', 'yes', 'true', 'force it']) {
      await on.say('wipe it')
      await said(words)
    }
    expect(done).toEqual([])
  })
  test('the owner\'s switches, times and limits hold for the answer as well', async () => {
    on.usher.setState('home', true)
    await on.say('switch the lamp on')
    on.usher.setState('home', false)
    expect(await said('kitchen')).toEqual(['stopped:when'])
    on.usher.setState('home', true)
    await on.say('switch the lamp on')
    await on.usher.desk.owner.stop('alice')
    expect(await said('kitchen')).toEqual(['stopped:kill-switch'])
    expect(done).toEqual([])
  })
  test('what our own call caused, or returned', async () => {
    const [first] = await on.say('set a timer for 5 minutes')
    await on.say('set a timer')
    expect(await said('10', { causedBy: first?.callId })).toEqual(['self-caused:skip:self'])
    expect(done).toHaveLength(1)
  })
})
