import { readFileSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import { installObserver } from '../../src/effects/observer.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { dispatchPort } from '../../src/mcp/proxy/dispatch-port.ts'
import { stdioFace } from '../../src/mcp/proxy/face.ts'
import { NO_SANDBOX } from '../../src/mcp/sandbox.ts'
import { Proxy, type ProxyOptions } from '../../src/mcp/proxy/proxy.ts'
import { contractsFor } from '../../src/mcp/proxy/which.ts'
import { ContractStore } from '../../src/contract/store.ts'
import { contractPaths } from '../../src/contract/verify.ts'
import type { JsonObject, Tool } from '../../src/types.ts'
import Database from 'better-sqlite3'
import { makeKey, scratch, signFile } from '../contract/keys.ts'
import { fileText, recordV1 } from '../contract/records.ts'
import { LineClient } from './line-client.ts'
import { command, noteTool, offered, signed } from './support.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const cards: unknown[] = []
const closers: (() => Promise<void>)[] = []
afterEach(async () => { for (const close of closers.splice(0).toReversed()) await close() })

interface Rig { readonly client: LineClient, readonly proxy: Proxy, readonly rows: (kind: string) => readonly JsonObject[] }

async function rig(words: readonly string[], store: ContractStore, more: Partial<ProxyOptions> = {}): Promise<Rig> {
  const file = join(scratch(), 'log.sqlite')
  const log = openSqliteLog(file, {})
  const observer = installObserver()
  const table = new Map<string, Tool>()
  const clock = { now: () => Date.now() }
  const client = new LineClient()
  const port = dispatchPort({ dispatcher: new Dispatcher({ tools: table, log, observer, clock, timeout: 10_000 }), log, clock, who: 'test-client', desk: { request: card => { cards.push(card) } } })
  const proxy = await Proxy.start({ store, contracts: contractsFor(words), process: { command: words, sandbox: NO_SANDBOX, background: observer.background.bind(observer) }, face: stdioFace(client.input, client.output), port, table, callTimeout: 4000, listTimeout: 4000, ...more })
  closers.push(async () => { await proxy.close(); await log.close(); observer.uninstall() })
  return {
    client, proxy,
    rows: kind => {
      const db = new Database(file, { readonly: true })
      try {
        return (db.prepare('select body from rows where kind = ? order by seq').all(kind) as { body: string }[]).map(row => JSON.parse(row.body) as JsonObject)
      } finally {
        db.close()
      }
    },
  }
}
const textOf = (answer: JsonObject): string => (answer['result'] as { content: { text: string }[] }).content.map(block => block.text).join('\n')
const isError = (answer: JsonObject): boolean => (answer['result'] as JsonObject | undefined)?.['isError'] === true

async function honest(record: string, only?: readonly string[]): Promise<{ readonly words: readonly string[], readonly store: ContractStore }> {
  const words = command('honest', record)
  const tools = (await offered(words)).filter(tool => only === undefined || only.includes(String(tool['name'])))
  return { words, store: await signed(words, tools, tool => tool['name'] === 'send_note' ? { effects: { always: ['message.send'] }, privileges: ['message.send'] } : {}) }
}

describe('contract:human: what a client sees through the proxy', () => {
  test('only what is under contract is listed, as it was signed', async () => {
    const { words, store } = await honest(join(scratch(), 'r'), ['read_note', 'picture'])
    const { client } = await rig(words, store)
    expect(await client.hello()).toMatchObject({ result: { serverInfo: { name: 'fixture' } } })
    const listed = await client.ask('tools/list')
    expect(((listed['result'] as JsonObject)['tools'] as JsonObject[]).map(tool => tool['name'])).toEqual(['read_note', 'picture'])
  })

  test('closed: a tool without a contract is refused with words for the person, logged, and never reaches the server', async () => {
    const record = join(scratch(), 'calls')
    const { words, store } = await honest(record, ['read_note'])
    const { client, rows } = await rig(words, store)
    await client.hello()
    const answer = await client.call('picture')
    expect(isError(answer)).toBe(true)
    expect(textOf(answer)).toContain('contract-refused (missing)')
    for (const name of ['constructor', '__proto__', 'READ_NOTE', '']) expect(isError(await client.call(name))).toBe(true)
    expect(existsSync(record)).toBe(false)
    await expect.poll(() => rows('decision').map(row => `${String(row['kind'])} ${String(row['reason'])}`)).toEqual(Array.from({ length: 5 }, () => 'contract-refused missing'))
  })

  test('closed: a rug pull is refused and logged as drift; the change back does not help', async () => {
    const words = command('listing', 'swap-and-back')
    const { client, rows } = await rig(words, await signed(words, [noteTool]))
    await client.hello()
    await client.ask('tools/list')
    const answer = await client.call('read_note', { id: '1' })
    expect(textOf(answer)).toContain('adds an optional string "bcc"')
    expect(textOf(await client.call('read_note', { id: '1' }))).toContain('contract-refused (drift)')
    expect(((await client.ask('tools/list'))['result'] as JsonObject)['tools']).toEqual([])
    expect(rows('act').filter(row => row['act'] === 'proxy.drift')).toMatchObject([{ about: 'notes/read_note', detail: { changes: ['adds an optional string "bcc"'] } }])
  })

  test('closed: a contract file that changes on disk stops every call', async () => {
    const record = join(scratch(), 'calls')
    const { words, store } = await honest(record, ['read_note'])
    const { client } = await rig(words, store)
    await client.hello()
    expect(isError(await client.call('read_note', { id: '1' }))).toBe(false)
    writeFileSync(`${store.paths.file}.sig`, '')
    expect(textOf(await client.call('read_note', { id: '2' }))).toContain('contract-refused (file)')
    expect(readFileSync(record, 'utf8').trim().split('\n')).toHaveLength(1)
  })

  test('a version 1 contract holds for the server with its command: what it does not sign, such as the description, is not passed on', async () => {
    const record = join(scratch(), 'calls')
    const words = command('honest', record)
    const file = join(scratch(), 'tools.allow.json')
    const alice = makeKey(join(file, '..'), 'alice')
    writeFileSync(file, fileText(1, [recordV1({ command: words, inputSchema: noteTool['inputSchema'] as JsonObject })]), { mode: 0o644 })
    writeFileSync(join(file, '..', 'allowed_signers'), `alice ${alice.publicLine}\n`, { mode: 0o644 })
    signFile(file, alice)
    const { client } = await rig(words, new ContractStore({ paths: contractPaths(file), ownMachine: true }))
    await client.hello()
    expect(((await client.ask('tools/list'))['result'] as JsonObject)['tools']).toEqual([{ name: 'read_note', inputSchema: noteTool['inputSchema'] }])
    expect(textOf(await client.call('read_note', { id: '7' }))).toContain('"id":"7"')
    expect(isError(await client.call('send_note', { id: '7' }))).toBe(true)
  })

  test('closed: a server that no contract names is not started', async () => {
    const record = join(scratch(), 'calls')
    await expect(rig(command('honest', record), await signed(command('honest'), [noteTool]))).rejects.toMatchObject({ code: 'CONTRACT_INVALID' })
  })
})

describe('trace:every-way: calls through the proxy', () => {
  test('each call has its row, with who called and the arguments, written before it passes', async () => {
    const { words, store } = await honest(join(scratch(), 'r'), ['read_note'])
    const { client, rows } = await rig(words, store)
    await client.hello()
    expect(textOf(await client.call('read_note', { id: '7' }))).toContain('"id":"7"')
    expect(rows('call')).toMatchObject([{ by: 'proxy', who: 'test-client', tool: 'notes/read_note', args: { id: '7' } }])
    expect(rows('outcome')).toMatchObject([{ kind: 'called' }])
  })

  test('args:dropped: keys that the tool does not know never reach the server and are named in the result', async () => {
    const record = join(scratch(), 'calls')
    const { words, store } = await honest(record, ['read_note'])
    const { client } = await rig(words, store, { process: { command: words, sandbox: NO_SANDBOX } })
    await client.hello()
    const answer = await client.call('read_note', { id: '7', colour: 'red' })
    expect(textOf(answer)).toContain('colour')
    expect(readFileSync(record, 'utf8')).toBe('{"name":"read_note","args":{"id":"7"}}\n')
  })

  test('gate:default-only: a tool with effects waits for a person, and the client is told how', async () => {
    const record = join(scratch(), 'calls')
    const { words, store } = await honest(record, ['send_note'])
    const { client } = await rig(words, store)
    await client.hello()
    const answer = await client.call('send_note', { id: '7' })
    expect(isError(answer)).toBe(true)
    expect(textOf(answer)).toMatch(/needs-approval[\s\S]*usher approve d-/)
    expect(existsSync(record)).toBe(false)
    expect(cards).toMatchObject([{ tool: 'notes/send_note', argsBytes: '{"id":"7"}' }])
  })

  test('gate:limits: more calls in a minute than the owner set are refused', async () => {
    const { words, store } = await honest(join(scratch(), 'r'), ['read_note'])
    const { client } = await rig(words, store, { perMinute: 2 })
    await client.hello()
    const answers = [await client.call('read_note', { id: '1' }), await client.call('read_note', { id: '2' }), await client.call('read_note', { id: '3' })]
    expect(answers.map(isError)).toEqual([false, false, true])
    expect(textOf(answers[2] as JsonObject)).toContain('limited (rate)')
  })

  test('outcome:distinct: a server that dies in a call gives unknown, logged so, and the call is made once', async () => {
    const record = join(scratch(), 'calls')
    const words = command('dying', 'in-call', record)
    const { client, rows, proxy } = await rig(words, await signed(words, [noteTool]))
    await client.hello()
    expect(textOf(await client.call('read_note', { id: '1' }))).toContain('unknown (lost-answer)')
    await proxy.ended
    expect(rows('outcome')).toMatchObject([{ kind: 'unknown', reason: 'lost-answer' }])
    expect(readFileSync(record, 'utf8').trim().split('\n')).toHaveLength(1)
  })

  test('closed: without a log no call passes', async () => {
    const record = join(scratch(), 'calls')
    const { words, store } = await honest(record, ['read_note'])
    const { client } = await rig(words, store, { port: { dispatch: () => Promise.reject(new Error('disk full')), refused: () => undefined, attempted: () => '', noticed: () => undefined } })
    await client.hello()
    expect(await client.call('read_note', { id: '1' })).toMatchObject({ error: { message: expect.stringContaining('disk full') as string } })
    expect(existsSync(record)).toBe(false)
  })
})

describe('what passes unchanged', () => {
  test('images, error results, protocol errors, resources and prompts come byte for byte', async () => {
    const { words, store } = await honest(join(scratch(), 'r'))
    const { client } = await rig(words, store)
    await client.hello()
    expect((await client.call('picture'))['result']).toEqual({ content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }], _meta: { 'x-kept': 12 } })
    expect((await client.call('fails'))['result']).toEqual({ content: [{ type: 'text', text: 'the note is locked' }], isError: true })
    expect((await client.call('refuses'))['error']).toEqual({ code: -32050, message: 'not today', data: { again: 'tomorrow' } })
    expect((await client.ask('resources/read', { uri: 'note:1' }))['result']).toEqual({ contents: [{ uri: 'note:1', text: 'a line\u2028and another' }] })
    expect((await client.ask('prompts/list'))['result']).toEqual({ prompts: [{ name: 'sum', 'x-kept': true }] })
    expect((await client.ask('no/such'))['error']).toMatchObject({ code: -32601 })
  })

  test('progress reaches the client with its own token, and a cancelled call is cancelled at the server and logged as unknown', async () => {
    const record = join(scratch(), 'calls')
    const { words, store } = await honest(record, ['slow'])
    const { client, rows } = await rig(words, store)
    await client.hello()
    client.write({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'slow', arguments: { ms: 30 }, _meta: { progressToken: 'tok' } } })
    expect(textOf(await client.answerTo('a'))).toBe('done')
    expect(client.messages.filter(message => message['method'] === 'notifications/progress').map(message => message['params'])).toEqual([1, 2, 3].map(step => ({ progressToken: 'tok', progress: step, total: 3, 'x-kept': step })))
    client.write({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'slow', arguments: { ms: 3000 } } })
    await delay(300)
    client.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b', reason: 'changed my mind' } })
    await delay(300)
    expect(readFileSync(record, 'utf8')).toContain('"cancelled":"slow"')
    expect(rows('outcome').map(row => row['kind'])).toEqual(['called', 'unknown'])
    expect(client.messages.some(message => message['id'] === 'b')).toBe(false)
  })

  test('contract:no-model: sampling, elicitation and roots are off, not even offered, and logged; the owner may allow one', async () => {
    const words = command('asking', 'sampling/createMessage')
    const store = await signed(words, [noteTool])
    const off = await rig(words, store)
    await off.client.hello({ sampling: {}, roots: {}, 'x-kept': {} })
    expect(textOf(await off.client.call('read_note', { id: '1' }))).toContain('-32601')
    expect(off.client.messages.some(message => message['method'] === 'sampling/createMessage')).toBe(false)
    expect(off.rows('act').filter(row => row['act'] === 'proxy.server-request')).toMatchObject([{ about: 'sampling/createMessage', detail: { allowed: false } }])
    const on = await rig(words, store, { allowRequests: new Set(['sampling']) })
    await on.client.hello({ sampling: {} })
    const answer = on.client.call('read_note', { id: '1' })
    for (let waited = 0; waited < 200 && !on.client.messages.some(message => message['method'] === 'sampling/createMessage'); waited++) await delay(10)
    on.client.write({ jsonrpc: '2.0', id: 'ask-1', result: { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' } })
    expect(textOf(await answer)).toContain('sampled')
  })
})

describe('closed: what a client may not do', () => {
  test('a message with a member twice, a line that is none, and an answer nobody asked for do not pass', async () => {
    const record = join(scratch(), 'calls')
    const { words, store } = await honest(record, ['read_note'])
    const { client } = await rig(words, store)
    await client.hello()
    client.input.write('{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"read_note","arguments":{"id":"1","\\u0069d":"2"}}}\n')
    expect(await client.answerTo('x')).toMatchObject({ error: { code: -32600 } })
    client.input.write('not json\n[{"jsonrpc":"2.0","id":"y","method":"tools/call"}]\n')
    client.write({ jsonrpc: '2.0', id: 'ask-1', result: {} })
    expect(isError(await client.call('read_note', { id: '1' }))).toBe(false)
    expect(await client.ask('tools/call', { name: 'read_note', arguments: [] as unknown as JsonObject })).toMatchObject({ error: { code: -32602 } })
    expect(readFileSync(record, 'utf8').trim().split('\n')).toHaveLength(1)
    expect(client.messages.filter(message => message['id'] === null)).toHaveLength(2)
  })

  test('trace:every-way: a call hidden from the proxy by another casing, or by a second reading, does not reach the server', async () => {
    const record = join(scratch(), 'calls')
    const { words, store } = await honest(record)
    const { client } = await rig(words, store)
    await client.hello()
    const hidden = [
      { jsonrpc: '2.0', id: 'a', method: 'ping', Method: 'tools/call', params: { name: 'send_note', arguments: { id: '1' } } }, { jsonrpc: '2.0', id: 'b', method: 'tools/Call', params: { name: 'send_note', arguments: {} } },
      { jsonrpc: '2.0', id: 'c', method: 'ping', result: {} }, { jsonrpc: '2.0', id: { x: 1 }, method: 'ping' },
    ]
    for (const message of hidden) client.write(message)
    for (const id of ['a', 'b', 'c']) expect(await client.answerTo(id)).toMatchObject({ error: {} })
    client.write({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'read_note', arguments: { id: '1' } } })
    const answer = await client.ask('tools/call', { name: 'read_note', arguments: { id: '1' }, Name: 'send_note', Arguments: { id: '9' }, task: { ttl: 1 } })
    expect(textOf(answer)).toBe('{"name":"read_note","args":{"id":"1"}}')
    expect(readFileSync(record, 'utf8')).toBe('{"name":"read_note","args":{"id":"1"}}\n')
  })

  test('an id that is under way is not taken a second time, so that no answer is taken for another', async () => {
    const { words, store } = await honest(join(scratch(), 'r'), ['slow'])
    const { client } = await rig(words, store)
    await client.hello()
    client.write({ jsonrpc: '2.0', id: 'same', method: 'tools/call', params: { name: 'slow', arguments: { ms: 300 } } })
    client.write({ jsonrpc: '2.0', id: 'same', method: 'ping' })
    for (let waited = 0; waited < 500 && client.messages.filter(message => message['id'] === 'same').length < 2; waited++) await delay(10)
    expect(client.messages.filter(message => message['id'] === 'same')).toMatchObject([{ error: { code: -32600 } }, { result: { content: [{ text: 'done' }] } }])
  })
})
