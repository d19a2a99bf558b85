import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anchorFile, anchorText, parseAnchor, readAnchors, writeAnchor, type Anchor } from '../../src/log/anchors.ts'
import { callOf, eventOf, tempDir, tempLog } from './support/rows.ts'

const anchor = (seq: number, hash = 'a'): Anchor => ({ logId: 'log-1', seq, hash: hash.repeat(64), at: '2026-01-05T08:00:00.000Z' })

test('an anchor comes back from its line, and nothing else does', () => {
  expect(parseAnchor(`  ${anchorText(anchor(7))}\n`)).toEqual(anchor(7))
  for (const line of ['', 'usher-anchor-v1', anchorText(anchor(7)).slice(0, -30), anchorText(anchor(7)).replace('v1', 'v2'), anchorText(anchor(-1)), `${anchorText(anchor(7))} more`]) expect(() => parseAnchor(line)).toThrow(/not an anchor line/)
})

test('anchors are kept for the owner only, oldest first, and a line that a crash cut off is left out', () => {
  const dir = tempDir()
  expect(readAnchors(dir, 'log-1')).toEqual([])
  writeAnchor(dir, anchor(1), () => true)
  writeAnchor(dir, anchor(2), () => true)
  appendFileSync(anchorFile(dir, 'log-1'), 'usher-anchor-v1 log-1 3 aaaa')
  expect(readAnchors(dir, 'log-1')).toEqual([anchor(1), anchor(2)])
  expect(statSync(anchorFile(dir, 'log-1')).mode & 0o777).toBe(0o600)
})

test('trace:tamper: old lines are thinned out, but never one that the log does not bear out', () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'anchors'))
  writeFileSync(anchorFile(dir, 'log-1'), Array.from({ length: 210 }, (_, i) => `${anchorText(anchor(i + 1, i === 4 ? 'b' : 'a'))}\n`).join(''))
  writeAnchor(dir, anchor(500), line => line.hash.startsWith('a'))
  const kept = readAnchors(dir, 'log-1')
  expect(kept.length).toBe(101)
  expect(kept[0]).toEqual(anchor(5, 'b'))
  expect(kept.at(-1)).toEqual(anchor(500))
})

test('the anchor stays young while the log is written, not only when it is closed', () => {
  const { log, dir } = tempLog()
  const logId = readAnchorId(join(dir, 'state', 'anchors'))
  const newest = () => Math.max(...readFileSync(join(dir, 'state', 'anchors', `${logId}.txt`), 'utf8').trim().split('\n').map(line => parseAnchor(line).seq))
  for (let i = 0; i < 1100; i++) log.event(eventOf({ eventId: `event-${i}`, senderId: `sender-${i}` }))
  log.begin(callOf())
  expect(newest()).toBeGreaterThanOrEqual(1001)
})

test('an anchor that cannot be written stops no call, and is told', () => {
  const dir = tempDir()
  let blocked = false
  const { log } = tempLog({ background: (_name, work) => { if (blocked) throw new Error('no space in the state folder'); return work() }, stateDir: join(dir, 'state') })
  blocked = true
  expect(log.notes).toEqual([])
  for (let i = 0; i < 1100; i++) log.event(eventOf({ eventId: `event-${i}`, senderId: `sender-${i}` }))
  log.begin(callOf())
  expect(log.notes).toEqual(['the anchor could not be written: no space in the state folder'])
  blocked = false
  log.begin(callOf({ callId: 'another' }))
  expect(log.notes).toEqual([])
})

function readAnchorId(folder: string): string {
  return (readdirSync(folder)[0] ?? '').replace(/\.txt$/, '')
}
