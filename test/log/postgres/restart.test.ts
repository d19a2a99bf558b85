import { expect, test } from 'vitest'
import { verifyFleetLog } from '../../../src/log/postgres/verify.ts'
import { callOf, effectOf, endOf } from '../support/rows.ts'
import { HAS_POSTGRES } from './server.ts'
import { withPostgres } from './support.ts'

const { running, tempPgLog, asOwner, wholeCall } = withPostgres()

test.skipIf(!HAS_POSTGRES)('the server is killed and comes back: no call meanwhile, nothing that happened is lost, and the chains hold', async () => {
  const { log, url, stateDir } = await tempPgLog({ busyTimeoutMs: 40_000 })
  await wholeCall(log, 1)
  await log.begin(callOf({ callId: 'call-2', eventId: 'other' }))
  await running().kill()
  log.effect(effectOf({ callId: 'call-2' }))
  const ended = log.end(endOf({ callId: 'call-2' }))
  await expect(log.begin(callOf({ callId: 'call-3', eventId: 'third' }))).rejects.toThrow(/nothing was called|cannot write/)
  await running().start()
  await ended
  await expect.poll(() => log.begin(callOf({ callId: 'call-4', eventId: 'fourth' })).then(() => 'called', () => 'refused')).toBe('called')
  const verdict = await verifyFleetLog(url, { stateDir })
  expect(verdict).toMatchObject({ kind: 'ok', writers: 1 })
  await asOwner(url, async query => {
    expect(await query('SELECT call_id FROM usher.effects ORDER BY seq')).toEqual([{ call_id: 'call-1' }, { call_id: 'call-2' }])
    expect(await query('SELECT call_id, outcome FROM usher.outcomes WHERE call_id = \'call-2\'')).toEqual([{ call_id: 'call-2', outcome: 'called' }])
    expect(await query('SELECT call_id FROM usher.calls WHERE call_id = \'call-3\' AND outcome <> \'failed\'')).toEqual([])
  })
})

