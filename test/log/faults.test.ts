import { spawn } from 'node:child_process'
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../src/log/db.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { verifyLog } from '../../src/log/verify.ts'
import { guarded, type Guarded } from './support/guarded.ts'
import { callOf, endOf, eventOf, T0, tempDir, tempLog, wholeCall, type OpenedLog } from './support/rows.ts'

vi.setConfig({ testTimeout: 120_000 })

const HELD = { kind: 'denied', reason: 'log-failed' }

function guard(opened: OpenedLog): Guarded {
  return guarded(opened.log, join(opened.dir, 'witness'))
}

function callIds(file: string): string[] {
  const db = openDatabase(file, { timeout: 1000, readonly: true })
  try { return db.prepare('SELECT call_id FROM calls ORDER BY seq').pluck().all() as string[] } finally { db.close() }
}

test('trace:before, closed: on a full disk the call is held, and every handler that ran has its row', async () => {
  const opened = tempLog({ maxPages: 40 })
  const { call, ran } = guard(opened)
  const outcomes = []
  for (let i = 0; i < 60; i++) outcomes.push(await call({ filler: 'x'.repeat(3000) }))
  expect(outcomes[0]).toMatchObject({ kind: 'called' })
  expect(outcomes.at(-1)).toMatchObject({ ...HELD, why: expect.stringMatching(/SQLITE_FULL.*make room/) as unknown })
  expect(ran().length).toBeLessThan(60)
  const logged = new Set(callIds(opened.file))
  expect(ran().filter(id => !logged.has(id))).toEqual([])
  expect(verifyLog(opened.file, { anchor: false }).kind).toBe('unanchored')
})

test('trace:before, closed: a lock held by another process holds the call after a bounded wait, and it goes on once the lock is free', async () => {
  const opened = tempLog({ busyTimeoutMs: 60 })
  const { call, ran } = guard(opened)
  const holder = spawn(process.execPath, [fileURLToPath(new URL('support/lock-holder.mjs', import.meta.url)), opened.file], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => { holder.kill() })
  await new Promise(resolve => { holder.stdout.once('data', resolve) })
  expect(await call()).toMatchObject({ ...HELD, why: expect.stringMatching(/SQLITE_BUSY.*another process held the file/) as unknown })
  expect(ran()).toEqual([])
  holder.stdin.end()
  await new Promise(resolve => { holder.once('exit', resolve) })
  expect(await call()).toMatchObject({ kind: 'called' })
  expect(ran().length).toBe(1)
})

test('trace:before, closed: a log that was deleted, or replaced by another file, while running holds every call', async () => {
  const breakers: readonly ((opened: OpenedLog) => void)[] = [
    ({ file }) => rmSync(file),
    ({ file }) => { copyFileSync(file, `${file}.copy`); renameSync(`${file}.copy`, file) },
    ({ file }) => rmSync(`${file}-wal`),
    ({ file }) => { rmSync(`${file}-wal`); writeFileSync(`${file}-wal`, '') },
    ({ file }) => rmSync(`${file}-shm`),
    ({ dir }) => renameSync(dir, `${dir}-moved`),
  ]
  for (const breakIt of breakers) {
    const opened = tempLog()
    onTestFinished(() => rmSync(`${opened.dir}-moved`, { recursive: true, force: true }))
    const witness = join(tempDir(), 'witness')
    const { call, ran } = guarded(opened.log, witness)
    expect(await call()).toMatchObject({ kind: 'called' })
    breakIt(opened)
    expect(await call()).toMatchObject({ ...HELD, why: expect.stringMatching(/deleted|replaced|was cut|SQLITE_IOERR|SQLITE_CANTOPEN/) as unknown })
    expect(await call()).toMatchObject(HELD)
    expect(ran().length).toBe(1)
  }
})

test('trace:before, closed: a write-ahead log cut short while running holds every call', async () => {
  for (const part of [0, 20, 0.5]) {
    const opened = tempLog()
    const { call, ran } = guard(opened)
    for (let i = 0; i < 5; i++) await call()
    const wal = `${opened.file}-wal`
    truncateSync(wal, part < 1 ? Math.floor(statSync(wal).size * part) : part)
    expect(await call()).toMatchObject({ ...HELD, why: expect.stringMatching(/was cut from|SQLITE_IOERR|SQLITE_CORRUPT/) as unknown })
    expect(ran().length).toBe(5)
  }
})

test('a write-ahead log that a checkpoint emptied is no fault', async () => {
  const opened = tempLog()
  const { call, ran } = guard(opened)
  for (let i = 0; i < 5; i++) await call()
  const other = openDatabase(opened.file, { timeout: 1000 })
  other.pragma('wal_checkpoint(TRUNCATE)')
  other.close()
  expect(statSync(`${opened.file}-wal`).size).toBe(0)
  expect(await call()).toMatchObject({ kind: 'called' })
  expect(ran().length).toBe(6)
})

test('trace:before, closed: arguments that cannot be logged hold the call; odd ones that can are called', async () => {
  const opened = tempLog()
  const { call, ran } = guard(opened)
  const odd = { n: Number.NaN, i: Infinity, b: 9007199254740993n, u: undefined, z: -0, s: 'a\0b\uD800', big: 'x'.repeat(5_000_000) }
  for (const value of [() => 1, Symbol('s'), new Proxy({}, { ownKeys: () => { throw new Error('no') } })]) expect(await call({ value } as never)).toMatchObject({ ...HELD, why: expect.stringContaining('cannot be logged') as unknown })
  expect(await call({ huge: 'x'.repeat(65 * 1024 * 1024) })).toMatchObject(HELD)
  expect(ran()).toEqual([])
  expect(await call(odd as never)).toMatchObject({ kind: 'called' })
  expect(callIds(opened.file)).toEqual(ran())
})

test('trace:before: a clock that was set back changes neither the order nor the chain, and limits still count the later times', async () => {
  const opened = tempLog()
  opened.log.begin(callOf({ at: T0 + 1_000_000 }))
  expect(await guard(opened).call()).toMatchObject({ kind: 'called' })
  opened.log.begin(callOf({ callId: 'back', at: T0 }))
  expect(opened.log.callTimes('open-console', T0 - 1000)).toEqual([T0 + 1_000_000, T0])
  expect(callIds(opened.file)).toEqual(['call-1', expect.any(String), 'back'])
  expect(verifyLog(opened.file, { anchor: false }).kind).toBe('unanchored')
})

test('closed: a file of a newer version, of another program, or that is no database is not opened', () => {
  const dir = tempDir()
  const open = (file: string) => openSqliteLog(file, { stateDir: join(dir, 'state') }).close()
  const newer = tempLog()
  newer.log.close()
  const db = openDatabase(newer.file, { timeout: 0 })
  db.pragma('user_version = 99')
  db.close()
  expect(() => open(newer.file)).toThrow(/has version 99, this Usher knows/)
  expect(() => verifyLog(newer.file)).toThrow(/has version 99/)
  const other = openDatabase(join(dir, 'other.db'), { timeout: 0 })
  other.exec('CREATE TABLE rows (x)')
  other.close()
  expect(() => open(join(dir, 'other.db'))).toThrow(/belongs to another program/)
  writeFileSync(join(dir, 'text.db'), 'this is not a database, though it is long enough to be looked at as one. '.repeat(20))
  expect(() => open(join(dir, 'text.db'))).toThrow(/SQLITE_NOTADB/)
  expect(() => open(':memory:')).toThrow(/must be a file/)
  expect(() => open(dir)).toThrow(/is a folder; a log is a file/)
})

test('trace:before, closed: a log that another process brought to a newer version while running holds every call', async () => {
  const opened = tempLog()
  const { call, ran } = guard(opened)
  expect(await call()).toMatchObject({ kind: 'called' })
  const other = openDatabase(opened.file, { timeout: 1000 })
  other.pragma('user_version = 99')
  other.close()
  expect(await call()).toMatchObject({ ...HELD, why: expect.stringContaining('has version 99 now') as unknown })
  expect(ran().length).toBe(1)
})

test('a file that was set to another journal mode is corrected, and the log says so', () => {
  const opened = tempLog()
  wholeCall(opened.log)
  opened.log.close()
  const db = openDatabase(opened.file, { timeout: 0 })
  db.pragma('journal_mode = DELETE')
  db.close()
  expect(opened.reopen().notes).toEqual([`${opened.file} was in journal mode delete; it is WAL now`])
})

test('trace:crash: a WAL that lost its end leaves a shorter log that holds together, and the anchor tells', () => {
  const opened = tempLog()
  for (let i = 0; i < 20; i++) {
    opened.log.begin(callOf({ callId: `call-${i}` }))
    opened.log.end(endOf({ callId: `call-${i}` }))
  }
  const stateDir = join(opened.dir, 'state')
  const whole = readFileSync(`${opened.file}-wal`)
  for (let i = 1; i <= 12; i++) {
    const copy = join(tempDir(), 'copy.db')
    copyFileSync(opened.file, copy)
    writeFileSync(`${copy}-wal`, whole.subarray(0, Math.floor(whole.length * i / 13)))
    const again = openSqliteLog(copy, { stateDir: join(opened.dir, `state-${i}`), groupCommitMs: 0 })
    again.begin(callOf({ callId: 'next' }))
    again.event(eventOf())
    again.close()
    expect(callIds(copy).at(-1)).toBe('next')
    expect(verifyLog(copy, { anchor: false }).kind).toBe('unanchored')
  }
  opened.log.close()
  expect(verifyLog(opened.file, { stateDir }).kind).toBe('ok')
})

test('trace:before, trace:tamper: a flipped byte anywhere is found or changed nothing that was logged, and a call begun on such a file has its row', () => {
  const opened = tempLog()
  for (let i = 0; i < 10; i++) wholeCall(opened.log)
  opened.log.close()
  const rowsOf = (file: string): string => {
    const db = openDatabase(file, { timeout: 0, readonly: true })
    try { return JSON.stringify(db.prepare('SELECT seq, kind, body, prev, hash, text, data, salt FROM rows ORDER BY seq').all()) } catch { return 'unreadable' } finally { db.close() }
  }
  const bytes = readFileSync(opened.file)
  const before = rowsOf(opened.file)
  const file = join(opened.dir, 'flipped.db')
  let found = 0
  const missed: number[] = []
  const rowless: number[] = []
  for (let i = 0; i < 150; i++) {
    const at = (i * 7919 + 4321) % bytes.length
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (i % 8))
    writeFileSync(file, flipped)
    const verdict = verdictOf(file, join(opened.dir, 'state'))
    if (verdict !== 'ok') found++
    else if (rowsOf(file) !== before) missed.push(at)
    if (i % 5 === 0 && !heldOrLogged(file, join(opened.dir, 'state-of-flipped'))) rowless.push(at)
    rmSync(`${file}-wal`, { force: true })
    rmSync(`${file}-shm`, { force: true })
  }
  expect(missed).toEqual([])
  expect(rowless).toEqual([])
  expect(found).toBeGreaterThan(50)
})

/** A file that verify refuses to read at all is found as well. */
function verdictOf(file: string, stateDir: string): string {
  try { return verifyLog(file, { stateDir }).kind } catch (error) { return String(error) }
}

/** A call may run only if its row can be read afterwards. */
function heldOrLogged(file: string, stateDir: string): boolean {
  try {
    const log = openSqliteLog(file, { stateDir })
    try { log.begin(callOf({ callId: 'on-damaged' })) } finally { log.close() }
  } catch {
    return true
  }
  const db = openDatabase(file, { timeout: 0, readonly: true })
  // By its text: the flipped byte may stand in another row's JSON, which SQL could not look into.
  try { return (db.prepare('SELECT body FROM rows NOT INDEXED WHERE kind = \'call\'').pluck().all() as string[]).some(body => body.includes('"callId":"on-damaged"')) } finally { db.close() }
}
