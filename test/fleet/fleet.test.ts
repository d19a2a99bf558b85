import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeStream, openConsumer } from '../../src/fleet/nats.ts'
import { verifyFleetLog } from '../../src/log/postgres/verify.ts'
import { connect } from '../../src/log/postgres/client.ts'
import { HAS_POSTGRES, startPostgres, type Postgres } from '../log/postgres/server.ts'
import { startCut } from './support/cut.ts'
import { generate, publishAll, startMachine, witnessed, type Effect, type MachineSetup, type RunningMachine } from './support/fleet.ts'
import { HAS_NATS, startNats, type Nats } from './support/nats-server.ts'

/** Without the servers (apt-get install -y postgresql nats-server) they are skipped by name. */
const HAS_SERVERS = HAS_POSTGRES && HAS_NATS

let pg: Postgres
let nats: Nats
let folder: string
beforeAll(async () => {
  if (!HAS_SERVERS) return
  folder = mkdtempSync(join(tmpdir(), 'usher-fleet-'))
  ;[pg, nats] = await Promise.all([startPostgres(), startNats()])
})
afterAll(async () => {
  if (!HAS_SERVERS) return
  await Promise.all([pg.stop(), nats.stop()])
  rmSync(folder, { recursive: true, force: true })
})

let made = 0
async function newFleet(): Promise<{ setup: Omit<MachineSetup, 'name' | 'folder'>, owner: string, stream: string, machine(name: string, more?: Partial<MachineSetup>): Promise<RunningMachine> }> {
  const stream = `S${++made}`
  const consumer = 'usher'
  await makeStream({ url: nats.url, stream, subjects: [`${stream}.>`], consumer, ackWait: 5, inFlight: 200 })
  const database = `fleet_${made}`
  const setup = { pg: await pg.runtimeUrl(database), nats: nats.url, stream, consumer }
  const machine = async (name: string, more: Partial<MachineSetup> = {}) => {
    const own = join(folder, `${stream}-${name}`)
    mkdirSync(own, { recursive: true })
    const running = await startMachine({ ...setup, prefix: stream, name, folder: own, ...more })
    onTestFinished(() => running.kill())
    return running
  }
  return { setup, owner: pg.databaseUrl(database), stream, machine }
}

async function rows<T>(url: string, sql: string): Promise<readonly T[]> {
  const connection = await connect(url, { name: 'test', timeoutMs: 20_000 })
  try { return await connection.query<T>(sql) } finally { await connection.end() }
}

async function drained(stream: string): Promise<void> {
  const consumer = await openConsumer({ url: nats.url, stream, consumer: 'usher', inFlight: 1 })
  try {
    await expect.poll(async () => await consumer.open(), { timeout: 120_000, interval: 250 }).toBe(0)
  } finally {
    await consumer.close()
  }
}

test.skipIf(!HAS_SERVERS)('gate:limits, trace:before: three machines, doubles, a kill in the middle of calls: each event is decided once, each effect at most once with its row', async () => {
  const { owner, stream, machine } = await newFleet()
  const machines = [await machine('one', { slow: 5 }), await machine('two', { slow: 5 }), await machine('three', { slow: 5 })]
  const sent = generate(240, 0.2, 7).map(item => ({ ...item, subject: item.subject.replace('events', stream) }))
  await publishAll(nats.url, sent, done => { if (done === 120) void machines[1]?.kill() })
  await drained(stream)
  const ids = new Set(sent.map(item => `${item.subject}/${item.id}`))
  const decided = await rows<{ n: number, source: string, sender_id: string }>(owner, `SELECT e.source, e.sender_id, count(DISTINCT e.event_id) AS n FROM usher.events e JOIN usher.decisions d ON d.event_id = e.event_id WHERE d.outcome <> 'duplicate' OR d.reason <> 'id' GROUP BY 1, 2`)
  expect(decided.length).toBe(ids.size)
  expect(decided.filter(row => row.n !== 1)).toEqual([])
  const effects = machines.flatMap(running => witnessed(running.witness))
  const calls = new Set((await rows<{ call_id: string }>(owner, 'SELECT call_id FROM usher.calls')).map(row => row.call_id))
  expect(effects.length).toBeGreaterThan(30)
  expect(effects.filter(effect => !calls.has(effect.call))).toEqual([])
  const key = (effect: Effect) => `${effect.source}/${effect.event}/${effect.tool}`
  expect(new Set(effects.map(key)).size).toBe(effects.length)
  for (const running of machines) await running.end()
  expect(await verifyFleetLog(owner)).toMatchObject({ kind: 'ok' })
})

test.skipIf(!HAS_SERVERS)('closed: a network that is cut between a machine and the log: no call without its row, and it goes on afterwards', async () => {
  const { owner, setup, stream, machine } = await newFleet()
  const cut = await startCut(pg.port)
  onTestFinished(() => cut.close())
  const one = await machine('one', { pg: setup.pg.replace(String(pg.port), String(cut.port)) })
  const sent = generate(60, 0, 3).map(item => ({ ...item, subject: item.subject.replace('events', stream) }))
  await publishAll(nats.url, sent, done => {
    if (done === 15) cut.cut()
    if (done === 45) cut.mend()
  })
  await drained(stream)
  await one.end()
  const calls = new Set((await rows<{ call_id: string }>(owner, 'SELECT call_id FROM usher.calls')).map(row => row.call_id))
  expect(witnessed(one.witness).filter(effect => !calls.has(effect.call))).toEqual([])
  const decided = await rows<{ n: number }>(owner, 'SELECT count(DISTINCT e.sender_id) AS n FROM usher.events e JOIN usher.decisions d ON d.event_id = e.event_id')
  expect(decided).toEqual([{ n: sent.length }])
  expect(await verifyFleetLog(owner)).toMatchObject({ kind: 'ok' })
})

test.skipIf(!HAS_SERVERS)('a machine that runs other routes than the fleet is pinned to decides, logs and fires nothing', async () => {
  const { owner, stream, machine } = await newFleet()
  await rows(owner, 'INSERT INTO usher.pins (table_hash, encoder, who, at) VALUES (\'another table\', \'another encoder\', \'anna\', 0)')
  const one = await machine('one')
  await publishAll(nats.url, [{ id: 'a', subject: `${stream}.user`, text: 'ring the bell' }])
  await drained(stream)
  await one.end()
  expect(witnessed(one.witness)).toEqual([])
  expect(await rows(owner, 'SELECT count(*) AS n FROM usher.calls')).toEqual([{ n: 0 }])
  expect(await rows(owner, 'SELECT outcome, reason, call_id FROM usher.decisions')).toEqual([{ outcome: 'stopped', reason: 'fleet', call_id: null }])
})

test.skipIf(!HAS_SERVERS)('ingest:owns: the source is in the subject; what a payload claims, and what is no event, fires nothing and is kept', async () => {
  const { owner, stream, machine } = await newFleet()
  const one = await machine('one')
  await publishAll(nats.url, [
    { id: 'a', subject: `${stream}.mail`, text: 'ring the bell' },
    { id: 'b', subject: `${stream}.NOT_A_SOURCE`, text: 'ring the bell' },
  ])
  await drained(stream)
  await one.end()
  expect(witnessed(one.witness)).toEqual([])
  expect(await rows(owner, 'SELECT d.outcome, e.source FROM usher.decisions d JOIN usher.events e ON e.event_id = d.event_id ORDER BY d.at, d.outcome')).toEqual(expect.arrayContaining([{ outcome: 'source-blocked', source: 'mail' }, { outcome: 'malformed', source: 'stream' }]))
})
