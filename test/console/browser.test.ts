/** The page in a real Chromium: what only a browser can show. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { startConsole, type ConsoleOptions } from '../../src/console/server.ts'
import { callOf, decisionOf, effectOf, endOf, eventOf, T0, tempLog, wholeCall } from '../log/support/rows.ts'
import { bench, done, type Bench } from '../approvals/bench.ts'
import { accessFaults, entered, findChromium, launch } from './support/browser.ts'
import { deskOptions, waitingCard } from './support/desk.ts'

const executable = findChromium()
const here = executable === undefined ? describe.skip : describe
let browser: Browser
beforeAll(async () => { if (executable !== undefined) browser = await launch(executable) })
afterAll(async () => { if (executable !== undefined) await browser.close() })

type Options = Parameters<Browser['newContext']>[0]

async function open(options: ConsoleOptions, view: Options = {}): Promise<{ page: Page, origin: string, faults: string[] }> {
  const server = await startConsole(options)
  onTestFinished(() => server.close())
  const { context, page, faults } = await entered(browser, server.address, view)
  onTestFinished(() => context.close())
  return { page, origin: server.origin, faults }
}

async function openBench(): Promise<Bench> {
  const on = await bench()
  onTestFinished(() => on.close())
  return on
}

here('in a browser', () => {
  test('the printed address opens the page, and nothing of it stays in the address bar', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const { page, origin, faults } = await open({ log: file })
    expect(page.url()).toBe(`${origin}/`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Call log')
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(faults).toEqual([])
  })

  test('filter, open an event, and back: the filter is in the address', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    log.event(eventOf({ eventId: 'e-2', senderId: 's-2', source: 'notification', text: 'the memory map was rebuilt' }))
    log.decision({ ...decisionOf({ eventId: 'e-2', decisionId: 'd-2', kind: 'source-blocked', reason: 'source', why: 'hears only user', span: { start: 4, end: 14 } }), callId: undefined as never })
    log.effect(effectOf({ callId: null }))
    const { page, origin, faults } = await open({ log: file })
    await page.getByLabel('words').fill('memory')
    await page.getByLabel('outcome').selectOption('source-blocked')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL(/text=memory/)
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('source-blocked')
    await page.getByRole('link', { name: 'the memory map was rebuilt' }).click()
    expect(await page.locator('mark.ask').textContent()).toBe('memory map')
    await page.goBack()
    expect(await page.getByLabel('words').inputValue()).toBe('memory')
    expect(await page.locator('.entries tbody tr').count()).toBe(1)
    await page.goto(`${origin}/unexplained`)
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toContain('1 unexplained')
    expect(faults).toEqual([])
  })

  test('new lines appear by themselves and are announced politely; paused, they only count', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const { page } = await open({ log: file })
    const news = page.locator('#news')
    expect(await news.getAttribute('aria-live')).toBe('polite')
    const say = (n: number) => {
      log.event(eventOf({ eventId: `e-${n}`, senderId: `s-${n}`, text: `take note number ${n}` }))
      log.decision(decisionOf({ eventId: `e-${n}`, decisionId: `d-${n}`, callId: `c-${n}` }))
      log.begin(callOf({ eventId: `e-${n}`, decisionId: `d-${n}`, callId: `c-${n}` }))
      log.end(endOf({ callId: `c-${n}` }))
    }
    await page.getByRole('link', { name: 'please open the console' }).focus()
    await page.getByLabel('words').evaluate(field => { (field as unknown as { value: string }).value = 'half typed' })
    say(5)
    await page.getByRole('link', { name: 'take note number 5' }).waitFor()
    expect(await news.textContent()).toMatch(/^1 new line, \d\d:\d\d:\d\d\.$/)
    expect(await page.getByLabel('words').inputValue()).toBe('half typed')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('please open the console')
    const live = page.locator('#live')
    await live.click()
    expect(await live.getAttribute('aria-pressed')).toBe('false')
    say(6)
    await page.getByText('Paused, 1 new').waitFor()
    expect(await page.getByRole('link', { name: 'take note number 6' }).count()).toBe(0)
    await live.click()
    await page.getByRole('link', { name: 'take note number 6' }).waitFor()
  })

  test('a page whose stream is turned away says that it is not live', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const server = await startConsole({ log: file })
    onTestFinished(() => server.close())
    const headers = { authorization: `Bearer ${server.address.split('#token=')[1]}` }
    await Promise.all(Array.from({ length: 32 }, () => fetch(`${server.origin}/live`, { headers })))
    const { context, page } = await entered(browser, server.address)
    onTestFinished(() => context.close())
    await page.getByText('This page hears no news any more: load it again.').waitFor()
    expect(await page.locator('#live').isDisabled()).toBe(true)
  })

  test('hostile text is text: no script runs, nothing is reordered, a megabyte is cut and can be opened', async () => {
    const { log, file } = tempLog()
    const script = '</a></title><script>alert(1)</script><img src=x onerror="alert(2)"><svg onload=alert(3)>"\'onfocus=alert(4) autofocus'
    const texts = [script, 'invoice \u202Efdp.exe', 'a\u200Bb\u2060c\uFEFFd\u{E0041}', 'x<b>'.repeat(250_000)]
    for (const [n, text] of texts.entries()) {
      log.event(eventOf({ eventId: `e-${n}`, senderId: `<i>${n}`, source: 'chat', text, data: { '<script>': script } }))
      log.decision({ ...decisionOf({ eventId: `e-${n}`, decisionId: `d-${n}`, kind: 'no-match', why: script, phrase: script, route: '<b>route', tool: '<u>tool' }), callId: undefined as never })
    }
    log.effect(effectOf({ callId: null, target: script }))
    const { page, origin, faults } = await open({ log: file })
    for (const path of ['/', '/event/e-0', '/event/e-1', '/event/e-2', '/event/e-3', '/routes', '/unexplained', '/event/%3Cscript%3Ealert(5)%3C%2Fscript%3E', '/?text=%22%3E%3Cscript%3Ealert(6)%3C%2Fscript%3E']) {
      await page.goto(origin + path)
      expect(await page.locator('script:not([src="/static/console.js"]), img, main b, main u, main i, [onerror], [onload], [autofocus]').count()).toBe(0)
    }
    await page.goto(`${origin}/event/e-1`)
    expect(await page.locator('.said-words').textContent()).toBe('invoice \\u202efdp.exe')
    await page.goto(`${origin}/event/e-3`)
    expect(await page.getByText('The first 20,000 of 1,000,000 characters.').count()).toBe(1)
    const whole = await page.evaluate('fetch("/text/e-3").then(answer => answer.text().then(text => [text.length, answer.headers.get("content-type")]))')
    expect(whole).toEqual([1_000_000, 'text/plain; charset=utf-8'])
    expect(faults.filter(fault => !fault.includes('404'))).toEqual([])
  })
})

here('keyboard alone', () => {
  test('skip link, filter, lines, opening, pausing; single keys can be switched off, and are never taken from a field', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    log.event(eventOf({ eventId: 'e-2', senderId: 's-2', text: 'second words' }))
    log.decision({ ...decisionOf({ eventId: 'e-2', decisionId: 'd-2', kind: 'no-match' }), callId: undefined as never })
    log.effect(effectOf())
    const { page, origin } = await open({ log: file })
    const focused = () => page.evaluate('(document.activeElement.textContent || document.activeElement.id).trim()')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the content')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('j')
    expect(await focused()).toBe('second words')
    await page.keyboard.press('j')
    expect(await focused()).toBe('please open the console')
    await page.keyboard.press('k')
    expect(await focused()).toBe('second words')
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('f-text')
    await page.keyboard.type('jkpu/')
    expect(await page.getByLabel('words').inputValue()).toBe('jkpu/')
    await page.getByLabel('words').fill('second')
    await page.keyboard.press('Enter')
    await page.waitForURL(/text=second/)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/event\/d-2/)
    await page.goto(origin)
    await page.keyboard.press('p')
    expect(await page.locator('#live').textContent()).toBe('Paused')
    await page.getByText('Keyboard', { exact: true }).click()
    await page.getByLabel('Single keys are on').uncheck()
    await page.locator('main').focus()
    await page.keyboard.press('j')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  })

  test('everything that can be reached shows where the focus is', async () => {
    const on = await openBench()
    await waitingCard(on)
    const { page, origin } = await open(deskOptions(on))
    for (const path of ['/', '/approvals', '/routes']) {
      await page.goto(origin + path)
      const seen = new Set<string>()
      for (let n = 0; n < 60; n++) {
        await page.keyboard.press('Tab')
        const [key, outline] = await page.evaluate('[document.activeElement.outerHTML.slice(0, 300), getComputedStyle(document.activeElement).outlineStyle]') as [string, string]
        if (key.startsWith('<body') || seen.has(key)) break
        seen.add(key)
        expect([key, outline]).toEqual([key, 'solid'])
      }
      expect(seen.size).toBeGreaterThan(8)
    }
  })
})

here('what a person does', () => {
  let on: Bench
  beforeEach(async () => { on = await openBench() })

  test('approve: the bytes are shown, one click calls once, and the card is gone', async () => {
    await on.usher.desk.proof.setPassphrase('four words of my own', { kind: 'none', who: 'alice' })
    await waitingCard(on)
    const { page, origin, faults } = await open(deskOptions(on))
    await page.getByRole('link', { name: 'Approvals 1 waiting' }).click()
    const [card] = await on.usher.desk.approvals.list()
    expect(await page.getByLabel(`Bytes of ${card?.id}`).textContent()).toBe(card?.bytes)
    await page.getByLabel('Passphrase').fill('not it')
    await page.getByRole('button', { name: 'Approve these bytes' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('✖')
    expect(done).toEqual([])
    await page.goto(`${origin}/approvals`)
    await page.getByLabel('Passphrase').fill('four words of my own')
    await page.getByRole('button', { name: 'Approve these bytes' }).click()
    await page.getByText('✓ called').waitFor()
    expect(done).toEqual(['bell {"times":3,"loud":true}'])
    await page.reload().catch(() => undefined)
    expect(done).toHaveLength(1)
    await page.goto(`${origin}/approvals`)
    expect(await page.getByRole('heading', { name: 'Nothing waits' }).count()).toBe(1)
    expect(faults.filter(fault => !fault.includes('403'))).toEqual([])
  })

  test('deny, and expire: each is shown as what it is, and nothing is called', async () => {
    await waitingCard(on)
    const { page, origin } = await open(deskOptions(on))
    await page.goto(`${origin}/approvals`)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('✓ denied').waitFor()
    await waitingCard(on, 7)
    await page.goto(`${origin}/approvals`)
    await page.keyboard.press('p') // a live page would take the card away first
    on.clock.at += 11 * 60_000
    await page.getByRole('button', { name: 'Approve these bytes' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('expired')
    await page.goto(`${origin}/approvals`)
    const decided = await page.locator('.cards').textContent()
    expect(decided).toContain('✖ denied by alice')
    expect(decided).toContain('○ expired')
    expect(done).toEqual([])
  })

  test('a card that comes while the page is open appears; a passphrase half typed stays', async () => {
    await on.usher.desk.proof.setPassphrase('four words of my own', { kind: 'none', who: 'alice' })
    const { page, origin } = await open(deskOptions(on))
    await page.goto(`${origin}/approvals`)
    await waitingCard(on, 2)
    await page.getByRole('heading', { name: '1 call waiting for you' }).waitFor()
    await page.getByLabel('Passphrase').fill('four wor')
    await waitingCard(on, 4)
    await page.getByText(/Brought up to date|1 new line/).waitFor()
    expect(await page.getByLabel('Passphrase').inputValue()).toBe('four wor')
  })

  test('stop: one press, and nothing is called by itself until a person resumes', async () => {
    const { page, origin } = await open(deskOptions(on))
    await page.getByRole('button', { name: 'Stop all' }).click()
    await page.getByText('all auto-invocation is stopped').waitFor()
    expect((await on.say('strike the chime'))[0]).toMatchObject({ kind: 'stopped' })
    await page.goto(origin)
    expect(await page.getByRole('region', { name: 'Stopped' }).textContent()).toContain('Stopped.')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('auto-invocation goes on').waitFor()
    expect((await on.say('strike the chime'))[0]).toMatchObject({ kind: 'called' })
  })

  test('was this right? A no is kept with its reason', async () => {
    const [outcome] = await on.say('strike the chime')
    const { page, origin } = await open(deskOptions(on))
    await page.goto(`${origin}/event/${outcome?.callId}`)
    await page.getByLabel('If not, why not').fill('only read out')
    await page.getByRole('button', { name: 'It should not have happened' }).click()
    await page.getByRole('link', { name: 'Back' }).click()
    expect(await page.locator('p.wrong').textContent()).toBe('✖ alice said that this should not have happened: only read out')
  })
})

here('for everybody', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`names and contrast hold on every page, ${colorScheme}`, async () => {
      const on = await openBench()
      await on.say('strike the chime')
      const [kept] = await on.say('note down buy milk')
      await on.say('ring the little bell', { source: 'chat:alice' })
      await on.usher.log.effect(effectOf({ callId: null, at: on.clock.at }))
      await waitingCard(on)
      await on.usher.desk.owner.stop('alice', 'lunch')
      const { page, origin } = await open({ ...deskOptions(on), contracts: () => ({ problems: ['changed'], lines: [{ tool: 'a/b', signedBy: 'anna', signedAt: T0, state: 'ready', equal: true, why: '' }] }) }, { colorScheme })
      for (const path of ['/', `/event/${kept?.callId ?? kept?.eventId}`, '/approvals', '/routes', '/contracts', '/unexplained', '/?outcome=called&effects=1', '/nothing']) {
        await page.goto(origin + path)
        expect([path, await accessFaults(page)]).toEqual([path, []])
      }
      await page.setViewportSize({ width: 360, height: 700 })
      await page.goto(origin)
      expect(await accessFaults(page)).toEqual([])
      // Nothing but the picture and wide tables, which scroll by themselves, is wider than the window.
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    })
  }

  test('the theme button goes round, holds on the next page, and wins over the system', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const { page, origin } = await open({ log: file }, { colorScheme: 'light' })
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await page.getByRole('button', { name: 'Theme: auto' }).click()
    expect(await page.getByRole('button', { name: 'Theme: dark' }).count()).toBe(1)
    const dark = await paper()
    expect(dark).not.toBe(light)
    await page.goto(`${origin}/routes`)
    expect(await paper()).toBe(dark)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Theme: dark' }).click()
    expect(await paper()).toBe(light)
  })

  test('without colour and without a script all of it can be read', async () => {
    const { log, file } = tempLog()
    wholeCall(log)
    const server = await startConsole({ log: file })
    onTestFinished(() => server.close())
    const context = await browser.newContext({ javaScriptEnabled: false, forcedColors: 'active' })
    context.setDefaultTimeout(0)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(server.origin)
    await page.getByLabel('Token').fill(server.address.split('#token=')[1] ?? '')
    await page.getByRole('button', { name: 'Open' }).click()
    expect(await page.locator('.entries tbody tr').textContent()).toMatch(/● called/)
    expect(await page.locator('#live').isVisible()).toBe(false)
  })
})
