import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openForReading, openForWriting } from '../../src/log/connection.ts'
import { openDatabase, type Db } from '../../src/log/db.ts'
import { APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION } from '../../src/log/schema.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { defaultStateDir } from '../../src/log/state.ts'
import { verifyLog } from '../../src/log/verify.ts'
import { callOf, endOf, tempDir, tempLog, wholeCall } from './support/rows.ts'

const settings = (db: Db) => ['journal_mode', 'synchronous', 'secure_delete', 'fullfsync', 'user_version', 'application_id'].map(name => db.pragma(name, { simple: true }))

/** Root may write everything, so it steps down for the work. */
function asNobody(work: () => void): void {
  const root = process.geteuid?.() === 0
  if (root) process.seteuid?.(65534)
  try { work() } finally { if (root) process.seteuid?.(0) }
}

test('every open sets what the promises rest on, whatever the build of SQLite has for defaults', () => {
  const file = join(tempDir(), 'calls.db')
  for (let i = 0; i < 2; i++) {
    const { db } = openForWriting(file, 0)
    expect(settings(db)).toEqual(['wal', 2, 1, 1, SCHEMA_VERSION, APPLICATION_ID])
    db.close()
  }
})

test('closed: a read-only file is not opened for writing, so nothing is called; it can still be read', () => {
  const opened = tempLog()
  wholeCall(opened.log)
  opened.log.close()
  chmodSync(opened.file, 0o444)
  chmodSync(opened.dir, 0o555)
  onTestFinished(() => chmodSync(opened.dir, 0o755))
  const before = readFileSync(opened.file)
  asNobody(() => {
    const stateDir = join(tempDir(), 'state')
    expect(() => openSqliteLog(opened.file, { stateDir })).toThrow(/cannot open the log .*SQLITE_READONLY|read-only/)
    const db = openForReading(opened.file)
    expect(db.prepare('SELECT count(*) FROM calls').pluck().get()).toBe(1)
    db.close()
    expect(verifyLog(opened.file, { anchor: false })).toMatchObject({ kind: 'unanchored', rows: 6 })
  })
  expect(readFileSync(opened.file).equals(before)).toBe(true)
})

test('a folder, a device, or the file of another program is no log, and keeps its mode', () => {
  const dir = tempDir()
  const folder = join(dir, 'folder')
  const text = join(dir, 'notes.txt')
  const foreign = join(dir, 'other.db')
  mkdirSync(folder)
  writeFileSync(text, 'shopping list')
  const other = openDatabase(foreign, { timeout: 0 })
  other.exec('CREATE TABLE a (b)')
  other.close()
  const modes: [string, number][] = [[folder, 0o755], [text, 0o644], [foreign, 0o644]]
  for (const [path, mode] of modes) {
    chmodSync(path, mode)
    expect(() => openForWriting(path, 0)).toThrow(/is a folder|SQLITE_NOTADB|belongs to another program/)
    expect(() => openForReading(path)).toThrow(/is a folder|SQLITE_NOTADB|belongs to another program/)
    expect(statSync(path).mode & 0o777).toBe(mode)
  }
  expect(() => openForWriting(folder, 0)).toThrow(/is a folder; a log is a file: name one, like .*log\.sqlite/)
  expect(() => openForReading(folder)).toThrow(/is a folder/)
  expect(() => openForWriting('/dev/null', 0)).toThrow(/not a regular file/)
})

test('a variable that is empty is one that is not set: no state folder in whatever folder one stands in', () => {
  const unset = defaultStateDir({})
  expect(defaultStateDir({ XDG_STATE_HOME: '' })).toBe(unset)
  expect(defaultStateDir({ USHER_STATE: '', XDG_STATE_HOME: '/s' })).toBe('/s/usher')
})

test('a file of every earlier version is brought forward, with its rows, and verifies', () => {
  const whole = tempLog()
  wholeCall(whole.log)
  whole.log.close()
  const rows = openDatabase(whole.file, { timeout: 0, readonly: true })
  const stored = rows.prepare('SELECT seq, kind, body, prev, hash, text, data, salt FROM rows ORDER BY seq').all()
  rows.close()
  expect(SCHEMA_VERSION).toBeGreaterThan(1)
  for (let version = 0; version < SCHEMA_VERSION; version++) {
    const dir = tempDir()
    const file = join(dir, 'old.db')
    const old = openDatabase(file, { timeout: 0 })
    for (const sql of MIGRATIONS.slice(0, version)) old.exec(sql)
    if (version > 0) {
      old.pragma(`application_id = ${APPLICATION_ID}`)
      const insert = old.prepare('INSERT INTO rows (seq, kind, body, prev, hash, text, data, salt) VALUES (:seq, :kind, :body, :prev, :hash, :text, :data, :salt)')
      for (const row of stored) insert.run(row)
    }
    old.pragma(`user_version = ${version}`)
    old.close()
    const log = openSqliteLog(file, { stateDir: join(dir, 'state') })
    log.begin(callOf({ callId: 'after' }))
    log.end(endOf({ callId: 'after' }))
    log.close()
    expect(verifyLog(file, { stateDir: join(dir, 'state') })).toMatchObject({ kind: 'ok', rows: version === 0 ? 3 : 8 })
  }
})

test('an older file is not read until it was brought forward, and says how', () => {
  const file = join(tempDir(), 'old.db')
  const old = openDatabase(file, { timeout: 0 })
  old.exec(MIGRATIONS[0] ?? '')
  old.pragma(`application_id = ${APPLICATION_ID}`)
  old.pragma('user_version = 1')
  old.close()
  expect(() => openForReading(file)).toThrow(/older version 1; open it once for writing/)
})

test('views that an older Usher made are made anew', () => {
  const opened = tempLog()
  wholeCall(opened.log)
  opened.log.close()
  const db = openDatabase(opened.file, { timeout: 0 })
  db.exec('DROP VIEW calls; CREATE VIEW calls AS SELECT 1 AS x')
  db.close()
  opened.reopen()
  const again = openForReading(opened.file)
  expect(again.prepare('SELECT call_id FROM calls').pluck().all()).toEqual(['call-1'])
  again.close()
})

test('a file that is not there, and one that holds no log yet, say what to do', () => {
  const dir = tempDir()
  expect(() => openForReading(join(dir, 'none.db'))).toThrow(/there is no log at .*none\.db; run something first/)
  writeFileSync(join(dir, 'empty.db'), '')
  expect(() => openForReading(join(dir, 'empty.db'))).toThrow(/holds no log/)
})

test('options are checked at the door', () => {
  const file = join(tempDir(), 'calls.db')
  for (const options of [{ groupCommitMs: 101 }, { groupCommitMs: Number.NaN }, { busyTimeoutMs: -1 }, { maxPages: 0 }, { toString: 1 } as object]) expect(() => openSqliteLog(file, options)).toThrow(/must be from|unknown log option/)
})

test('the folder of a new log is made, for its owner only', () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'a'))
  openSqliteLog(join(dir, 'a', 'b', 'c', 'calls.db'), { stateDir: join(dir, 'state') }).close()
  expect(verifyLog(join(dir, 'a', 'b', 'c', 'calls.db'), { stateDir: join(dir, 'state') }).kind).toBe('ok')
})
