/**
 * The proof of the fleet: machines with one log and one stream, while machines, both servers and the network between them fail at random.
 * The witness of an effect is a line in a file that only the handler writes.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeStream, openConsumer } from '../../src/fleet/nats.ts'
import { connect } from '../../src/log/postgres/client.ts'
import { openPostgresLog } from '../../src/log/postgres/log.ts'
import { verifyFleetLog, type FleetVerdict } from '../../src/log/postgres/verify.ts'
import { startPostgres } from '../log/postgres/server.ts'
import { startCut } from './support/cut.ts'
import { generate, publishAll, startMachine, witnessed, type RunningMachine } from './support/fleet.ts'
import { startNats } from './support/nats-server.ts'

export interface ProofOptions {
  readonly events: number
  readonly machines: number
  readonly seed: number
  /** Share of messages that repeat an earlier one. */
  readonly doubles: number
  /** Ms between two failures; 0: none. */
  readonly failEvery: number
  /** Then the rest is worked off in peace: a server that was killed sends again what it had not noted as acknowledged. Default: no end. */
  readonly mostFailures?: number
  readonly encoder?: 'cheap' | 'real'
  readonly onProgress?: (published: number, waiting: number, failures: number) => void
}

export interface Proof {
  readonly messages: number
  readonly events: number
  readonly effects: number
  readonly calls: number
  readonly unknown: number
  readonly inFlight: number
  readonly failures: { readonly machine: number, readonly postgres: number, readonly nats: number, readonly network: number }
  readonly seconds: number
  /** Decisions by outcome and reason, doubles of an id left out. */
  readonly decisions: { readonly [outcome: string]: number }
  /** Each of these must be 0. */
  readonly faults: { readonly undecided: number, readonly decidedTwice: number, readonly effectTwice: number, readonly effectWithoutRow: number }
  readonly verdict: FleetVerdict
}

const STREAM = 'PROOF'

export async function runProof(options: ProofOptions): Promise<Proof> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-proof-'))
  const [pg, nats] = await Promise.all([startPostgres(), startNats()])
  const [pgCut, natsCut] = await Promise.all([startCut(pg.port), startCut(nats.port)])
  try {
    await makeStream({ url: nats.url, stream: STREAM, subjects: [`${STREAM}.>`], consumer: 'usher', ackWait: 10, inFlight: 500 })
    const own = await pg.runtimeUrl('proof')
    const url = own.replace(String(pg.port), String(pgCut.port))
    const machine = async (name: string): Promise<RunningMachine> => {
      mkdirSync(join(folder, name), { recursive: true })
      for (let tries = 0; ; tries++) {
        try {
          return await startMachine({ pg: url, nats: `nats://127.0.0.1:${natsCut.port}`, stream: STREAM, consumer: 'usher', prefix: STREAM, name, folder: join(folder, name), encoder: options.encoder ?? 'cheap', slow: 1 })
        } catch (error) {
          // A server may be down just now.
          if (tries > 60) throw error
          await wait(500)
        }
      }
    }
    const machines = new Map<string, RunningMachine>()
    for (let i = 0; i < options.machines; i++) machines.set(`m${i}`, await machine(`m${i}`))
    const sent = generate(options.events, options.doubles, options.seed).map(item => ({ ...item, subject: item.subject.replace('events', STREAM) }))
    const began = performance.now()
    let published = 0
    const state = { over: false }
    const failures = { machine: 0, postgres: 0, nats: 0, network: 0 }
    const publishing = publishAll(nats.url, sent, done => { published = done })
    const failing = (async () => {
      let drawn = options.seed
      const random = () => { drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0; return drawn / 2 ** 32 }
      while (options.failEvery > 0 && !state.over) {
        await wait(options.failEvery * (0.5 + random()))
        if (state.over) return
        const kind = random()
        if (kind < 0.4) {
          const name = `m${Math.floor(random() * options.machines)}`
          await machines.get(name)?.kill()
          machines.set(name, await machine(name))
          failures.machine++
        } else if (kind < 0.6) { await pg.kill(); await pg.start(); failures.postgres++ } else if (kind < 0.8) { await nats.kill(); await nats.start(); failures.nats++ } else {
          for (const cut of [pgCut, natsCut]) cut.cut()
          await wait(1500)
          for (const cut of [pgCut, natsCut]) cut.mend()
          failures.network++
        }
      }
    })()
    await publishing
    const count = () => Object.values(failures).reduce((a, b) => a + b, 0)
    // Half of the failures come while nothing new is sent.
    for (let quiet = 0; quiet < 3;) {
      const waiting = await openMessages(nats.url).catch(() => -1)
      options.onProgress?.(published, waiting, count())
      if ((waiting >= 0 && waiting < options.events / 20) || count() >= (options.mostFailures ?? Infinity)) state.over = true
      quiet = waiting === 0 ? quiet + 1 : 0
      await wait(300)
    }
    state.over = true
    await failing
    const seconds = (performance.now() - began) / 1000
    for (const running of machines.values()) await running.end()
    await (await openPostgresLog(own, { stateDir: join(folder, 'state') })).close()
    const ids = new Set(sent.map(item => `${item.subject.slice(STREAM.length + 1).replace('.', ':')}/${item.id}`))
    return { messages: sent.length, events: ids.size, failures, seconds, ...await count1(own, ids, [...machines.keys()].map(name => join(folder, name, 'witness.jsonl'))) }
  } finally {
    await Promise.all([pgCut.close(), natsCut.close()])
    await Promise.all([pg.stop(), nats.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openMessages(url: string): Promise<number> {
  const consumer = await openConsumer({ url, stream: STREAM, consumer: 'usher', inFlight: 1 })
  try { return await consumer.open() } finally { await consumer.close() }
}

async function count1(url: string, ids: ReadonlySet<string>, witnesses: readonly string[]): Promise<Omit<Proof, 'messages' | 'events' | 'failures' | 'seconds'>> {
  const connection = await connect(url, { name: 'proof', timeoutMs: 120_000 })
  try {
    const decided = await connection.query<{ id: string, n: number }>(`SELECT e.source || '/' || e.sender_id AS id, count(DISTINCT e.event_id) AS n FROM usher.rows e JOIN usher.rows d ON d.kind = 'decision' AND d.event_id = e.event_id
      WHERE e.kind = 'event' AND NOT (usher.field(d.body, 'kind') = 'duplicate' AND usher.field(d.body, 'reason') = 'id') GROUP BY 1`)
    const kinds = await connection.query<{ name: string, n: number }>(`SELECT usher.field(body, 'kind') || ':' || usher.field(body, 'reason') AS name, count(*) AS n FROM usher.rows WHERE kind = 'decision' AND NOT (usher.field(body, 'kind') = 'duplicate' AND usher.field(body, 'reason') = 'id') GROUP BY 1 ORDER BY 2 DESC`)
    const found = new Set(decided.map(row => row.id))
    const calls = await connection.query<{ call_id: string, outcome: string }>('SELECT call_id, outcome FROM usher.calls')
    const called = new Set(calls.map(row => row.call_id))
    const effects = witnesses.flatMap(witnessed)
    return {
      decisions: Object.fromEntries(kinds.map(row => [row.name, row.n])),
      effects: effects.length, calls: calls.length, unknown: calls.filter(row => row.outcome === 'unknown').length, inFlight: calls.filter(row => row.outcome === 'in-flight').length,
      faults: {
        undecided: [...ids].filter(id => !found.has(id)).length, decidedTwice: decided.filter(row => row.n > 1).length,
        effectTwice: effects.length - new Set(effects.map(effect => `${effect.source}/${effect.event}/${effect.tool}`)).size, effectWithoutRow: effects.filter(effect => !called.has(effect.call)).length,
      },
      verdict: await verifyFleetLog(url),
    }
  } finally {
    await connection.end()
  }
}
