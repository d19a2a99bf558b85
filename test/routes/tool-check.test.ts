import { describe, expect, test } from 'vitest'
import type { JsonObject, Tool } from '../../src/types.ts'
import type { Finding } from '../../src/routes/finding.ts'
import { oneRoute, problem, table, tool, tools } from './helpers.ts'

const lamp = (parts: Partial<Tool> = {}) => tool({
  visible: { type: 'object', properties: { text: { type: 'string', maxLength: 5 }, colour: { enum: ['red', 'blue'] }, size: { $ref: '#/$defs/Size' }, deep: { type: 'object', properties: { a: { type: 'integer' } } } }, $defs: { Size: { type: 'integer', minimum: 2 } } },
  presetOnly: { open: { type: 'boolean' } },
  effects: { open: ['browser.open'] },
  ...parts,
})
const load = (lines: string, one: Tool = lamp()) => oneRoute(lines, { tools: tools(one) })
const refused = (lines: string, one?: Tool) => problem(() => load(lines, one))
const warnings = (lines: string, one: Tool = lamp()) => {
  const found: Finding[] = []
  oneRoute(lines, { tools: tools(one), onWarning: finding => found.push(finding) })
  return found.map(({ rule }) => rule)
}

describe('a preset is checked against the tool', () => {
  test('what the tool declares is taken, visible or preset-only', () => {
    expect(load('preset: { open: true, text: abc, colour: red, size: 2, deep: { a: 1 } }\nallow: [browser.open]').presetBytes).toBe('{"colour":"red","deep":{"a":1},"open":true,"size":2,"text":"abc"}')
  })
  test.each([
    ['opne: true', '6:15', 'did you mean "open"?'],
    ['toString: true', '6:15', 'has no parameter "toString"'],
    ['open: "true"', '6:21', '"open" is the text "true"; the tool "t" wants true or false, without quotation marks'],
    ['open: 1', '6:21', 'wants true or false'],
    ['text: 5', '6:21', '"text" is 5; the tool "t" wants string'],
    ['text: abcdef', '6:21', 'wants a value that its schema accepts'],
    ['colour: green', '6:23', 'wants one of "red", "blue"'],
    ['size: 1', '6:21', 'wants a value that its schema accepts'],
    ['deep: { b: 1 }', '6:21', 'does not know "deep.b"'],
  ])('preset:verbatim: { %s } is refused with its place', (preset, place, message) => {
    const said = refused(`preset: { ${preset} }\nallow: [browser.open]`)
    expect(said).toContain(`r.yaml:${place}`)
    expect(said).toContain(message)
  })
  test('a key that only one branch of the schema declares is known', () => {
    const branched = lamp({ visible: { type: 'object', anyOf: [{ properties: { url: { type: 'string' } }, required: ['url'] }, { properties: { file: { type: 'string' } }, required: ['file'] }] } })
    expect(load('preset: { url: x }', branched).preset).toEqual({ url: 'x' })
    expect(refused('preset: { uri: x }', branched)).toContain('has no parameter "uri"')
  })
  test('nobody can change the preset of a loaded route', () => {
    const { preset } = load('preset: { open: true, deep: { a: 1 } }\nallow: [browser.open]')
    expect(() => { (preset as { open: boolean }).open = false }).toThrow(TypeError)
    expect(() => { (preset['deep'] as { a: number }).a = 2 }).toThrow(TypeError)
  })
})

test('an unknown tool is refused with the nearest name', () => {
  expect(problem(() => oneRoute('', { tools: tools(lamp({ name: 'lamps' }), lamp({ name: 't2' })) }))).toContain('there is no tool called "t" (did you mean "t2"?); tools: lamps, t2')
})

describe('what a preset arms must be allowed', () => {
  test('gate:default-only: an armed preset without `allow` is refused, and the message says what to write', () => {
    const message = refused('preset: { open: true }')
    expect(message).toContain('r.yaml:6:13')
    expect(message).toContain('write `allow: [browser.open]`')
  })
  test('an `allow` of another effect is not enough', () => {
    expect(refused('preset: { open: true }\nallow: [fs.write]')).toContain('write `allow: [fs.write, browser.open]`')
  })
  test('a preset that arms nothing needs no `allow`', () => {
    expect(load('preset: { open: false }').allow).toEqual([])
  })
  test('a target in `allow` covers the same or a narrower one', () => {
    const writer = lamp({ effects: { open: ['fs.write:/notes/today'] } })
    expect(load('preset: { open: true }\nallow: ["fs.write:/notes/*"]', writer).allow).toEqual(['fs.write:/notes/*'])
    expect(refused('preset: { open: true }\nallow: ["fs.write:/other/*"]', writer)).toContain('does not allow')
  })
  test('a tool that causes it on every call may have a route without `allow`: its calls wait, and a warning says so', () => {
    expect(warnings('', lamp({ effects: { always: ['browser.open'] } }))).toContain('effect-held')
  })
})

describe('warnings, which do not stop the loading', () => {
  test('a tool that does not say what it causes', () => {
    expect(warnings('', lamp({ effects: undefined }))).toContain('effects-undeclared')
  })
  test('an effect that is allowed and never declared', () => {
    expect(warnings('allow: [money.spend]')).toContain('allow-idle')
  })
  test('a default of the schema that arms and is not preset; presetting it takes the warning away', () => {
    const visible: JsonObject = { type: 'object', properties: { notify: { type: 'boolean', default: true } } }
    expect(warnings('', lamp({ visible }))).toContain('armed-default')
    expect(warnings('preset: { notify: false }', lamp({ visible }))).not.toContain('armed-default')
  })
})

describe('slots and synonyms are checked against the tool', () => {
  test('a slot with the name of a preset-only parameter is refused: words must never set one', () => {
    expect(problem(() => slotRoute('{open}'))).toContain('words must never set')
  })
  test('a slot with the name of a preset key, or of nothing, is a warning', () => {
    expect(slotRoute('{text}', 'preset: { text: abc }')).toContain('slot-preset')
    expect(slotRoute('{words}')).toContain('slot-unused')
    expect(slotRoute('{text}')).toEqual([])
  })
  test('a synonym list must give values that the enum has, for a parameter that is there', () => {
    expect(refused('lists: { l: [{ in: crimson, out: red }, green] }\nsynonyms: { colour: l }')).toContain('gives the text "green"')
    expect(refused('lists: { l: [red] }\nsynonyms: { color: l }')).toContain('did you mean "colour"?')
    expect([...load('lists: { l: [{ in: crimson, out: red }] }\nsynonyms: { colour: l }').synonyms]).toEqual([['colour', 'l']])
  })
})

function slotRoute(slot: string, lines = ''): readonly string[] {
  const found: Finding[] = []
  table({ r: [`write down ${slot}`] }, lines, { tools: tools(lamp()), onWarning: finding => found.push(finding) })
  return found.map(({ rule }) => rule)
}
