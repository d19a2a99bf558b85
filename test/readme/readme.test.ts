/** The README says what is true: its tables are the code's, its example runs, its output is what really comes. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../src/errors.ts'
import { OBSERVER_LIMITS } from '../../src/effects/limits.ts'
import { READY_QUERIES } from '../../src/log/ready-queries.ts'
import { EFFECT_KINDS } from '../../src/vocabulary/effects.ts'
import { OUTCOMES } from '../../src/vocabulary/outcomes.ts'
import { COMMANDS } from '../../src/cli/commands/all.ts'
import { scratch } from '../cli/usher.ts'
import { read, ROOT } from '../rules/source-files.ts'

const readme = read('README.md')
/** The first cells of the table under a heading. */
const firstCells = (heading: string) => {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(found => found[1] ?? '')
}

describe('the tables are the code\'s, both ways', () => {
  test('error codes', () => expect(firstCells('Errors').sort()).toEqual([...ERROR_CODES].sort()))
  test('outcomes, with what they mean and what to do', () => {
    expect(firstCells('Outcomes')).toEqual(Object.keys(OUTCOMES))
    for (const [kind, { means, next }] of Object.entries(OUTCOMES)) expect(readme).toContain(`| \`${kind}\` | ${means} | ${next} |`)
  })
  test('effects', () => expect(firstCells('Effects').sort()).toEqual(EFFECT_KINDS.filter(kind => kind !== 'unknown').sort()))
  test('ready queries', () => { for (const { sql } of READY_QUERIES) expect(readme).toContain(`${sql};`) })
  test('what the observer cannot see', () => { for (const limit of OBSERVER_LIMITS) expect(readme).toContain(limit) })
  test('every command is named, and no other', () => {
    const named = new Set([...readme.matchAll(/`usher ([a-z-]+)/g)].map(found => found[1] ?? ''))
    expect([...COMMANDS.keys()].filter(name => !named.has(name) && name !== 'day')).toEqual([])
    expect([...named].filter(name => !COMMANDS.has(name))).toEqual([])
  })
})

test('the output shown is the output that comes', () => {
  const shown = readme.split('```text run="usher day"\n')[1]?.split('\n```')[0]?.split('\n') ?? []
  const place = scratch()
  const came = new Set(place.run(['day']).stdout.split('\n').map(masked))
  place.remove()
  expect(shown.filter(line => !line.startsWith('[...')).map(masked).filter(line => !came.has(line))).toEqual([])
  expect(shown.some(line => line.includes('please open the console'))).toBe(true)
})
const masked = (line: string) => line.replace(/c-[0-9a-f]{16}/, 'c-ID').trimEnd()

test('the embedding example is the file that is type-checked, and it does what its comments say', () => {
  const file = read('test/readme/embedding.ts').trim()
  expect(readme).toContain(file)
  expect(readme).toContain(read('test/readme/lamp.yaml').trim())
  // Inside the package, so that it resolves `usher-router` as a user's project would.
  const folder = join(ROOT, '.usher', 'readme-test')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(ROOT, 'test/readme/lamp.yaml'), join(folder, 'lamp.yaml'))
  const ran = spawnSync(process.execPath, ['--input-type=module'], { cwd: folder, input: file, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: join(folder, 'state') } })
  expect(ran.stderr).toBe('')
  expect(ran.stdout.split('\n')[0]).toBe('called { lamp: \'on\' }')
  expect(ran.stdout.split('\n')[1]).toMatch(/^source-blocked /)
  rmSync(folder, { recursive: true, force: true })
})

test('each import line of the table of runtimes names what that entry exports, and each entry has one and its ten lines on a page', async () => {
  const lines = [...readme.matchAll(/`import \{ ([^}]+) \} from '(usher-router\/([\w-]+))'`/g)]
  const integrations = Object.entries((JSON.parse(read('package.json')) as { exports: Record<string, { default?: string }> }).exports).filter(([, one]) => one.default?.startsWith('./dist/integrations/')).map(([name]) => name.replace('.', 'usher-router'))
  expect(lines.map(found => found[2]).sort()).toEqual(integrations.sort())
  const pages = readme + read('src/integrations/runtimes.md')
  for (const [, names = '', entry = '', file = ''] of lines) {
    const exported = await import(`../../src/integrations/${file}.ts`) as Record<string, unknown>
    expect([entry, names.split(', ').filter(name => typeof exported[name] !== 'function')]).toEqual([entry, []])
    expect([entry, pages.includes(`} from '${entry}'\n`)]).toEqual([entry, true])
  }
})

test('the route in the README loads and holds its own tests', () => {
  const yaml = /```yaml routes\n(# yaml-language-server[\s\S]*?)\n```/.exec(readme)?.[1] ?? ''
  const place = scratch()
  const ran = place.run(['run', '--source', 'user', '--json', '--log', 'l.sqlite', '--routes', place.write('console.yaml', yaml)], '{"text":"open my console"}\n')
  expect(ran.stderr).toMatch(/^any program of the running user may rewrite [^\n]+\n$/)
  expect(ran.lines()[0]).toMatchObject({ outcomes: [{ kind: 'called', args: { open: true } }] })
  place.remove()
})
