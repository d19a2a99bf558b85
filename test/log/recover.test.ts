import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/log/db.ts'
import { isDead, ownProcess, parseProcess, processText } from '../../src/log/process-id.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { unexplained } from '../../src/log/unexplained.ts'
import { callOf, endOf, tempLog, type OpenedLog } from './support/rows.ts'
import { rechain, tamper } from './support/tamper.ts'

const outcomes = (file: string): [string, string][] => {
  const db = openDatabase(file, { timeout: 1000, readonly: true })
  try { return db.prepare('SELECT call_id, outcome FROM calls ORDER BY seq').raw().all() as [string, string][] } finally { db.close() }
}

/** A process that begins one call and then sleeps in it. */
async function sleeper({ file, dir }: OpenedLog, callId: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('support/sleeper.mjs', import.meta.url)), file, join(dir, 'state'), callId], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => { child.kill('SIGKILL') })
  await new Promise(resolve => { child.stdout?.once('data', resolve) })
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise(resolve => { child.once('exit', resolve) })
  child.kill('SIGKILL')
  await ended
}

test('trace:crash: a call of a killed process reads unknown once the log is opened again; one of a living process stays in flight', async () => {
  const opened = tempLog()
  opened.log.begin(callOf({ callId: 'done' }))
  opened.log.end(endOf({ callId: 'done' }))
  const dead = await sleeper(opened, 'of-the-dead')
  await sleeper(opened, 'of-the-living')
  opened.log.begin(callOf({ callId: 'our-own' }))
  await kill(dead)
  const again = opened.reopen()
  expect(again.recovered).toEqual(['of-the-dead'])
  expect(outcomes(opened.file)).toEqual([['done', 'called'], ['of-the-dead', 'unknown'], ['of-the-living', 'in-flight'], ['our-own', 'in-flight']])
  expect(opened.reopen().recovered).toEqual([])
})

test('trace:crash: whoever only asks sees the killed call as unknown and unexplained, too', async () => {
  const opened = tempLog()
  await kill(await sleeper(opened, 'cut-off'))
  opened.log.close()
  const reader = openLogReader(opened.file, { stateDir: join(opened.dir, 'state') })
  onTestFinished(() => reader.close())
  expect(unexplained(reader)).toMatchObject([{ id: 'cut-off', reason: 'unknown-outcome', evidence: expect.stringMatching(/^crashed: the process that ran the call ended/) as unknown, nextStep: expect.stringContaining('check by hand') as unknown }])
})

test('trace:crash: a call whose end another program tells is in flight until its time is over, then unknown, whoever runs it', () => {
  const opened = tempLog()
  opened.log.begin(callOf({ callId: 'running', pid: null, openUntil: Date.now() + 3_600_000 }))
  opened.log.begin(callOf({ callId: 'never-told', pid: null, openUntil: Date.now() - 1 }))
  opened.log.begin(callOf({ callId: 'never-told-by-the-living', openUntil: Date.now() - 1 }))
  opened.log.begin(callOf({ callId: 'ended', pid: null, openUntil: Date.now() - 1 }))
  opened.log.end(endOf({ callId: 'ended' }))
  opened.log.close()
  const reader = openLogReader(opened.file, { stateDir: join(opened.dir, 'state') })
  onTestFinished(() => reader.close())
  expect(outcomes(opened.file)).toEqual([['running', 'in-flight'], ['never-told', 'unknown'], ['never-told-by-the-living', 'unknown'], ['ended', 'called']])
  expect(unexplained(reader).map(row => [row.id, row.evidence.split(':')[0]]).sort()).toEqual([['never-told', 'lost-answer'], ['never-told-by-the-living', 'lost-answer']])
  const again = opened.reopen()
  expect(again.recovered).toEqual([])
  again.end(endOf({ callId: 'never-told' }))
  expect(outcomes(opened.file)[1]).toEqual(['never-told', 'called'])
})

test('a call whose end is written after all reads as it ended, and both rows stay', () => {
  const opened = tempLog()
  opened.log.begin(callOf())
  opened.log.end(endOf({ kind: 'unknown', reason: 'lost-answer' }))
  opened.log.end(endOf())
  expect(outcomes(opened.file)).toEqual([['call-1', 'called']])
})

test('a process is dead only when it certainly is', () => {
  const own = ownProcess()
  expect(isDead(own)).toBe(false)
  expect(isDead({ ...own, boot: 'another-boot' })).toBe(true)
  expect(isDead({ ...own, start: `${own.start}9` })).toBe(own.start !== '')
  expect(isDead({ ...own, pid: 2 ** 22 + 5 })).toBe(true)
  expect(isDead({ ...own, space: 'pid:[1]', pid: 2 ** 22 + 5 })).toBe(false)
  const plain = { pid: own.pid, start: '', boot: '', space: '' }
  expect(isDead(plain, plain)).toBe(false)
  expect(isDead({ ...plain, pid: 2 ** 22 + 5 }, plain)).toBe(true)
  expect(parseProcess(processText(own))).toEqual(own)
  expect(parseProcess('[1]')).toBeUndefined()
})

test('trace:crash: a call of a container that is gone reads unknown as soon as nobody else has the file open', () => {
  const opened = tempLog()
  opened.log.begin(callOf({ callId: 'elsewhere' }))
  opened.log.close()
  tamper(opened.file, db => {
    db.exec(`UPDATE rows SET body = json_set(body, '$.process', json_array(1, '5', json_extract(json_extract(body, '$.process'), '$[2]'), 'pid:[1]')) WHERE kind = 'call'`)
    rechain(db, 2)
  })
  const other = openDatabase(opened.file, { timeout: 0 })
  other.prepare('SELECT count(*) FROM rows').get()
  const second = opened.reopen({ stateDir: join(opened.dir, 'state-2') })
  expect(second.recovered).toEqual([])
  second.close()
  other.close()
  const third = opened.reopen({ stateDir: join(opened.dir, 'state-2') })
  expect(third.recovered).toEqual(['elsewhere'])
  third.begin(callOf({ callId: 'goes-on' }))
  expect(outcomes(opened.file)).toEqual([['elsewhere', 'unknown'], ['goes-on', 'in-flight']])
})

test('a log in a folder that another process makes at the same time is one log', async () => {
  const opened = tempLog()
  mkdirSync(join(opened.dir, 'more'))
  const other = { ...opened, file: join(opened.dir, 'more', 'calls.db') }
  await Promise.all(['a', 'b', 'c'].map(id => sleeper(other, id)))
  expect(outcomes(other.file).map(([id]) => id).sort()).toEqual(['a', 'b', 'c'])
})
