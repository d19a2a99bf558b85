import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/log/db.ts'
import { anchorLine, verifyLog } from '../../src/log/verify.ts'
import { callOf, endOf, eventOf, tempLog, wholeCall, type OpenedLog } from './support/rows.ts'
import { rechain, tamper } from './support/tamper.ts'

/** Row 1 genesis, 2 event, 3 decision, 4 call, 5 effect, 6 outcome; then calls 7 to 16 of 10 more. */
function closedLog(): OpenedLog & { readonly stateDir: string } {
  const opened = tempLog()
  wholeCall(opened.log)
  for (let i = 0; i < 5; i++) {
    opened.log.begin(callOf({ callId: `more-${i}` }))
    opened.log.end(endOf({ callId: `more-${i}` }))
  }
  opened.log.close()
  return { ...opened, stateDir: join(opened.dir, 'state') }
}

test('trace:tamper: a log as it was written verifies against the anchor in the state folder', () => {
  const { file, stateDir } = closedLog()
  expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'ok', rows: 16, anchoredAt: 16 })
})

test('trace:tamper: a changed row is named, whichever of its parts was changed', () => {
  const changes = ['body = replace(body, \'true\', \'false\')', 'kind = \'act\'', `hash = '${'a'.repeat(64)}'`, `prev = '${'b'.repeat(64)}'`]
  for (const change of changes) {
    const { file, stateDir } = closedLog()
    tamper(file, db => { db.exec(`UPDATE rows SET ${change} WHERE seq = 4`) })
    expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq: 4, kind: 'changed' } })
  }
})

test('trace:tamper: a changed event text is named, though it stands outside the hashed body', () => {
  for (const change of ['text = \'please wipe the disk\'', 'text = NULL', 'salt = \'00\'', 'text = NULL, data = NULL, salt = NULL', 'data = \'{}\'']) {
    const { file, stateDir } = closedLog()
    tamper(file, db => { db.exec(`UPDATE rows SET ${change} WHERE seq = 2`) })
    expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq: 2, kind: 'changed' } })
  }
})

test('trace:tamper: a text put into a row that had none is named', () => {
  const { file, stateDir } = closedLog()
  tamper(file, db => { db.exec('UPDATE rows SET text = \'hello\' WHERE seq = 4') })
  expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq: 4, kind: 'changed' } })
})

test('trace:tamper: a removed row is named, the first and one in the middle', () => {
  for (const seq of [1, 5]) {
    const { file, stateDir } = closedLog()
    tamper(file, db => { db.exec(`DELETE FROM rows WHERE seq = ${seq}`) })
    expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq, kind: 'missing' } })
  }
})

test('trace:tamper: a removed row is named also when the rows behind it were moved up', () => {
  const { file, stateDir } = closedLog()
  tamper(file, db => { db.exec('DELETE FROM rows WHERE seq = 5; UPDATE rows SET seq = seq - 1 WHERE seq > 5') })
  expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq: 5, kind: 'reordered', detail: 'the row at 5 was written as row 6' } })
})

test('trace:tamper: two rows that changed places are named', () => {
  const { file, stateDir } = closedLog()
  tamper(file, db => { db.exec('UPDATE rows SET seq = -1 WHERE seq = 7; UPDATE rows SET seq = 7 WHERE seq = 9; UPDATE rows SET seq = 9 WHERE seq = -1') })
  expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq: 7, kind: 'reordered', detail: 'the row at 7 was written as row 9' } })
})

test('trace:tamper: a row that was changed and hashed anew is named by the next one', () => {
  const { file, stateDir } = closedLog()
  tamper(file, db => {
    const after = db.prepare('SELECT seq, prev, hash FROM rows WHERE seq > 4').all() as { seq: number, prev: string, hash: string }[]
    db.exec('UPDATE rows SET body = replace(body, \'true\', \'false\') WHERE seq = 4')
    rechain(db, 4)
    for (const row of after) db.prepare('UPDATE rows SET prev = ?, hash = ? WHERE seq = ?').run(row.prev, row.hash, row.seq)
  })
  expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq: 4, kind: 'changed', detail: 'row 5 was chained on another row 4 than stands there now' } })
})

test('trace:tamper: a cut tail and a full rewrite hold together, and only the anchor shows them', () => {
  const cut = closedLog()
  const line = anchorLine(cut.file)
  tamper(cut.file, db => { db.exec('DELETE FROM rows WHERE seq > 10') })
  expect(verifyLog(cut.file, { anchor: false })).toMatchObject({ kind: 'unanchored', rows: 10 })
  expect(verifyLog(cut.file, { stateDir: cut.stateDir })).toMatchObject({ kind: 'broken', first: { seq: 11, kind: 'cut' } })
  expect(verifyLog(cut.file, { anchor: line })).toMatchObject({ kind: 'broken', first: { seq: 11, kind: 'cut' } })

  const forged = closedLog()
  tamper(forged.file, db => {
    db.exec('UPDATE rows SET body = replace(body, \'true\', \'false\') WHERE seq = 4')
    rechain(db, 4)
  })
  expect(verifyLog(forged.file, { anchor: false })).toMatchObject({ kind: 'unanchored' })
  expect(verifyLog(forged.file, { stateDir: forged.stateDir })).toMatchObject({ kind: 'broken', first: { seq: 16, kind: 'rewritten' } })
})

test('without an anchor the answer is unanchored, and another log\'s anchor is refused', () => {
  const { file, stateDir } = closedLog()
  const other = closedLog()
  expect(verifyLog(file, { anchor: anchorLine(other.file) })).toMatchObject({ kind: 'broken', first: { kind: 'replaced' } })
  expect(() => verifyLog(file, { anchor: 'usher-anchor-v1 nonsense' })).toThrow(/not an anchor line/)
  rmSync(stateDir, { recursive: true })
  expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'unanchored', rows: 16 })
})

test('an anchor line taken at any time bears out everything that was written later', () => {
  const { log, file, dir } = tempLog()
  wholeCall(log)
  const line = anchorLine(file)
  log.begin(callOf({ callId: 'later' }))
  expect(verifyLog(file, { anchor: line })).toMatchObject({ kind: 'ok', anchoredAt: 6, rows: 7 })
  log.close()
  expect(verifyLog(file, { stateDir: join(dir, 'state') })).toMatchObject({ kind: 'ok', anchoredAt: 7 })
})

test('trace:tamper: a changed view or trigger is found, since it would hide rows from its owner', () => {
  const { file, stateDir } = closedLog()
  const db = openDatabase(file, { timeout: 1000 })
  db.exec('DROP VIEW effects; CREATE VIEW effects AS SELECT * FROM rows WHERE 0')
  db.close()
  expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { kind: 'schema', detail: expect.stringContaining('the view effects') } })
  const other = closedLog()
  const second = openDatabase(other.file, { timeout: 1000 })
  second.exec('DROP TRIGGER rows_no_delete')
  second.close()
  expect(verifyLog(other.file, { stateDir: other.stateDir })).toMatchObject({ kind: 'broken', first: { kind: 'schema', detail: expect.stringContaining('the trigger rows_no_delete') } })
})

test('trace:tamper: the log is append only for plain SQL as well', () => {
  const { file } = closedLog()
  const db = openDatabase(file, { timeout: 1000 })
  for (const sql of ['UPDATE rows SET kind = \'act\' WHERE seq = 4', 'DELETE FROM rows', 'INSERT OR REPLACE INTO rows (seq, kind, body, prev, hash) VALUES (4, \'call\', \'{}\', \'\', \'\')', 'INSERT INTO rows (seq, kind, body, prev, hash) VALUES (99, \'call\', \'{}\', \'\', \'\')'])
    expect(() => db.exec(sql)).toThrow(/append only/)
  db.close()
})

test('a log that lost its tail says so when it is opened again, and keeps the evidence', () => {
  const { file, reopen, stateDir } = closedLog()
  tamper(file, db => { db.exec('DELETE FROM rows WHERE seq > 10') })
  const again = reopen()
  expect(again.notes.join()).toMatch(/not what its anchor says \(cut: the log ends at row 10, but it had row 16/)
  for (let i = 0; i < 20; i++) again.event(eventOf({ eventId: `e-${i}`, senderId: `s-${i}` }))
  again.close()
  expect(verifyLog(file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq: 16, kind: 'rewritten' } })
})

test('a copy verifies like the log it was taken from', () => {
  const { file, dir, stateDir } = closedLog()
  const copy = join(dir, 'copy.db')
  copyFileSync(file, copy)
  expect(verifyLog(copy, { stateDir })).toMatchObject({ kind: 'ok', rows: 16 })
})
