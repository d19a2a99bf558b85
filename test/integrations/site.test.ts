/** The documentation site as it is built: no warning, and no link of it that leads nowhere. Part of every CI run, and of `CI=true npm test`. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { read, ROOT } from '../rules/source-files.ts'

const npm = (...args: readonly string[]) => spawnSync('npm', ['run', '--silent', ...args], { cwd: ROOT, encoding: 'utf8', timeout: 300_000 })

test('every entry of the package is an entry of the site, and what it warns of is an error', () => {
  const exported = Object.values((JSON.parse(read('package.json')) as { exports: Record<string, string | { default: string }> }).exports).flatMap(one => typeof one === 'string' ? [] : [one.default.replace('./dist/', '../src/').replace(/\.js$/, '.ts')])
  const options = JSON.parse(read('.ci/typedoc.json')) as { entryPoints: string[], treatWarningsAsErrors: boolean, skipErrorChecking: boolean, validation: Record<string, boolean> }
  expect(exported.length).toBeGreaterThan(8)
  expect([...options.entryPoints].sort()).toEqual(exported.sort())
  expect(options).toMatchObject({ treatWarningsAsErrors: true, skipErrorChecking: false, validation: { invalidLink: true, rewrittenLink: true } })
})

describe.skipIf(process.env['CI'] === undefined)('the built site', () => {
  const copy = mkdtempSync(join(tmpdir(), 'usher-site-'))
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  test('builds without a warning, each link and anchor of it leads somewhere, and one that does not is found', () => {
    const built = npm('docs:check')
    expect([built.status, built.status === 0 ? '' : built.stdout + built.stderr]).toEqual([0, ''])
    cpSync(join(ROOT, 'reports/docs'), copy, { recursive: true })
    const page = join(copy, 'index.html')
    const dead = ['src/nowhere.ts', 'functions/index.createUsher.html#no-such-part', '#no-such-heading']
    writeFileSync(page, readFileSync(page, 'utf8').replace('</body>', `${dead.map(href => `<a href="${href}">planted</a>`).join('')}</body>`))
    const checked = npm('docs:links', '--', copy)
    expect(checked.status).not.toBe(0)
    expect(dead.filter(href => !(checked.stdout + checked.stderr).includes(href.replace(/^.*#/, '')))).toEqual([])
  })
})
