/** The pages as a reader gets them over HTTP; what only a browser can show is in browser.test.ts. */
import { describe, expect, test } from 'vitest'
import type { SqliteLog } from '../../src/log/sqlite.ts'
import { parseRoutes } from '../../src/routes/load.ts'
import { actOf, callOf, decisionOf, effectOf, endOf, eventOf, T0, tempLog, wholeCall } from '../log/support/rows.ts'
import { openPage, words } from './support/page.ts'

const ROUTES = `version: 1
routes:
  - name: open-console
    tool: call_console
    triggers: ["open (the|my) console"]
    not: ["memory map"]
    preset: { open: true }
    allow: [browser.open]
    limits: { cooldown: 10s, perHour: 6 }
    must_fire: ["please open the console"]
    must_not_fire: ["why does the console keep opening?"]
`

const written = (log: SqliteLog) => log.act(actOf({ about: 'nothing' }))
const clock = { now: () => T0 + 60_000 }

describe('the first page', () => {
  test('the unexplained stand first, then the picture of the day, then the list', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    log.effect(effectOf({ callId: null, kind: 'net.connect', target: 'example.org:443' }))
    written(log)
    const page = await openPage({ log: file, clock })
    const { text, status } = await page.get('/')
    expect(status).toBe(200)
    const seen = words(text)
    expect(seen).toMatch(/1 unexplained .*no-call net\.connect example\.org:443.* Today, .*1 fired, 0 held, 1 effect, 1 unexplained.* fired held .*words outcome/)
    expect(seen).toMatch(/please open the console ● called call_console/)
    expect(text.indexOf('id="unexplained"')).toBeLessThan(text.indexOf('id="picture"'))
    expect(text.indexOf('id="picture"')).toBeLessThan(text.indexOf('id="lines"'))
  })
  test('a quiet log says so, and so does an empty one', async () => {
    const { log, file } = tempLog()
    const page = await openPage({ log: file, clock })
    expect(words((await page.get('/')).text)).toMatch(/None: every effect in the log has an explicit ask behind it.*Nothing came in this time.*Nothing in the log fits/)
    wholeCall(log)
    expect(words((await page.get('/')).text)).toContain('please open the console')
  })
  test('where nothing came today, the last day with something is shown', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const page = await openPage({ log: file, clock: { now: () => T0 + 20 * 86_400_000 } })
    expect(words((await page.get('/')).text)).toMatch(/2026-01-05 1 fired/)
  })
  test('filters are in the address, and in the form again', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    log.event(eventOf({ eventId: 'e-2', senderId: 's-2', source: 'notification', text: 'memory map <rebuilt>' }))
    log.decision({ ...decisionOf({ eventId: 'e-2', decisionId: 'd-2', kind: 'source-blocked', reason: 'source', why: 'hears only user' }), callId: undefined as never })
    written(log)
    const page = await openPage({ log: file, clock })
    const held = await page.get('/?outcome=source-blocked&text=MEMORY')
    expect(words(held.text)).toContain('memory map <rebuilt> ○ source-blocked')
    expect(held.text).not.toContain('please open the console</a>')
    expect(held.text).toContain('<option value="source-blocked" selected>')
    expect(held.text).toContain('value="MEMORY"')
    expect(words((await page.get('/?effects=1')).text)).toMatch(/1 line fit, newest first/)
    expect(words((await page.get('/?since=nonsense')).text)).toContain('since must be a duration')
  })
  test('older pages are links that keep the filter', async () => {
    const { log, file } = tempLog()
    for (let n = 0; n < 120; n++) {
      log.event(eventOf({ eventId: `e-${n}`, senderId: `s-${n}`, text: `event number ${n}` }))
      log.decision({ ...decisionOf({ eventId: `e-${n}`, decisionId: `d-${n}`, kind: 'no-match' }), callId: undefined as never })
    }
    written(log)
    const page = await openPage({ log: file, clock })
    const seen: string[] = []
    const links: string[] = []
    let path: string | undefined = '/?source=user'
    while (path !== undefined) {
      const { text } = await page.get(path)
      seen.push(...[...text.matchAll(/class="line"[^>]*>event number (\d+)</g)].map(found => found[1] ?? ''))
      path = /rel="next"[^>]* href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      links.push(path ?? '')
    }
    expect(links).toEqual([expect.stringMatching(/^\/\?source=user&before=\d+$/), expect.stringMatching(/^\/\?source=user&before=\d+$/), ''])
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => String(119 - n)))
  })
})

describe('one event with all its evidence', () => {
  test('words with the clause and each argument marked, scores against threshold and margin, gate, preset, call, effects, causes, what people did', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    log.event(eventOf({ eventId: 'e-2', senderId: 's-2', source: 'user', text: 'ok: take a note: buy milk', causedBy: 'call-1', at: T0 + 20 }))
    log.decision(decisionOf({
      eventId: 'e-2', decisionId: 'd-2', callId: 'c-2', route: 'add-note', tool: 'append_note', phrase: 'take a note {text}', score: 0.7, runnerUp: { route: 'set-timer', phrase: 'set a timer', score: 0.5 }, margin: 0.2,
      nearMisses: [{ route: 'set-timer', phrase: 'set a timer', score: 0.5, threshold: 0.6, reason: 'below-threshold' }], gate: [{ rule: 'source', passed: true, detail: 'user' }, { rule: 'limits', passed: false, detail: '9 of 6 an hour' }],
      reading: ['wrapper "ok"'], span: { start: 4, end: 25 }, args: { text: 'buy milk', loud: true }, origins: { '/text': { kind: 'event', span: { start: 17, end: 25 }, how: 'slot' }, '/loud': { kind: 'preset' } }, presetBytes: '{"loud":true}', at: T0 + 21,
    }))
    log.begin(callOf({ callId: 'c-2', eventId: 'e-2', decisionId: 'd-2', tool: 'append_note', route: 'add-note', args: { text: 'buy milk', loud: true }, allowed: ['fs.write'], ignoredKeys: ['dryRum'], at: T0 + 22 }))
    log.effect(effectOf({ callId: 'c-2', kind: 'fs.write', target: '/notes.txt' }))
    log.effect(effectOf({ callId: 'c-2', kind: 'net.connect', target: 'example.org:443', blocked: true }))
    log.end(endOf({ callId: 'c-2', kind: 'blocked', reason: 'undeclared-effect', why: 'net.connect was stopped' }))
    log.act(actOf({ who: 'anna', act: 'report', about: 'c-2', detail: { wrong: 'only quoted' } }))
    const table = parseRoutes(ROUTES)
    const page = await openPage({ log: file, clock, routes: () => ({ table, problems: [] }) })
    const { text } = await page.get('/event/d-2')
    expect(text).toContain('<mark class="ask">take a note: </mark><mark class="ask arg"><span class="tag">[text:</span>buy milk<span class="tag">]</span></mark>')
    const seen = words(text)
    for (const part of [
      'Decision: called', 'asks, as "take a note {text}"', 'characters 17 to 25', 'runner-up set-timer set a timer 0.500', '0.200 behind', 'near miss set-timer set a timer 0.500 0.600, missed below-threshold',
      'wrapper "ok"', '✓ source passed: user', '✖ limits held: 9 of 6 an hour', 'the words buy milk , characters 17 to 25 (slot)', 'the route\'s preset, verbatim', '{"loud":true}', 'Call: blocked', 'may cause fs.write', 'ignored keys dryRum',
      '▲ fs.write /notes.txt happened', '⊘ net.connect example.org:443 stopped before it happened', 'Caused by call call-1 of call_console, by router, on user: please open the console', 'anna said that this should not have happened: only quoted', '(decided under other routes than those in use now)',
    ]) expect(seen).toContain(part)
    expect(text).toContain('href="/event/call-1"')
  })
  test('an effect that nobody asked for opens too, and an id that is in no log is said to be in none', async () => {
    const { log, file } = tempLog()
    log.effect(effectOf({ callId: null, target: '/usr/bin/curl' }))
    const page = await openPage({ log: file, clock })
    const [, id = ''] = /\/event\/(effect-\d+)/.exec((await page.get('/unexplained')).text) ?? []
    expect(words((await page.get(`/event/${id}`)).text)).toMatch(/▲ process\.start \/usr\/bin\/curl happened.*no call was in flight.*No event is behind it/)
    const none = await page.get('/event/__proto__')
    expect([none.status, words(none.text)]).toEqual([404, expect.stringContaining('Nothing in the log has the id __proto__')])
    expect((await page.get('/event/%3Cscript%3Ealert(1)%3C%2Fscript%3E')).text).not.toContain('<script>alert')
  })
  test('an argument from the words of another event is marked in that one, not here', async () => {
    const { log, file } = tempLog()
    log.event(eventOf({ eventId: 'e-2', senderId: 's-2', text: 'ten minutes' }))
    log.decision(decisionOf({ eventId: 'e-2', decisionId: 'd-2', answers: 'd-1', args: { name: 'tea', duration: 'PT10M' }, origins: { '/name': { kind: 'event', span: { start: 4, end: 7 }, how: 'slot', eventId: 'e-1' }, '/duration': { kind: 'event', span: { start: 0, end: 11 }, how: 'duration' } } }))
    written(log)
    const page = await openPage({ log: file, clock })
    const { text } = await page.get('/event/e-2')
    expect(text.match(/<mark/g)).toHaveLength(1)
    for (const part of ['answers d-1', '"tea" the words of e-1 , characters 4 to 7 (slot)', '"PT10M" the words ten minutes , characters 0 to 11 (duration)']) expect(words(text)).toContain(part)
  })
  test('masked words are not marked: the places belong to the words before', async () => {
    const { log, file } = tempLog()
    log.event(eventOf({ text: 'use ghp_0123456789abcdefghijklmnopqrstuvwxyz for it' }))
    log.decision(decisionOf({ span: { start: 0, end: 10 } }))
    written(log)
    const page = await openPage({ log: file, clock })
    const { text } = await page.get('/event/decision-1')
    expect(text).not.toContain('<mark')
    expect(text).not.toContain('0123456789abcdef')
    expect(words(text)).toContain('A secret in it is masked')
  })
})

describe('routes and contracts', () => {
  test('what a route says, how often it fired or nearly did, its tests, and a bad edit', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    log.event(eventOf({ eventId: 'e-2', senderId: 's-2' }))
    log.decision({ ...decisionOf({ eventId: 'e-2', decisionId: 'd-2', kind: 'not-explicit', nearMisses: [{ route: 'open-console', phrase: 'open the console', score: 0.9, threshold: 0.6, reason: 'abstain:mention' }] }), callId: undefined as never })
    written(log)
    const table = parseRoutes(ROUTES)
    const page = await openPage({ log: file, clock, routes: () => ({ table, problems: ['routes/console.yaml:3:5: unknown key "triger"'] }) })
    const seen = words((await page.get('/routes')).text)
    for (const part of ['The last good routes stay in use', 'routes/console.yaml:3:5: unknown key "triger"', 'open-console', '● fired 1', 'held: 1 not-explicit', 'nearly 1', '10 s between two calls, an hour: 6 (1 used)', '{"open":true}', 'open my console', 'please open the console', 'why does the console keep opening?', 'memory map']) expect(seen).toContain(part)
  })
  test('routes that only the log knows are shown with what it knows', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const page = await openPage({ log: file, clock })
    expect(words((await page.get('/routes')).text)).toMatch(/No route files were given.*open-console : ● fired 1/)
  })
  test('contracts: who signed, when, and whether the server still offers just that', async () => {
    const { file } = tempLog()
    const page = await openPage({ log: file, clock, contracts: () => ({ problems: ['the file changed'], lines: [
      { tool: 'files/read', signedBy: 'anna', signedAt: T0, state: 'ready', equal: true, why: '', hash: 'ab'.repeat(32) }, { tool: 'files/send', signedBy: '', state: 'drifted', equal: false, why: 'its description changed' }, { tool: 'x/y', signedBy: 'bo', state: 'not-asked', why: '' },
    ] }) })
    const seen = words((await page.get('/contracts')).text)
    expect(seen).toMatch(/The contracts do not hold the file changed.*files\/read abababababababab anna 2026-01-05 ✓ yes ready files\/send \(nobody\) ✖ no drifted its description changed x\/y bo \? not asked not-asked/)
    expect(words((await (await openPage({ log: file })).get('/contracts')).text)).toContain('No contracts were given')
  })
})

describe('closed: a page that is not the owner\'s', () => {
  test('nothing but the way in without the token, and no part of the log', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const page = await openPage({ log: file })
    for (const path of ['/', '/event/call-1', '/routes', '/live', '/json/call-1', '/text/event-1', '/unexplained', '/nothing']) {
      const answer = await fetch(page.origin + path, { headers: { accept: 'text/html' } })
      expect([path, answer.status]).toEqual([path, 401])
      expect(await answer.text()).not.toContain('open the console')
    }
    expect((await fetch(page.origin, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await fetch(page.origin, { headers: { authorization: `Bearer ${page.token}`, origin: 'http://evil.example' } })).status).toBe(403)
  })
  test('it only reads: nothing can be posted, put or deleted', async () => {
    const { file } = tempLog()
    const page = await openPage({ log: file })
    const browser = await page.session()
    expect(await browser.csrf()).toBeUndefined()
    expect((await browser.post('/act/stop', {})).status).toBe(405)
    for (const method of ['PUT', 'DELETE', 'PATCH']) expect((await fetch(page.origin, { method, headers: { cookie: browser.cookie, origin: page.origin } })).status).toBe(405)
  })
  test('every answer carries the headers that keep scripts, frames and other origins out', async () => {
    const { file } = tempLog()
    const page = await openPage({ log: file })
    for (const path of ['/', '/static/console.js', '/static/console.css', '/nothing', '/event/x']) {
      const { headers } = await page.get(path)
      expect(headers.get('content-security-policy')).toBe('default-src \'none\'; script-src \'self\'; style-src \'self\'; img-src \'self\'; connect-src \'self\'; form-action \'self\'; base-uri \'none\'; frame-ancestors \'none\'')
      expect([headers.get('x-content-type-options'), headers.get('x-frame-options'), headers.get('cross-origin-resource-policy'), headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['nosniff', 'DENY', 'same-origin', 'same-origin', 'no-store'])
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
  test('no asset comes from elsewhere, and nothing is inline', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const page = await openPage({ log: file, clock, routes: () => ({ table: parseRoutes(ROUTES), problems: [] }) })
    for (const path of ['/', '/event/call-1', '/routes', '/contracts', '/approvals', '/unexplained']) {
      const { text } = await page.get(path)
      expect(text).not.toMatch(/<style|<script(?! src="\/static\/)|\sstyle=|\son\w+=|javascript:/)
      for (const [, address = ''] of text.matchAll(/(?:src|href|action)="([^"]*)"/g)) expect(address).toMatch(/^(?:[/#]|$)/)
    }
  })
  test('a log that cannot be read is said, with its code', async () => {
    const page = await openPage({ log: '/nonexistent/log.sqlite' })
    const answer = await page.get('/')
    expect([answer.status, words(answer.text)]).toEqual([500, expect.stringContaining('LOG_OPEN_FAILED')])
  })
})
