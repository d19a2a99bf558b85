/** A server in Python, where one is installed: `pip install mcp-server-time`, and USHER_TEST_PYTHON names the interpreter (default: python3). */
import { execFileSync, spawnSync } from 'node:child_process'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { fileHash } from '../../src/mcp/identity.ts'
import { McpToolSource } from '../../src/mcp/tool-source.ts'
import { callContext, offered, signed } from './support.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const python = process.env['USHER_TEST_PYTHON'] ?? 'python3'
const installed = spawnSync(python, ['-c', 'import mcp_server_time'], { stdio: 'ignore' }).status === 0
const sources: McpToolSource[] = []
afterAll(async () => { await Promise.all(sources.map(source => source.close())) })

describe('contract:human: a server in Python', () => {
  test.skipIf(!installed)('mcp-server-time: every tool under contract, and called (skipped where it is not installed)', async () => {
    // A launcher such as pyenv's is a script run by a shell; the interpreter itself is what is signed.
    const program = execFileSync(python, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
    const words = [program, '-m', 'mcp_server_time']
    const tools = await offered(words)
    const server = { name: 'notes', command: words, pins: [{ path: program, sha256: await fileHash(program) }] }
    const source = new McpToolSource({ store: await signed([program, program], tools, () => ({ privileges: ['compute'], server })), server: 'notes' })
    sources.push(source)
    const ours = await source.tools()
    expect(ours.map(tool => tool.name).sort()).toEqual(['notes/convert_time', 'notes/get_current_time'])
    const result = await ours.find(tool => tool.name === 'notes/get_current_time')?.run({ timezone: 'Europe/Berlin' }, callContext())
    expect(JSON.stringify(result)).toContain('Europe/Berlin')
  }, 240_000)
})
