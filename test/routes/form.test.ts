import { describe, expect, test } from 'vitest'
import { routeFileSchema, ROUTE_KEYS } from '../../src/routes/format.ts'
import { parseRoutes } from '../../src/routes/load.ts'
import { oneRoute, problem, routeText } from './helpers.ts'

const refused = (lines: string) => problem(() => oneRoute(lines))

test('the JSON Schema that editors use is the one made from the format (npx vitest run test/routes/form.test.ts -u writes it)', async () => {
  await expect(`${JSON.stringify(routeFileSchema(), null, 2)}\n`).toMatchFileSnapshot('../../routes/route.schema.json')
})

test('the JSON Schema describes every key of a route', () => {
  const schema = routeFileSchema() as { properties: { routes: { items: { properties: { [key: string]: { description?: string } } } } } }
  const { properties } = schema.properties.routes.items
  expect(Object.keys(properties).sort()).toEqual([...ROUTE_KEYS].sort())
  expect(Object.entries(properties).filter(([, { description }]) => !description).map(([key]) => key)).toEqual([])
})

describe('unknown keys', () => {
  test.each([['treshold: 1', 'threshold'], ['Preset: {}', 'preset'], ['mustFire: []', 'must_fire'], ['max_age: 60s', 'maxAge'], ['allows: []', 'allow']])('%s is refused, with the nearest known key', (line, near) => {
    const message = refused(line)
    expect(message).toContain('r.yaml:6:5')
    expect(message).toContain(`did you mean "${near}"?`)
  })
  test('one that is near nothing lists what is known', () => {
    expect(refused('zzzzzz: 1')).toContain('known: name, tool, triggers,')
  })
  test('in limits, when and list values too', () => {
    expect(refused('limits: { perhour: 6 }')).toContain('did you mean "perHour"?')
    expect(refused('when: { hour: "08:00-09:00" }')).toContain('did you mean "hours"?')
    expect(refused('lists: { l: [{ ins: [a], out: b }] }')).toContain('did you mean "in"?')
  })
  test('at the top of the file', () => {
    expect(problem(() => parseRoutes(`${routeText('')}\nrouts: []`))).toContain('did you mean "routes"?')
  })
  test.each(['constructor', 'toString', 'hasOwnProperty'])('%s, which every object has, is no known key', key => {
    expect(refused(`${key}: 1`)).toContain(`the key "${key}" is not known here`)
  })
})

describe('wrong values are named with the value seen and what to write', () => {
  test.each([
    ['ask: on', '`ask` is the text "on"; write true or false'],
    ['ask: "true"', '`ask` is the text "true"; write true or false'],
    ['ask: 1', '`ask` is 1; write true or false'],
    ['threshold: "0.6"', 'the text "0.6"; write a number above 0'],
    ['threshold: 0', '`threshold` is 0; write a number above 0'],
    ['threshold: 1.5', '`threshold` is 1.5; write a number of at most 1'],
    ['margin: -1', '`margin` is -1; write a number from 0 to 1'],
    ['mode: silent', '`mode` is the text "silent"; write one of shadow, ask, fire'],
    ['approve: yes', '`approve` is the text "yes"; write one of never, always'],
    ['from: []', '`from` is an empty list; write at least one source'],
    ['from: user', '`from` is the text "user"; write a list of event sources'],
    ['from: ["*"]', 'write an event source like user'],
    ['limits: 5', '`limits` is 5; write a map'],
    ['limits: { perHour: 0 }', '`perHour` is 0; write a whole number'],
    ['limits: { perHour: 1.5 }', '`perHour` is 1.5; write a whole number'],
    ['limits: { cooldown: 10 }', '`cooldown` is 10; write a duration like 10s'],
    ['maxAge: 1m30s', '`maxAge` is the text "1m30s"; write a duration like 60s'],
    ['maxAge: 0s', 'write a duration like 60s'],
    ['when: { hours: 8-22 }', 'write hours like "08:00-22:00"'],
    ['when: { hours: "25:00-26:00" }', 'write hours like "08:00-22:00"'],
    ['when: { hours: "08:00-08:00" }', 'begins and ends at the same time'],
    ['when: { days: monday }', 'write a day or a range of days like mon'],
    ['preset: [open]', '`preset` is a list: ["open"]; write a map of arguments'],
    ['allow: browser.open', 'write a list of effects'],
    ['allow: [browser.opn]', '"browser.opn" is no effect (did you mean "browser.open"?)'],
    ['allow: [unknown]', '"unknown" cannot be allowed'],
    ['lists: { room: [] }', '`room` is an empty list; write at least one value'],
    ['lists: { room: [{ in: [] , out: x }] }', 'write'],
    ['lists: { number: [a] }', 'must not be called "number"'],
    ['lists: { l: [{ in: a, out: 1 }, { in: "A ", out: 2 }] }', 'stands for two values, 1 and 2'],
    ['synonyms: { colour: hues }', '"hues" is none of the route\'s lists'],
    ['not: ["Open the console!"]', 'is a sentence of the route itself'],
    ['not: ["open (the|a) console"]', '"open the console" is a sentence of the route itself'],
    ['not: ["open {x}"]', 'a near miss has no slots'],
    ['not: ["(brain map"]', 'is not closed'],
    ['not: ["?!"]', 'no word of its own'],
    ['lists: { l: ["living (room|space)"] }', 'write { in: "living (room|space)", out: value }'],
    ['lists: { l: [{ in: "a {x}", out: b }] }', 'a list has no slots'],
    ['preset: { a: "\\uD800" }', 'a lone surrogate'],
    [`preset: { a: "${'x'.repeat(65_536)}" }`, '65536 are the most'],
    ['must_fire: [a]\nmust_not_fire: [A]', 'is also in must_fire'],
    ['extends: nothing', 'there are no shared settings called "nothing"'],
  ])('%s', (line, message) => {
    expect(refused(line)).toContain(message)
  })
  test.each([['name', 'a name of letters'], ['tool', 'the name of a tool'], ['triggers', 'a list of phrases']])('a missing %s is said at the route', (key, hint) => {
    const text = routeText('').split('\n').filter(line => !line.includes(`${key}:`)).join('\n').replace(/routes:\n {4}/, 'routes:\n  - ')
    expect(problem(() => parseRoutes(text, 'r.yaml'))).toContain(`\`${key}\` is missing; write ${hint}`)
  })
  test('no triggers at all is an error', () => {
    expect(problem(() => parseRoutes('version: 1\nroutes: [{ name: r, tool: t, triggers: [] }]'))).toContain('write at least one phrase')
  })
  test('a missing version, and another one, are errors', () => {
    expect(problem(() => parseRoutes(routeText('').replace('version: 1\n', '')))).toContain('`version` is missing; write 1')
    expect(problem(() => parseRoutes(routeText('').replace('version: 1', 'version: 2')))).toContain('`version` is 2; write 1')
  })
  test.each(['open console', '../x', 'a'.repeat(65), '1st', 'ореn'])('%s is no name of a route', name => {
    expect(problem(() => parseRoutes(routeText('').replace('name: r', `name: "${name}"`)))).toContain('write a name of letters')
  })
})

test('near misses and the words of lists are templates, as triggers are', () => {
  const route = oneRoute('not: ["(memory|brain) map[s]"]\nlists: { room: [{ in: "(living|sitting) room", out: lounge }] }')
  expect(route.not).toEqual(['memory maps', 'memory map', 'brain maps', 'brain map'])
  expect(route.lists.get('room')).toEqual([{ in: ['living room', 'sitting room'], out: 'lounge' }])
})

test('every setting is read', () => {
  const route = oneRoute(`not: ["brain map"]
from: [user, "chat:alice"]
allow: [browser.open, "fs.write:/tmp/*"]
mode: ask
ask: true
approve: always
threshold: 0.7
margin: 0.1
limits: { cooldown: 10s, perMinute: 1, perHour: 6, perDay: 20 }
maxAge: 2h
when: { hours: ["08:00-12:00", "22:00-06:00"], days: [mon-fri, sun], state: { home: true } }
lists: { room: [kitchen, { in: [living room, lounge], out: 7 }] }
synonyms: { colour: room }
must_fire: ["open it"]
must_not_fire: ["did it open?"]`)
  expect(route).toMatchObject({
    not: ['brain map'], from: ['user', 'chat:alice'], allow: ['browser.open', 'fs.write:/tmp/*'], mode: 'ask', ask: true, approve: 'always', threshold: 0.7, margin: 0.1,
    limits: { cooldown: 10_000, perMinute: 1, perHour: 6, perDay: 20 }, maxAge: 7_200_000,
    when: { hours: [{ from: 480, to: 720 }, { from: 1320, to: 1440 }, { from: 0, to: 360 }], days: [0, 1, 2, 3, 4, 5], state: { home: true } },
    mustFire: ['open it'], mustNotFire: ['did it open?'],
  })
  expect([...route.lists]).toEqual([['room', [{ in: ['kitchen'], out: 'kitchen' }, { in: ['living room', 'lounge'], out: 7 }]]])
  expect([...route.synonyms]).toEqual([['colour', 'room']])
})
