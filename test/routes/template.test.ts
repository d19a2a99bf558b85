import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UsherError } from '../../src/errors.ts'
import { expandTemplate } from '../../src/routes/expand.ts'
import { parseRoutes } from '../../src/routes/load.ts'
import { parseTemplate, SLOT_TYPES } from '../../src/routes/template.ts'
import { problem } from './helpers.ts'

const texts = (template: string, lists: readonly string[] = []) => expandTemplate(template, { lists: new Map(lists.map(name => [name, []])) }).map(({ text }) => text)
const bad = (template: string, lists: readonly string[] = []) => {
  const parsed = parseTemplate(template, new Set(lists))
  return parsed.kind === 'bad' ? [parsed.at, parsed.message] as const : undefined
}

describe('what a template stands for', () => {
  test.each([
    ['open the console', ['open the console']],
    ['open [the] console', ['open the console', 'open console']],
    ['open (the|my) console', ['open the console', 'open my console']],
    ['[please] open it', ['please open it', 'open it']],
    ['turn (on|off) the [big|small] light[s]', ['turn on the big lights', 'turn on the big light', 'turn on the small lights', 'turn on the small light', 'turn on the lights', 'turn on the light', 'turn off the big lights', 'turn off the big light', 'turn off the small lights', 'turn off the small light', 'turn off the lights', 'turn off the light']],
    ['(a [b [c]]|d) e', ['a b c e', 'a b e', 'a e', 'd e']],
    ['  open \t the   console ', ['open the console']],
    ['call {person}', ['call {person}']],
    ['[a|a] b', ['a b', 'b']],
    ['say \\[x\\] \\(y\\) \\{z\\} \\| \\\\', ['say [x] (y) {z} | \\']],
  ])('%s', (template, sentences) => {
    expect(texts(template)).toEqual(sentences)
  })
  test('parts joined, with slots as {name}, are the text', () => {
    for (const phrase of expandTemplate('[please] set a (timer|clock) for {time:duration}, {name}[!]')) {
      expect(phrase.parts.map(part => part.kind === 'text' ? part.text : `{${part.slot.name}}`).join('')).toBe(phrase.text)
    }
  })
  test('a literal {x} after a backslash is text and no slot', () => {
    expect(expandTemplate('say \\{x\\}')[0]?.parts).toEqual([{ kind: 'text', text: 'say {x}' }])
  })
})

describe('slots', () => {
  test.each(SLOT_TYPES.map(type => [type] as const))('{x:%s} has that type', type => {
    expect(expandTemplate(`say {x:${type}}`)[0]?.parts[1]).toEqual({ kind: 'slot', slot: { name: 'x', type } })
  })
  test('{x:rooms} takes its values from the list', () => {
    expect(expandTemplate('light {x:rooms}', { lists: new Map([['rooms', []]]) })[0]?.parts[1]).toEqual({ kind: 'slot', slot: { name: 'x', list: 'rooms' } })
  })
  test('{rooms} alone takes the list of its own name', () => {
    expect(expandTemplate('light {rooms}', { lists: new Map([['rooms', []]]) })[0]?.parts[1]).toEqual({ kind: 'slot', slot: { name: 'rooms', list: 'rooms' } })
  })
  test('a list that is not there is named, with the nearest', () => {
    expect(bad('light {x:romms}', ['rooms'])).toEqual([9, expect.stringContaining('did you mean "rooms"?')])
  })
  test.each(['constructor', 'toString', '__proto__'])('%s, which every object has, is neither type nor list', name => {
    expect(bad(`light {x:${name}}`)?.[1]).toContain('neither a type nor a list')
  })
  test.each(['{}', '{1x}', '{a b}', '{a-b}', '{:number}', '{__proto__}', '{ж}'])('%s is no slot', slot => {
    expect(bad(`say ${slot}`)?.[1]).toContain('the slot name')
  })
})

describe('what is wrong is named with its character', () => {
  test.each([
    ['open (the console', 5, 'not closed'], ['open [the console', 5, 'not closed'], ['open {the console', 5, 'not closed'],
    ['open (the] console)', 5, 'not closed'], ['open the) console', 8, 'closes nothing'], ['open the} console', 8, 'closes nothing'],
    ['open | close', 5, 'outside of brackets'], ['open (|my) it', 6, 'empty alternative'], ['open () it', 6, 'empty alternative'], ['open [] it', 6, 'empty alternative'], ['open (a|) it', 8, 'empty alternative'],
    ['open \\x', 5, 'may only stand before'], ['open \\', 5, 'before the end'],
    [`a ${'['.repeat(13)}b${']'.repeat(13)}`, 14, 'nested more than 12 deep'],
  ])('%s', (template, at, message) => {
    expect(bad(template)).toEqual([at, expect.stringContaining(message)])
  })
  test.each([
    ['[open] [it]', 'no word of its own'], ['{x}', 'no word of its own'], ['{x:rest} [please]', 'nothing may come after'], ['...', 'no word of its own'],
    ['send {x} to {x}', 'in one sentence twice'], ['note {text:rest} please', 'nothing may come after'], ['note {text:rest} {y}', 'nothing may come after'],
  ])('%s expands to a sentence that is refused', (template, message) => {
    expect(() => expandTemplate(template)).toThrow(message)
  })
  test('in a file, line and column point at the character', () => {
    expect(problem(() => parseRoutes('version: 1\nroutes:\n  - name: r\n    tool: t\n    triggers:\n      - open the) console\n      - "show it (now"\n', 'r.yaml')).split('\n').slice(1).map(line => line.split(': ')[0]))
      .toEqual(['r.yaml:6:17', 'r.yaml:7:18'])
  })
  test('where escapes shift the characters, it points at the phrase', () => {
    expect(problem(() => parseRoutes('version: 1\nroutes: [{ name: r, tool: t, triggers: ["\\u006fpen the) console"] }]', 'r.yaml'))).toContain('r.yaml:2:41')
  })
})

describe('caps', () => {
  test('500 sentences are fine, more are refused with the count before any is made', () => {
    const five = '(a|b|c|d|e)'
    expect(texts(`x ${five} ${five} ${five} (a|b|c|d)`)).toHaveLength(500)
    expect(() => expandTemplate(`x ${five} ${five} ${five} ${five}`)).toThrow('stands for 625 sentences, and 500 are the most')
    expect(() => expandTemplate(`x ${five.repeat(60)}`)).toThrow('more than a thousand million')
  })
  test('the cap can be set', () => {
    expect(() => expandTemplate('x (a|b|c)', { max: 2 })).toThrow('3 sentences, and 2 are the most')
  })
  test('a route may have 2,000 sentences over all its triggers', () => {
    const triggers = (count: number) => Array.from({ length: count }, (_, at) => `"x${at} (a|b|c|d|e) (a|b|c|d|e) (a|b|c|d|e) (a|b|c|d)"`).join(', ')
    const load = (count: number) => parseRoutes(`version: 1\nroutes: [{ name: r, tool: t, triggers: [${triggers(count)}] }]`)
    expect(load(4).routes.get('r')?.phrases).toHaveLength(2000)
    expect(problem(() => load(5))).toContain('2500 sentences, and 2000 are the most')
  })
  test('a trigger of 1,001 characters is refused', () => {
    expect(() => expandTemplate('a'.repeat(1001))).toThrow('1001 characters')
  })
})

test('any text is a template or a ROUTES_INVALID, and sentences are trimmed, unique and within the cap', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom('[', ']', '(', ')', '|', '{', '}', '\\', ':', ' ', 'a', 'open', 'x', '{s}', '[b]', '(c|d)'), { maxLength: 24 }).map(parts => parts.join('')), template => {
    try {
      const sentences = texts(template)
      expect(sentences.length).toBeGreaterThan(0)
      expect(sentences.length).toBeLessThanOrEqual(500)
      expect(new Set(sentences).size).toBe(sentences.length)
      for (const text of sentences) expect(text).toBe(text.trim().replace(/\s+/g, ' '))
    } catch (error) {
      if (!UsherError.is(error) || error.code !== 'ROUTES_INVALID') throw error
    }
  }), { seed: 7, numRuns: 800 })
})

test('a text with every special character behind a backslash is that text', () => {
  fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 40 }).filter(text => /[\p{L}\p{N}]/u.test(text)), text => {
    const folded = text.replace(/\s+/g, ' ').trim()
    expect(texts(text.replace(/[[\](){}|\\]/g, '\\$&'))).toEqual([folded])
  }), { seed: 7, numRuns: 200 })
})
