import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { ROUTES, route } from './routes.ts'

const reader = createAskReader(ROUTES)
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)
const settings = { seed: 20_260, numRuns: 200 }

const trigger = fc.constantFrom(...ROUTES.flatMap(item => item.phrases.filter(phrase => phrase.parts.every(part => part.kind === 'text')).map(phrase => ({ route: item.name, text: phrase.text }))))
const before = fc.constantFrom('', 'please ', 'could you ', 'um, ', 'ok so ', 'hey computer, ', 'would you kindly ', 'right, just ', 'go ahead and ', 'I want you to ', 'yes yes ', 'bitte ')
const after = fc.constantFrom('', ' please', ' now', ', thanks', ' for me', ' if you don\'t mind', ' right away', ' would you', ', merci')

describe('gate:explicit', () => {
  test('an ask wrapped in politeness stays an ask', () => {
    fc.assert(fc.property(trigger, before, before, after, (ask, first, second, last) => { expect(asked(first + second + ask.text + last)).toEqual([ask.route]) }), settings)
  })

  test('an ask wrapped in negation, quotation, question, report or condition is none', () => {
    const wrap = fc.constantFrom<(text: string) => string>(
      text => `don't ${text}`, text => `please do not ${text}`, text => `never ${text}`, text => `I don't want you to ${text}`, text => `you needn't ${text}`,
      text => `she said "${text}" again`, text => `the page says “${text}” in bold`, text => `why did you ${text}?`, text => `should I ${text}?`, text => `did they ${text}`,
      text => `he told me to ${text}`, text => `they always ${text}`, text => `if it is late ${text}`, text => `${text} when I say so`, text => `${text} tomorrow`, text => `${text}, no wait, never mind`,
      text => `the ${text} button`, text => `I will ${text} myself`,
    )
    fc.assert(fc.property(trigger, before, wrap, (ask, first, wrapped) => { expect(asked(first + wrapped(ask.text))).toEqual([]) }), settings)
  })

  test('case, spacing and closing punctuation change nothing', () => {
    const change = fc.constantFrom<(text: string) => string>(text => text.toUpperCase(), text => text.replace(/ /g, '  \t'), text => `${text}!`, text => `${text}...`, text => `  ${text}\n`, text => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`, text => `“${text}”`)
    fc.assert(fc.property(trigger, change, (ask, changed) => { expect(asked(changed(ask.text))).toEqual([ask.route]) }), settings)
  })

  test('a reading in two steps is the reading in one, asks ahead of the candidates, and can be finished twice', () => {
    const near = ROUTES.slice(0, 3).map(({ name, phrases }, at) => ({ route: name, phrase: phrases[0]?.text ?? '', score: 0.6 - at / 10, exact: false }))
    const text = fc.tuple(before, trigger, fc.constantFrom('', ' and ', ', then '), trigger, fc.constantFrom('', ' later', '?', ' the', ', bitte')).map(([start, one, link, two, end]) => start + one.text + (link === '' ? '' : link + two.text) + end)
    fc.assert(fc.property(fc.oneof(text, fc.constantFrom('could you see to the trash for me', 'ouvre la porte du jardin', 'ring the', 'stop ringing the bell', '')), said => {
      const begun = reader.begin?.(said)
      expect(begun?.finish(near)).toEqual(reader.read(said, near))
      expect(begun?.finish([])).toEqual(reader.read(said, []))
      expect(begun?.asks).toEqual(reader.read(said, near).asks)
    }), settings)
  })

  test('any text gives a reading whose spans lie in it, twice the same', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.array(fc.constantFrom('empty', 'the', 'trash', 'no', ',', '.', '"', '\uD800', '\u200B', 'if', 'not', 'please', 'ring', 'bell', '{', '}')).map(words => words.join(' '))), text => {
      const reading = reader.read(text, [])
      expect(reader.read(text, [])).toEqual(reading)
      for (const ask of reading.asks) {
        expect(ask.span.start).toBeGreaterThanOrEqual(0)
        expect(ask.span.end).toBeLessThanOrEqual(text.length)
        for (const capture of ask.captures) expect(text.slice(capture.span.start, capture.span.end)).toBe(capture.text)
      }
    }), settings)
  })
})

describe('odd texts', () => {
  test.each(['', ' ', '\uD800', '\u0000', '🐟🐟', '"', '((((', '{}', '\u200B\u200D'])('%j asks for nothing', text => { expect(asked(text)).toEqual([]) })
  test('invisible characters within a word do not hide it', () => { expect(asked('empty the tr\u200Bash')).toEqual(['empty-trash']) })
  test('a megabyte is no request', () => { expect(asked('empty the trash '.repeat(65_536))).toEqual([]) })
  test('twenty thousand characters of near matches end', () => { expect(Array.isArray(asked('ring the the ring bell '.repeat(860)))).toBe(true) })
  test('routes named like parts of Object are routes', () => {
    const odd = createAskReader([route('constructor', ['wind the toString clock']), route('__proto__', ['polish the brass'])])
    expect(odd.read('wind the toString clock', []).asks.map(ask => ask.route)).toEqual(['constructor'])
    expect(odd.read('polish the brass', []).asks.map(ask => ask.route)).toEqual(['__proto__'])
    expect(odd.read('constructor __proto__ toString', []).asks).toEqual([])
  })
})
