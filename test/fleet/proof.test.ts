import { expect, test } from 'vitest'
import { HAS_POSTGRES } from '../log/postgres/server.ts'
import { runProof } from './proof.ts'
import { HAS_NATS } from './support/nats-server.ts'

/** Without the servers (apt-get install -y postgresql nats-server) they are skipped by name. */
const HAS_SERVERS = HAS_POSTGRES && HAS_NATS

test.skipIf(!HAS_SERVERS)('trace:before, trace:crash, gate:limits: two machines, while machines, servers and the network fail: one decision an event, each effect at most once and with its row, chains whole', async () => {
  const proof = await runProof({ events: 500, machines: 2, seed: 11, doubles: 0.2, failEvery: 2500 })
  expect(proof.faults).toEqual({ undecided: 0, decidedTwice: 0, effectTwice: 0, effectWithoutRow: 0 })
  expect(proof.verdict).toMatchObject({ kind: 'ok' })
  expect(proof.inFlight).toBe(0)
  expect(proof.effects).toBeGreaterThan(50)
})
