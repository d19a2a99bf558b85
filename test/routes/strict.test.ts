import { describe, expect, test } from 'vitest'
import { parseRoutes } from '../../src/routes/load.ts'
import { oneRoute, problem, routeText } from './helpers.ts'

const refused = (lines: string) => problem(() => oneRoute(lines))
const phrases = (item: string) => problem(() => parseRoutes(`version: 1\nroutes:\n  - name: r\n    tool: t\n    triggers:\n      - open the console\n      ${item}\n`, 'r.yaml'))

describe('closed: F1, words and lines that change how a file is read', () => {
  test('a %YAML directive is refused', () => {
    const message = problem(() => parseRoutes(`%YAML 1.1\n---\n${routeText('preset: { open: on }')}`, 'r.yaml'))
    expect(message).toContain('r.yaml:1:1')
    expect(message).toContain('%YAML 1.1')
  })
  test('a %TAG directive is refused', () => {
    expect(problem(() => parseRoutes(`%TAG ! tag:example.org,2026:\n---\n${routeText('')}`))).toContain('%TAG')
  })
  test.each(['on', 'off', 'yes', 'No', 'NO', 'y', 'N'])('the plain word %s in a preset is refused, with its line', word => {
    const message = refused(`preset: { open: ${word} }`)
    expect(message).toContain('r.yaml:6:21')
    expect(message).toContain('write true or false')
  })
  test('the same words in quotation marks are the texts they are', () => {
    expect(oneRoute('preset: { region: "NO", mode: \'on\' }').preset).toEqual({ region: 'NO', mode: 'on' })
  })
  test.each(['0755', '0o17', '0x1F', '+5', '1.10', '7e5', '12e9999', '-0', '.5', '5.', '12345678901234567890', '.inf', '-.INF', '.NaN', '1e21'])('F3: the number %s, which would not come out as it is written, is refused with "quote it"', number => {
    expect(refused(`preset: { n: ${number} }`)).toContain(`quote it ('${number}')`)
  })
  test.each(['0', '5', '-5', '0.1', '755', '9007199254740991'])('the number %s comes out as it is written', number => {
    expect(oneRoute(`preset: { n: ${number} }`).presetBytes).toBe(`{"n":${number}}`)
  })
  test('dates and clock times stay the texts that are written', () => {
    expect(oneRoute('preset: { at: 12:30:45, d: 2024-02-03, v: 1.2.3, n: 1_000 }').preset).toEqual({ at: '12:30:45', d: '2024-02-03', v: '1.2.3', n: '1_000' })
  })
  test('True and TRUE are refused with the one spelling', () => {
    expect(refused('preset: { open: True }')).toContain('True is written true here')
  })
  test('a key without a value, and ~, are refused: null is written null', () => {
    expect(refused('preset:\n  open:\n  x: 1')).toContain('nothing is written here')
    expect(refused('preset: { open: ~ }')).toContain('~ is written null here')
    expect(oneRoute('preset: { open: null }').presetBytes).toBe('{"open":null}')
  })
})

describe('closed: F2, phrases that YAML changes', () => {
  test('a # inside a plain phrase is refused, and the message shows what was read and what was lost', () => {
    const message = phrases('- send #invoice to client')
    expect(message).toContain('r.yaml:7:9')
    expect(message).toContain('"send"')
    expect(message).toContain('#invoice to client')
  })
  test('an anchor before a phrase is refused', () => {
    expect(phrases('- &amp hello')).toContain('the anchor &amp is not allowed')
  })
  test('a colon makes a phrase a map, which is refused', () => {
    expect(phrases('- remind: call')).toContain('a map: {"remind":"call"}')
  })
  test('a deeper item that YAML joins to the phrase before is refused', () => {
    expect(phrases('- a\n        - b')).toContain('would be read as "a - b"')
  })
  test.each(['42', 'true', 'null', '1.5', '[a, b]'])('%s is no phrase', value => {
    expect(phrases(`- ${value}`)).toMatch(/write a phrase in quotation marks/)
  })
  test('a block text of two lines is no phrase', () => {
    expect(phrases('- |\n        open\n        the door')).toContain('a phrase is one line')
  })
  test('a phrase in quotation marks may hold any of these characters', () => {
    expect(parseRoutes('version: 1\nroutes:\n  - name: r\n    tool: t\n    triggers: ["send #invoice to client", "remind: call", "&amp hello"] # a comment\n').routes.get('r')?.phrases.map(({ text }) => text))
      .toEqual(['send #invoice to client', 'remind: call', '&amp hello'])
  })
  test('a # after a plain text of a preset is refused too', () => {
    expect(refused('preset:\n  channel: general #dev')).toContain('takes as a comment')
  })
  test('comments after other values, and on their own lines, are fine', () => {
    expect(oneRoute('# about the preset\npreset: { open: true } # verbatim\nmode: fire # the default').preset).toEqual({ open: true })
  })
})

describe('closed: F5 and F7, what YAML would merge, repeat or convert', () => {
  test('a << key is refused', () => {
    expect(refused('preset: { <<: { dry_run: true }, title: x }')).toContain('the merge key <<')
  })
  test('an alias is refused where it stands, and so is its anchor', () => {
    const message = refused('preset: { a: &b 1, c: *b }')
    expect(message).toContain('the anchor &b')
    expect(message).toContain('the alias *b')
  })
  test.each([['!!bool "yes"', '!!bool'], ['!secret x', '!secret'], ['!!str true', '!!str'], ['! x', '!'], ['!!map { a: 1 }', '!!map'], ['!<tag:x> [1]', 'tag:x']])('the tag of %s is refused', (value, tag) => {
    expect(refused(`preset: { open: ${value} }`)).toContain(`the tag ${tag} is not allowed`)
  })
  test('a key that is there twice is refused, with the line of the first', () => {
    const message = refused('preset: { open: true }\npreset: { open: false }')
    expect(message).toContain('r.yaml:7:5')
    expect(message).toContain('the first is at line 6')
  })
  test('two spellings of one key in quotation marks are one key', () => {
    expect(refused('preset: { open: true, "\\u006fpen": false }')).toContain('the key "open" is here twice')
  })
  test('a second document is refused', () => {
    expect(problem(() => parseRoutes(`${routeText('')}\n---\nversion: 1\n`, 'r.yaml'))).toContain('a second document begins here')
  })
  test.each(['1', 'true', 'null', '[a]', '{ a: 1 }'])('a key %s that is no text is refused', key => {
    expect(refused(`preset: { ? ${key} : x }`)).toContain('a key must be a text')
  })
  test('the key __proto__ is refused at any depth, and nothing inherits from it', () => {
    expect(refused('preset: { __proto__: { send: true } }')).toContain('the key "__proto__" is not allowed')
    expect(refused('preset: { a: [{ __proto__: { send: true } }] }')).toContain('the key "__proto__" is not allowed')
    expect(problem(() => parseRoutes(`__proto__: { routes: [] }\n${routeText('')}`))).toContain('__proto__')
  })
  test('keys that every object has by birth are ordinary keys of a preset', () => {
    expect(oneRoute('preset: { constructor: 1, toString: 2, hasOwnProperty: x }').presetBytes).toBe('{"constructor":1,"hasOwnProperty":"x","toString":2}')
  })
})

describe('closed: text that is no YAML', () => {
  test.each([
    ['a tab as indentation', 'version: 1\nroutes:\n\t- name: a', 'spaces'],
    ['an open quotation mark', 'version: 1\nroutes: "x', 'close the quotation mark'],
    ['an open bracket', 'version: 1\nroutes: [', 'not valid YAML'],
    ['an alias without an anchor', 'version: 1\nroutes: *x', 'alias'],
    ['a text only', 'hello', 'write a map with version and routes'],
    ['a list only', '- a', 'write a map with version and routes'],
  ])('%s is an error with its place', (_, text, hint) => {
    const message = problem(() => parseRoutes(text, 'r.yaml'))
    expect(message).toMatch(/r\.yaml:\d+:\d+/)
    expect(message).toContain(hint)
  })
  test.each(['[', '{a: ', '- ', '? '])('"%s" twenty thousand times is an error and not a crash', opening => {
    expect(problem(() => parseRoutes(opening.repeat(20_000)))).toContain('nested too deeply')
  })
  test('a preset that nests more than 32 levels is an error', () => {
    expect(refused(`preset: { a: ${'['.repeat(40)}1${']'.repeat(40)} }`)).toContain('32 levels')
  })
  test('every problem of a text is in the one message', () => {
    const message = refused('preset: { open: on, n: 0755 }\nmode: maybe\nthreshold: high')
    expect(message.split('\n')).toHaveLength(5)
    expect(message).toContain('4 problems')
  })
})
