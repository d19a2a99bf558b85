import { dirname, normalize } from 'node:path/posix'
import { expect, test } from 'vitest'
import { read, SOURCES } from './source-files.ts'

/** Islands by rank. One may import its own island and lower ranks; islands of one rank never meet. */
const RANKS: readonly (readonly string[])[] = [
  ['types.ts', 'errors.ts'],
  ['ports.ts'],
  ['util'],
  ['vocabulary'],
  ['schema'],
  ['contract', 'tools'],
  ['ingest', 'embed', 'routes', 'match', 'heads', 'ask', 'gate', 'fill', 'dispatch', 'log', 'effects', 'reader'],
  ['decide', 'approvals'],
  ['table-heads.ts', 'table-reader.ts'],
  ['router.ts', 'replay.ts'],
  ['route-tester.ts'],
  ['route-tests-held.ts'],
  ['mcp', 'console'],
  ['assemble.ts'],
  ['index.ts'],
  ['integrations'],
  ['eval', 'audit', 'example', 'fleet'],
  ['serve'],
  ['cli'],
]
/** Type positions count as well: a circle of types is a circle. */
const IMPORTS = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

const island = (file: string): string => file.replace(/^src\//, '').split('/')[0] ?? ''
const rank = (file: string): number => RANKS.findIndex(islands => islands.includes(island(file)))

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORTS)].map(found => normalize(`${dirname(file)}/${found[1]}`))
}

function badImports(files: readonly string[], source: (file: string) => string): string[] {
  return files.flatMap(file => importsOf(file, source(file))
    .filter(target => target.startsWith('src/') && island(target) !== island(file) && rank(target) >= rank(file))
    .map(target => `${file} -> ${target}`))
}

/** Circles of files, types included. */
function circles(files: readonly string[], source: (file: string) => string): string[] {
  const graph = new Map(files.map(file => [file, importsOf(file, source(file))]))
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') { found.push([...path.slice(path.indexOf(file)), file].join(' -> ')); return }
    state.set(file, 'open')
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of files) visit(file, [])
  return found
}

test('every source file belongs to a ranked island', () => {
  expect(SOURCES.filter(file => rank(file) < 0)).toEqual([])
})

test('imports point one way, types included', () => {
  expect(badImports(SOURCES, read)).toEqual([])
})

test('no circle of imports, types included', () => {
  expect(circles(SOURCES, read)).toEqual([])
})

test('the rule sees a planted mistake of each kind', () => {
  const planted = new Map([
    ['src/gate/gate.ts', 'import { x } from \'../fill/fill.ts\''],
    ['src/types.ts', 'import type { y } from \'./ports.ts\''],
    ['src/util/a.ts', 'import \'./b.ts\''],
    ['src/util/b.ts', 'import { a } from \'./a.ts\''],
  ])
  const source = (file: string) => planted.get(file) ?? ''
  expect(badImports([...planted.keys()], source)).toEqual(['src/gate/gate.ts -> src/fill/fill.ts', 'src/types.ts -> src/ports.ts'])
  expect(circles([...planted.keys()], source)).toEqual(['src/util/a.ts -> src/util/b.ts -> src/util/a.ts'])
})

/** Programs of their own: a child process that ends itself and reads what its parent gave it. */
const CHILDREN: ReadonlySet<string> = new Set(['src/embed/worker.ts', 'src/reader/worker.ts', 'src/effects/child-preload.ts'])

test('only the command line prints, reads argv or ends the process', () => {
  const forbidden = /\bconsole\.(log|error|warn|info)\(|process\.(exit\(|argv|stdout|stderr)/
  expect(SOURCES.filter(file => island(file) !== 'cli' && !CHILDREN.has(file) && forbidden.test(read(file)))).toEqual([])
})

test('trace:every-way: only the dispatcher calls a tool\'s handler', () => {
  const calls = SOURCES.filter(file => /\btool\??\.run\(/.test(read(file)))
  expect(calls).toEqual(['src/dispatch/dispatcher.ts'])
})
