/**
 * `node bench/proxy.mjs [--calls N] [--json]`: what the proxy costs a call, as a ratio to the same client and server without it. Both sides by turns,
 * so that a busy machine slows both; medians of single calls, and of the contract check alone.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const { values } = parseArgs({ options: { calls: { type: 'string', default: '300' }, json: { type: 'boolean' } } })
const calls = Number(values.calls)
const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const server = [process.execPath, fileURLToPath(new URL('../test/fixtures/servers/honest.mjs', import.meta.url))]
const folder = mkdtempSync(join(tmpdir(), 'usher-proxy-bench-'))
const usher = (...args) => execFileSync(process.execPath, [bin, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

async function connect(command, args) {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, cwd: folder, stderr: 'ignore' }))
  return client
}
async function one(client, id) {
  const begin = performance.now()
  const result = await client.callTool({ name: 'read_note', arguments: { id: String(id) } })
  if (result.isError || !result.content[0].text.includes(`"${id}"`)) throw new Error(`the call failed: ${JSON.stringify(result)}`)
  return performance.now() - begin
}
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
const figures = times => { const sorted = times.toSorted((a, b) => a - b); return { p50: at(sorted, 0.5), p95: at(sorted, 0.95), p99: at(sorted, 0.99) } }

try {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')])
  writeFileSync(join(folder, 'allowed_signers'), `alice ${readFileSync(join(folder, 'key.pub'), 'utf8')}`)
  usher('contract', 'draft', 'notes', '--', ...server)
  const draft = execFileSync('find', [join(folder, '.usher/review'), '-name', '*.draft.json'], { encoding: 'utf8' }).trim()
  usher('contract', 'sign', '--as', 'alice', '--key', 'key', '--yes', '--draft', draft, '--privileges', 'fs.read', '--effects', '{"always":[]}')
  const direct = await connect(server[0], server.slice(1))
  const proxied = await connect(process.execPath, [bin, 'proxy', '--i-own-this-machine', '--per-minute', '1000000', '--', ...server])
  const times = { direct: [], proxied: [] }
  for (let nth = -20; nth < calls; nth++) {
    const [plain, through] = [await one(direct, nth), await one(proxied, nth)]
    if (nth >= 0) { times.direct.push(plain); times.proxied.push(through) }
  }
  await direct.close()
  await proxied.close()
  const [plain, through] = [figures(times.direct), figures(times.proxied)]
  const report = { calls, direct: plain, proxied: through, ratio: { p50: through.p50 / plain.p50, p95: through.p95 / plain.p95 }, added: { p50: through.p50 - plain.p50 } }
  const ms = value => `${value.toFixed(2)} ms`
  console.log(values.json ? JSON.stringify(report, null, 2) : `${calls} calls: direct p50 ${ms(plain.p50)} p95 ${ms(plain.p95)}; through the proxy p50 ${ms(through.p50)} p95 ${ms(through.p95)}; ratio p50 ${report.ratio.p50.toFixed(1)}, p95 ${report.ratio.p95.toFixed(1)}; added at p50 ${ms(report.added.p50)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
