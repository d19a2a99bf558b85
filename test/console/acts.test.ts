/** What a person may do on the page, with the real approvals behind it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { done } from '../approvals/bench.ts'
import { openDeskPage, waitingCard, type DeskPage } from './support/desk.ts'
import { words, type Browser } from './support/page.ts'

const PASSPHRASE = 'four words of my own'
let at: DeskPage
let browser: Browser
let csrf: string
beforeEach(async () => {
  at = await openDeskPage()
  browser = await at.page.session()
  csrf = await browser.csrf() ?? ''
})

const shownHash = async (): Promise<string> => /name="hash" value="([0-9a-f]{64})"/.exec((await browser.get('/approvals')).text)?.[1] ?? ''
const decide = (id: string, hash: string, answer: 'approve' | 'deny', more: Record<string, string> = {}) => browser.post('/act/decide', { csrf, id, hash, answer, secret: '', ...more })

describe('a card', () => {
  test('shows the exact bytes, the words, what it may cause, and when it expires', async () => {
    const id = await waitingCard(at.on)
    const { text } = await browser.get('/approvals')
    const [card] = await at.on.usher.desk.approvals.list()
    expect(words(text)).toContain(card?.bytes ?? '?')
    for (const part of ['1 call waiting for you', 'bell', 'may cause device.actuate', '{ "times": 3 }', '{"loud":true}', 'ring the bell 3 times', card?.hash ?? '?', `evidence of ${card?.eventId}`]) expect(words(text)).toContain(part)
    expect(text).toContain(`value="${id}"`)
  })
  test('is called once by a yes to the bytes that were shown', async () => {
    const id = await waitingCard(at.on)
    const hash = await shownHash()
    const yes = await decide(id, hash, 'approve')
    expect([yes.status, words(yes.text)]).toEqual([200, expect.stringContaining('✓ called')])
    expect(done).toEqual(['bell {"times":3,"loud":true}'])
    expect((await decide(id, hash, 'approve')).status).toBe(403)
    expect(done).toHaveLength(1)
    expect(words((await browser.get('/approvals')).text)).toMatch(/Nothing waits.*● approved by alice/)
  })
  test('closed: two answers at once are one call or none', async () => {
    const id = await waitingCard(at.on)
    const hash = await shownHash()
    const answers = await Promise.all([decide(id, hash, 'approve'), decide(id, hash, 'approve'), decide(id, hash, 'deny'), decide(id, hash, 'approve')])
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
    expect(done.length).toBeLessThanOrEqual(1)
  })
  test('closed: other bytes than the page showed are refused', async () => {
    const id = await waitingCard(at.on)
    const no = await decide(id, 'ab'.repeat(32), 'approve')
    expect([no.status, done]).toEqual([403, []])
    expect(words(no.text)).toContain('this is not what the page showed')
  })
  test('outcome:distinct: denied and expired are shown as what they are', async () => {
    const denied = await waitingCard(at.on)
    expect(words((await decide(denied, await shownHash(), 'deny')).text)).toContain('✓ denied')
    await waitingCard(at.on, 4)
    const hash = await shownHash()
    at.on.clock.at += 11 * 60_000
    const late = await decide((await at.on.usher.desk.approvals.list(['waiting', 'expired'])).at(-1)?.id ?? '', hash, 'approve')
    expect([late.status, words(late.text)]).toEqual([403, expect.stringContaining('expired')])
    const seen = words((await browser.get('/approvals')).text)
    for (const part of ['Nothing waits', '✖ denied by alice: bell, ring the bell 3 times', '○ expired : bell, ring the bell 4 times']) expect(seen).toContain(part)
    expect(done).toEqual([])
  })
})

describe('proof of a person', () => {
  test('until a passphrase is set the page says that anyone can approve', async () => {
    expect(words((await browser.get('/')).text)).toContain('No passphrase is set: anyone who runs as this user can approve')
  })
  test('closed: with one set, neither none nor a wrong one calls anything; the right one does', async () => {
    await at.on.usher.desk.proof.setPassphrase(PASSPHRASE, { kind: 'none', who: 'alice' })
    const id = await waitingCard(at.on)
    const hash = await shownHash()
    for (const secret of ['', 'wrong words of my own']) expect((await decide(id, hash, 'approve', { secret })).status).toBe(403)
    expect(done).toEqual([])
    expect(words((await browser.get('/')).text)).not.toContain('No passphrase is set')
    expect((await decide(id, hash, 'approve', { secret: PASSPHRASE })).status).toBe(200)
    expect(done).toHaveLength(1)
  })
})

describe('stop and resume', () => {
  test('the button stops everything at once, for the router too, and resuming needs the passphrase', async () => {
    await at.on.usher.desk.proof.setPassphrase(PASSPHRASE, { kind: 'none', who: 'alice' })
    expect((await browser.post('/act/stop', { csrf })).status).toBe(200)
    expect((await at.on.say('strike the chime'))[0]).toMatchObject({ kind: 'stopped', reason: 'kill-switch' })
    expect(words((await browser.get('/')).text)).toMatch(/Stopped\. Nothing is called by itself since .* by alice/)
    expect((await browser.get('/')).text).not.toContain('action="/act/stop"')
    expect((await browser.post('/act/resume', { csrf, secret: 'no' })).status).toBe(403)
    expect((await at.on.say('strike the chime'))[0]).toMatchObject({ kind: 'stopped' })
    expect((await browser.post('/act/resume', { csrf, secret: PASSPHRASE })).status).toBe(200)
    expect((await at.on.say('strike the chime'))[0]).toMatchObject({ kind: 'called' })
  })
  test('a breaker is shown on its route, and closed by a person', async () => {
    for (let n = 0; n < 3; n++) {
      const id = await waitingCard(at.on, 5 + n)
      at.on.clock.at += 10_000
      await at.on.usher.desk.approvals.deny(id, 'alice')
    }
    expect(words((await browser.get('/routes')).text)).toMatch(/Breaker open.*Close the breaker/)
    expect((await browser.post('/act/close-breaker', { csrf, route: 'bell', secret: '' })).status).toBe(200)
    expect(words((await browser.get('/routes')).text)).not.toContain('Breaker open')
  })
})

describe('was this right?', () => {
  test('a no is kept, opens the route\'s breaker, and becomes a line in the review folder; the route file stays as it is', async () => {
    const before = readFileSync(join(at.on.folder, 'routes.yaml'), 'utf8')
    const [outcome] = await at.on.say('strike the chime')
    const call = outcome?.callId ?? ''
    expect((await browser.get(`/event/${call}`)).text).toContain(`name="call" value="${call}"`)
    expect((await browser.post('/act/report', { csrf, call, wrong: ' ' })).status).toBe(403)
    const said = await browser.post('/act/report', { csrf, call, wrong: 'I was only reading it out' })
    expect([said.status, words(said.text)]).toEqual([200, expect.stringMatching(/✓ .*\.patch/)])
    const event = await browser.get(`/event/${call}`)
    expect(words(event.text)).toContain('alice said that this should not have happened: I was only reading it out')
    expect(event.text).not.toContain('action="/act/report"')
    expect((await at.on.say('strike the chime', { source: 'chat' }))[0]).toMatchObject({ kind: 'limited', reason: 'breaker' })
    expect(readFileSync(join(at.on.folder, 'routes.yaml'), 'utf8')).toBe(before)
  })
})

describe('closed: who may send a form', () => {
  test('only a session of the page, with its word, from the page itself', async () => {
    const id = await waitingCard(at.on)
    const form = { id, hash: await shownHash(), answer: 'approve', secret: '' }
    const { origin, token } = at.page
    const other = await at.page.session()
    const tries = [
      await browser.post('/act/decide', form),
      await browser.post('/act/decide', { ...form, csrf: 'x'.repeat(43) }),
      await browser.post('/act/decide', { ...form, csrf: await other.csrf() ?? '' }),
      await browser.post('/act/decide', { ...form, csrf }, { origin: 'http://evil.example' }),
      await browser.post('/act/decide', { ...form, csrf }, { origin: 'null' }),
      await browser.post('/act/decide', { ...form, csrf }, { 'sec-fetch-site': 'same-site' }),
      await fetch(`${origin}/act/decide`, { method: 'POST', headers: { origin, authorization: `Bearer ${token}` }, body: new URLSearchParams({ ...form, csrf }) }),
      await fetch(`${origin}/act/decide`, { method: 'POST', headers: { origin }, body: new URLSearchParams({ ...form, csrf }) }),
      await fetch(`${origin}/act/decide?csrf=${csrf}&id=${id}&answer=approve`, { headers: { cookie: browser.cookie } }),
    ]
    expect(tries.map(one => one.status)).toEqual([403, 403, 403, 403, 403, 403, 403, 401, 404])
    expect(done).toEqual([])
    expect((await at.on.usher.desk.approvals.list()).map(card => card.id)).toEqual([id])
  })
  test('a form that is too big, an act that is none, a name of an object\'s own', async () => {
    expect((await browser.post('/act/stop', { csrf, more: 'x'.repeat(70_000) })).status).toBe(413)
    for (const act of ['toString', '__proto__', 'nothing']) expect((await browser.post(`/act/${act}`, { csrf })).status).toBe(404)
    expect(await at.on.usher.desk.owner.stopped()).toBeUndefined()
  })
})
