/** The pages that live beside the sources: no dead link, and every block that is marked as runnable runs. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { afterAll, describe, expect, test } from 'vitest'
import { BIN } from '../cli/usher.ts'
import { read, ROOT } from '../rules/source-files.ts'

const markdown = (folder: string): string[] => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.md')).map(file => join(folder, file)).sort()
const PAGES = [...markdown('src'), ...markdown('routes')]
const LINKED = [...PAGES, 'README.md']
/** As GitHub and typedoc make them. */
const slug = (heading: string) => heading.trim().toLowerCase().replace(/[`*]/g, '').replace(/[^\p{L}\p{N}\s-]/gu, '').replace(/\s/g, '-')
const headings = (text: string) => new Set([...text.matchAll(/^#{1,4} (.+)$/gm)].map(found => slug(found[1] ?? '')))
const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')

test('the pages that people are promised are there', () => {
  for (const page of ['routes/first-route.md', 'src/gate/first-false-fire.md', 'src/contract/first-contract.md', 'src/log/first-incident-review.md', 'src/threat-model.md', 'src/match/how-thresholds-work.md', 'src/log/sql-cookbook.md', 'src/integrations/recipes.md', 'src/peers.md', 'src/CHANGELOG.md']) expect(PAGES).toContain(page)
})

test('no link is dead', () => {
  const dead = LINKED.flatMap(page => [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(found => found[1] ?? '').filter(target => !/^[a-z]+:/.test(target)).filter(target => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : normalize(join(dirname(page), path))
    return !existsSync(join(ROOT, file)) || (anchor !== undefined && !headings(read(file)).has(anchor))
  }).map(target => `${page} -> ${target}`))
  expect(dead).toEqual([])
})

test('files that a page or the README names in code are there', () => {
  const missing = LINKED.flatMap(page => [...read(page).matchAll(/`((?:src|test|bench|models|routes)\/[\w./-]+\.\w+)`/g)].map(found => found[1] ?? '').filter(file => !existsSync(join(ROOT, file))).map(file => `${page} names ${file}`))
  expect(missing).toEqual([])
})

test('the figures about peers are all those of the bench, and only those', () => {
  const cells = (line: string) => line.split('|').slice(1, -1).map(cell => cell.trim())
  const table = (text: string, head: string) => (text.split('\n\n').find(part => part.startsWith(head)) ?? '').split('\n')
  const results = read('bench/RESULTS-match.md')
  const share = (cell = '') => /\(([\d.]+ %)\)/.exec(cell)?.[1]
  const [kindHead = '', , ...kinds] = table(results, '| asks, by kind')
  const column = cells(kindHead)
  const ofKind = (kind: string, name: string) => /^\d+\/\d+/.exec(cells(kinds.find(line => line.startsWith(`| ${kind} |`)) ?? '')[column.indexOf(name)] ?? '')?.[0]
  const expected = table(results, '| contender').slice(2).map(line => {
    const [name = '', right, wrong, , falseFires] = cells(line)
    return [name, share(right), wrong, share(falseFires), ...['exact', 'slot', 'polite', 'typo', 'paraphrase'].map(kind => ofKind(kind, name))]
  })
  const block = /<!-- measured: .*? -->\n([\s\S]*?)\n<!-- \/measured -->/.exec(read('src/peers.md'))?.[1] ?? ''
  expect(expected.length).toBeGreaterThan(2)
  expect(block.split('\n').slice(2).map(cells)).toEqual(expected)
  expect(read('src/peers.md').replace(block, '')).not.toMatch(/\d+(\.\d+)? %|\d+ of \d+/)
})

test('every block of commands is run, or says why not', () => {
  const marks = (text: string) => [...text.matchAll(/^```(\S+)[ \t]*(.*)$/gm)].filter(found => /^(?:sh|bash|shell|console|zsh)$/.test(found[1] ?? '')).map(found => `${found[1]} ${found[2]}`)
  const unmarked = (text: string) => marks(text).filter(mark => !/^sh (?:run(?:=\d)?|skip="[^"]{12,}")$/.test(mark))
  expect(PAGES.flatMap(page => unmarked(read(page)).map(mark => `${page}: ${mark}`))).toEqual([])
  expect(PAGES.flatMap(page => marks(read(page))).filter(mark => mark.startsWith('sh run')).length).toBeGreaterThan(10)
  for (const planted of ['```sh\nx\n```', '```bash run\nx\n```', '```sh skip\nx\n```', '```sh skip=""\nx\n```', '```console\n$ x\n```']) expect([planted, unmarked(planted).length]).toEqual([planted, 1])
})

describe('what is marked as runnable runs', () => {
  const base = join(ROOT, '.usher', `docs-test-${process.pid}`)
  afterAll(() => rmSync(base, { recursive: true, force: true }))
  mkdirSync(join(base, 'bin'), { recursive: true })
  writeFileSync(join(base, 'bin/usher'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`)
  chmodSync(join(base, 'bin/usher'), 0o755)
  const blocks = (page: string) => [...read(page).matchAll(/^```sh run(?:=(\d))?\n([\s\S]*?)^```$/gm)].map(found => ({ code: Number(found[1] ?? 0), script: found[2] ?? '' }))
  for (const page of PAGES.filter(one => blocks(one).length > 0)) {
    test(`${page}: its commands`, () => {
      const folder = join(base, page.replaceAll('/', '_'))
      mkdirSync(folder, { recursive: true })
      const env = { PATH: `${join(base, 'bin')}:${process.env['PATH']}`, HOME: folder, XDG_STATE_HOME: join(folder, 'state'), NO_COLOR: '1' }
      for (const { code, script } of blocks(page)) {
        const ran = spawnSync('sh', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' })
        expect([script, ran.status, ran.status === code ? '' : ran.stderr]).toEqual([script, code, ''])
        expect(ran.stdout).not.toBe('')
      }
    })
  }
})
