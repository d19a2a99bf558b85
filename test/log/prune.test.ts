import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pruneLog } from '../../src/log/prune.ts'
import { explainById } from '../../src/log/explain.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { Secrets } from '../../src/log/secrets.ts'
import { unexplained } from '../../src/log/unexplained.ts'
import { anchorLine, verifyLog } from '../../src/log/verify.ts'
import { callOf, decisionOf, effectOf, endOf, eventOf, T0, tempLog, wholeCall, type OpenedLog } from './support/rows.ts'
import { rechain, tamper } from './support/tamper.ts'

const DAY = 24 * 3600 * 1000

/** A call asked for on day `n`, whole. */
function callOnDay({ log }: OpenedLog, n: number): void {
  const at = T0 + n * DAY
  log.event(eventOf({ eventId: `event-${n}`, senderId: `sender-${n}`, at }))
  log.decision(decisionOf({ decisionId: `decision-${n}`, eventId: `event-${n}`, callId: `call-${n}`, at }))
  log.begin(callOf({ callId: `call-${n}`, eventId: `event-${n}`, decisionId: `decision-${n}`, at }))
  log.effect(effectOf({ callId: `call-${n}`, at }))
  log.end(endOf({ callId: `call-${n}`, at }))
}

function count(file: string, sql: string): number {
  const reader = openLogReader(file)
  try { return Number(reader.db.prepare(sql).pluck().get()) } finally { reader.close() }
}

test('trace:tamper: old rows are cut, a checkpoint says which, and the rest verifies', () => {
  const opened = tempLog()
  for (let n = 0; n < 10; n++) callOnDay(opened, n)
  const stateDir = join(opened.dir, 'state')
  expect(pruneLog(opened.file, { before: T0 + 5 * DAY, stateDir, now: T0 + 10 * DAY })).toEqual({ cut: 25, kept: 1, texts: 0, walHeld: false })
  expect(count(opened.file, 'SELECT count(*) FROM calls')).toBe(5)
  expect(verifyLog(opened.file, { stateDir })).toMatchObject({ kind: 'ok', rows: 27 })
  callOnDay(opened, 11)
  opened.log.close()
  expect(verifyLog(opened.file, { stateDir })).toMatchObject({ kind: 'ok', rows: 32 })
})

test('trace:tamper: a log of which all is old is cut to its checkpoint, goes on with new numbers, and verifies', () => {
  const opened = tempLog()
  for (let n = 0; n < 3; n++) callOnDay(opened, n)
  const stateDir = join(opened.dir, 'state')
  const before = Number(verifyLog(opened.file, { stateDir }).rows)
  expect(pruneLog(opened.file, { before: T0 + 30 * DAY, stateDir, now: T0 + 31 * DAY })).toEqual({ cut: before - 1, kept: 1, texts: 0, walHeld: false })
  expect(count(opened.file, 'SELECT max(seq) FROM rows')).toBe(before + 1)
  expect(verifyLog(opened.file, { stateDir })).toMatchObject({ kind: 'ok' })
  expect(pruneLog(opened.file, { before: T0 + 30 * DAY, stateDir, now: T0 + 31 * DAY })).toMatchObject({ cut: 0 })
  callOnDay(opened, 32)
  expect(count(opened.file, 'SELECT max(seq) FROM rows')).toBe(before + 6)
  opened.log.close()
  expect(verifyLog(opened.file, { stateDir })).toMatchObject({ kind: 'ok' })
})

test('trace:tamper: a row cut by hand does not pass for one that retention cut', () => {
  const opened = tempLog()
  for (let n = 0; n < 4; n++) callOnDay(opened, n)
  pruneLog(opened.file, { before: T0 + 2 * DAY, stateDir: join(opened.dir, 'state') })
  opened.log.close()
  tamper(opened.file, db => { db.exec('DELETE FROM rows WHERE seq = 12') })
  expect(verifyLog(opened.file, { anchor: false })).toMatchObject({ kind: 'broken', first: { seq: 12, kind: 'missing' } })
})

test('trace:tamper: a checkpoint that was chained on by hand excuses nothing', () => {
  const forge = (opened: OpenedLog, keyId: string, detail: object): void => tamper(opened.file, db => {
    const cut = db.prepare('SELECT hash FROM rows WHERE seq = 5').pluck().get() as string
    db.exec('DELETE FROM rows WHERE seq = 5')
    const head = db.prepare('SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1').get() as { seq: number, hash: string }
    const body = JSON.stringify({ who: 'usher', act: 'prune', about: '', at: T0, keyId, mac: 'a'.repeat(64), detail: { ranges: [{ from: 5, to: 5, hash: cut }], ...detail } })
    db.prepare('INSERT INTO rows (seq, kind, body, prev, hash) VALUES (?, \'checkpoint\', ?, ?, ?)').run(head.seq + 1, body, head.hash, '')
    rechain(db, head.seq + 1)
  })
  const opened = tempLog()
  callOnDay(opened, 0)
  callOnDay(opened, 1)
  opened.log.close()
  const stateDir = join(opened.dir, 'state')
  const { keyId } = new Secrets(readFileSync(join(stateDir, 'mask.key')))
  forge(opened, keyId, {})
  expect(verifyLog(opened.file, { stateDir })).toMatchObject({ kind: 'broken', first: { seq: 5, kind: 'missing' } })

  const foreign = tempLog()
  callOnDay(foreign, 0)
  callOnDay(foreign, 1)
  foreign.log.close()
  forge(foreign, 'of-another-key', {})
  expect(verifyLog(foreign.file, { stateDir: join(foreign.dir, 'state') })).toMatchObject({ kind: 'unanchored', why: expect.stringContaining('row 12 says that rows were cut') as unknown })
})

test('trace:tamper: a checkpoint row that is no checkpoint is named, whatever is in it', () => {
  for (const body of ['null', '[]', '{}', '{"detail":null}', '{"detail":{"ranges":1}}', '{"detail":{"ranges":[null]}}', '{"detail":{"texts":{}}}', '"x"']) {
    const opened = tempLog()
    wholeCall(opened.log)
    opened.log.close()
    tamper(opened.file, db => {
      const head = db.prepare('SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1').get() as { seq: number, hash: string }
      db.prepare('INSERT INTO rows (seq, kind, body, prev, hash) VALUES (?, \'checkpoint\', ?, ?, ?)').run(head.seq + 1, body, head.hash, '')
      rechain(db, head.seq + 1)
    })
    expect(verifyLog(opened.file, { stateDir: join(opened.dir, 'state') })).toMatchObject({ kind: 'broken', first: { seq: 7, kind: 'forged' } })
  }
})

test('a pruned log that came from elsewhere, without its key, is vouched for by an anchor that a person kept', () => {
  const opened = tempLog()
  for (let n = 0; n < 4; n++) callOnDay(opened, n)
  const before = anchorLine(opened.file)
  pruneLog(opened.file, { before: T0 + 2 * DAY, stateDir: join(opened.dir, 'state') })
  opened.log.close()
  const elsewhere = join(opened.dir, 'elsewhere')
  expect(verifyLog(opened.file, { stateDir: elsewhere, anchor: before })).toMatchObject({ kind: 'unanchored', why: expect.stringContaining('another key') as unknown })
  expect(verifyLog(opened.file, { stateDir: elsewhere, anchor: anchorLine(opened.file) })).toMatchObject({ kind: 'ok' })
})

test('pruning again, over rows that were kept before, still verifies', () => {
  const opened = tempLog()
  callOnDay(opened, 0)
  opened.log.effect(effectOf({ callId: null, at: T0 + DAY }))
  callOnDay(opened, 2)
  callOnDay(opened, 6)
  const stateDir = join(opened.dir, 'state')
  expect(pruneLog(opened.file, { before: T0 + 5 * DAY, stateDir }).cut).toBe(10)
  expect(verifyLog(opened.file, { stateDir })).toMatchObject({ kind: 'ok' })
  expect(pruneLog(opened.file, { before: T0 + 7 * DAY, stateDir, evenUnexplained: true }).cut).toBe(6)
  expect(verifyLog(opened.file, { stateDir })).toMatchObject({ kind: 'ok', rows: 3 })
})

test('an unexplained effect stays, with its call, its words and what caused it, unless the owner says otherwise', () => {
  const opened = tempLog()
  callOnDay(opened, 0)
  opened.log.event(eventOf({ eventId: 'later', senderId: 'later', causedBy: 'call-0', at: T0 + DAY }))
  opened.log.begin(callOf({ callId: 'late-call', eventId: 'later', explicit: false, at: T0 + DAY }))
  opened.log.effect(effectOf({ callId: 'late-call', kind: 'fs.delete', target: '/plans', at: T0 + DAY }))
  opened.log.end(endOf({ callId: 'late-call', at: T0 + DAY }))
  callOnDay(opened, 2)
  const stateDir = join(opened.dir, 'state')
  expect(pruneLog(opened.file, { before: T0 + 5 * DAY, stateDir }).cut).toBe(5)
  const reader = openLogReader(opened.file)
  expect(unexplained(reader)).toMatchObject([{ reason: 'no-ask', target: '/plans' }])
  expect(explainById(reader, 'late-call')).toMatchObject({ explanation: { causes: [{ call: { callId: 'call-0' }, event: { text: 'please open the console' } }] } })
  reader.close()
  expect(pruneLog(opened.file, { before: T0 + 5 * DAY, stateDir, evenUnexplained: true }).cut).toBe(9)
  expect(verifyLog(opened.file, { stateDir }).kind).toBe('ok')
})

test('what a young row refers to stays, so that pruning never makes an effect unexplained', () => {
  const opened = tempLog()
  callOnDay(opened, 0)
  callOnDay(opened, 1)
  opened.log.event(eventOf({ eventId: 'young', senderId: 'young', causedBy: 'call-0', at: T0 + 9 * DAY }))
  opened.log.begin(callOf({ callId: 'young-call', eventId: 'young', explicit: false, at: T0 + 9 * DAY }))
  opened.log.effect(effectOf({ callId: 'young-call', at: T0 + 9 * DAY }))
  opened.log.end(endOf({ callId: 'young-call', at: T0 + 9 * DAY }))
  expect(pruneLog(opened.file, { before: T0 + 5 * DAY, stateDir: join(opened.dir, 'state') }).cut).toBe(5)
  const reader = openLogReader(opened.file)
  onTestFinished(() => reader.close())
  expect(unexplained(reader)).toEqual([])
})

test('a call in flight stays, however old it is', () => {
  const opened = tempLog()
  opened.log.begin(callOf({ callId: 'long', ...{ eventId: undefined, decisionId: undefined } as object }))
  expect(pruneLog(opened.file, { before: T0 + DAY, stateDir: join(opened.dir, 'state') }).cut).toBe(0)
})

test('rows written while the clock was set back are as young as the row before them', () => {
  const opened = tempLog()
  callOnDay(opened, 0)
  callOnDay(opened, 9)
  callOnDay(opened, 1)
  expect(pruneLog(opened.file, { before: T0 + 5 * DAY, stateDir: join(opened.dir, 'state') }).cut).toBe(5)
  expect(count(opened.file, 'SELECT count(*) FROM calls WHERE call_id = \'call-1\'')).toBe(1)
})

test('texts of events that fired nothing can go earlier; they read as dropped, leave the file, and the chain verifies', () => {
  const opened = tempLog()
  wholeCall(opened.log)
  opened.log.event(eventOf({ eventId: 'chat', senderId: 'chat', source: 'chat', text: 'grandmother\'s plum cake', data: { room: 'kitchen-talk' }, at: T0 + 10 }))
  opened.log.act({ who: 'usher', act: 'start', about: '', detail: {}, at: T0 + 2 * DAY })
  const stateDir = join(opened.dir, 'state')
  expect(pruneLog(opened.file, { textsBefore: T0 + DAY, stateDir })).toEqual({ cut: 0, kept: 0, texts: 1, walHeld: false })
  const reader = openLogReader(opened.file)
  expect(explainById(reader, 'chat')).toMatchObject({ explanation: { event: { text: null, notReplayable: 'dropped' } } })
  expect(explainById(reader, 'event-1')).toMatchObject({ explanation: { event: { text: 'please open the console' } } })
  reader.close()
  expect(verifyLog(opened.file, { stateDir }).kind).toBe('ok')
  for (const file of [opened.file, `${opened.file}-wal`]) {
    const bytes = readFileSync(file)
    expect(bytes.includes('plum cake') || bytes.includes('kitchen-talk')).toBe(false)
  }
})

test('an anchor whose row was cut still leaves newer ones to go by', () => {
  const opened = tempLog()
  callOnDay(opened, 0)
  const old = anchorLine(opened.file)
  callOnDay(opened, 9)
  pruneLog(opened.file, { before: T0 + 5 * DAY, stateDir: join(opened.dir, 'state') })
  expect(verifyLog(opened.file, { anchor: old })).toMatchObject({ kind: 'unanchored', why: expect.stringContaining('cut by retention') })
  expect(verifyLog(opened.file, { anchor: anchorLine(opened.file) })).toMatchObject({ kind: 'ok' })
})

test('a time that is none is refused before anything is cut', () => {
  const opened = tempLog()
  callOnDay(opened, 0)
  expect(() => pruneLog(opened.file, { before: Number.NaN })).toThrow(/before must be a time/)
  expect(count(opened.file, 'SELECT count(*) FROM calls')).toBe(1)
})
