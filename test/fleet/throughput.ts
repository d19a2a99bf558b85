/**
 * `node test/fleet/run.mjs throughput [--events N]`: events a second of one to four machines with the real encoder, beside the encoder alone; what an
 * event costs the log in time and bytes. The plan in bench/fleet rests on its figures.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEmbedder } from '../../src/embed/embedder.ts'
import { makeStream, openConsumer } from '../../src/fleet/nats.ts'
import { connect } from '../../src/log/postgres/client.ts'
import { openPostgresLog } from '../../src/log/postgres/log.ts'
import { startPostgres } from '../log/postgres/server.ts'
import { callOf, decisionOf, endOf, eventOf } from '../log/support/rows.ts'
import { publishAll, startMachine } from './support/fleet.ts'
import { startNats } from './support/nats-server.ts'

const textOf = (i: number): string => `the ${['kettle', 'ladder', 'window', 'garden', 'printer'][i % 5] ?? ''} number ${i} was looked at ${i % 7} times on day ${i % 31}`

export async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options: { events: { type: 'string', default: '1000' } } })
  const events = Number(values.events)
  const alone = await encoderAlone(events)
  const rows: { readonly machines: number, readonly perSecond: number, readonly ofEncoder: number }[] = []
  for (const machines of [1, 2, 4]) {
    const perSecond = await fleetRate(machines, events, 'real')
    rows.push({ machines, perSecond: Math.round(perSecond), ofEncoder: Number((perSecond / alone).toFixed(2)) })
  }
  const cheap = await fleetRate(1, events, 'cheap')
  const log = await logCosts(Math.min(events, 400))
  process.stdout.write(`${JSON.stringify({ cores: cpus().length, events, encoderAlonePerSecond: Math.round(alone), fleet: rows, oneMachineWithoutEncoderPerSecond: Math.round(cheap), log }, null, 2)}\n`)
  return 0
}

async function encoderAlone(events: number): Promise<number> {
  const embedder = await openEmbedder()
  await embedder.embed('warm')
  const began = performance.now()
  await Promise.all(Array.from({ length: events }, (_, i) => embedder.embed(textOf(i))))
  const seconds = (performance.now() - began) / 1000
  await embedder.close()
  return events / seconds
}

async function fleetRate(count: number, events: number, encoder: 'cheap' | 'real'): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-rate-'))
  const [pg, nats] = await Promise.all([startPostgres(), startNats()])
  try {
    await makeStream({ url: nats.url, stream: 'RATE', subjects: ['RATE.>'], consumer: 'usher', ackWait: 30, inFlight: 500 })
    await publishAll(nats.url, Array.from({ length: events }, (_, i) => ({ id: `n-${i}`, subject: 'RATE.chat.ann', text: textOf(i) })))
    const url = await pg.runtimeUrl('rate')
    const machines = await Promise.all(Array.from({ length: count }, async (_, i) => {
      mkdirSync(join(folder, `m${i}`))
      return startMachine({ pg: url, nats: nats.url, stream: 'RATE', consumer: 'usher', prefix: 'RATE', name: `m${i}`, folder: join(folder, `m${i}`), encoder })
    }))
    const consumer = await openConsumer({ url: nats.url, stream: 'RATE', consumer: 'usher', inFlight: 1 })
    const before = await consumer.open()
    const began = performance.now()
    while (await consumer.open() > 0) await wait(50)
    const seconds = (performance.now() - began) / 1000
    await consumer.close()
    for (const machine of machines) await machine.end()
    return before / seconds
  } finally {
    await Promise.all([pg.stop(), nats.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

interface LogCosts { readonly heldMs: readonly number[], readonly calledMs: readonly number[], readonly rowsPerHeld: number, readonly rowsPerCalled: number, readonly bytesPerRow: number }

/** Ms that the log takes of one event, one after the other: held (claim, event, decision) and called (with the call's row and its outcome). Sorted. */
async function logCosts(count: number): Promise<LogCosts> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-cost-'))
  const pg = await startPostgres()
  try {
    const log = await openPostgresLog(await pg.runtimeUrl('cost'), { stateDir: folder })
    const times = { held: [] as number[], called: [] as number[] }
    for (const kind of ['held', 'called'] as const) {
      for (let i = 0; i < count; i++) {
        const began = performance.now()
        const id = `${kind}-${i}`
        await log.seen('user', id)
        await log.event(eventOf({ eventId: `e-${id}`, senderId: id, text: textOf(i) }))
        const { callId: _none, ...held } = decisionOf({ decisionId: `d-${id}`, eventId: `e-${id}` })
        await log.decision(kind === 'held' ? held : { ...held, callId: `c-${id}` })
        if (kind === 'called') { await log.begin(callOf({ callId: `c-${id}`, eventId: `e-${id}`, decisionId: `d-${id}` })); await log.end(endOf({ callId: `c-${id}` })) }
        times[kind].push(performance.now() - began)
      }
    }
    await log.close()
    const connection = await connect(pg.databaseUrl('cost'), { name: 'cost', timeoutMs: 20_000 })
    const [size] = await connection.query<{ rows: number, bytes: number }>('SELECT count(*) AS rows, (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = \'usher\' AND c.relkind = \'r\')::bigint AS bytes FROM usher.rows')
    await connection.end()
    const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b).map(ms => Number(ms.toFixed(2)))
    return { heldMs: sorted(times.held), calledMs: sorted(times.called), rowsPerHeld: 2, rowsPerCalled: 4, bytesPerRow: Math.round(Number(size?.bytes ?? 0) / Number(size?.rows ?? 1)) }
  } finally {
    await pg.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
