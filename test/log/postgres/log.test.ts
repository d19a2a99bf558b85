import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgresLog } from '../../../src/log/postgres/log.ts'
import { keepMirror, mirrorLog } from '../../../src/log/postgres/mirror.ts'
import { PG_VIEWS } from '../../../src/log/postgres/views.ts'
import { pruneFleetLog } from '../../../src/log/postgres/prune.ts'
import { verifyFleetLog } from '../../../src/log/postgres/verify.ts'
import { queryLog } from '../../../src/log/query.ts'
import { openLogReader } from '../../../src/log/reader.ts'
import { unexplained } from '../../../src/log/unexplained.ts'
import { callLogCases } from '../support/call-log-cases.ts'
import { actOf, callOf, decisionOf, effectOf, endOf, eventOf, tempDir } from '../support/rows.ts'
import { HAS_POSTGRES } from './server.ts'
import { withPostgres } from './support.ts'

const { running, tempPgLog, asOwner, wholeCall } = withPostgres()

if (HAS_POSTGRES) callLogCases('PostgreSQL', async () => {
  const { log, open } = await tempPgLog()
  return { log, reopen: async () => { await log.close(); return open() } }
})

test.skipIf(!HAS_POSTGRES)('trace:before: a call\'s row, and all that came before it, is committed when begin returns', async () => {
  const { log, owner } = await tempPgLog()
  await log.seen('user', 'sender-1')
  await log.event(eventOf())
  await log.decision(decisionOf())
  await log.begin(callOf())
  const kinds = await asOwner(owner, query => query('SELECT kind FROM usher.rows ORDER BY writer, seq'))
  expect(kinds.map(row => row['kind'])).toEqual(['genesis', 'act', 'event', 'decision', 'call'])
})

test.skipIf(!HAS_POSTGRES)('a runtime whose role may change rows is refused, and so is a server that does not sync its commits', async () => {
  const { owner } = await tempPgLog()
  await expect(openPostgresLog(owner, { stateDir: tempDir() })).rejects.toThrow(/may change or delete rows/)
  await asOwner(owner, query => query('ALTER SYSTEM SET full_page_writes = off'))
  await asOwner(owner, query => query('SELECT pg_reload_conf()'))
  const url = await running().runtimeUrl('unsafe')
  await expect.poll(() => openPostgresLog(url, { stateDir: tempDir() }).then(log => log.close().then(() => 'opened'), (error: Error) => error.message)).toMatch(/full_page_writes = off/)
  await asOwner(owner, query => query('ALTER SYSTEM RESET full_page_writes'))
  await asOwner(owner, query => query('SELECT pg_reload_conf()'))
  await expect.poll(() => openPostgresLog(url, { stateDir: tempDir() }).then(log => log.close().then(() => 'opened'), (error: Error) => error.message)).toBe('opened')
})

test.skipIf(!HAS_POSTGRES)('append only: neither the runtime nor the owner changes, deletes or empties rows', async () => {
  const { log, url, owner } = await tempPgLog()
  await wholeCall(log)
  for (const sql of ['UPDATE usher.rows SET body = \'{}\'', 'DELETE FROM usher.rows', 'TRUNCATE usher.rows', 'DELETE FROM usher.call_claims', 'UPDATE usher.event_claims SET writer = \'x\'']) {
    await expect(asOwner(url, query => query(sql))).rejects.toThrow(/permission denied/)
    await expect(asOwner(owner, query => query(sql))).rejects.toThrow(/append only/)
  }
})

test.skipIf(!HAS_POSTGRES)('two machines with one event: one decides and calls, the other is answered from the log', async () => {
  const { log, open } = await tempPgLog()
  const other = await open()
  expect(await log.seen('user', 'sender-1')).toBeUndefined()
  const answer = other.seen('user', 'sender-1')
  await log.event(eventOf())
  await log.decision(decisionOf())
  await log.begin(callOf())
  await log.end(endOf())
  expect((await answer)?.map(found => [found.decisionId, found.kind, found.callId])).toEqual([['decision-1', 'called', 'call-1']])
})

test.skipIf(!HAS_POSTGRES)('a call of the same event, route and clause is refused on a second machine, also where it never asked whose event it is', async () => {
  const { log, owner, open } = await tempPgLog()
  const other = await open()
  await log.event(eventOf())
  await log.decision(decisionOf())
  await other.event(eventOf({ eventId: 'event-2' }))
  await other.decision(decisionOf({ eventId: 'event-2', decisionId: 'decision-2', callId: 'call-2' }))
  await log.begin(callOf())
  await expect(other.begin(callOf({ callId: 'call-2', eventId: 'event-2', decisionId: 'decision-2' }))).rejects.toThrow(/handled the same event already, in call call-1/)
  expect(await asOwner(owner, query => query('SELECT outcome FROM usher.decisions WHERE decision_id = \'decision-2\''))).toEqual([{ outcome: 'duplicate' }])
  // Another clause of the same text is another ask.
  await other.decision(decisionOf({ eventId: 'event-2', decisionId: 'decision-3', nth: 1, callId: 'call-3' }))
  await other.begin(callOf({ callId: 'call-3', eventId: 'event-2', decisionId: 'decision-3' }))
})

/** Runs until it is killed. */
async function deadWriter(url: string, stateDir: string): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('dead-writer.mjs', import.meta.url)), url, stateDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test.skipIf(!HAS_POSTGRES)('an event whose machine died before it decided is decided by the next one; a call that it left in flight reads unknown and is not run again', async () => {
  const { url, owner, stateDir, open, log } = await tempPgLog()
  await deadWriter(url, stateDir)
  const other = await open()
  expect(other.recovered).toEqual(['c-dead'])
  expect((await open()).recovered).toEqual([])
  const ends = await asOwner(owner, query => query('SELECT call_id, outcome, reason FROM usher.outcomes'))
  expect(ends).toEqual([{ call_id: 'c-dead', outcome: 'unknown', reason: 'crashed' }])
  expect((await log.seen('user', 'in-flight'))?.map(found => found.callId)).toEqual(['c-dead'])
  expect(await log.seen('user', 'undecided')).toBeUndefined()
  // The other one finds it taken.
  await log.event(eventOf({ senderId: 'undecided' }))
  await log.decision(decisionOf())
  await log.begin(callOf())
  expect((await other.seen('user', 'undecided'))?.map(found => found.callId)).toEqual(['call-1'])
})

test.skipIf(!HAS_POSTGRES)('a machine that was cut off does not decide an event that another one took over', async () => {
  const { log, owner } = await tempPgLog()
  await log.seen('user', 'sender-1')
  await log.event(eventOf())
  const claims = await asOwner(owner, async query => {
    await query('INSERT INTO usher.event_claims SELECT event_key, 2, \'another\', 0, source, sender_id FROM usher.event_claims')
    return query('SELECT count(*) AS n FROM usher.event_claims')
  })
  expect(claims).toEqual([{ n: 2 }])
  await log.decision(decisionOf())
  await expect(log.begin(callOf())).rejects.toThrow(/took the event over/)
  const { callId: _callId, ...held } = decisionOf({ decisionId: 'decision-2', kind: 'not-explicit', reason: 'abstain:similar' })
  await expect(log.decision(held)).rejects.toThrow(/took the event over/)
  expect(await asOwner(owner, query => query('SELECT kind FROM usher.rows WHERE kind IN (\'decision\', \'call\')'))).toEqual([])
})

test.skipIf(!HAS_POSTGRES)('outcome:distinct: a call that is refused after its decision was written, since it came late, reads as what it became, here and in a copy', async () => {
  const { log, owner, url, stateDir } = await tempPgLog()
  await log.seen('user', 'sender-1')
  await log.event(eventOf())
  await log.decision(decisionOf())
  const written = () => asOwner(owner, query => query('SELECT outcome, reason FROM usher.decisions'))
  // No call comes: the decision is written as it is, and its call may still begin.
  await expect.poll(written, { timeout: 20_000 }).toEqual([{ outcome: 'in-flight', reason: 'ask' }])
  await log.refused({ decisionId: 'decision-1', eventId: 'event-1', kind: 'stopped', reason: 'fleet', why: 'another table is pinned', at: 5 })
  expect(await written()).toEqual([{ outcome: 'stopped', reason: 'fleet' }])
  expect(await log.seen('user', 'sender-1')).toMatchObject([{ kind: 'stopped' }])
  const copy = await mirrorLog(url, { stateDir })
  const reader = openLogReader(copy.file)
  expect(queryLog(reader).map(entry => entry.outcome)).toEqual(['stopped'])
  reader.close()
})

test.skipIf(!HAS_POSTGRES)('the questions are answered from a copy that grows, with the same answers as PostgreSQL\'s own views', async () => {
  const { log, url, owner, stateDir } = await tempPgLog()
  await wholeCall(log, 1)
  log.effect(effectOf({ callId: null, target: '/usr/bin/curl' }))
  log.effect(effectOf({ callId: 'call-1', kind: 'fs.write', target: '/home/a' }))
  await log.begin(callOf({ callId: 'call-9', by: 'model', explicit: false, eventId: 'none', allowed: ['fs.write:/tmp/*'] }))
  log.effect(effectOf({ callId: 'call-9', kind: 'fs.write', target: '/tmp/x' }))
  await log.end(endOf({ callId: 'call-9', kind: 'unknown', reason: 'timeout', why: 'no answer' }))
  const first = await mirrorLog(url, { stateDir })
  expect(first.added).toBeGreaterThan(8)
  expect((await mirrorLog(url, { stateDir })).added).toBe(0)
  const reader = openLogReader(first.file, { stateDir, recover: false })
  onTestFinished(() => reader.close())
  const found = unexplained(reader).map(item => [item.reason, item.kind ?? null, item.target ?? null])
  const own = await asOwner(owner, query => query('SELECT reason, kind, target FROM usher.unexplained'))
  expect(found).toEqual([['no-call', 'process.start', '/usr/bin/curl'], ['no-ask', 'fs.write', '/tmp/x'], ['beyond-declared', 'fs.write', '/home/a'], ['unknown-outcome', null, null]])
  expect(own.map(row => [row['reason'], row['kind'], row['target']])).toEqual(found)
  // A large log is read by several workers, which this setting brings about for a small one.
  await asOwner(owner, async query => {
    const [version] = await query('SHOW server_version_num')
    await query(`SET ${Number(version?.['server_version_num']) >= 160_000 ? 'debug_parallel_query' : 'force_parallel_mode'} = on`)
    for (const view of PG_VIEWS) await query(`SELECT * FROM usher.${view}`)
  })
  await log.act(actOf({ act: 'report', about: 'call-1' }))
  expect((await mirrorLog(url, { stateDir })).added).toBe(1)
})

test.skipIf(!HAS_POSTGRES)('two that bring the same copy up to date at once add each row once', async () => {
  const { log, url, stateDir } = await tempPgLog()
  await mirrorLog(url, { stateDir })
  await wholeCall(log, 1)
  const before = (await mirrorLog(url, { stateDir })).rows
  const both = [keepMirror(url, { stateDir }), keepMirror(url, { stateDir })]
  onTestFinished(async () => { for (const mirror of both) await mirror.close() })
  for (const mirror of both) await mirror.refresh()
  for (let round = 1; round <= 10; round++) {
    await log.act(actOf({ act: 'report', about: 'call-1' }))
    await Promise.all(both.map(mirror => mirror.refresh()))
    expect((await mirrorLog(url, { stateDir })).rows).toBe(before + round)
  }
})

test.skipIf(!HAS_POSTGRES)('verify: a changed row, a changed look-up column, a cut tail and a missing trigger are each named', async () => {
  const { log, url, owner, stateDir, open } = await tempPgLog()
  await wholeCall(log, 1)
  const other = await open()
  await other.close()
  expect(await verifyFleetLog(url, { stateDir })).toMatchObject({ kind: 'ok', writers: 2, noted: 1 })
  const tamper = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
    const verdict = await asOwner(owner, async query => {
      await query('ALTER TABLE usher.rows DISABLE TRIGGER USER')
      await query('BEGIN')
      await query(sql)
      await query('COMMIT')
      await query('ALTER TABLE usher.rows ENABLE TRIGGER USER')
      return verifyFleetLog(url, { stateDir })
    })
    return verdict.kind === 'broken' ? verdict.faults.map(fault => [fault.kind, fault.seq]) : []
  }
  const writer = `writer = '${log.writer}'`
  expect(await tamper(`UPDATE usher.rows SET route = 'hidden' WHERE kind = 'call' AND ${writer}`)).toEqual([['changed', 5]])
  expect(await tamper(`UPDATE usher.rows SET route = 'open-console' WHERE kind = 'call' AND ${writer}`)).toEqual([])
  expect(await tamper(`UPDATE usher.rows SET body = replace(body, 'xdg-open', 'ls') WHERE kind = 'effect' AND ${writer}`)).toEqual([['changed', 6]])
  expect(await tamper(`UPDATE usher.rows SET body = replace(body, '/ls', '/xdg-open') WHERE kind = 'effect' AND ${writer}`)).toEqual([])
  await asOwner(owner, query => query('ALTER TABLE usher.rows DISABLE TRIGGER rows_append_only'))
  expect(await verifyFleetLog(url, { stateDir })).toMatchObject({ kind: 'broken', faults: [{ kind: 'schema', detail: 'the trigger rows_append_only is missing or switched off' }] })
  expect(await tamper(`DELETE FROM usher.rows WHERE seq > 5 AND ${writer}`)).toEqual([['cut', 6]])
})

test.skipIf(!HAS_POSTGRES)('trace:tamper: a writer whose rows are all old keeps its last one, goes on from there, and verifies', async () => {
  const { log, url, owner, stateDir, open } = await tempPgLog()
  await wholeCall(log)
  await log.close()
  const last = async () => Number((await asOwner(owner, query => query('SELECT max(seq) AS seq FROM usher.rows WHERE writer <> \'retention\'')))[0]?.['seq'])
  const before = await last()
  const far = Date.now() + 1e10
  expect((await pruneFleetLog(owner, { before: far, stateDir, now: far })).cut).toBeGreaterThan(3)
  expect(await last()).toBe(before)
  const again = await open()
  await wholeCall(again, 2)
  await again.close()
  expect(await verifyFleetLog(url, { stateDir })).toMatchObject({ kind: 'ok' })
})
