import type * as Fs from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { verifyLog } from '../../src/log/verify.ts'
import { callOf, decisionOf, effectOf, endOf, eventOf, tempLog } from './support/rows.ts'

const disk = vi.hoisted(() => ({ syncs: 0, broken: false }))
vi.mock('node:fs', async original => {
  const fs = await original<typeof Fs>()
  const broken = () => Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
  return {
    ...fs,
    fdatasyncSync: (fd: number) => {
      disk.syncs++
      if (disk.broken) throw broken()
      fs.fdatasyncSync(fd)
    },
    fdatasync: (fd: number, done: (error: Error | null) => void) => {
      disk.syncs++
      if (disk.broken) setImmediate(done, broken())
      else fs.fdatasync(fd, done)
    },
  }
})

test('trace:before: a call is synced before it begins; its outcome a moment later, without a sync of its own', async () => {
  const { log } = tempLog({ groupCommitMs: 20 })
  const before = disk.syncs
  log.begin(callOf())
  expect(disk.syncs).toBe(before + 1)
  log.end(endOf())
  log.effect(effectOf())
  expect(disk.syncs).toBe(before + 1)
  await vi.waitFor(() => { expect(disk.syncs).toBe(before + 2) })
})

test('trace:before, closed: a call whose row cannot be synced does not begin, and nothing more does until the log is opened again', async () => {
  const opened = tempLog()
  opened.log.begin(callOf({ callId: 'kept' }))
  opened.log.end(endOf({ callId: 'kept' }))
  disk.broken = true
  try {
    expect(() => { opened.log.begin(callOf({ callId: 'lost' })) }).toThrow(/could not be synced .*EIO.*opened again/)
  } finally { disk.broken = false }
  // The disk says yes again: what it lost before is lost all the same.
  expect(() => { opened.log.begin(callOf({ callId: 'after' })) }).toThrow(expect.objectContaining({ code: 'LOG_WRITE_FAILED' }))
  await expect(opened.log.beginTogether(callOf({ callId: 'together' }))).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED' })
  expect(() => { opened.log.end(endOf({ callId: 'kept' })) }).toThrow(/could not be synced/)
  expect(() => { opened.log.close() }).toThrow(/could not be synced/)
  const again = opened.reopen()
  again.begin(callOf({ callId: 'again' }))
  again.close()
  expect(verifyLog(opened.file, { anchor: false }).kind).toBe('unanchored')
})

test('closed: several that begin at once on such a disk are all refused, and none is written twice', async () => {
  const { log, reopen, file } = tempLog()
  log.event(eventOf({ eventId: 'e-1' }))
  log.decision(decisionOf({ eventId: 'e-1' }))
  disk.broken = true
  try {
    const all = await Promise.allSettled(['a', 'b', 'c'].map(callId => log.beginTogether(callOf({ callId, eventId: callId }))))
    expect(all.map(one => one.status)).toEqual(['rejected', 'rejected', 'rejected'])
  } finally { disk.broken = false }
  expect(() => { log.close() }).toThrow(/could not be synced/)
  reopen().close()
  expect(verifyLog(file, { anchor: false })).toMatchObject({ kind: 'unanchored', rows: 6 })
})

test('closed: where the sync of outcomes fails in the background, the next call is refused', async () => {
  const { log } = tempLog({ groupCommitMs: 10 })
  log.begin(callOf({ callId: 'first' }))
  disk.broken = true
  log.end(endOf({ callId: 'first' }))
  await wait(100)
  disk.broken = false
  expect(() => { log.begin(callOf({ callId: 'second' })) }).toThrow(/could not be synced/)
})

test('closing waits for what a sync in the background has not taken yet', async () => {
  const { log } = tempLog({ groupCommitMs: 10 })
  log.event(eventOf())
  await wait(12)
  const before = disk.syncs
  log.end(endOf())
  log.close()
  expect(disk.syncs).toBeGreaterThan(before)
})
