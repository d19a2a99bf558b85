/** `node test/fleet/run.mjs throughput [--events N]`: events a second of one to four machines with the real encoder, beside the encoder alone on as many processes. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEmbedder } from '../../src/embed/embedder.ts'
import { makeStream, openConsumer } from '../../src/fleet/nats.ts'
import { startPostgres } from '../log/postgres/server.ts'
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
  process.stdout.write(`${JSON.stringify({ cores: cpus().length, events, encoderAlonePerSecond: Math.round(alone), fleet: rows, oneMachineWithoutEncoderPerSecond: Math.round(cheap) }, null, 2)}\n`)
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
