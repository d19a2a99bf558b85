import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openLogReader, type LogReader } from '../../src/log/reader.ts'
import { RepeatedEffects } from '../../src/log/repeats.ts'
import { unexplained } from '../../src/log/unexplained.ts'
import { verifyLog } from '../../src/log/verify.ts'
import { callOf, effectOf, endOf, T0, tempLog, type OpenedLog } from './support/rows.ts'

type Row = { readonly effect_id: string, readonly target: string, readonly times: number, readonly repeat_of: string | null, readonly at: number }
function reading(opened: OpenedLog): LogReader {
  const reader = openLogReader(opened.file, { recover: false })
  onTestFinished(() => reader.close())
  return reader
}
const rowsOf = (opened: OpenedLog): Row[] => reading(opened).db.prepare('SELECT effect_id, target, times, repeat_of, at FROM effects ORDER BY seq').all() as Row[]

test('effect:observed: what one call does a thousand times is its first row and one exact count', () => {
  const opened = tempLog()
  opened.log.begin(callOf())
  for (let nth = 0; nth < 1000; nth++) opened.log.effect(effectOf({ at: T0 + nth }))
  opened.log.effect(effectOf({ target: '/another', at: T0 + 1000 }))
  opened.log.end(endOf())
  const rows = rowsOf(opened)
  expect(rows.map(({ target, times, repeat_of }) => [target, times, repeat_of])).toEqual([[effectOf().target, 1, null], ['/another', 1, null], [effectOf().target, 999, rows[0]?.effect_id]])
  expect(rows.at(-1)?.at).toBe(T0 + 999)
  opened.log.close()
  expect(verifyLog(opened.log.location, { stateDir: join(opened.dir, 'state') }).kind).toBe('ok')
})

test('effect:observed: the first is in the file at once, for whoever reads beside the process that runs', () => {
  const opened = tempLog()
  opened.log.effect(effectOf({ callId: null }))
  const beside = openLogReader(opened.log.location, { recover: false })
  expect(beside.db.prepare('SELECT count(*) FROM effects').pluck().get()).toBe(1)
  beside.close()
})

test('effect:observed: other arguments, another call, a stopped one and another watcher are effects of their own', () => {
  const repeats = new RepeatedEffects()
  const first = effectOf()
  expect(repeats.first(first, 'effect-1')).toEqual([])
  expect(repeats.again(first)).toBe(true)
  for (const other of [effectOf({ detail: { args: ['x'] } }), effectOf({ callId: 'c-other' }), effectOf({ callId: null }), effectOf({ blocked: true }), effectOf({ watcher: 'strace' }), effectOf({ at: first.at + 60_000 }), effectOf({ at: first.at - 1 })]) expect(repeats.again(other)).toBe(false)
})

test('effect:observed: the number of remembered effects is bounded, and no count is lost by that', () => {
  const repeats = new RepeatedEffects()
  let counted = 0
  const many = Array.from({ length: 2500 }, (_, nth) => effectOf({ target: `/f${nth}` }))
  for (const effect of many) {
    counted += repeats.first(effect, 'effect-1').reduce((sum, one) => sum + one.times, 0)
    expect(repeats.again(effect)).toBe(true)
  }
  expect(counted + repeats.take().reduce((sum, one) => sum + one.times, 0)).toBe(2500)
})

test('a count that nobody ends is written after a second, and unexplained shows the first alone', async () => {
  const opened = tempLog()
  for (let nth = 0; nth < 5; nth++) opened.log.effect(effectOf({ callId: null, at: T0 + nth }))
  for (let tries = 0; tries < 200 && rowsOf(opened).length < 2; tries++) await delay(20)
  expect(rowsOf(opened).map(row => row.times)).toEqual([1, 4])
  opened.log.effect(effectOf({ callId: null, at: T0 + 5 }))
  opened.log.close()
  const reader = reading(opened)
  expect(reader.db.prepare('SELECT sum(times) FROM effects').pluck().get()).toBe(6)
  expect(unexplained(reader)).toHaveLength(1)
})

test('trace:before: with a group commit of 0 every row is synced at once and nothing is counted', () => {
  const opened = tempLog({ groupCommitMs: 0 })
  opened.log.effect(effectOf({ callId: null }))
  opened.log.effect(effectOf({ callId: null }))
  expect(rowsOf(opened).map(row => row.times)).toEqual([1, 1])
})
