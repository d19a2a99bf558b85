/** Anchors that leave the machine by themselves, and what is told where they do not. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAnchor } from '../../src/log/anchors.ts'
import { DEFAULT_EVERY, readAnchorSettings, settingsFile, writeAnchorSettings } from '../../src/log/anchor-settings.ts'
import { readSent } from '../../src/log/anchor-sender.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { anchorOf, verifyLog } from '../../src/log/verify.ts'
import { makeKey } from '../contract/keys.ts'
import { tempDir, tempLog, wholeCall } from './support/rows.ts'

const lines = (file: string): readonly string[] => existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []

test('what usher anchor --always wrote comes back; a file that is none, or that others may write, is refused', () => {
  const dir = tempDir()
  expect(readAnchorSettings(dir)).toBeUndefined()
  writeAnchorSettings(dir, { sign: '/key', run: 'cat', every: 5 })
  expect(readAnchorSettings(dir)).toEqual({ sign: '/key', run: 'cat', every: 5 })
  for (const text of ['{', '[]', '{"version":2}', '{"version":1,"toString":"x"}', '{"version":1,"run":7}', '{"version":1,"every":"soon"}']) {
    writeFileSync(settingsFile(dir), text)
    expect(() => readAnchorSettings(dir)).toThrow(/anchor\.json/)
  }
  writeFileSync(settingsFile(dir), '{"version":1,"run":"cat"}')
  expect(readAnchorSettings(dir)).toEqual({ run: 'cat', every: DEFAULT_EVERY })
  chmodSync(settingsFile(dir), 0o666)
  expect(() => readAnchorSettings(dir)).toThrow(/others may write it/)
  writeAnchorSettings(dir, undefined)
  expect(readAnchorSettings(dir)).toBeUndefined()
})

test('trace:tamper: a log that is written sends a signed anchor by itself, which still verifies when the log goes on', async () => {
  const { log, file, dir, reopen } = tempLog()
  const state = join(dir, 'state')
  const [kept, piped] = [join(dir, 'kept.txt'), join(dir, 'piped.txt')]
  wholeCall(log)
  log.close()
  const alice = makeKey(dir, 'alice')
  writeAnchorSettings(state, { sign: join(dir, 'alice'), to: kept, run: `cat >> ${piped}`, every: DEFAULT_EVERY })
  const again = reopen()
  again.act({ who: 'owner', act: 'note', about: 'later', detail: {}, at: 1 })
  again.close()
  const { logId } = anchorOf(file)
  await expect.poll(() => readSent(state, logId)?.kind, { timeout: 60_000 }).toBe('sent')
  await expect.poll(() => lines(piped).length, { timeout: 60_000 }).toBeGreaterThan(0)
  expect(lines(kept).map(parseAnchor)).toMatchObject([{ logId, seq: 6 }])
  expect(lines(piped)).toEqual(lines(kept))
  expect(verifyLog(file, { stateDir: state, anchor: readFileSync(kept, 'utf8'), signers: `alice ${alice.publicLine}` })).toMatchObject({ kind: 'ok' })
})

test('one that could not be sent stops nothing, and whoever opens the log next is told', async () => {
  const { log, file, dir, reopen } = tempLog()
  const state = join(dir, 'state')
  log.close()
  writeAnchorSettings(state, { run: 'exit 3', every: DEFAULT_EVERY })
  const again = reopen()
  wholeCall(again)
  again.close()
  await expect.poll(() => readSent(state, anchorOf(file).logId)?.kind, { timeout: 60_000 }).toBe('failed')
  expect(reopen().notes).toEqual([expect.stringMatching(/^the anchor of row \d+ could not be sent at .*ended with 3/)])
  writeFileSync(settingsFile(state), 'no JSON')
  expect(openSqliteLog(file, { stateDir: state }).notes).toEqual([expect.stringContaining('anchors are not sent')])
})

test('no more often than its owner wants', async () => {
  const { log, file, dir, reopen } = tempLog()
  const state = join(dir, 'state')
  const kept = join(dir, 'kept.txt')
  log.close()
  writeAnchorSettings(state, { to: kept, every: 3_600_000 })
  for (let i = 0; i < 3; i++) {
    const one = reopen()
    one.act({ who: 'owner', act: 'note', about: String(i), detail: {}, at: i })
    one.close()
  }
  await expect.poll(() => readSent(state, anchorOf(file).logId)?.kind, { timeout: 60_000 }).toBe('sent')
  expect(lines(kept)).toHaveLength(1)
})
