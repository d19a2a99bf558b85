import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeKey, type TestKey } from '../contract/keys.ts'
import { fileText, recordV1 } from '../contract/records.ts'
import { BIN, scratch } from './usher.ts'
import { fixture } from '../mcp/support.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

const places: ReturnType<typeof scratch>[] = []
afterEach(() => { for (const place of places.splice(0)) place.remove() })

interface Place extends ReturnType<typeof scratch> { readonly alice: TestKey, readonly drafts: () => readonly string[] }
/** A folder with a server, its owner's key, and a signers file. */
function made(): Place {
  const place = scratch()
  places.push(place)
  for (const name of ['serve', 'honest', 'listing']) copyFileSync(fixture(name), join(place.folder, `${name}.mjs`))
  const alice = makeKey(place.folder, 'alice')
  writeFileSync(join(place.folder, 'allowed_signers'), `alice ${alice.publicLine}\n`, { mode: 0o644 })
  const review = join(place.folder, '.usher/review')
  return { ...place, alice, drafts: () => existsSync(review) ? readdirSync(review).map(name => join('.usher/review', name)) : [] }
}
const sign = (place: Place, ...more: readonly string[]) => place.run(['contract', 'sign', '--as', 'alice', '--key', 'alice', '--yes', ...more])
function signedServer(mode = 'honest', ...args: readonly string[]): Place {
  const place = made()
  expect(place.run(['contract', 'draft', 'notes', '--', process.execPath, `${mode}.mjs`, ...args]).status).toBe(0)
  expect(sign(place, '--draft', ...place.drafts(), '--privileges', 'fs.read', '--effects', '{"always":[]}').status).toBe(0)
  return place
}

describe('usher contract verify', () => {
  test('unsigned, signed and broken version 1 files: status, codes and exit codes', () => {
    const place = made()
    const verify = () => place.run(['contract', 'verify', 'tools.allow.json', '--json'])
    writeFileSync(join(place.folder, 'tools.allow.json'), fileText(1, [recordV1()]))
    expect(verify()).toMatchObject({ status: 1 })
    expect(verify().json()).toMatchObject({ status: 'unsigned', problems: [{ code: 'unsigned', tool: null }] })
    expect(sign(place).status).toBe(0)
    expect(verify()).toMatchObject({ status: 0 })
    expect(verify().json()).toEqual({ status: 'ok', problems: [] })
    writeFileSync(join(place.folder, 'tools.allow.json'), fileText(1, [recordV1({ origin: 'model', privileges: ['root'] }), recordV1({ name: 'b', command: 'sh -c x' })]))
    expect(verify().status).toBe(1)
    expect((verify().json() as { problems: { code: string, tool: string }[] }).problems.map(found => `${found.tool} ${found.code}`)).toEqual(['read_note origin-not-human', 'read_note privilege-unknown', 'b command-shell', 'null signature-invalid'])
  }, 240_000)
  test('a file that is not there is refused with 1; wrong use is 2', () => {
    const place = made()
    expect(place.run(['contract', 'verify', 'nowhere.json', '--json'])).toMatchObject({ status: 1 })
    expect(place.run(['contract', 'verify', '--colour'])).toMatchObject({ status: 2 })
    expect(place.run(['contract', 'toString'])).toMatchObject({ status: 2 })
  }, 240_000)
  test('--machine also asks who may write the file', () => {
    const place = signedServer()
    expect(place.run(['contract', 'verify', '--machine'])).toMatchObject({ status: 1, stdout: expect.stringContaining('file-writable') as string })
    expect(place.run(['contract', 'verify', '--machine', '--i-own-this-machine'])).toMatchObject({ status: 0 })
    chmodSync(join(place.folder, 'tools.allow.json'), 0o666)
    expect(place.run(['contract', 'verify', '--machine', '--i-own-this-machine'])).toMatchObject({ status: 1, stdout: expect.stringContaining('file-mode') as string })
  }, 240_000)
  test('--base: what narrows is measured by what was signed before', () => {
    const place = made()
    const bob = makeKey(place.folder, 'bob')
    writeFileSync(join(place.folder, 'allowed_signers'), `alice ${place.alice.publicLine}\nbob ${bob.publicLine}\n`)
    const file = (name: string, records: Parameters<typeof fileText>[1]) => writeFileSync(join(place.folder, name), fileText(1, records))
    file('before.json', [recordV1({ privileges: ['fs.read', 'http.get'] })])
    expect(sign(place, '--contracts', 'before.json').status).toBe(1)
    expect(place.run(['contract', 'sign', '--as', 'bob', '--key', 'bob', '--yes', '--contracts', 'before.json']).status).toBe(0)
    file('after.json', [recordV1()])
    expect(sign(place, '--contracts', 'after.json')).toMatchObject({ status: 1, stdout: expect.stringContaining('too-few-signers') as string })
    expect(place.run(['contract', 'verify', 'after.json', '--base', 'before.json']).status).toBe(0)
    writeFileSync(join(place.folder, 'before.json.sig'), '')
    expect(place.run(['contract', 'verify', 'after.json', '--base', 'before.json']).status).toBe(1)
  }, 240_000)
})

describe('usher contract draft, review, sign, list', () => {
  test('contract:human: from a server to a signed contract, and back to a refusal when the server changes', () => {
    const place = signedServer('listing', 'honest')
    expect(place.run(['contract', 'list', '--i-own-this-machine', '--json'])).toMatchObject({ status: 0 })
    expect(place.run(['contract', 'list', '--i-own-this-machine', '--json']).json()).toMatchObject({ status: 'ok', tools: [{ tool: 'notes/read_note', signedBy: 'alice', state: 'ready' }] })
    writeFileSync(join(place.folder, 'listing.mjs'), `${readFileSync(join(place.folder, 'listing.mjs'), 'utf8')}\n// changed`)
    const list = place.run(['contract', 'list', '--i-own-this-machine', '--json'])
    expect(list.status).toBe(1)
    expect(list.json()).toMatchObject({ tools: [{ state: 'not-offered', why: expect.stringContaining('other bytes') as string }] })
  }, 240_000)
  test('the review shows red flags and exits 1; without a yes nothing is signed', () => {
    const place = made()
    place.run(['contract', 'draft', 'notes', '--', process.execPath, 'honest.mjs'])
    expect(place.run(['contract', 'review'])).toMatchObject({ status: 1, stdout: expect.stringContaining('new-server') as string })
    expect(place.run(['contract', 'sign', '--as', 'alice', '--key', 'alice', '--draft', ...place.drafts()])).toMatchObject({ status: 2 })
    expect(existsSync(join(place.folder, 'tools.allow.json'))).toBe(false)
    expect(sign(place, '--draft', ...place.drafts())).toMatchObject({ status: 1, stdout: expect.stringContaining('privileges-empty') as string })
    expect(existsSync(join(place.folder, 'tools.allow.json'))).toBe(false)
    expect(place.drafts()).toHaveLength(1)
  }, 240_000)
  test('bad tools are left out and named; a server that cannot start is a refusal', () => {
    const place = made()
    const draft = place.run(['contract', 'draft', 'notes', '--', process.execPath, 'listing.mjs', 'name-look-alike'])
    expect(draft).toMatchObject({ status: 0, stderr: expect.stringContaining('looks like "e"') as string })
    expect(place.run(['contract', 'draft', 'notes', '--', '/nowhere/server'])).toMatchObject({ status: 1, stderr: expect.stringContaining('ENOENT') as string })
    expect(place.run(['contract', 'draft', 'unheard'])).toMatchObject({ status: 2 })
  }, 240_000)
  test('the workflow for CI is printed', () => {
    expect(made().run(['contract', 'ci'])).toMatchObject({ status: 0, stdout: expect.stringContaining('usher contract verify "tools.allow.json"') as string })
    expect(made().run(['contract', 'ci', 'a"; rm -rf /; "'])).toMatchObject({ status: 2 })
  }, 240_000)
})

describe('usher proxy', () => {
  const hello = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })}\n${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'read_note', arguments: { id: '7' } } })}\n`

  test('trace:every-way: stdin and stdout are the protocol, the log has the call, and the end of the input ends it', async () => {
    const place = signedServer()
    const child = place.start(['proxy', '--i-own-this-machine', '--', process.execPath, 'honest.mjs'])
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString() })
    child.stdin.write(hello)
    for (let waited = 0; waited < 1500 && out.trim().split('\n').length < 2; waited++) await delay(10)
    child.stdin.end()
    expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0)
    const answers = out.trim().split('\n').map(line => JSON.parse(line) as { id: number, result: { content: { text: string }[] } })
    expect(answers.map(answer => answer.id)).toEqual([1, 2])
    expect(answers[1]?.result.content[0]?.text).toBe('{"name":"read_note","args":{"id":"7"}}')
    expect(place.run(['log', '--json']).lines()).toMatchObject([{ outcome: 'called' }])
    const db = new Database(join(place.folder, '.usher/log.sqlite'), { readonly: true })
    expect((db.prepare("select body from rows where kind = 'act'").all() as { body: string }[]).map(row => (JSON.parse(row.body) as { act: string }).act)).toContain('contract.own-machine')
    db.close()
  }, 240_000)

  test('a client that ends its input at once still gets its answers', () => {
    const place = signedServer()
    const ran = place.run(['proxy', '--i-own-this-machine', '--', process.execPath, 'honest.mjs'], hello)
    // What the proxy itself keeps beside the contracts is its own work, and no effect that somebody has to explain.
    expect(place.run(['unexplained']).status).toBe(0)
    expect(ran.status).toBe(0)
    expect(ran.lines().map(answer => answer['id']).toSorted()).toEqual([1, 2])
  }, 240_000)

  test('closed: without a contract, a signature or the owner\'s word for the machine, no server is started', () => {
    const record = 'calls'
    const place = made()
    expect(place.run(['proxy', '--i-own-this-machine', '--', process.execPath, 'honest.mjs', record], hello)).toMatchObject({ status: 1, stderr: expect.stringContaining('CONTRACT_INVALID') as string })
    const owned = signedServer('honest', record)
    expect(owned.run(['proxy', '--', process.execPath, 'honest.mjs', record], hello)).toMatchObject({ status: 1, stderr: expect.stringContaining('--i-own-this-machine') as string })
    expect(existsSync(join(owned.folder, record))).toBe(false)
    expect(owned.run(['proxy'])).toMatchObject({ status: 2 })
    expect(owned.run(['proxy', '--allow-request', 'everything', '--i-own-this-machine', '--', process.execPath, 'honest.mjs', record])).toMatchObject({ status: 2 })
  }, 240_000)

  test.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/setpriv'))('a server ends with a killed runtime, also one that ignores the end of its input', async () => {
    const place = made()
    writeFileSync(join(place.folder, 'stays.mjs'), `import { writeFileSync } from 'node:fs'; import { serve } from './serve.mjs'; writeFileSync(${JSON.stringify(join(place.folder, 'pid'))}, String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); serve()`)
    place.run(['contract', 'draft', 'notes', '--with-writes', '--', process.execPath, 'stays.mjs'])
    expect(sign(place, '--draft', ...place.drafts(), '--privileges', 'fs.write').status).toBe(0)
    const child = spawn(process.execPath, [BIN, 'proxy', '--i-own-this-machine', '--', process.execPath, 'stays.mjs'], { cwd: place.folder, env: place.env, stdio: ['pipe', 'pipe', 'ignore'] })
    writeFileSync(join(place.folder, 'pid'), '')
    child.stdin.write(hello)
    await new Promise(resolve => child.stdout.once('data', resolve))
    const pid = Number(readFileSync(join(place.folder, 'pid'), 'utf8'))
    expect(pid).toBeGreaterThan(1)
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('exit', resolve))
    const lives = () => { try { process.kill(pid, 0); return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')) } catch { return false } }
    for (let waited = 0; waited < 500 && lives(); waited++) await delay(10)
    expect(lives()).toBe(false)
  }, 240_000)
})
