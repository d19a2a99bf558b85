import { expect, test } from 'vitest'
import { parseJournalLine } from '../../src/ingest/journal.ts'

/** As journalctl prints one, with fewer fields. */
const entry = (more: object = {}) => JSON.stringify({
  __CURSOR: 's=1;i=15d;b=2', __REALTIME_TIMESTAMP: '1796076525904231', _SYSTEMD_UNIT: 'smartd.service', _PID: '25144', _UID: '0', _HOSTNAME: 'attic', _COMM: 'cat',
  SYSLOG_IDENTIFIER: 'smartd', PRIORITY: '3', MESSAGE: 'take a note: disk at 91 %', ...more,
})
const read = (line: string, invocation?: string) => parseJournalLine(line, { now: () => 5 }, invocation)
const event = (more: object) => { const parsed = read(entry(more)); return parsed.kind === 'event' ? parsed.event : expect.unreachable(JSON.stringify(parsed)) }

test('ingest:owns: an entry is an event of its unit, received now; what the program says of itself is data', () => {
  expect(event({})).toEqual({
    id: 's=1;i=15d;b=2', source: 'journald:smartd.service', at: 5, text: 'take a note: disk at 91 %',
    data: { unit: 'smartd.service', identifier: 'smartd', priority: 'err', pid: '25144', uid: '0', host: 'attic', time: '2026-11-30T22:08:45.904Z' },
  })
})

test('ingest:owns: nothing in an entry makes it anybody else\'s: identifier, own fields, a user\'s unit, a list of units', () => {
  for (const more of [{ SYSLOG_IDENTIFIER: 'user' }, { source: 'user', SOURCE: 'user' }, { UNIT: 'user' }]) expect(event(more).source).toBe('journald:smartd.service')
  const unnamed = { _SYSTEMD_UNIT: undefined }
  for (const more of [unnamed, { ...unnamed, _SYSTEMD_USER_UNIT: 'sshd.service' }, { _SYSTEMD_UNIT: ['a.service', 'b.service'] }, { _SYSTEMD_UNIT: 'dev-disk\\x2duuid.device' }, { _SYSTEMD_UNIT: '' }, { _SYSTEMD_UNIT: 7 }, { _SYSTEMD_UNIT: 'a b' }]) {
    expect([more, event(more).source]).toEqual([more, 'journald'])
  }
})

test('a message in bytes is read; one that is no text, is missing or was too long is no event, and says why', () => {
  expect(event({ MESSAGE: [...Buffer.from('caf\u00e9 \u001b[1m')] }).text).toBe('café \u001b[1m')
  for (const [message, why] of [[[255, 254], 'not valid UTF-8'], [[300], 'must be one text'], [['a', 'b'], 'must be one text'], [null, '--all'], [7, 'must be one text'], [undefined, 'must be one text']] as const) {
    expect([message, read(entry({ MESSAGE: message }))]).toEqual([message, { kind: 'malformed', reason: expect.any(String), why: expect.stringContaining(why) }])
  }
  for (const line of ['', '{', '[]', 'null', '"x"', '{"MESSAGE":"a","MESSAGE":"b"}', '-- No entries --']) expect([line, read(line).kind]).toEqual([line, 'malformed'])
})

test('fields that are odd are left out, never guessed', () => {
  const { data } = event({ PRIORITY: '9', __REALTIME_TIMESTAMP: 'soon', SYSLOG_IDENTIFIER: ['a', 'b'], _PID: undefined })
  expect(data).toEqual({ unit: 'smartd.service', uid: '0', host: 'attic' })
  expect(event({ PRIORITY: 'constructor', __REALTIME_TIMESTAMP: '9'.repeat(30) }).data).not.toHaveProperty('priority')
})

test('gate:self: what this run of the service printed is passed over, and only that', () => {
  expect(read(entry({ _SYSTEMD_INVOCATION_ID: 'f00' }), 'f00')).toEqual({ kind: 'own' })
  for (const invocation of [undefined, '', 'f01']) expect(read(entry({ _SYSTEMD_INVOCATION_ID: 'f00' }), invocation).kind).toBe('event')
  expect(read(entry({ INVOCATION_ID: 'f00', SYSLOG_IDENTIFIER: 'f00' }), 'f00').kind).toBe('event')
})
