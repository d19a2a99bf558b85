/** The pages that live beside the sources: what they link and name is there. Their blocks: blocks.test.ts. */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { expect, test } from 'vitest'
import { read, ROOT } from '../rules/source-files.ts'
import { PAGES } from './blocks.ts'

const LINKED = [...PAGES, 'README.md']
/** As GitHub and typedoc make them. */
const slug = (heading: string) => heading.trim().toLowerCase().replace(/[`*]/g, '').replace(/[^\p{L}\p{N}\s-]/gu, '').replace(/\s/g, '-')
const headings = (text: string) => new Set([...text.matchAll(/^#{1,4} (.+)$/gm)].map(found => slug(found[1] ?? '')))
const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')

test('the pages that people are promised are there', () => {
  for (const page of ['routes/first-route.md', 'src/gate/first-false-fire.md', 'src/contract/first-contract.md', 'src/log/first-incident-review.md', 'src/threat-model.md', 'src/match/how-thresholds-work.md', 'src/log/sql-cookbook.md', 'src/integrations/recipes.md', 'src/integrations/runtimes.md', 'src/peers.md', 'src/CHANGELOG.md']) expect(PAGES).toContain(page)
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
    const [name = '', right, , wrong, , falseFires] = cells(line)
    return [name, share(right), wrong, share(falseFires), ...['exact', 'slot', 'polite', 'typo', 'paraphrase'].map(kind => ofKind(kind, name))]
  })
  const block = /<!-- measured: .*? -->\n([\s\S]*?)\n<!-- \/measured -->/.exec(read('src/peers.md'))?.[1] ?? ''
  expect(expected.length).toBeGreaterThan(2)
  expect(block.split('\n').slice(2).map(cells)).toEqual(expected)
  expect(read('src/peers.md').replace(block, '')).not.toMatch(/\d+(\.\d+)? %|\d+ of \d+/)
})
