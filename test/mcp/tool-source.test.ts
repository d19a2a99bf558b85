import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { McpToolSource } from '../../src/mcp/tool-source.ts'
import type { JsonObject, Tool } from '../../src/types.ts'
import { scratch } from '../contract/keys.ts'
import { callContext, command, noteTool, offered, signed, source } from './support.ts'
import { McpToolSource as Source } from '../../src/mcp/tool-source.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const open: McpToolSource[] = []
afterEach(async () => { await Promise.all(open.splice(0).map(one => one.close())) })
async function made(...args: Parameters<typeof source>): Promise<McpToolSource> {
  const one = await source(...args)
  open.push(one)
  return one
}
const only = async (one: McpToolSource): Promise<Tool> => (await one.tools())[0] as Tool
const call = (tool: Tool, args: JsonObject = { id: '1' }): Promise<unknown> => Promise.resolve(tool.run(args, callContext()))
const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

describe('contract:human: tools of a server under contract', () => {
  test('a tool that is offered as signed is named server/tool, carries its contract, and answers', async () => {
    const tool = await only(await made(command('honest')))
    expect(tool).toMatchObject({ name: 'notes/read_note', visible: noteTool['inputSchema'], effects: {}, origin: { kind: 'mcp', server: 'notes' } })
    expect(textOf(await call(tool))).toBe('{"name":"read_note","args":{"id":"1"}}')
  })

  test('a tool that nobody signed is not a tool, and the standings say so', async () => {
    const one = await made(command('honest'))
    expect((await one.tools()).map(tool => tool.name)).toEqual(['notes/read_note'])
    expect(await one.standings()).toContainEqual({ tool: 'notes/send_note', state: 'no-contract', why: 'nobody signed a contract for it' })
  })

  test('preset-only parameters and effects come from the contract; a hint of the server only tightens', async () => {
    const words = command('honest')
    const tools = (await offered(words)).filter(tool => ['read_note', 'send_note'].includes(String(tool['name'])))
    const one = await made(words, tools, {}, tool => tool['name'] === 'read_note' ? { effects: { open: ['browser.open'] }, privileges: ['fs.read', 'browser.open'], presetOnly: { open: { type: 'boolean' } } } : {})
    const [read, send] = await one.tools()
    expect(read).toMatchObject({ presetOnly: { open: { type: 'boolean' } }, effects: { open: ['browser.open'] } })
    // The contract says no effects, and the server itself claims to be destructive.
    expect(send?.effects).toBeUndefined()
  })

  test('closed: a server whose bytes changed since they were signed is not started', async () => {
    const file = join(scratch(), 'server.mjs')
    const record = join(scratch(), 'ran')
    writeFileSync(file, `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(record)}, 'ran')`)
    const one = new Source({ store: await signed([process.execPath, file], [noteTool]), server: 'notes' })
    writeFileSync(file, `${readFileSync(file, 'utf8')} // changed`)
    await expect(one.tools()).rejects.toMatchObject({ code: 'CONTRACT_INVALID', message: expect.stringContaining('other bytes') as string })
    expect(existsSync(record)).toBe(false)
  })

  test('closed: without a signed contract the server is not started at all', async () => {
    const one = new Source({ store: await signed(command('honest'), [noteTool]), server: 'another' })
    await expect(one.tools()).rejects.toMatchObject({ code: 'CONTRACT_INVALID' })
  })
})

describe('contract:human: changes after the signature', () => {
  test('closed, a rug pull within the session: the change is announced, compared, and the tool is refused with the difference', async () => {
    const drifts: unknown[] = []
    const one = await made(command('listing', 'rug-pull'), [noteTool], { onDrift: (...drift) => { drifts.push(drift) } })
    const tool = await only(one)
    // The first call compares by a list of its own; this server changes with its second list.
    await expect(call(tool)).rejects.toMatchObject({ code: 'CONTRACT_INVALID', message: expect.stringContaining('adds an optional string "bcc"') as string })
    expect(drifts).toEqual([['notes/read_note', ['adds an optional string "bcc"']]])
    expect(await one.tools()).toEqual([])
  })

  test.each(['silent-swap', 'swap-word', 'vanishes'])('closed, %s without a word: hashes are compared at call time', async mode => {
    const tool = await only(await made(command('listing', mode)))
    await expect(call(tool)).rejects.toMatchObject({ code: 'CONTRACT_INVALID' })
  })

  test('closed: a server that changes back stays refused until a person acts', async () => {
    const one = await made(command('listing', 'swap-and-back'))
    const tool = await only(one)
    await expect(call(tool)).rejects.toMatchObject({ code: 'CONTRACT_INVALID' })
    await expect(call(tool)).rejects.toMatchObject({ code: 'CONTRACT_INVALID' })
    one.forgetDrift()
    expect(textOf(await call(tool))).toBe('{"id":"1"}')
  })

  test('another order of members is no change', async () => {
    const tool = await only(await made(command('listing', 'permuted')))
    expect(textOf(await call(tool))).toBe('{"id":"1"}')
  })

  test('closed: what the SDK would drop is part of what was signed', async () => {
    const one = await made(command('listing', 'dropped-by-sdk'))
    expect(await one.tools()).toEqual([])
    expect(await one.standings()).toMatchObject([{ tool: 'notes/read_note', state: 'drift' }])
  })
})

describe('contract:human: lists that hide something', () => {
  test.each(['output-without-type', 'output-dangling', 'input-string', 'input-missing', 'description-null', 'name-look-alike', 'name-empty', 'name-number', 'name-bidi'])('%s: the bad tool is named with its reason, the good one stays', async mode => {
    const good = { name: 'good', description: 'Does its work.', inputSchema: { type: 'object', properties: {} } }
    const one = await made(command('listing', mode), [good])
    expect((await one.tools()).map(tool => tool.name)).toEqual(['notes/good'])
    const bad = (await one.standings()).filter(standing => standing.state === 'bad')
    expect(bad).toHaveLength(1)
    expect(bad[0]?.why.length).toBeGreaterThan(10)
  })

  test('a member that is there twice spoils only its own tool', async () => {
    const good = { name: 'good', description: 'Does its work.', inputSchema: { type: 'object', properties: {} } }
    const one = await made(command('listing', 'repeated'), [good])
    expect((await one.tools()).map(tool => tool.name)).toEqual(['notes/good'])
    expect(await one.standings()).toContainEqual({ tool: 'notes/t', state: 'bad', why: 'the member "description" is there twice, so readers may see different values' })
  })

  test('every page is read', async () => {
    const one = await made(command('listing', 'pages'), [noteTool])
    expect((await one.tools()).map(tool => tool.name)).toEqual(['notes/read_note'])
    expect((await one.standings()).map(standing => standing.tool)).toEqual(['notes/good', 'notes/read_note', 'notes/third'])
  })

  test('closed: pages that go round in a circle, a list that is none, and a name that is there twice', async () => {
    await expect((await made(command('listing', 'circle'))).tools()).rejects.toMatchObject({ code: 'SERVER_FAILED', message: expect.stringContaining('circle') as string })
    await expect((await made(command('listing', 'no-list'))).tools()).rejects.toMatchObject({ code: 'SERVER_FAILED' })
    expect(await (await made(command('listing', 'twice'))).tools()).toEqual([])
  })
})

describe('closed: servers that die or stay silent', () => {
  const short = { startTimeout: 700, listTimeout: 500, callTimeout: 500 }
  test.each<[string, RegExp]>([['at-start', /code 3[\s\S]*no licence found/], ['at-initialize', /code 3/], ['silent-start', /700 ms/], ['stubborn-silent', /700 ms/], ['silent-list', /500 ms/]])('%s: SERVER_FAILED says what happened', async (mode, words) => {
    await expect((await made(command('dying', mode), [noteTool], mode.startsWith('at-') ? {} : short)).tools()).rejects.toMatchObject({ code: 'SERVER_FAILED', message: expect.stringMatching(words) as string })
  })

  test('a command that is not there is named', async () => {
    const store = await signed([process.execPath, command('honest')[1] as string], [noteTool], () => ({ server: { name: 'notes', command: ['/nowhere/notes-server'], pins: [{ path: process.execPath, sha256: '0'.repeat(64) }] } }))
    await expect(new Source({ store, server: 'notes' }).tools()).rejects.toMatchObject({ code: 'CONTRACT_INVALID' })
  })

  test.each([['in-call', /code 4[\s\S]*out of paper/], ['silent-call', /no answer in 500 ms/]] as const)('%s: SERVER_FAILED (the dispatcher reads it as unknown), and the call is made once', async (mode, words) => {
    const record = join(scratch(), 'calls')
    const tool = await only(await made(command('dying', mode, record), [noteTool], { callTimeout: mode === 'silent-call' ? 500 : 4000, sandbox: 'off' }))
    await expect(call(tool)).rejects.toMatchObject({ code: 'SERVER_FAILED', message: expect.stringMatching(words) as string })
    await delay(200)
    expect(readFileSync(record, 'utf8').trim().split('\n')).toEqual(['{"id":"1"}'])
  })

  test('a slow start within the deadline is waited for, and 4 MB on stderr stop nobody', async () => {
    expect(await (await made(command('dying', 'slow-start'))).tools()).toHaveLength(1)
    const tool = await only(await made(command('dying', 'loud')))
    expect(textOf(await call(tool))).toBe('{"id":"1"}')
  })
})

describe('stdout that is not JSON-RPC', () => {
  const wire = { ...noteTool, description: 'Reads one note. \u{1F600}\u2014\u8BFB\u2028end' }
  test.each(['banner', 'crlf', 'bytes'])('%s is read all the same', async mode => {
    const tool = await only(await made(command('noise', mode), [wire]))
    expect(textOf(await call(tool))).toBe('\u{1F600}\u2014\u8BFB\u2028end')
  })
  test.each<[string, RegExp]>([['glued', /stdout is not JSON-RPC[\s\S]*printed in front/], ['ansi', /terminal colours/], ['bom', /byte order mark/], ['pretty', /over several lines/]])('closed: %s is reported in those words, not as a bare timeout', async (mode, words) => {
    await expect((await made(command('noise', mode), [wire], { startTimeout: 700 })).tools()).rejects.toMatchObject({ code: 'SERVER_FAILED', message: expect.stringMatching(words) as string })
  })
  test('closed: a line of 20 MiB is refused with its size, and other servers live', async () => {
    const other = await made(command('honest'))
    await expect((await made(command('noise', 'long'), [wire])).tools()).rejects.toMatchObject({ code: 'SERVER_FAILED', message: expect.stringMatching(/a line of 2097\d+ bytes/) as string })
    expect(await other.tools()).toHaveLength(1)
  })
})

describe('contract:no-model: what a server asks of its client', () => {
  test.each(['sampling/createMessage', 'elicitation/create', 'roots/list'])('%s is off and logged; the owner may allow it', async method => {
    const asked: unknown[] = []
    const off = await only(await made(command('asking', method), [noteTool], { onServerRequest: (...request) => { asked.push(request) } }))
    expect(textOf(await call(off))).toContain('-32601')
    const on = await only(await made(command('asking', method), [noteTool], { onServerRequest: (...request) => { asked.push(request) }, serverRequests: { [method]: () => Promise.resolve({ action: 'decline', roots: [], allowed: true }) } }))
    expect(textOf(await call(on))).toContain('"allowed":true')
    expect(asked).toEqual([[method, false], [method, true]])
  })
})

describe('what the child gets', () => {
  test('closed: only the listed environment variables, and those that the owner names', async () => {
    process.env['USHER_TEST_TOKEN'] = 'secret'
    const words = command('honest')
    const tools = (await offered(words)).filter(tool => tool['name'] === 'environment')
    const ours = ['NODE_OPTIONS', 'PYTHONDONTWRITEBYTECODE', 'PYTHONPATH', 'USHER_EFFECTS_REPORT', 'USHER_EFFECTS_SCOPE']
    const names = JSON.parse(textOf(await call(await only(await made(words, tools, { env: { NOTES_HOME: 'x' } })), {}))) as string[]
    delete process.env['USHER_TEST_TOKEN']
    expect(names).toContain('NOTES_HOME')
    expect(names).not.toContain('USHER_TEST_TOKEN')
    expect(names.filter(name => !/^(?:HOME|LANG|LC_|LOGNAME|PATH|PWD|OLDPWD|SHELL|SHLVL|TERM|TMPDIR|TZ|USER|NOTES_HOME|_$|__)/.test(name)).sort()).toEqual(ours)
    const unwatched = JSON.parse(textOf(await call(await only(await made(words, tools, { watch: 'off' })), {}))) as string[]
    expect(unwatched.filter(name => ours.includes(name))).toEqual([])
  })

  test('effect:bounded: without a network privilege there is no network, without a write privilege no file, where the system offers that', async ({ skip }) => {
    const listener = createServer()
    await new Promise<void>(resolve => { listener.listen(0, '127.0.0.1', resolve) })
    const { port } = listener.address() as { port: number }
    const file = join(scratch(), 'written')
    const words = command('reach', file, String(port))
    const reached = async (privileges: readonly string[]): Promise<{ readonly found: unknown, readonly missing: readonly string[] }> => {
      const one = await made(words, [noteTool], {}, () => ({ privileges }))
      return { found: JSON.parse(textOf(await call(await only(one)))), missing: one.missing }
    }
    const open = await reached(['http.get', 'fs.write'])
    const closed = await reached(['fs.read'])
    const noNetwork = await reached(['fs.write'])
    listener.close()
    expect(open.found).toEqual({ network: 'connected', file: 'written', scratch: 'written' })
    if (closed.missing.some(words => words.includes('no unshare'))) return skip('this system has no unshare for an ordinary process')
    expect(closed.found).toEqual({ network: expect.stringMatching(/ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL/) as string, file: 'EROFS', scratch: 'written' })
    expect(noNetwork.found).toMatchObject({ network: expect.stringMatching(/ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL/) as string, file: 'written' })
  })
})
