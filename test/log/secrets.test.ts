import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { explainById } from '../../src/log/explain.ts'
import { openLogReader, type LogReader } from '../../src/log/reader.ts'
import { Secrets } from '../../src/log/secrets.ts'
import { openSqliteLog } from '../../src/log/sqlite.ts'
import { maskKey } from '../../src/log/state.ts'
import { verifyLog } from '../../src/log/verify.ts'
import { actOf, callOf, decisionOf, effectOf, endOf, eventOf, tempDir, tempLog, type OpenedLog } from './support/rows.ts'

const secrets = new Secrets(randomBytes(32))
const run = (length: number, alphabet = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zCfIlOq') => Array.from({ length }, (_, i) => alphabet[(i * 7 + 3) % alphabet.length]).join('')

/** Made here from parts, so that no scanner takes this file for a leak. */
const TOKENS = [
  `gh${'p'}_${run(36)}`, `github_${'pat'}_${run(40)}`, `sk-${run(40)}`, `sk-${'ant'}-${run(30)}`, `sk_${'live'}_${run(24)}`, `xox${'b'}-${run(30)}`, `AKI${'A'}ABCDEFGHIJKLMNOP`, `AIz${'a'}${run(35)}`,
  `eyJ${run(20)}.eyJ${run(30)}.${run(43)}`, `glpa${'t'}-${run(20)}`, `hf${'_'}${run(34)}`, run(48), `-----BEGIN ${'PRIVATE'} KEY-----\n${run(64)}\n${run(64)}\n-----END PRIVATE KEY-----`,
]

/** Everything on disk beside the key: database, WAL, shared memory, anchors. */
function bytesOf({ dir, file }: OpenedLog): string {
  const anchors = join(dir, 'state', 'anchors')
  const files = [file, `${file}-wal`, `${file}-shm`, ...(existsSync(anchors) ? readdirSync(anchors).map(name => join(anchors, name)) : [])]
  return files.filter(path => existsSync(path)).map(path => readFileSync(path, 'latin1')).join('\n')
}

function reading({ file }: OpenedLog): LogReader {
  const reader = openLogReader(file)
  onTestFinished(() => reader.close())
  return reader
}

test('what looks like a token or a key is masked in running text, and the rest stays readable', () => {
  for (const token of TOKENS) {
    const masked = secrets.scrub(`use ${token} for the upload`)
    expect(masked).toMatch(/^use (?:\[masked:[0-9a-f]{24}\]|-----)/)
    expect(masked).not.toContain(token.slice(8, 24))
    expect(masked).toMatch(/for the upload$/)
  }
  expect(secrets.scrub('login with password: hunter22, then go')).toMatch(/^login with password: \[masked:\w+\], then go$/)
  expect(secrets.scrub('Authorization: Bearer abcdef0123456789xyz')).toMatch(/Bearer \[masked:\w+\]$/)
  expect(secrets.scrub('postgres://anna:tops3cret@db.example/x')).toMatch(/^postgres:\/\/anna:\[masked:\w+\]@db\.example\/x$/)
  expect(secrets.scrub('curl -u admin:Sup3rS3cret https://example.org')).toMatch(/^curl -u admin:\[masked:\w+\] https:\/\/example\.org$/)
  expect(secrets.scrub('tool --user "anna:tops3cret" -v')).toMatch(/^tool --user "anna:\[masked:\w+\]" -v$/)
  expect(secrets.scrub('tool --password hunter2x --dry-run')).toMatch(/^tool --password \[masked:\w+\] --dry-run$/)
  expect(secrets.scrub('tool -token abcd1234')).toMatch(/^tool -token \[masked:\w+\]$/)
  expect(secrets.scrub('my password is hunter22')).toMatch(/my password is \[masked:/)
})

test('a token with invisible characters in it is one all the same, and invisible characters alone change nothing', () => {
  for (const token of TOKENS.filter(one => !one.includes(' '))) {
    const hidden = `${token.slice(0, 12)}\u200B${token.slice(12)}`
    expect(secrets.scrub(`use ${hidden} for it`)).toBe(secrets.scrub(`use ${token} for it`))
  }
  expect(secrets.scrub('please\u200B open the \u2066console\u2069')).toBe('please\u200B open the \u2066console\u2069')
})

test('ordinary text is left alone: paths, digests, ids, sentences about secrets', () => {
  for (const text of [
    'please open the console', 'the token is valid', 'the password is wrong again', '/home/anna/projects/usher/src/log/very/long/path/name.ts', 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
    '550e8400-e29b-41d4-a716-446655440000', 'https://example.org/a/b?c=d#e', 'anna@example.org', 'ThisIsOneVeryLongCamelCaseNameWithoutDigits', 'secret santa is on friday', 'see https://example.org:8080/x@y', '', 'pin it to the board', 'docker run -u 1000:1000 busybox', 'git push -u origin main', 'ab -u http://example.org/x', 'a rule -- and a dash --force', 'say --token',
  ]) expect(secrets.scrub(text)).toBe(text)
})

test('masking what is masked changes nothing', () => {
  for (const text of [...TOKENS, `password: ${TOKENS[0]}`, 'my pin is 4711x', 'secret=abcd1234']) expect(secrets.scrub(secrets.scrub(text))).toBe(secrets.scrub(text))
})

test('equal secrets have equal masks, other keys other masks', () => {
  const token = TOKENS[0] ?? ''
  expect(secrets.scrub(token)).toBe(secrets.scrub(token))
  expect(secrets.scrub(token)).not.toBe(secrets.scrub(`${token}x`))
  expect(new Secrets(randomBytes(32)).scrub(token)).not.toBe(secrets.scrub(token))
})

test('masking takes time in proportion to the text, also for text made to be slow', { timeout: 120_000 }, () => {
  const texts = [run(400_000), `${run(60)} `.repeat(6000), 'password '.repeat(40_000), '://a:'.repeat(80_000), 'eyJ'.repeat(120_000), '-----BEGIN '.repeat(36_000), 'bearer '.repeat(56_000)]
  // Time of the processor, not of the clock: other work on the machine must not count.
  const once = (text: string) => { const before = process.cpuUsage(); secrets.scrub(text); const used = process.cpuUsage(before); return used.user + used.system }
  const time = (text: string) => Math.min(once(text), once(text), once(text))
  for (const text of texts) {
    time(text.slice(0, 1000))
    const small = Math.max(500, time(text.slice(0, text.length / 16)))
    // In proportion it is 16 times, quadratic 256.
    expect(time(text) / small).toBeLessThan(100)
  }
})

test('no secret reaches the file, wherever it stands in a call and around it', () => {
  const [inText = '', inData = '', inArgs = '', inPreset = '', inResult = '', inError = '', inEffect = '', inAct = '', inDecision = ''] = TOKENS.map((_, i) => `gh${'p'}_${run(30 + i)}`)
  for (const groupCommitMs of [0, 100]) {
    const opened = tempLog({ groupCommitMs })
    const { log } = opened
    log.event(eventOf({ text: `upload with ${inText} now`, data: { header: `Bearer ${inData}` } }))
    log.decision(decisionOf({ why: `saw ${inDecision}`, args: { key: inArgs } }))
    log.begin(callOf({ args: { key: inArgs, nested: { password: 'plain words', passwd: 90817263 }, to: 'anna' }, presetBytes: JSON.stringify({ apiKey: inPreset }) }))
    log.effect(effectOf({ kind: 'http.request', target: `GET https://a.example/?t=${inEffect}`, detail: { argv: ['--token', inEffect] } }))
    log.end(endOf({ kind: 'failed', why: `refused: ${inError}`, result: { echo: inResult } }))
    log.act(actOf({ detail: { note: inAct } }))
    const disk = bytesOf(opened)
    log.close()
    for (const secret of [inText, inData, inArgs, inPreset, inResult, inError, inEffect, inAct, inDecision, 'plain words', '90817263']) {
      expect(disk.includes(secret)).toBe(false)
      expect(bytesOf(opened).includes(secret)).toBe(false)
    }
    expect(disk).toContain('"to":"anna"')
    expect(verifyLog(opened.file, { anchor: false }).kind).toBe('unanchored')
  }
})

test('a value that the tool\'s schema marks as secret is masked in its event, decision, effects, error and result, before and after it is known', () => {
  for (const groupCommitMs of [0, 100]) {
    const opened = tempLog({ groupCommitMs })
    const { log } = opened
    const phrase = 'blue "whale" sings'
    log.event(eventOf({ text: `set the alarm phrase to ${phrase} please`, data: { said: phrase } }))
    log.decision(decisionOf({ args: { phrase }, secretPaths: ['/phrase'], why: `heard ${phrase}` }))
    log.begin(callOf({ args: { phrase, pin: 4711, zone: 'hall' }, secretPaths: ['/phrase', '/pin'], presetBytes: JSON.stringify({ phrase }) }))
    log.effect(effectOf({ kind: 'process.start', target: 'alarm', detail: { argv: ['alarm', phrase] } }))
    log.end(endOf({ why: `stored ${phrase}`, result: { phrase, again: `>${phrase}<` } }))
    const disk = bytesOf(opened)
    expect(disk.includes('whale')).toBe(false)
    expect(disk.includes('4711')).toBe(false)
    log.close()
    expect(bytesOf(opened).includes('whale')).toBe(false)
    expect(verifyLog(opened.file, { stateDir: join(opened.dir, 'state') }).kind).toBe('ok')
    expect(reading(opened).db.prepare('SELECT masked FROM events').pluck().all()).toEqual([1])
    expect(explainById(reading(opened), 'event-1')).toMatchObject({ explanation: { event: { notReplayable: 'masked', text: expect.stringMatching(/^set the alarm phrase to \[masked:\w{24}\] please$/) as unknown } } })
  }
})

test('a short secret is masked where it stands by itself, and no sender\'s id changes for it', () => {
  const opened = tempLog({ groupCommitMs: 0 })
  const { log } = opened
  log.event(eventOf({ eventId: 'before', senderId: 'mail-4711' }))
  log.begin(callOf({ args: { pin: 4711, sign: 'a.b?', odd: '^-/\\' }, secretPaths: ['/pin', '/sign', '/odd'], eventId: 'before' }))
  log.end(endOf({ why: 'pin 4711 of 47110 and x4711, sign (a.b?) but not axb? and ^-/\\' }))
  expect(log.seen('user', 'mail-4711')).toEqual([])
  const why = reading(opened).db.prepare('SELECT why FROM outcomes').pluck().get()
  expect(why).toMatch(/^pin \[masked:\w+\] of 47110 and x4711, sign \(\[masked:\w+\]\) but not axb\? and \[masked:\w+\]$/)
})

test('an event with a masked word reads not replayable, another one does not', () => {
  const opened = tempLog({ groupCommitMs: 0 })
  opened.log.event(eventOf({ text: `use ${TOKENS[0]}` }))
  opened.log.event(eventOf({ eventId: 'event-2', senderId: 'sender-2' }))
  const reader = reading(opened)
  expect(explainById(reader, 'event-1')).toMatchObject({ explanation: { event: { notReplayable: 'masked', masked: true } } })
  const other = explainById(reader, 'event-2')
  expect(other).toMatchObject({ explanation: { event: { masked: false } } })
  expect(JSON.stringify(other)).not.toContain('notReplayable')
})

test('preset:verbatim: a masked preset has a keyed digest of its true bytes, a plain one stands there byte for byte', () => {
  const opened = tempLog()
  const preset = JSON.stringify({ open: true, token: TOKENS[0] })
  opened.log.begin(callOf({ presetBytes: preset }))
  opened.log.begin(callOf({ callId: 'plain', presetBytes: '{"open":true,"n":1.10}' }))
  const key = readFileSync(join(opened.dir, 'state', 'mask.key'))
  const expected = createHmac('sha256', key).update(JSON.stringify(['preset-v1', preset])).digest('hex')
  const reader = reading(opened)
  expect(explainById(reader, 'call-1')).toMatchObject({ explanation: { calls: [{ call: { masked: true, presetDigest: expected, presetBytes: expect.stringMatching(/^\{"open":true,"token":"\[masked:\w+\]"\}$/) as unknown } }] } })
  expect(explainById(reader, 'plain')).toMatchObject({ explanation: { calls: [{ call: { masked: false, presetBytes: '{"open":true,"n":1.10}' } }] } })
})

test('the same secret is comparable over calls and over restarts', () => {
  const opened = tempLog()
  opened.log.begin(callOf({ args: { key: TOKENS[0] ?? '' } }))
  opened.log.close()
  opened.reopen().begin(callOf({ callId: 'call-2', args: { key: TOKENS[0] ?? '' } }))
  const reader = reading(opened)
  const masks = reader.db.prepare('SELECT DISTINCT json_extract(args, \'$.key\') FROM calls').pluck().all()
  expect(masks).toEqual([expect.stringMatching(/^\[masked:\w{24}\]$/)])
})

test('a sender\'s id that looks like a token is masked, and still known when it comes again', () => {
  const { log } = tempLog({ groupCommitMs: 0 })
  log.event(eventOf({ senderId: TOKENS[0] ?? '' }))
  expect(log.seen('user', TOKENS[0] ?? '')).toEqual([])
})

test('the key lies outside the log with mode 0600; a damaged one is refused', () => {
  const dir = join(tempDir(), 'state')
  const key = maskKey(dir)
  expect(maskKey(dir).equals(key)).toBe(true)
  expect(statSync(join(dir, 'mask.key')).mode & 0o777).toBe(0o600)
  writeFileSync(join(dir, 'mask.key'), 'short')
  expect(() => openSqliteLog(join(dir, 'calls.db'), { stateDir: dir })).toThrow(/the key has 5 bytes instead of 32/)
})
