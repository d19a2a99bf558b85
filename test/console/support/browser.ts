/** A real Chromium for tests. Debian: `apt-get install -y chromium`; elsewhere name one in USHER_TEST_CHROMIUM. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function runs(file: string): boolean {
  try { accessSync(file, constants.X_OK); return true } catch { return false }
}

/** Undefined: there is none here. In CI that is an error: what is skipped proves nothing. */
export function findChromium(): string | undefined {
  const named = process.env['USHER_TEST_CHROMIUM']
  if (named) return named
  const found = (process.env['PATH'] ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name))).find(runs)
  if (found === undefined && process.env['CI']) throw new Error('these tests need Chromium: apt-get install -y chromium, or name one in USHER_TEST_CHROMIUM')
  return found
}

export function launch(executablePath: string): Promise<Browser> {
  // The container's user is root, for whom Chromium's own sandbox does not start; the pages are ours.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

/** What went wrong in the page: an error, a refused script, a failed load. The first answer without a session is a 401 by design. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => { if (message.type() === 'error' && !message.text().includes('401')) faults.push(message.text()) })
  page.on('dialog', dialog => { faults.push(`dialog: ${dialog.message()}`); void dialog.dismiss() })
  return faults
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult { readonly violations: readonly { readonly id: string, readonly help: string, readonly nodes: readonly { readonly html: string, readonly failureSummary?: string }[] }[] }

/** Broken rules of WCAG 2.1 A and AA and of good practice, in words; run from outside the page, so its own policy stays as it is. */
export async function accessFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(options: object): Promise<unknown> } }).axe.run({ resultTypes: ['violations'] })) as AxeResult
  return violations.flatMap(({ id, help, nodes }) => nodes.map(node => `${id}: ${help}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`))
}

/** A context with a session of the page. */
export async function entered(browser: Browser, address: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<{ context: BrowserContext, page: Page, faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1180, height: 900 }, ...options })
  // The test's own time is the limit: a busy machine is no fault of the page.
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  const faults = watchFaults(page)
  await page.goto(address)
  await page.waitForURL(url => url.hash === '' && url.pathname === '/')
  await page.locator('header').waitFor()
  return { context, page, faults }
}
