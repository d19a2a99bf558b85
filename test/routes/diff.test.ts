import { describe, expect, test } from 'vitest'
import { diffRoutes } from '../../src/routes/diff.ts'
import { parseRoutes } from '../../src/routes/load.ts'
import { routeText } from './helpers.ts'

const BASE = 'preset: { open: true, dry_run: true }\nallow: ["fs.write:/notes/*"]\nfrom: [user]\nnot: ["brain map"]\nlimits: { cooldown: 10s, perHour: 6 }\nlists: { l: [a] }\nwhen: { hours: "08:00-20:00", days: mon-fri, state: { home: true } }\nmode: ask\nmust_not_fire: ["did it open?"]'
const diff = (from: string, to: string, base = BASE) => {
  const before = parseRoutes(routeText(base))
  const changed = base.replace(from, to)
  expect(changed).not.toBe(base)
  return diffRoutes(before, parseRoutes(routeText(changed))).map(({ field, widens }) => `${field} ${widens ? 'widens' : 'narrows'}`)
}

describe('control:human: what widens is said to widen', () => {
  test.each([
    ['arms a preset key', 'open: true', 'open: true, send: true', 'preset'],
    ['loses a preset key, which may have been the safe one', ', dry_run: true', '', 'preset'],
    ['changes a preset value', 'dry_run: true', 'dry_run: false', 'preset'],
    ['adds an effect', '"fs.write:/notes/*"', '"fs.write:/notes/*", browser.open', 'allow'],
    ['widens the target of an effect', 'fs.write:/notes/*', 'fs.write:/*', 'allow'],
    ['takes the target of an effect away', '"fs.write:/notes/*"', 'fs.write', 'allow'],
    ['adds a source', '[user]', '[user, webhook]', 'from'],
    ['drops a near miss', 'not: ["brain map"]', 'not: []', 'not'],
    ['shortens the cooldown', '10s', '5s', 'limits'],
    ['drops the cooldown', 'cooldown: 10s, ', '', 'limits'],
    ['raises a rate', 'perHour: 6', 'perHour: 7', 'limits'],
    ['drops a rate', ', perHour: 6', '', 'limits'],
    ['opens more hours', '08:00-20:00', '08:00-20:01', 'when'],
    ['opens other hours', '08:00-20:00', '20:00-08:00', 'when'],
    ['opens more days', 'mon-fri', 'mon-sat', 'when'],
    ['asks for no state', ', state: { home: true }', '', 'when'],
    ['asks for another state', 'home: true', 'home: false', 'when'],
    ['drops all times', 'when: { hours: "08:00-20:00", days: mon-fri, state: { home: true } }\n', '', 'when'],
    ['goes from ask to fire', 'mode: ask', 'mode: fire', 'mode'],
    ['changes a list', '[a]', '[a, b]', 'lists'],
    ['lowers the threshold', 'mode: ask', 'mode: ask\nthreshold: 0.5', 'threshold'],
    ['lowers the margin', 'mode: ask', 'mode: ask\nmargin: 0.01', 'margin'],
    ['takes older events', 'mode: ask', 'mode: ask\nmaxAge: 5m', 'maxAge'],
    ['offers near misses', 'mode: ask', 'mode: ask\nask: true', 'ask'],
  ])('a route that %s', (_, from, to, field) => {
    const changes = diff(from, to)
    expect(changes.length).toBeGreaterThan(0)
    expect(new Set(changes)).toEqual(new Set([`${field} widens`]))
  })
  test('a route that no longer waits for approval', () => {
    expect(diff('approve: always', 'approve: never', 'approve: always')).toEqual(['approve widens'])
  })
  test('a route that asks for another sentence, or the same with a wider slot', () => {
    const change = (before: string, after: string) => diffRoutes(parseRoutes(routeText('').replace('open the console', before)), parseRoutes(routeText('').replace('open the console', after))).map(({ field, widens }) => `${field} ${widens}`)
    expect(change('open the console', 'open (the|my) console')).toEqual(['triggers true'])
    expect(change('set it to {x:number}', 'set it to {x}')).toEqual(['triggers true', 'triggers false'])
    expect(change('open (the|my) console', 'open the console')).toEqual(['triggers false'])
  })
  test('a route that calls another tool, and a new route', () => {
    const before = parseRoutes(routeText(''))
    expect(diffRoutes(before, parseRoutes(routeText('').replace('tool: t', 'tool: u')))).toMatchObject([{ field: 'tool', widens: true }])
    expect(diffRoutes(before, parseRoutes(`${routeText('')}\n  - { name: s, tool: t, triggers: ["close it"], preset: { open: true }, allow: [browser.open] }`))).toEqual([
      { route: 's', field: 'route', widens: true, sentence: 'route "s" is new: it calls "t" with {"open":true} and may cause browser.open' },
    ])
  })
})

describe('what only narrows is said to narrow', () => {
  test.each([
    ['loses its effect', 'allow: ["fs.write:/notes/*"]\n', '', 'allow'],
    ['narrows the target', 'fs.write:/notes/*', 'fs.write:/notes/today', 'allow'],
    ['takes one chat person for everybody', '[user]', '["user:alice"]', 'from'],
    ['adds a near miss', '"brain map"', '"brain map", "memory map"', 'not'],
    ['lengthens the cooldown', '10s', '20s', 'limits'],
    ['adds a rate', 'perHour: 6', 'perHour: 6, perDay: 20', 'limits'],
    ['closes hours', '08:00-20:00', '09:00-12:00', 'when'],
    ['asks for one more state', 'home: true', 'home: true, awake: true', 'when'],
    ['goes to shadow', 'mode: ask', 'mode: shadow', 'mode'],
    ['raises the threshold', 'mode: ask', 'mode: ask\nthreshold: 0.9', 'threshold'],
    ['loses a test sentence', 'must_not_fire: ["did it open?"]', 'must_not_fire: []', 'must_not_fire'],
  ])('a route that %s', (_, from, to, field) => {
    expect(diff(from, to)).toEqual([`${field} narrows`])
  })
  test('a route that is gone', () => {
    const before = parseRoutes(`${routeText('')}\n  - { name: s, tool: t, triggers: ["close it"] }`)
    expect(diffRoutes(before, parseRoutes(routeText('')))).toEqual([{ route: 's', field: 'route', widens: false, sentence: 'route "s" is gone' }])
  })
})

test('the same routes in other files, lines and spellings are no change, and have one hash', () => {
  const before = parseRoutes(routeText(BASE), 'a.yaml')
  const after = parseRoutes(`# a comment\n\n${routeText(BASE).replace('["open the console"]', '["open [the|the] console", "open the console"]'.replace('[the|the]', 'the'))}`, 'b.yaml')
  expect(diffRoutes(before, after)).toEqual([])
  expect(after.hash).toBe(before.hash)
})

test('any change that is found changes the hash', () => {
  const before = parseRoutes(routeText(BASE))
  for (const [from, to] of [['open: true', 'open: false'], ['mon-fri', 'mon-sat'], ['[a]', '[b]'], ['10s', '11s']] as const) {
    const after = parseRoutes(routeText(BASE.replace(from, to)))
    expect(diffRoutes(before, after)).toHaveLength(1)
    expect(after.hash).not.toBe(before.hash)
  }
})
