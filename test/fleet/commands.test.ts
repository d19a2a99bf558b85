import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeStream, openConsumer } from '../../src/fleet/nats.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { HAS_POSTGRES, startPostgres, type Postgres } from '../log/postgres/server.ts'
import { tempDir, wholeCall } from '../log/support/rows.ts'
import { publishAll } from './support/fleet.ts'
import { HAS_NATS, startNats, type Nats } from './support/nats-server.ts'

/** Without the servers (apt-get install -y postgresql nats-server) they are skipped by name. */
const HAS_SERVERS = HAS_POSTGRES && HAS_NATS

const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const run = promisify(execFile)

let pg: Postgres
let nats: Nats
beforeAll(async () => { if (HAS_SERVERS) [pg, nats] = await Promise.all([startPostgres(), startNats()]) })
afterAll(async () => { if (HAS_SERVERS) await Promise.all([pg.stop(), nats.stop()]) })

interface Ran { readonly code: number, readonly out: string, readonly err: string }
async function usher(folder: string, ...args: string[]): Promise<Ran> {
  const env = { ...process.env, USHER_STATE: join(folder, 'state'), NO_COLOR: '1' }
  return run(process.execPath, [BIN, ...args], { cwd: folder, env, timeout: 120_000 }).then(({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }), (error: { code: number, stdout: string, stderr: string }) => ({ code: error.code, out: error.stdout, err: error.stderr }))
}

test.skipIf(!HAS_SERVERS)('a log of one machine moves into the fleet\'s with its proofs, and the questions give the same answers', async () => {
  const folder = tempDir()
  const url = await pg.runtimeUrl('moved')
  const log = openSqliteLog(join(folder, 'one.sqlite'), { stateDir: join(folder, 'state') })
  wholeCall(log)
  log.close()
  const before = await usher(folder, 'explain', 'call-1', '--log', 'one.sqlite', '--json')
  expect(await usher(folder, 'log', 'copy', 'one.sqlite', url, '--json')).toMatchObject({ code: 0 })
  const again = await usher(folder, 'fleet', 'copy', 'one.sqlite', url, '--json')
  expect(JSON.parse(again.out)).toMatchObject({ rows: 0, already: 6 })
  expect(JSON.parse((await usher(folder, 'verify', '--log', url, '--json')).out)).toMatchObject({ kind: 'ok', rows: 6, writers: 1 })
  const after = await usher(folder, 'explain', 'call-1', '--log', url, '--json')
  expect(JSON.parse(after.out)).toEqual(JSON.parse(before.out))
  const found = await usher(folder, 'unexplained', '--log', url, '--json')
  expect(found).toMatchObject({ code: 0 })
})

test.skipIf(!HAS_SERVERS)('control:human: a stop at the command line holds for every machine, and a report is written to the log itself and not to the copy', async () => {
  const folder = tempDir()
  const url = await pg.runtimeUrl('stopped')
  const log = openSqliteLog(join(folder, 'one.sqlite'), { stateDir: join(folder, 'state') })
  wholeCall(log)
  log.close()
  await usher(folder, 'log', 'copy', 'one.sqlite', url)
  expect(await usher(folder, 'stop', '--log', url)).toMatchObject({ code: 0 })
  expect(await usher(folder, 'report', 'call-1', '--wrong', 'only a quote', '--log', url)).toMatchObject({ code: 0 })
  const status = await usher(folder, 'fleet', 'status', '--log', url)
  expect(status.code).toBe(1)
  expect(status.out).toMatch(/stopped .*usher resume ends that[^]*breaker .*open-console is open/)
  const acts = await import('../../src/log/postgres/client.ts').then(async ({ connect }) => {
    const connection = await connect(url, { name: 'test', timeoutMs: 10_000 })
    try { return await connection.query<{ act: string }>('SELECT act FROM usher.acts ORDER BY at, seq') } finally { await connection.end() }
  })
  expect(acts.map(row => row.act)).toEqual(expect.arrayContaining(['stop', 'report']))
})

test.skipIf(!HAS_SERVERS)('old rows are cut by the owner\'s role, and the chains still verify; a runtime\'s role cuts nothing', async () => {
  const folder = tempDir()
  const url = await pg.runtimeUrl('pruned')
  const log = openSqliteLog(join(folder, 'one.sqlite'), { stateDir: join(folder, 'state') })
  wholeCall(log)
  log.close()
  await usher(folder, 'log', 'copy', 'one.sqlite', url)
  expect((await usher(folder, 'prune', '--older-than', '1d', '--log', url)).code).toBe(1)
  const pruned = await usher(folder, 'prune', '--older-than', '1d', '--log', pg.databaseUrl('pruned'), '--json')
  expect(JSON.parse(pruned.out)).toEqual({ cut: 4, kept: 2 })
  expect(JSON.parse((await usher(folder, 'verify', '--log', url, '--json')).out)).toMatchObject({ kind: 'ok' })
})

test.skipIf(!HAS_SERVERS)('fleet init makes tables and stream, grants a role, and says what is wrong', async () => {
  const folder = tempDir()
  await pg.runtimeUrl('made')
  const made = await usher(folder, 'fleet', 'init', '--log', pg.databaseUrl('made'), '--grant', 'runner', '--events', nats.url, '--stream', 'MADE', '--subjects', 'made', '--json')
  expect(made).toMatchObject({ code: 0 })
  expect(JSON.parse(made.out)).toEqual({ log: 'log-made', stream: 'MADE' })
  expect((await usher(folder, 'fleet', 'status', '--log', 'not-an-address')).code).toBe(2)
  expect((await usher(folder, 'fleet', 'init')).code).toBe(2)
  const nobody = await usher(folder, 'fleet', 'status', '--log', 'postgres://nobody@127.0.0.1:1/none')
  expect(nobody).toMatchObject({ code: 2 })
  expect(nobody.err).toMatch(/ECONNREFUSED.*no server listens there/)
  const norole = await usher(folder, 'fleet', 'init', '--log', pg.databaseUrl('made'), '--grant', 'nobody_yet')
  expect(norole).toMatchObject({ code: 2 })
  expect(norole.err).toMatch(/make the role first/)
})

test.skipIf(!HAS_SERVERS)('a password in an address is not repeated in a message', async () => {
  const folder = tempDir()
  for (const log of ['postgres://r:pass-word@127.0.0.1:1/none', 'postgres://r@127.0.0.1:1/none?password=pass-word']) {
    const { code, err } = await usher(folder, 'verify', '--log', log)
    expect(code).toBe(2)
    expect(err).toContain('127.0.0.1:1')
    expect(err).not.toContain('pass-word')
  }
  const anchor = await usher(folder, 'anchor', '--log', 'postgres://r@127.0.0.1:1/none')
  expect(anchor).toMatchObject({ code: 2 })
  expect(anchor.err).toMatch(/an anchor is for a log in a file/)
  const events = await usher(folder, 'fleet', 'init', '--events', 'nats://u:pass-word@127.0.0.1:1')
  expect(events.err).toContain('cannot connect to nats://127.0.0.1:1:')
  expect(events.err).not.toContain('pass-word')
})

test.skipIf(!HAS_SERVERS)('usher serve as one of several machines: an event of the stream is decided, answered on a subject, acknowledged, and shown by status', async () => {
  const folder = tempDir()
  const url = await pg.runtimeUrl('served')
  await makeStream({ url: nats.url, stream: 'SERVED', subjects: ['served.>', 'told.>'], consumer: 'usher', ackWait: 30, inFlight: 100 })
  const child = spawn(process.execPath, [BIN, 'serve', '--json', '--log', url, '--events', nats.url, '--stream', 'SERVED', '--consumer', 'usher', '--subjects', 'served', '--no-reader', '--state', join(folder, 'state')], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => { child.kill('SIGKILL') })
  let errors = ''
  child.stderr.on('data', (text: Buffer) => { errors += String(text) })
  const first = await Promise.race([once(child.stdout, 'data').then(([text]) => String(text)), once(child, 'exit').then(() => `ended: ${errors}`)])
  expect(first).toMatch(/"address"/)
  await publishAll(nats.url, [{ id: 'a', subject: 'served.user', text: 'please open the console' }, { id: 'b', subject: 'served.webhook', text: 'please open the console' }])
  const consumer = await openConsumer({ url: nats.url, stream: 'SERVED', consumer: 'usher', inFlight: 1 })
  await expect.poll(() => consumer.open(), { timeout: 60_000, interval: 200 }).toBe(0)
  await consumer.close()
  // A row can be read once every transaction that began before it has ended, which may take a moment.
  const asked = async () => JSON.parse((await usher(folder, 'fleet', 'status', '--log', url, '--events', nats.url, '--stream', 'SERVED', '--json')).out) as { rows: number, undecided: number, waiting: number }
  await expect.poll(asked, { timeout: 60_000, interval: 500 }).toMatchObject({ undecided: 0, waiting: 0 })
  const listed = async () => (await usher(folder, 'log', '--log', url, '--json')).out.trim().split('\n').map(line => JSON.parse(line) as { outcome: string, event?: { source: string } }).map(entry => [entry.event?.source, entry.outcome])
  await expect.poll(listed, { timeout: 60_000, interval: 500 }).toEqual(expect.arrayContaining([['user', 'called'], ['webhook', 'source-blocked']]))
  // The page's copy is brought up to date every second; the observer writes down who connects and who opens files. Neither may feed the other.
  const rows = async () => (JSON.parse((await usher(folder, 'fleet', 'status', '--log', url, '--json')).out) as { rows: number }).rows
  await new Promise(resolve => setTimeout(resolve, 3000))
  const idle = await rows()
  await new Promise(resolve => setTimeout(resolve, 4000))
  expect(await rows() - idle).toBeLessThan(4)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(JSON.parse((await usher(folder, 'verify', '--log', url, '--json')).out)).toMatchObject({ kind: 'ok' })
})
