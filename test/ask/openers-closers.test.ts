/** What stands right before or after a request and makes none of it. Voice has no marks, so none of this hangs on one. */
import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const ORDERS = ['raise the blinds', 'water the cactus', 'publish the gazette', 'halt the loom']
const reader = createAskReader([...ORDERS.map((order, at) => route(`r${at}`, [order])), route('kiln', ['heat the kiln']), route('helper', ['call the nurse'])])
const fired = (text: string): readonly string[] => reader.read(text, []).asks.map(ask => ask.route)
const all = (make: (order: string) => string): readonly string[] => ORDERS.flatMap(order => fired(make(order)))

describe('gate:explicit: words before', () => {
  const AUX = ['isn\'t', 'aren\'t', 'wasn\'t', 'weren\'t', 'don\'t', 'doesn\'t', 'didn\'t', 'can\'t', 'couldn\'t', 'won\'t', 'wouldn\'t', 'haven\'t', 'hasn\'t', 'hadn\'t', 'didnt', 'doesnt']
  test.each(AUX)('"%s he ..." asks whether somebody does it', aux => {
    expect(['i', 'he', 'she', 'it', 'we', 'they'].flatMap(who => all(order => `${aux} ${who} ${order}`))).toEqual([])
  })

  test.each(['no', 'please no', 'nope', 'not that', 'never mind', 'so it was', 'what do you call it', 'how do you say', 'you couldn\'t', 'were you able to', 'my next step is to', 'the next step is to', 'let\'s hold off on:', 'because', 'otherwise', 'or', 'note:', 'me:', 'user:'])('%s', before => {
    expect(all(order => `${before} ${order}`)).toEqual([])
  })

  test.each(['no, ', 'yeah no ', 'um no ', 'no no no ', 'never mind that, ', 'otherwise, ', 'it\'s dark in here isn\'t it ', 'it\'s dark in here isn\'t it um ', 'your next step is to ', 'the next step for you is to ', 'are you able to ', 'won\'t you ', 'when you\'ve a free hand, '])('but "%s..." leaves it an ask', before => {
    expect(all(order => before + order)).toEqual(['r0', 'r1', 'r2', 'r3'])
  })

  test('another order taken back in one breath is', () => {
    expect([fired('raise the blinds no water the cactus'), fired('raise no halt the loom')]).toEqual([['r1'], ['r3']])
  })
})

describe('gate:explicit: words after', () => {
  test.each([', tmrw', ', tonite', ' 2moro', ', EOD', ', by eod', ' by end of day', ', shortly', '. in a bit', ', in a moment', ' in a sec', '. first thing', '. Tomorrow please.', ', one day'])('"%s" is a later time', after => {
    expect(ORDERS.flatMap(order => reader.read(order + after, []).notAsks.map(not => not.reason))).toEqual(ORDERS.map(() => 'abstain:later'))
    expect(all(order => order + after)).toEqual([])
  })

  test.each(['. lol jk', ', my foot', ', thanks but no thanks', '. in theory', '. please thanks sorry wrong chat', '. haha just testing', '. hang on'])('"%s" takes it back', after => {
    expect(all(order => order + after)).toEqual([])
  })

  test.each(['...?', ' .. ?', ' - ?', ' :)?', '\u2026?'])('"%s" asks', after => {
    expect(all(order => order + after)).toEqual([])
  })

  test.each([', thanks', ' now', ' today', ' or something', '...', ' :)', '!?!', ' mate', ', team', ' please team', '. It is eod.'])('but "%s" leaves it an ask', after => {
    expect(all(order => order + after)).toEqual(['r0', 'r1', 'r2', 'r3'])
  })

  test.each(['call the nurse station', 'call the nurse house', 'call the nurse team', 'heat the kiln house', 'heat the kiln robot'])('a noun that goes on is the name of another thing: %s', text => {
    expect(fired(text)).toEqual([])
  })
})

describe('gate:explicit: several orders', () => {
  test('an order of another route takes nothing back', () => {
    const other = createAskReader([route('door', ['lock the gate']), route('radio', ['stop the radio']), route('heat', ['turn off the stove'])])
    expect(other.read('lock the gate, stop the radio and turn off the stove', []).asks.map(ask => ask.route)).toEqual(['door', 'radio', 'heat'])
    expect(other.read('lock the gate and stop the radio', []).asks.map(ask => ask.route)).toEqual(['door', 'radio'])
    // The same thing: it is taken back.
    expect(other.read('lock the gate, stop the gate', []).asks).toEqual([])
    expect(other.read('lock the gate. stop', []).asks).toEqual([])
  })
})

describe('gate:explicit: a mail that was pasted', () => {
  test.each(['-----Original Message-----\nplease heat the kiln', 'From: Anna\nTo: me\n\nPlease heat the kiln.', 'Von: Anna\nBetreff: Ofen\n\nheat the kiln', 'Begin forwarded message:\n\nheat the kiln', 'fyi\n\n> From: Anna\n> Subject: x\n>\n> heat the kiln'])('%#: what it says was said to somebody else', text => {
    expect(fired(text)).toEqual([])
  })

  test('words above it are the sender\'s own', () => {
    expect(fired('heat the kiln\n\n-----Original Message-----\nFrom: Anna\nplease call the nurse')).toEqual(['kiln'])
    expect(fired('from now on call me Ben. heat the kiln')).toEqual(['kiln'])
  })
})

test('a stutter of one or two letters is no word', () => {
  expect([fired('he heat the kiln'), fired('wa water the cactus'), fired('w-water the cactus'), fired('h-heat the kiln')]).toEqual([[], ['r1'], ['r1'], ['kiln']])
})
