// Takes the pictures of the README: `npm run screens`. The example day through the built command line, then the page in a real Chromium.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BIN = join(ROOT, 'dist/cli/bin.js')
const OUT = join(ROOT, 'src/console/screens')
const MOST_BYTES = 150_000

const executablePath = process.env.USHER_TEST_CHROMIUM ?? ['chromium', 'chromium-browser', 'google-chrome'].map(name => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()).find(path => path !== '')
if (!executablePath) { process.stderr.write('needs Chromium: apt-get install -y chromium, or name one in USHER_TEST_CHROMIUM\n'); process.exit(1) }

const folder = mkdtempSync(join(tmpdir(), 'usher-screens-'))
const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, 'state'), NO_COLOR: '1', TZ: 'UTC' }
const log = join(folder, 'day.sqlite')
const day = spawnSync(process.execPath, [BIN, 'day', '--log', log], { cwd: folder, env, encoding: 'utf8' })
if (day.status !== 0) { process.stderr.write(day.stderr); process.exit(1) }

const server = spawn(process.execPath, [BIN, 'console', '--log', log], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
const address = await new Promise(resolve => server.stdout.once('data', chunk => resolve(chunk.toString().trim())))
const { origin } = new URL(address)
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
try {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1080, height: 760 }, timezoneId: 'UTC' })
    const page = await context.newPage()
    await page.goto(address)
    await page.waitForURL(`${origin}/`)
    await shoot(page, `today-${colorScheme}`)
    await page.goto(`${origin}/?text=oat+milk`)
    await page.locator('a.line').first().click()
    await page.locator('.gate').waitFor()
    await shoot(page, `event-${colorScheme}`)
    await context.close()
  }
} finally {
  await browser.close()
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function shoot(page, name) {
  const path = join(OUT, `${name}.png`)
  await page.screenshot({ path })
  const { size } = statSync(path)
  if (size > MOST_BYTES) throw new Error(`${name}.png has ${size} bytes, more than ${MOST_BYTES}`)
  process.stdout.write(`${name}.png ${size} bytes\n`)
}
