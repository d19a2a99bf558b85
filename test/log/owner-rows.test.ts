import { expect, test } from 'vitest'
import { proofMemory } from '../../src/approvals/proof-memory.ts'
import { OwnerState } from '../../src/approvals/owner-state.ts'
import { PgOwnerRows } from '../../src/log/postgres/owner-rows.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { actOf, callOf, endOf, T0, tempLog } from './support/rows.ts'

const clock = { now: () => T0 }

test('what another process wrote is seen on the log\'s own connection, with what this one wrote', async () => {
  const { log, file, dir } = tempLog()
  const state = new OwnerState(log.ownerRows(), clock)
  await state.look()
  expect(state.stopped).toBeUndefined()
  const other = openSqliteLog(file, { stateDir: `${dir}/state` })
  other.act(actOf({ who: 'someone else', act: 'stop', about: 'all', detail: { reason: 'kill-switch', why: 'elsewhere' } }))
  log.begin(callOf())
  await state.look()
  expect(state.stopped).toMatchObject({ who: 'someone else', why: 'elsewhere' })
  expect(state.view('open-console').all.inFlight).toBe(1)
  log.end(endOf())
  other.act(actOf({ act: 'resume', about: 'all', detail: {} }))
  other.close()
  await state.look()
  expect(state.stopped).toBeUndefined()
  expect(state.view('open-console').all.inFlight).toBe(0)
})

test('closed: rows that cannot be read any more are no answer', async () => {
  const { log } = tempLog()
  const state = new OwnerState(log.ownerRows(), clock)
  await state.look()
  log.close()
  await expect(state.look()).rejects.toThrow(/not open/)
})

test('of a fleet\'s rows each asker gets all: a stop is heard, whoever else asked before', async () => {
  const stored = [{ kind: 'act', at: 1, body: '{"who":"p","act":"resume","about":"all","detail":{},"at":1}', xid: 1, place: 1 }]
  const connection = { query: async (_sql: string, [xid = 0]: readonly unknown[]) => stored.filter(row => row.xid > Number(xid)) }
  const rows = new PgOwnerRows(question => question(connection as never))
  const state = new OwnerState(rows, clock)
  const memory = proofMemory(rows.another())
  await state.look()
  await memory.passphraseDigest()
  stored.push({ kind: 'act', at: 2, body: '{"who":"p","act":"stop","about":"all","detail":{"reason":"kill-switch","why":"now"},"at":2}', xid: 2, place: 1 })
  await memory.passphraseDigest()
  await state.look()
  expect(state.stopped).toMatchObject({ why: 'now' })
})
