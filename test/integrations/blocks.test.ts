/** Every block of the README and the pages is run and its output compared, is part of a file that is type-checked, or says why not. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { BIN } from '../cli/usher.ts'
import { read, ROOT } from '../rules/source-files.ts'
import { blocksOf, markFault, notPrinted, PAGES, type Block } from './blocks.ts'

const ALL = ['README.md', ...PAGES].flatMap(page => blocksOf(page))
const base = join(ROOT, '.usher', `blocks-test-${process.pid}`)
afterAll(() => rmSync(base, { recursive: true, force: true }))
mkdirSync(join(base, 'bin'), { recursive: true })
writeFileSync(join(base, 'bin/usher'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`)
chmodSync(join(base, 'bin/usher'), 0o755)

/** A folder of its own, with `usher` on the path. */
function shellIn(name: string) {
  const folder = join(base, name.replaceAll('/', '_'))
  mkdirSync(folder, { recursive: true })
  const env = { PATH: `${join(base, 'bin')}:${process.env['PATH']}`, HOME: folder, XDG_STATE_HOME: join(folder, 'state'), NO_COLOR: '1' }
  return { folder, sh: (script: string) => spawnSync('sh', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' }) }
}
const fileOf = (mark: string) => /^file="([^"]+)"$/.exec(mark)?.[1]

test('no block stands there without a test or a reason, and one that would is found', () => {
  expect(ALL.length).toBeGreaterThan(30)
  expect(ALL.flatMap(block => markFault(block) ?? [])).toEqual([])
  const planted = ['sh\nx', 'bash run\nx', 'sh skip\nx', 'sh skip=""\nx', 'sh skip="run in test/no/such.test.ts"\nx', 'console\n$ x', 'ts\nlet x', 'ts run\nlet x', 'js\nlet x', 'json\n{}', 'yaml\nx: 1', 'sql\nSELECT 1', '\nusher decide "x"', 'text skip="why"\nx', 'ts file="x.txt"\nx']
  expect(planted.filter(text => markFault(blocksOf('p.md', `\`\`\`${text}\n\`\`\`\n`)[0] as Block) === undefined)).toEqual([])
})

test('an output that is shown and did not come is found', () => {
  expect(notPrinted('a\n[... 3 more]\nc c-0123456789abcdef 10:00:00\n', 'a\nb\nc c-fedcba9876543210 09:12:59\n')).toEqual([])
  expect(notPrinted('c\na\n', 'a\nc\n')).toEqual(['a'])
  expect(notPrinted('called\n', 'denied\n')).toEqual(['called'])
})

test('a block of code is part of the file that it names, which is type-checked', () => {
  const named = ALL.flatMap(({ lang, mark, body, page, line }) => { const file = lang === 'ts' || lang === 'yaml' ? fileOf(mark) : undefined; return file === undefined ? [] : [{ file, body, at: `${page}:${line}` }] })
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ file, body }) => !read(file).includes(body.trim())).map(({ file, at }) => `${at} is not in ${file}`)).toEqual([])
})

test('a block of routes loads with the example tools, and holds its own tests', () => {
  const routes = ALL.filter(({ lang, mark }) => lang === 'yaml' && mark === 'routes')
  expect(routes.length).toBeGreaterThan(0)
  for (const [index, { body }] of routes.entries()) {
    const { folder, sh } = shellIn(`routes-${index}`)
    writeFileSync(join(folder, 'page.yaml'), body)
    const ran = sh('usher check page.yaml')
    expect([body, ran.status, ran.stderr]).toEqual([body, 0, ''])
  }
})

test('each statement of a block of SQL can be asked of the example day\'s log', () => {
  const { folder, sh } = shellIn('sql')
  expect(sh('usher day').status).toBe(0)
  const db = new Database(join(folder, '.usher/log.sqlite'), { readonly: true })
  const statements = ALL.filter(({ lang, mark }) => lang === 'sql' && mark === 'run').flatMap(({ body }) => body.split(/;\s*$/m).map(one => one.trim()).filter(one => one !== ''))
  expect(statements.length).toBeGreaterThan(5)
  expect(statements.map(sql => { try { db.prepare(sql).all(); return undefined } catch (error) { return `${sql}: ${String(error)}` } }).filter(Boolean)).toEqual([])
  db.close()
})

describe('what is marked as run runs, and prints what is shown', () => {
  const stepsOf = (page: string) => ALL.filter(block => block.page === page && ((block.lang === 'sh' && block.mark.startsWith('run')) || (block.lang === 'text' && !block.mark.startsWith('skip'))))
  /** In order, each in the state that the ones before it left. */
  const faults = (page: string): readonly string[] => {
    const { sh } = shellIn(page)
    let printed = ''
    return stepsOf(page).flatMap(({ lang, mark, body, line }) => {
      const command = lang === 'text' ? /^run="([^"]+)"$/.exec(mark)?.[1] : body
      const ran = command === undefined ? undefined : sh(command)
      if (ran) printed = ran.stdout
      const missing = lang === 'text' ? notPrinted(body, printed).map(one => `${page}:${line}: not printed: ${one}`) : []
      const code = lang === 'text' ? ran?.status : Number(/\d$/.exec(mark)?.[0] ?? 0)
      return ran && (ran.status !== code || ran.stdout === '') ? [`${page}:${line}: ended with ${ran.status}, printed ${ran.stdout.length} characters: ${ran.stderr}`, ...missing] : missing
    })
  }
  for (const page of ['README.md', ...PAGES].filter(one => stepsOf(one).length > 0)) test(`${page}: its blocks`, () => expect(faults(page)).toEqual([]))
})
