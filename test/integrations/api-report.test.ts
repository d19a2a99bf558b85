/** What an entry promises is committed as text: a change of it is seen in review. Part of every CI run and of `CI=true npm test`. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read, ROOT } from '../rules/source-files.ts'

const { exports: entries } = JSON.parse(read('package.json')) as { exports: { readonly [entry: string]: unknown } }

test('each entry of the package has its report', () => {
  const names = Object.keys(entries).filter(entry => entry !== './package.json').map(entry => `${entry === '.' ? 'root' : entry.slice(2)}.api.md`)
  expect(readdirSync(join(ROOT, 'test/integrations/api')).sort()).toEqual(names.sort())
})

test('an entry loads no runtime that is not asked for', () => {
  for (const entry of ['claude', 'openclaw', 'pi', 'mastra']) expect(read(`src/integrations/${entry}.ts`)).not.toMatch(/from '(?!\.)/)
})

test.skipIf(process.env['CI'] === undefined)('the public API is what the reports say', () => {
  const ran = spawnSync(process.execPath, ['.ci/api-report.mjs', '--check'], { cwd: ROOT, encoding: 'utf8' })
  expect(ran.stdout).toBe('')
  expect([ran.status, ran.stderr]).toEqual([0, ''])
})
