import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import * as z from 'zod'
import { afterEach, expect, test } from 'vitest'
import { serveTools, type ServeOptions } from '../../src/mcp/serve-tools.ts'
import { defineTool } from '../../src/tools/define.ts'

const pane = defineTool({
  name: 'show_pane', description: 'Shows a pane of the log.',
  input: z.object({ lines: z.number().int().min(1).max(100).describe('How many lines').default(10) }),
  presetOnly: z.object({ detach_window: z.boolean().describe('Whether to detach_window for good') }),
  effects: { detach_window: ['browser.open'] },
  run: () => 'shown',
})

const open: { close(): Promise<void> }[] = []
afterEach(async () => { for (const one of open.splice(0)) await one.close() })

async function listen(options?: ServeOptions): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = serveTools([pane], options)
  const client = new Client({ name: 'test', version: '1' })
  open.push(client, server)
  await Promise.all([server.connect(far), client.connect(near)])
  return client
}

test('fill:blind: a real client finds no trace of preset-only names in what goes out', async () => {
  const client = await listen()
  const listed = await client.listTools()
  expect(listed.tools.map(({ name }) => name)).toEqual(['show_pane'])
  expect(listed.tools[0]?.inputSchema.properties).toEqual(pane.visible['properties'])
  expect(JSON.stringify(listed)).not.toMatch(/detach|window/i)
})

test('trace:every-way: a call goes where the host sends it, never to the handler', async () => {
  const calls: unknown[] = []
  const client = await listen({ call: async ({ tool, args }) => { calls.push([tool, args]); return { text: 'logged', structured: { n: 1 } } } })
  expect(await client.callTool({ name: 'show_pane', arguments: { lines: 5 } })).toMatchObject({ content: [{ type: 'text', text: 'logged' }], structuredContent: { n: 1 } })
  expect(calls).toEqual([['show_pane', { lines: 5 }]])
})

test('closed: without a way to the dispatcher, and for an unknown tool, every call is refused', async () => {
  const client = await listen()
  expect(await client.callTool({ name: 'show_pane', arguments: {} })).toMatchObject({ isError: true })
  for (const name of ['constructor', '__proto__', 'toString', 'none']) expect(await (await listen({ call: () => Promise.reject(new Error('reached')) })).callTool({ name, arguments: {} })).toMatchObject({ isError: true, content: [{ text: 'there is no such tool' }] })
})
