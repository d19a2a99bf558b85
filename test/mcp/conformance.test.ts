/** The official conformance package's server scenarios: the proxy passes each that the server behind it passes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { BIN } from '../cli/usher.ts'
import { scratch } from '../contract/keys.ts'
import { command, offered, signed } from './support.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> }
const CONFORMANCE = join(dirname(manifest), Object.values(bin)[0] as string)

const children: ChildProcess[] = []
afterAll(async () => { await Promise.all(children.map(child => new Promise(resolve => { child.once('exit', resolve); child.kill('SIGTERM') }))) })

/** Scenario -> "n passed, m failed". */
async function scenarios(url: string): Promise<ReadonlyMap<string, string>> {
  const child = spawn(process.execPath, [CONFORMANCE, 'server', '--url', url], { cwd: scratch(), stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString() })
  child.stderr.on('data', (chunk: Buffer) => { out += chunk.toString() })
  await new Promise(resolve => child.once('close', resolve))
  return new Map([...out.matchAll(/^[✓✗~] ([\w-]+): (\d+ passed, \d+ failed)/gm)].map(found => [found[1] as string, found[2] as string]))
}

function address(child: ChildProcess, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  children.push(child)
  return new Promise(resolve => { child[stream]?.on('data', (chunk: Buffer) => { const found = pattern.exec(chunk.toString()); if (found) resolve(found[0]) }) })
}

test('the proxy passes every scenario that the server behind it passes', async () => {
  const words = command('conformance', 'stdio')
  const store = await signed(words, await offered(words), () => ({ privileges: ['fs.read'] }))
  const proxy = spawn(process.execPath, [BIN, 'proxy', '--i-own-this-machine', '--listen', '0', '--per-minute', '1000', '--allow-request', 'sampling', 'elicitation', '--contracts', store.paths.file, '--log', join(scratch(), 'log.sqlite'), '--', ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  const behind = await address(proxy, 'stderr', /http:\S+/)
  const port = await address(spawn(process.execPath, command('conformance', 'http').slice(1), { stdio: ['ignore', 'pipe', 'inherit'] }), 'stdout', /\d+/)
  const [plain, proxied] = await Promise.all([scenarios(`http://127.0.0.1:${port}/mcp`), scenarios(behind)])
  expect(plain.size).toBeGreaterThan(25)
  expect([...plain.values()].filter(result => result.endsWith(' 0 failed')).length).toBeGreaterThan(25)
  expect(Object.fromEntries(proxied)).toEqual(Object.fromEntries(plain))
}, 600_000)
