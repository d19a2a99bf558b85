import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const dock = createAskReader([
  route('heat', ['heat the hall to {degrees}', 'set the hall to {degrees} degrees']),
  route('delay', ['delay the ferry by {duration}']),
  route('berth', ['book berth {number} for {day}']),
  route('hand', ['send {person} the tide table']),
  route('horn', ['sound the foghorn']),
  route('say', ['tell the crew {text:rest}']),
])
const read = (text: string): string[] => dock.read(text, []).asks.map(ask => `${ask.route}(${ask.captures.map(capture => capture.text).join(', ')})`)

describe('gate:explicit: a value said anew holds, and so does a last word said again', () => {
  test.each([
    ['heat the hall to nineteen er twenty', 'heat(twenty)'],
    ['set the hall to 18 um 19 degrees', 'heat(19)'],
    ['delay the ferry by an hour, no, two hours', 'delay(two hours)'],
    ['book berth 4 for Tuesday, er, Wednesday', 'berth(4, Wednesday)'],
    ['send Jan, er, Jana the tide table', 'hand(Jana)'],
    ['sound the foghorn foghorn', 'horn()'],
    ['sound the foghorn, foghorn', 'horn()'],
  ])('%s', (text, asked) => { expect(read(text)).toEqual([asked]) })
  test.each([
    'heat the hall to nineteen er no leave it', 'delay the ferry by an hour, no, don\'t', 'book berth 4 for Tuesday, er, if it is free', 'sound the foghorn, never mind', 'send Jan 12 um the tide table was sent',
  ])('but not: %s', text => { expect(read(text)).toEqual([]) })
  test('what a message says is passed on as it was said', () => { expect(read('tell the crew it is fifty er sixty')).toEqual(['say(it is fifty er sixty)']) })
})
