/** `usher mcp` as an MCP client meets it: a real client, a real child process, a real log. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_ANSWER } from '../../src/integrations/log-answers.ts'
import { sha256 } from '../../src/util/canonical.ts'
import { BIN, scratch } from '../cli/usher.ts'
import { ROOT } from '../rules/source-files.ts'

const place = scratch()
let client: Client
const log = join(place.folder, 'l.sqlite')
const routes = join(ROOT, 'routes')
beforeAll(async () => {
  const events = ['please open the console', 'why does the console keep opening?', `a memory map \u202e with \u0007 marks ${'and so on '.repeat(300)}`].map((text, index) => JSON.stringify({ id: `m-${index}`, text })).join('\n')
  const ran = place.run(['run', '--source', 'user', '--log', log, '--routes', routes], events)
  if (ran.status !== 0) throw new Error(ran.stderr)
  client = new Client({ name: 'test', version: '0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp', '--log', log, '--routes', routes], cwd: place.folder, env: place.env as Record<string, string>, stderr: 'pipe' }))
})
afterAll(async () => { await client.close(); place.remove() })

async function ask(name: string, args: object): Promise<{ text: string, isError: boolean, value: () => Record<string, never> }> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } })
  const text = (content as { text: string }[])[0]?.text ?? ''
  return { text, isError: isError === true, value: () => JSON.parse(text) as Record<string, never> }
}

test('control:human: four questions, each annotated read-only, and no tool that changes anything', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(tool => tool.name)).toEqual(['decide', 'log_query', 'unexplained', 'explain'])
  for (const tool of tools) expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false })
})

test('what happened: entries with ids that explain takes', async () => {
  const { entries } = (await ask('log_query', {})).value() as unknown as { entries: { outcome: string, tool?: string, id: string, text: string }[] }
  expect(entries.map(entry => entry.outcome)).toEqual(['called', 'not-explicit', expect.any(String)])
  const explained = await ask('explain', { id: entries[0]?.id })
  expect(explained.text).toContain('please open the console')
  expect(explained.text).toContain('browser.open')
  expect((await ask('log_query', { outcome: 'not-explicit', limit: 1, since: 'today' })).value()).toMatchObject({ entries: [{ tool: 'call_console' }] })
  expect((await ask('log_query', { limit: 1 })).value()).toMatchObject({ more: true })
})

test('text of events is one line of visible characters, capped with its length', async () => {
  const { entries } = (await ask('log_query', { limit: 1 })).value() as unknown as { entries: { text: string }[] }
  expect(entries[0]?.text).toContain('\\u202e with \\u0007')
  expect(entries[0]?.text).toMatch(/… \(\d+ characters\)$/)
  expect(entries[0]?.text.length).toBeLessThan(400)
})

test('what would happen: decided with the real encoder, and nothing is called or logged', async () => {
  const before = sha256(readFileSync(log))
  expect((await ask('decide', { text: 'could you open the console' })).value()).toMatchObject({ decisions: [{ wouldCall: true, tool: 'call_console', args: { open: true } }] })
  expect((await ask('decide', { text: 'open the console', source: 'notification' })).value()).toMatchObject({ decisions: [{ wouldCall: false, outcome: 'source-blocked' }] })
  await ask('unexplained', {}); await ask('explain', { id: 'e-' })
  expect(sha256(readFileSync(log))).toBe(before)
})

test('nothing unexplained on a quiet day; a slip is an error with what to do', async () => {
  expect((await ask('unexplained', { since: '1d' })).value()).toEqual({ count: 0, unexplained: [] })
  expect(await ask('unexplained', { since: 'lately' })).toMatchObject({ isError: true, text: expect.stringContaining('90m') })
  expect(await ask('decide', { text: 'x', source: 'Not A Source' })).toMatchObject({ isError: true })
  expect(await ask('log_query', { limit: 100_000 })).toMatchObject({ isError: true })
  expect((await ask('explain', { id: 'constructor' })).value()).toMatchObject({ found: false })
})

test('an answer is bounded whatever is in the log', async () => {
  const many = Array.from({ length: 300 }, (_, index) => JSON.stringify({ id: `x-${index}`, text: `note ${index} ${'x'.repeat(2000)}` })).join('\n')
  expect(place.run(['run', '--source', 'webhook', '--log', log, '--routes', routes, '--no-reader'], many).status).toBe(0)
  const { text } = await ask('log_query', { limit: 100, source: 'webhook' })
  expect(text.length).toBeLessThanOrEqual(MAX_ANSWER + 200)
  expect(JSON.parse(text)).toMatchObject({ more: true })
})
