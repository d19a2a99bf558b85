import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadRoutes, parseRoutes, readRoutes } from '../../src/routes/load.ts'
import { only, problem, tool, tools } from './helpers.ts'

const load = (shared: string, route: string) => only(parseRoutes(`version: 1\nshared:\n${shared.replace(/^/gm, '  ')}\nroutes:\n  - name: r\n    tool: t\n    triggers: ["open it"]\n${route.replace(/^/gm, '    ')}\n`, 'r.yaml'))

test('a route takes over what it does not say itself', () => {
  expect(load('quiet: { threshold: 0.8, from: [voice], limits: { perHour: 2 } }', 'extends: quiet\nthreshold: 0.7')).toMatchObject({ threshold: 0.7, from: ['voice'], limits: { perHour: 2 } })
})

test('preset, limits, when, lists and synonyms are taken over key by key', () => {
  const route = load('base: { preset: { dry_run: true, title: a }, limits: { perHour: 2, perDay: 9 }, lists: { l: [a] } }', 'extends: base\npreset: { title: b }\nlimits: { perHour: 3 }\nlists: { m: [b] }')
  expect(route.presetBytes).toBe('{"dry_run":true,"title":"b"}')
  expect(route.limits).toEqual({ perHour: 3, perDay: 9 })
  expect([...route.lists.keys()]).toEqual(['l', 'm'])
})

test('`not` is added up, since it can only narrow', () => {
  expect(load('base: { not: ["brain map"] }', 'extends: base\nnot: ["memory map"]').not).toEqual(['brain map', 'memory map'])
})

test('a contradiction in an added-up `not` is named where its phrase is written', () => {
  expect(problem(() => load('base: { not: ["brain map", "open it"] }', 'extends: base\nnot: ["memory map"]'))).toContain('r.yaml:3:30')
})

test('of several names the later wins, and shared settings may extend others', () => {
  const route = load('a: { threshold: 0.7, margin: 0.2 }\nb: { extends: a, threshold: 0.8 }\nc: { threshold: 0.9 }', 'extends: [b, c]')
  expect([route.threshold, route.margin]).toEqual([0.9, 0.2])
})

test('a circle is an error that shows the way round', () => {
  expect(problem(() => load('a: { extends: b }\nb: { extends: a }', 'extends: a'))).toContain('a extends b extends a')
})

test('a route cannot share its name, tool, triggers or tests, and the error says what can be shared', () => {
  for (const key of ['name: x', 'tool: x', 'triggers: [x]', 'must_fire: [x]', 'must_not_fire: [x]']) {
    const message = problem(() => load(`a: { ${key} }`, 'extends: a'))
    expect(message).toContain('cannot be shared')
    expect(message).toContain('threshold')
  }
})

test('an unknown name is an error with the nearest; `constructor` is unknown too', () => {
  expect(problem(() => load('quiet: {}', 'extends: quite'))).toContain('did you mean "quiet"?')
  expect(problem(() => load('quiet: {}', 'extends: constructor'))).toContain('no shared settings called "constructor"')
})

test('settings of one file serve routes of another, and a name in two files is an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'usher-shared-'))
  try {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write('a.yaml', 'version: 1\nroutes: [{ name: r, tool: t, triggers: ["open it"], extends: quiet }]')
    write('b.yaml', 'version: 1\nshared: { quiet: { threshold: 0.9 } }')
    expect(loadRoutes([folder]).routes.get('r')?.threshold).toBe(0.9)
    write('c.yaml', 'version: 1\nshared: { quiet: {} }')
    const read = readRoutes([folder])
    expect(read.kind === 'invalid' && read.problems.map(({ message }) => message)).toEqual([expect.stringContaining('b.yaml:2:11')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a wrong value in shared settings is named where it is written, once, however many routes use it', () => {
  const message = problem(() => parseRoutes('version: 1\nshared:\n  a: { preset: { opne: true } }\nroutes:\n  - { name: r, tool: t, triggers: ["open it"], extends: a }\n  - { name: s, tool: t, triggers: ["close it"], extends: a }\n', 'r.yaml', { tools: tools(tool({ presetOnly: { open: { type: 'boolean' } } })) }))
  expect(message).toContain('r.yaml:3:18')
  expect(message).not.toContain('2 problems')
})
