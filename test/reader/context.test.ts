import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contextsOf, partOf } from '../../src/reader/context.ts'
import type { Ask } from '../../src/types.ts'
import { ask } from './support.ts'

const at = (text: string, words: string, route = 'lamp'): Ask => ask(route, words, text.indexOf(words))
const parts = (text: string, ...words: string[]): string[] => {
  const asks = words.map(each => at(text, each))
  return asks.map(each => { const { start, end } = partOf(text, each, asks); return text.slice(start, end) })
}

describe('of several asks each has its own words', () => {
  test.each([
    ['light the lamp and raise the shutters', ['light the lamp', 'raise the shutters']],
    ['light the lamp, please, and could you raise the shutters', ['light the lamp, please', 'could you raise the shutters']],
    ['Light the lamp. It is dark, you know. Raise the shutters, thanks', ['Light the lamp. It is dark, you know', 'Raise the shutters, thanks']],
    ['light the lamp then raise the shutters then ring the bell', ['light the lamp', 'raise the shutters', 'ring the bell']],
    ['mach die Lampe an und raise the shutters', ['mach die Lampe an', 'raise the shutters']],
  ])('%s', (text, expected) => {
    const words = expected.map(part => ['light the lamp', 'Light the lamp', 'raise the shutters', 'Raise the shutters', 'ring the bell', 'mach die Lampe an'].find(each => part.includes(each)) ?? part)
    expect(parts(text, ...words)).toEqual(expected)
  })

  test('one ask has all of a short text, as it is written', () => {
    const text = '  I was cold. Light the lamp, and thanks! '
    expect(contextsOf(text, at(text, 'Light the lamp'), [at(text, 'Light the lamp')])).toEqual([{ start: 0, end: text.length }])
  })
})

describe('of a long text the words around the ask are read, widest first', () => {
  const sentence = 'The weather is fine and the boats are all in the bay today. '
  const text = `${sentence.repeat(30)}Light the lamp in the hall. ${sentence.repeat(30)}`
  const asked = at(text, 'Light the lamp')
  const spans = contextsOf(text, asked, [asked])

  test('each holds the ask, is narrower than the one before, and begins and ends with a sentence until only the clause is left', () => {
    for (const { start, end } of spans) expect(start <= asked.span.start && end >= asked.span.end).toBe(true)
    const lengths = spans.map(({ start, end }) => end - start)
    expect(lengths).toEqual([...new Set(lengths)].sort((a, b) => b - a))
    for (const { start, end } of spans.slice(0, -1)) expect(text.slice(start, end).trim()).toMatch(/^(?:The|Light).*\.$/su)
    expect(spans.map(({ start, end }) => text.slice(start, end).split(' ').length).slice(1)).toEqual([110, 58, 19, 6, 3])
  })

  test('of a free text that anything may follow its beginning is read, so that a long note can be taken', () => {
    const note = `take a note that ${'eggs and flour and milk '.repeat(60)}`
    const value = { slot: { name: 'text', type: 'rest' }, text: note.slice(17), span: { start: 17, end: note.length } }
    const taking = { ...ask('note', note), captures: [value] } as Ask
    const last = contextsOf(note, taking, [taking]).at(-1)
    expect(note.slice(last?.start, last?.end).split(' ')).toHaveLength(64)
    const typed = { ...taking, captures: [{ ...value, slot: { name: 'text' } }] } as Ask
    expect(contextsOf(note, typed, [typed]).every(({ end }) => end >= note.trimEnd().length)).toBe(true)
  })

  test('whatever the text, each part lies in it and holds the ask', () => {
    const piece = fc.constantFrom('and', ', then', '. ', '!? ', '\n', '"', 'the bay', 'eggs', '  ', '\u3002')
    fc.assert(fc.property(fc.array(piece, { maxLength: 200 }), fc.array(piece, { maxLength: 200 }), (before, after) => {
      const start = before.join(' ').length
      const said = `${before.join(' ')}light the lamp${after.join(' ')}`
      const one = ask('lamp', 'light the lamp', start)
      for (const span of contextsOf(said, one, [one])) expect(0 <= span.start && span.start <= start && start + 14 <= span.end && span.end <= said.length).toBe(true)
    }))
  })
})
