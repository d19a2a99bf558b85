/** The reader's thread, as the built file that a host starts. */
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openReads } from '../../../src/console/reads/open.ts'
import type { ConsoleReads, Filter } from '../../../src/console/ports.ts'
import { openSqliteLog } from '../../../src/log/sqlite.ts'
import { eventOf, T0, tempDir, tempLog, wholeCall } from '../../log/support/rows.ts'
import { writeBigLog } from '../support/big-log.mjs'

function open(file: string): ConsoleReads {
  const reads = openReads(file)
  onTestFinished(() => reads.close())
  return reads
}
const ask = (reads: ConsoleReads, filter: Filter = {}, before?: number) => reads.overview({ filter, edges: [T0, T0 + 86_400_000], limit: 50, ...(before === undefined ? {} : { before }) })

test('closed: a file that is no log, and one that is not there, are errors with their codes; the next question tries again', async () => {
  const folder = tempDir()
  const file = join(folder, 'log.sqlite')
  const reads = open(file)
  await expect(ask(reads)).rejects.toMatchObject({ code: 'LOG_OPEN_FAILED' })
  writeFileSync(file, 'no database at all, and long enough to be looked at as one')
  await expect(ask(reads)).rejects.toMatchObject({ code: 'LOG_OPEN_FAILED' })
  rmSync(file)
  const log = openSqliteLog(file, { stateDir: join(folder, 'state') })
  wholeCall(log)
  expect((await ask(reads)).entries).toHaveLength(1)
  log.close()
})

test('closed: after close() every question is refused, also one that waits', async () => {
  const { log, file } = tempLog()
  wholeCall(log)
  const reads = open(file)
  const waits = ask(reads).then(() => 'answered', (error: unknown) => error)
  await reads.close()
  expect(await waits).toMatchObject({ code: 'CLOSED' })
  await expect(reads.text('event-1')).rejects.toMatchObject({ code: 'CLOSED' })
})

test('it writes nothing into the log', async () => {
  const { log, file } = tempLog()
  wholeCall(log)
  log.close()
  const before = statSync(file)
  const reads = open(file)
  expect((await ask(reads)).entries).toHaveLength(1)
  expect(await reads.evidence('call-1')).toMatchObject({ kind: 'found' })
  expect(statSync(file)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs })
})

test('100,000 rows: every page and filter answers while the host goes on with its own work, and its writer too', async () => {
  const folder = tempDir()
  const file = join(folder, 'log.sqlite')
  const { rows } = writeBigLog(file, 45_000, T0 + 45_000_000, 1000)
  expect(rows).toBeGreaterThan(100_000)
  const reads = open(file)
  // A host that is held up would turn no further while a question is answered.
  let turns = 0
  const turning = setInterval(() => { turns++ }, 1)
  const log = openSqliteLog(file, { stateDir: `${file}.state` })
  onTestFinished(() => { clearInterval(turning); log.close() })
  while (await ask(reads).then(({ seq, last }) => seq < last)) expect(turns).toBeGreaterThan(0)
  const filters: readonly Filter[] = [{}, { text: 'needle' }, { text: 'in no event' }, { effects: true }, { source: 'chat' }, { outcome: 'limited', route: 'route-3' }, { tool: 'nothing' }, { since: T0, until: T0 + 1 }]
  const totals: (number | undefined)[] = []
  for (const filter of filters) {
    const [turned, answer] = [turns, ask(reads, filter)]
    log.event(eventOf({ eventId: `e-new-${totals.length}`, senderId: `new-${totals.length}` }))
    const { entries, total } = await answer
    totals.push(total ?? entries.length)
    expect(turns).toBeGreaterThan(turned)
  }
  expect(totals).toEqual([45_000, 45, 0, 2250, 12_858, expect.any(Number), 0, expect.any(Number)])
  // The oldest page costs what the newest does: it is found by its row, not counted off.
  const [oldest] = (await ask(reads, {}, 30)).entries.slice(-1)
  expect(oldest?.text).toMatch(/^build 0 of the memory map/)
})
