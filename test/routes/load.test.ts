import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UsherError } from '../../src/errors.ts'
import { loadRoutes, parseRoutes, readRoutes } from '../../src/routes/load.ts'

let folder: string
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'usher-routes-')) })
afterEach(() => { rmSync(folder, { recursive: true, force: true }) })

const write = (name: string, text: string | Buffer) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const route = (name: string, trigger: string) => `version: 1\nroutes:\n  - name: ${name}\n    tool: t\n    triggers: ["${trigger}"]\n`
const thrown = (run: () => unknown): UsherError => {
  try {
    run()
  } catch (error) {
    if (UsherError.is(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

test('a route with nothing but name, tool and triggers gets every default', () => {
  const table = parseRoutes(route('a', 'open [the] console'), 'a.yaml')
  expect(table.routes.get('a')).toMatchObject({
    name: 'a', tool: 't', not: [], from: ['user'], preset: {}, presetBytes: '{}', allow: [], mode: 'fire', ask: false, approve: 'never', threshold: 0.6, margin: 0.05,
    limits: {}, maxAge: 60_000, mustFire: [], mustNotFire: [], file: 'a.yaml', line: 3,
  })
  expect(table.routes.get('a')?.phrases.map(phrase => [phrase.text, phrase.line])).toEqual([['open the console', 5], ['open console', 5]])
})

test('contract:no-model: a folder gives its *.yaml and *.yml files in the order of their names, and no file of its sub-folders, where drafts may lie', () => {
  write('b.yml', route('b', 'second'))
  write('a.yaml', route('a', 'first'))
  write('notes.txt', 'not: [valid')
  write('.hidden.yaml', 'not: [valid')
  mkdirSync(join(folder, 'drafts'))
  write('drafts/c.yaml', route('c', 'third'))
  expect([...loadRoutes([folder]).routes.keys()]).toEqual(['a', 'b'])
})

test('a file that is named twice, by its folder and by a link, is read once', () => {
  const file = write('a.yaml', route('a', 'first'))
  symlinkSync(file, join(folder, 'link.yaml'))
  expect(loadRoutes([file, folder]).files).toEqual([file])
})

test('closed: a path that is not there is ROUTES_MISSING', () => {
  const error = thrown(() => loadRoutes([join(folder, 'nothing')]))
  expect(error.code).toBe('ROUTES_MISSING')
  expect(error.message).toContain('nothing')
})

test('closed: a folder without a route file is ROUTES_MISSING', () => {
  expect(thrown(() => loadRoutes([folder])).code).toBe('ROUTES_MISSING')
})

test('closed: one bad file among good ones loads no route at all', () => {
  write('a.yaml', route('a', 'first'))
  write('b.yaml', 'version: 1\nroutes: [')
  const error = thrown(() => loadRoutes([folder]))
  expect(error.code).toBe('ROUTES_INVALID')
  expect(error.message).toContain('b.yaml:')
})

test('every problem of every file is named with file, line and column, in order', () => {
  const first = write('a.yaml', 'version: 1\nroutes:\n  - name: a\n    tool: t\n    trigers: [x]\n    threshold: 2\n')
  const second = write('b.yaml', 'version: 2\nroutes:\n  - name: b\n    tool: t\n    triggers: ["open (the console"]\n')
  const read = readRoutes([folder])
  expect(read.kind === 'invalid' && read.problems.map(problem => `${problem.file}:${problem.line}:${problem.column}`)).toEqual([
    `${first}:3:5`, `${first}:5:5`, `${first}:6:16`, `${second}:1:10`, `${second}:5:22`,
  ])
})

test('a route of which one key is wrong is still read for what else is wrong, and nothing is blamed for the key', () => {
  const message = thrown(() => parseRoutes(`version: 1
routes:
  - name: a b
    tool: t
    triggers: ["open (the console", 5, "light {x:rom}"]
    not: ["(memory map"]
    lists: { room: [kitchen] }
    extends: quiet
    ask: on
    allow: [x]
`, 'r.yaml')).message
  expect(message.split('\n').slice(1).map(line => line.split(': ')[0])).toEqual(['r.yaml:3:11', 'r.yaml:5:37', 'r.yaml:8:14', 'r.yaml:9:10'])
  const without = thrown(() => parseRoutes('version: 1\nroutes:\n  - name: a b\n    tool: t\n    triggers: ["open (the console", 5, "light {x:rom}"]\n    not: ["(memory map"]\n    allow: [x]\n', 'r.yaml')).message
  expect(without.split('\n').slice(1).map(line => line.split(': ')[0])).toEqual(['r.yaml:3:11', 'r.yaml:5:22', 'r.yaml:5:37', 'r.yaml:5:50', 'r.yaml:6:11', 'r.yaml:7:13'])
})

test('a route that extends settings whose form is wrong is not blamed for what they lack', () => {
  const { message } = thrown(() => parseRoutes('version: 1\nshared: { s: { lists: { room: [] } } }\nroutes: [{ name: a, tool: t, triggers: ["light {x:room}"], extends: s }]'))
  expect(message).toContain('`room` is an empty list')
  expect(message).not.toContain('problems')
})

test('a route name that two files use is an error at the second place that names the first', () => {
  const first = write('a.yaml', route('same', 'first'))
  write('b.yaml', route('same', 'second'))
  const { message } = thrown(() => loadRoutes([folder]))
  expect(message).toContain('b.yaml:3:11')
  expect(message).toContain(`${first}:3:11`)
})

test('the same sentence in two routes is an error that names both places, whatever its case, spacing and punctuation (A7)', () => {
  const { message } = thrown(() => parseRoutes('version: 1\nroutes:\n  - { name: a, tool: t, triggers: ["close [the] blind"] }\n  - { name: b, tool: t, triggers: ["Close  the BLIND!"] }\n', 'r.yaml'))
  expect(message).toContain('"Close the BLIND!"')
  expect(message).toContain('r.yaml:4:')
  expect(message).toContain('r.yaml:3:')
})

describe('a list in a slot says each of its values', () => {
  const two = (first: string, second: string) => () => parseRoutes(`version: 1\nroutes:\n  - { name: a, tool: t, ${first} }\n  - { name: b, tool: t, ${second} }\n`)
  const ROOMS = 'lists: { rooms: [hall, { in: [kitchen, galley], out: kitchen }] }, triggers: ["light the {room:rooms}"]'
  test('so the same sentence in another route is an error', () => {
    expect(thrown(two(ROOMS, 'triggers: ["light the galley"]')).message).toContain('the sentence "light the galley" is in two routes')
  })

  test('of two lists that share a value, too, and once for all that they share', () => {
    const { message } = thrown(two(ROOMS, 'lists: { places: [yard, kitchen, hall] }, triggers: ["light the {place:places}"]'))
    expect(message.split('is in two routes')).toHaveLength(2)
  })

  test('other values, and the same route, are fine', () => {
    expect(two(ROOMS, 'lists: { places: [yard, shed] }, triggers: ["light the {place:places}"]')).not.toThrow()
    const [phrase] = parseRoutes('version: 1\nroutes:\n  - { name: a, tool: t, lists: { rooms: [hall] }, triggers: ["light the {room:rooms}", "light the hall"] }\n').routes.get('a')?.phrases.slice(1) ?? []
    expect(phrase?.text).toBe('light the hall')
  })

  test('lists too long to be written out are left to lint', () => {
    const many = Array.from({ length: 40 }, (_, n) => `w${n}`).join(', ')
    expect(two(`lists: { x: [${many}], y: [${many}] }, triggers: ["put {a:x} by {b:y}"]`, 'triggers: ["put w1 by w2"]')).not.toThrow()
  })
})

test('two routes whose sentences differ in nothing but the name of an open slot are an error', () => {
  expect(thrown(() => parseRoutes('version: 1\nroutes:\n  - { name: a, tool: t, triggers: ["call {person}"] }\n  - { name: b, tool: t, triggers: ["call {shop}"] }\n')).message).toContain('in two routes')
})

test('closed: a link in the folder that leads nowhere is named, and nothing is loaded', () => {
  write('a.yaml', route('a', 'first'))
  symlinkSync(join(folder, 'gone'), join(folder, 'b.yaml'))
  const error = thrown(() => loadRoutes([folder]))
  expect(error.code).toBe('ROUTES_MISSING')
  expect(error.message).toContain('b.yaml')
})

test('closed: a file that is not UTF-8 is refused', () => {
  const file = write('a.yaml', Buffer.concat([Buffer.from(route('a', 'first')), Buffer.from([0xFF, 0xFE])]))
  expect(thrown(() => loadRoutes([file])).message).toContain('UTF-8')
})

test('closed: a file over the cap is refused before it is read', () => {
  const file = write('a.yaml', Buffer.alloc(16 * 1024 * 1024 + 1, '#'))
  expect(thrown(() => loadRoutes([file])).message).toContain('16777217 bytes')
})

test('a byte order mark and Windows line ends change nothing', () => {
  const plain = parseRoutes(route('a', 'open the console'))
  const windows = parseRoutes(`\uFEFF${route('a', 'open the console').replaceAll('\n', '\r\n')}`)
  expect(windows.hash).toBe(plain.hash)
})

test('an empty file, and one without a route, are errors', () => {
  expect(thrown(() => parseRoutes('')).message).toContain('write a map with version and routes')
  expect(thrown(() => parseRoutes('version: 1\n')).message).toContain('no route is written here')
})
