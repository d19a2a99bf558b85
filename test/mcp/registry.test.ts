/** Servers from the registry, as people run them, through client and proxy: the SDK's own client is the judge. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ContractStore } from '../../src/contract/store.ts'
import { McpToolSource } from '../../src/mcp/tool-source.ts'
import type { JsonObject } from '../../src/types.ts'
import { BIN } from '../cli/usher.ts'
import { scratch } from '../contract/keys.ts'
import { callContext, offered, signed } from './support.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const require = createRequire(import.meta.url)
function serverFile(name: string): string {
  const manifest = require.resolve(`@modelcontextprotocol/${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> | string }
  return join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0] as string)
}

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => { for (const close of closers.splice(0)) await close() })

/** Everything that the server offers, signed with what it needs. */
async function underContract(words: readonly string[], privileges: readonly string[] = ['fs.read', 'fs.write', 'http.get']): Promise<{ readonly store: ContractStore, readonly tools: readonly JsonObject[] }> {
  const tools = await offered(words)
  return { tools, store: await signed(words, tools, () => ({ privileges }), 'real') }
}

async function sdkClient(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'sdk', version: '1' })
  closers.push(() => client.close())
  await client.connect(transport)
  return client
}
const direct = (words: readonly string[]): Promise<Client> => sdkClient(new StdioClientTransport({ command: words[0] as string, args: words.slice(1), stderr: 'ignore' }))
function proxied(store: ContractStore, words: readonly string[]): Promise<Client> {
  return sdkClient(new StdioClientTransport({ command: process.execPath, args: [BIN, 'proxy', '--i-own-this-machine', '--contracts', store.paths.file, '--log', join(scratch(), 'log.sqlite'), '--', ...words], stderr: 'ignore' }))
}

const textOf = (result: unknown): string => (result as { content: { text?: string }[] }).content.map(block => block.text ?? '').join('')

describe('contract:human: servers from the registry', () => {
  test('server-everything: every tool that it lists is under contract and callable, by the client and through the proxy', async () => {
    const words = [process.execPath, serverFile('server-everything')]
    const { store, tools } = await underContract(words)
    expect(tools.length).toBeGreaterThan(5)
    const source = new McpToolSource({ store, server: 'real' })
    closers.push(() => source.close())
    const ours = await source.tools()
    expect(ours.map(tool => tool.name).sort()).toEqual(tools.map(tool => `real/${String(tool['name'])}`).sort())
    expect(textOf(await ours.find(tool => tool.name === 'real/echo')?.run({ message: 'hello' }, callContext()))).toContain('hello')
    const [plain, behind] = [await direct(words), await proxied(store, words)]
    const listed = await behind.listTools()
    expect(listed.tools.toSorted((a, b) => a.name < b.name ? -1 : 1)).toEqual((await plain.listTools()).tools.filter(tool => tools.some(one => one['name'] === tool.name)).toSorted((a, b) => a.name < b.name ? -1 : 1))
    expect(await behind.callTool({ name: 'echo', arguments: { message: 'hello' } })).toEqual(await plain.callTool({ name: 'echo', arguments: { message: 'hello' } }))
    expect(await behind.listPrompts()).toEqual(await plain.listPrompts())
    expect((await behind.listResources()).resources.map(one => one.uri)).toEqual((await plain.listResources()).resources.map(one => one.uri))
    const image = tools.find(tool => /image/i.test(String(tool['name'])) && !/resource/i.test(String(tool['name'])))
    expect(image).toBeDefined()
    expect(await behind.callTool({ name: String(image?.['name']), arguments: {} })).toEqual(await plain.callTool({ name: String(image?.['name']), arguments: {} }))
  }, 240_000)

  test('server-filesystem: reads under contract; a write waits for a person and leaves no file', async () => {
    const folder = join(scratch(), 'files')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.txt'), 'forty-two')
    const words = [process.execPath, serverFile('server-filesystem'), folder]
    const tools = await offered(words)
    const isWrite = (tool: JsonObject): boolean => /write|edit|create|move/.test(String(tool['name']))
    const store = await signed(words, tools, tool => isWrite(tool) ? { privileges: ['fs.write'], effects: { always: ['fs.write'] } } : { privileges: ['fs.read'] }, 'real')
    const behind = await proxied(store, words)
    expect(textOf(await behind.callTool({ name: 'read_text_file', arguments: { path: join(folder, 'a.txt') } }))).toContain('forty-two')
    const refused = await behind.callTool({ name: 'write_file', arguments: { path: join(folder, 'b.txt'), content: 'x' } })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain('needs-approval')
    expect(existsSync(join(folder, 'b.txt'))).toBe(false)
  }, 240_000)

  test('server-memory: what is written under contract can be read back', async () => {
    const words = [process.execPath, serverFile('server-memory')]
    const { store } = await underContract(words)
    const source = new McpToolSource({ store, server: 'real', env: { MEMORY_FILE_PATH: join(scratch(), 'memory.json') } })
    closers.push(() => source.close())
    const tools = new Map((await source.tools()).map(tool => [tool.name, tool]))
    await tools.get('real/create_entities')?.run({ entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] }, callContext())
    expect(JSON.stringify(await tools.get('real/read_graph')?.run({}, callContext()))).toContain('likes tea')
  }, 240_000)
})

describe('the proxy over streamable HTTP', () => {
  test('the SDK\'s client finds what it finds without the proxy; a foreign host and a foreign origin are refused', async () => {
    const words = [process.execPath, serverFile('server-everything')]
    const { store } = await underContract(words)
    const { spawn } = await import('node:child_process')
    const child = spawn(process.execPath, [BIN, 'proxy', '--listen', '0', '--i-own-this-machine', '--contracts', store.paths.file, '--log', join(scratch(), 'log.sqlite'), '--', ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
    closers.push(() => new Promise(resolve => { child.once('exit', resolve); child.kill('SIGTERM') }))
    const address = await new Promise<string>(resolve => { child.stderr.on('data', (chunk: Buffer) => { const found = /http:\S+/.exec(chunk.toString()); if (found) resolve(found[0]) }) })
    const client = await sdkClient(new StreamableHTTPClientTransport(new URL(address)) as Transport)
    expect((await client.listTools()).tools.map(tool => tool.name)).toContain('echo')
    const progress: number[] = []
    const long = (await client.listTools()).tools.find(tool => /long/i.test(tool.name))
    expect(long).toBeDefined()
    await client.callTool({ name: long?.name ?? '', arguments: { duration: 1, steps: 2 } }, undefined, { onprogress: ({ progress: at }) => { progress.push(at) } })
    expect(progress.length).toBeGreaterThan(0)
    expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'over http' } }))).toContain('over http')
    const { port } = new URL(address)
    const begin = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } }
    const post = (headers: Record<string, string>) => fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', 'accept': 'application/json, text/event-stream', ...headers }, body: JSON.stringify(begin) })
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403)
    const { request } = await import('node:http')
    const foreignHost = await new Promise<number | undefined>(resolve => { request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: { host: 'evil.example' } }, response => resolve(response.statusCode)).end('{}') })
    expect(foreignHost).toBe(403)
    expect((await post({ 'mcp-session-id': 'guess' })).status).toBe(404)
  }, 240_000)
})
