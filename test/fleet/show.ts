/** `npm run fleet [-- --seconds N]`: a real PostgreSQL and a real nats-server in scratch folders on loopback, three machines, a generator, one screen. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeStream, openConsumer } from '../../src/fleet/nats.ts'
import { connect } from '../../src/log/postgres/client.ts'
import { fleetStatus } from '../../src/log/postgres/status.ts'
import { HAS_POSTGRES, INSTALL, startPostgres } from '../log/postgres/server.ts'
import { generate, publishAll, startMachine, type RunningMachine } from './support/fleet.ts'
import { HAS_NATS, INSTALL_NATS, startNats } from './support/nats-server.ts'

const STREAM = 'SHOW'

export async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options: { seconds: { type: 'string', default: '3600' } } })
  const missing = [...(HAS_POSTGRES ? [] : [INSTALL]), ...(HAS_NATS ? [] : [INSTALL_NATS])]
  if (missing.length > 0) { process.stderr.write(`first: ${missing.join(' && ')}\n`); return 2 }
  const folder = mkdtempSync(join(tmpdir(), 'usher-show-'))
  const [pg, nats] = await Promise.all([startPostgres(), startNats()])
  const machines: RunningMachine[] = []
  const end = { asked: false }
  process.once('SIGINT', () => { end.asked = true })
  try {
    await makeStream({ url: nats.url, stream: STREAM, subjects: [`${STREAM}.>`], consumer: 'usher', ackWait: 10, inFlight: 100 })
    const url = await pg.runtimeUrl('show')
    for (const name of ['hall', 'kitchen', 'attic']) {
      mkdirSync(join(folder, name))
      machines.push(await startMachine({ pg: url, nats: nats.url, stream: STREAM, consumer: 'usher', prefix: STREAM, name, folder: join(folder, name), slow: 20 }))
    }
    const consumer = await openConsumer({ url: nats.url, stream: STREAM, consumer: 'usher', inFlight: 1 })
    const sent = generate(100_000, 0.2, Date.now() % 1000)
    for (let tick = 0; tick < Number(values.seconds) && !end.asked; tick++) {
      await publishAll(nats.url, sent.slice(tick * 4, tick * 4 + 4).map(item => ({ ...item, subject: item.subject.replace('events', STREAM) })), () => undefined, `${tick}-`)
      await wait(1000)
      await screen(url, await consumer.open())
    }
    await consumer.close()
    return 0
  } finally {
    await Promise.all(machines.map(machine => machine.end()))
    await Promise.all([pg.stop(), nats.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

async function screen(url: string, waiting: number): Promise<void> {
  const now = Date.now()
  const status = await fleetStatus(url, now)
  const connection = await connect(url, { name: 'show', timeoutMs: 5000 })
  const newest = await connection.query<{ source: string, text: string, outcome: string, writer: string }>('SELECT e.source, e.text, d.outcome, d.writer FROM usher.decisions d JOIN usher.events e ON e.event_id = d.event_id ORDER BY d.at DESC LIMIT 12').finally(() => connection.end())
  const of = new Map(status.machines.map(machine => [machine.writer, machine.machine]))
  const lines = [
    `machines: ${status.machines.map(machine => `${machine.live ? '+' : '-'} ${machine.machine} (pid ${machine.pid})`).join('   ') || 'not heard yet'}`,
    `${status.rows} rows, ${waiting} events wait, ${status.inFlight} calls in flight, ${status.unknown} unknown`,
    '', ...newest.map(row => `${row.outcome.padEnd(16)} ${row.source.padEnd(10)} ${row.text.slice(0, 50).padEnd(50)} ${of.get(row.writer) ?? row.writer.slice(0, 8)}`),
  ]
  process.stdout.write(`${process.stdout.isTTY ? '\u001b[2J\u001b[H' : ''}${lines.join('\n')}\n${process.stdout.isTTY ? '\nCtrl-C ends it.\n' : ''}`)
}
