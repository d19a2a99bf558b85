import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { parseRoutes } from '../../src/routes/load.ts'

const table = parseRoutes(`version: 1
routes:
  - { name: light, tool: light, triggers: ["switch on the light [in the {room}]"] }
  - { name: door, tool: door, triggers: ["lock the front door"] }
  - { name: timer, tool: timer, triggers: ["set a timer for {duration:duration}"] }
  - { name: note, tool: note, triggers: ["take a note that {text:rest}"] }
`)
const reader = createAskReader(table.routes.values())
const asks = (text: string) => reader.read(text, []).asks.map(ask => [ask.route, ...ask.captures.map(capture => capture.text)].join(' '))

describe('gate:explicit: several asks in one sentence are read each alone, in order', () => {
  test.each([
    ['switch on the light in the hall and lock the front door', ['light hall', 'door']],
    ['lock the front door and then set a timer for 5 minutes', ['door', 'timer 5 minutes']],
    ['please switch on the light, then lock the front door and set a timer for ten minutes', ['light', 'door', 'timer ten minutes']],
    ['lock the front door and take a note that we need bread and milk', ['door', 'note we need bread and milk']],
  ])('%s', (text, expected) => expect(asks(text)).toEqual(expected))

  test('each capture is where it says', () => {
    const text = 'lock the front door and then set a timer for 5 minutes'
    for (const ask of reader.read(text, []).asks) for (const { span, text: said } of ask.captures) expect(text.slice(span.start, span.end)).toBe(said)
  })
})

describe('gate:explicit: what stands at the beginning holds for all that follows', () => {
  test.each([
    'don\'t switch on the light and lock the front door', 'she told me to switch on the light and lock the front door', 'if it gets dark switch on the light and lock the front door', 'I already switched on the light and locked the front door',
    'did you switch on the light and lock the front door?', 'tomorrow switch on the light and lock the front door', 'the manual says "switch on the light and lock the front door"', 'I want to know who can switch on the light and lock the front door',
  ])('%s', text => expect(asks(text)).toEqual([]))

  test('a note keeps its words', () => expect(asks('take a note that I must switch on the light and lock the front door')).toEqual(['note I must switch on the light and lock the front door']))
})
