import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ContractStore } from '../../src/contract/store.ts'
import { contractPaths } from '../../src/contract/verify.ts'
import { draftServer } from '../../src/mcp/draft-server.ts'
import { McpToolSource } from '../../src/mcp/tool-source.ts'
import type { JsonObject } from '../../src/types.ts'
import { makeKey, scratch, signFile } from '../contract/keys.ts'
import { fileText, recordV2 } from '../contract/records.ts'
import { callContext, fixture, noteTool } from './support.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const alice = makeKey(scratch(), 'alice')
const children: ChildProcess[] = []
const sources: McpToolSource[] = []
afterEach(async () => {
  await Promise.all(sources.splice(0).map(source => source.close()))
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function serve(mode: string): Promise<string> {
  const child = spawn(process.execPath, [fixture('http'), mode], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const port = await new Promise<string>(resolve => child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())))
  return `http://127.0.0.1:${port}/mcp`
}

/** A contract for the address, pinned by what the server says of itself now. */
async function under(url: string, digest?: string, maxLineBytes?: number): Promise<McpToolSource> {
  const server = digest === undefined ? (await draftServer('notes', { kind: 'url', url })).server : { name: 'notes', url, digest }
  const file = join(scratch(), 'tools.allow.json')
  writeFileSync(file, fileText(2, [recordV2({ server: server as JsonObject }, noteTool)]), { mode: 0o644 })
  writeFileSync(join(file, '..', 'allowed_signers'), `alice ${alice.publicLine}\n`, { mode: 0o644 })
  signFile(file, alice)
  const source = new McpToolSource({ store: new ContractStore({ paths: contractPaths(file), ownMachine: true }), server: 'notes', startTimeout: 4000, listTimeout: 4000, callTimeout: 4000, ...maxLineBytes === undefined ? {} : { maxLineBytes } })
  sources.push(source)
  return source
}

describe('contract:human: a server over streamable HTTP', () => {
  test.each(['json', 'sse'])('%s: listed, compared and called as over stdio', async mode => {
    const [tool] = await (await under(await serve(mode))).tools()
    expect(tool?.name).toBe('notes/read_note')
    expect(await tool?.run({ id: '1' }, callContext())).toMatchObject({ content: [{ text: '{"id":"1"}' }] })
  })

  test('closed: an address whose server says something else of itself is refused', async () => {
    const url = await serve('json')
    const source = await under(url)
    await fetch(url.replace('/mcp', '/rename'), { method: 'POST' })
    await expect(source.tools()).rejects.toMatchObject({ code: 'CONTRACT_INVALID', message: expect.stringContaining('not the server that was signed') as string })
  })

  test('closed: a member that is there twice is seen in the text of an event stream, before any parser drops one, and spoils only its tool', async () => {
    const source = await under(await serve('repeated'))
    expect(await source.tools()).toEqual([])
    expect(await source.standings()).toMatchObject([{ state: 'bad', why: expect.stringContaining('"description" is there twice') as string }, { state: 'not-offered' }].slice(0, 1))
  })

  test('closed: a redirect is not followed, and an answer over the limit is refused', async () => {
    await expect((await under(await serve('redirect'), 'a'.repeat(64))).tools()).rejects.toMatchObject({ code: 'SERVER_FAILED' })
    const url = await serve('long')
    const { server } = await draftServer('notes', { kind: 'url', url })
    await expect((await under(url, String(server['digest']), 100_000)).tools()).rejects.toMatchObject({ code: 'SERVER_FAILED', message: expect.stringContaining('over the limit') as string })
  })

  test('closed: nobody there', async () => {
    await expect((await under('http://127.0.0.1:9/mcp', 'a'.repeat(64))).tools()).rejects.toMatchObject({ code: 'SERVER_FAILED' })
  })
})
