/** The committed routes load, are free of findings worth a warning, and describe themselves. */
import { fileURLToPath } from 'node:url'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleTools } from '../../src/example/tools.ts'
import { describeRoutes } from '../../src/routes/describe.ts'
import type { Finding } from '../../src/routes/finding.ts'
import { lintRoutes } from '../../src/routes/lint/lint.ts'
import { loadRoutes } from '../../src/routes/load.ts'
import { toolTable } from '../../src/tools/table.ts'

const folder = fileURLToPath(new URL('../../routes', import.meta.url))
const tools = toolTable(exampleTools({ folder: 'notes', consoleAddress: 'http://127.0.0.1:1', opener: { open: () => Promise.resolve() } }))
const warnings: Finding[] = []
const table = loadRoutes([folder], { tools, onWarning: finding => warnings.push(finding) })

test('the example routes fit the example tools; only the tool without a safe default is held', () => {
  expect([...table.routes.keys()]).toEqual(['open-console', 'console-address', 'list-files', 'show-memory-map', 'add-note', 'set-timer'])
  expect(warnings.map(({ rule, route }) => `${rule} ${route}`)).toEqual(['effect-held show-memory-map'])
})

test('preset:verbatim: the example preset is the one of the file, and the read-only route to the same tool has none', () => {
  expect(table.routes.get('open-console')?.presetBytes).toBe('{"open":true}')
  expect(table.routes.get('console-address')?.presetBytes).toBe('{}')
})

test('lint has nothing above info to say of them', () => {
  expect(lintRoutes(table, { tools }).filter(({ level }) => level !== 'info')).toEqual([])
})

test('each file begins with the line that makes editors complete it, and every effectful route has both kinds of tests', () => {
  for (const name of readdirSync(folder).filter(name => name.endsWith('.yaml'))) {
    expect(readFileSync(join(folder, name), 'utf8').startsWith('# yaml-language-server: $schema=./route.schema.json\n')).toBe(true)
  }
  for (const route of table.routes.values()) expect([route.name, route.mustFire.length > 0, route.mustNotFire.length > 0]).toEqual([route.name, true, true])
})

test('describeRoutes says what was read: sentences by trigger, preset bytes, settings in words', () => {
  const description = describeRoutes(table)
  expect(description.sentences).toBe([...table.routes.values()].reduce((sum, route) => sum + route.phrases.length, 0))
  expect(description.routes[0]).toEqual({
    name: 'open-console', tool: 'call_console', at: `${join(folder, 'console.yaml')}:6`, mode: 'fire', from: ['user'], preset: '{"open":true}', allow: ['browser.open'],
    triggers: [
      { template: 'open (the|my) console', line: 9, sentences: ['open the console', 'open my console'] },
      { template: 'show me the call log in the browser', line: 9, sentences: ['show me the call log in the browser'] },
    ],
    sentences: 3, not: ['memory map', 'brain map'], settings: ['threshold 0.6', 'margin 0.05', 'maxAge 1m', 'cooldown 10s', 'perHour 6'], tests: { mustFire: 2, mustNotFire: 3 },
  })
  expect(description.routes.find(({ name }) => name === 'set-timer')?.triggers[0]?.sentences).toEqual(['set a timer for {duration}  (duration: duration)', 'start a timer for {duration}  (duration: duration)'])
})
