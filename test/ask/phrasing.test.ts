import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const studio = createAskReader([
  route('order-clay', ['order more {material}']),
  route('warn-class', ['tell the evening class {notice}', 'message my tutor {message}']),
  route('start-glazing', ['start glazing {piece}']),
  route('pin-sketch', ['pin that sketch', 'pin the {sketch} sketch']),
  route('enrol', ['put {pupil} on the waiting list']),
  route('pay-model', ['pay the model {amount}']),
  route('fix-bill', ['add {item} to the bill', 'take {item} off the bill']),
  route('follow', ['follow up with {supplier}', 'apply for the market']),
  route('check-in', ['do the kiln check-in']),
  route('open-shelf', ['open shelf {number}']),
])
const read = (text: string): string[] => studio.read(text, []).asks.map(ask => `${ask.route}(${ask.captures.map(capture => capture.text).join(', ')})`)

describe('gate:explicit: what a slot holds after a word that is no noun, after a verb of telling, or for somebody', () => {
  test.each([
    ['order more porcelain', 'order-clay(porcelain)'],
    ['order more of the red clay', undefined],
    ['start glazing my soup bowls', 'start-glazing(my soup bowls)'],
    ['tell the evening class no firing this week', 'warn-class(no firing this week)'],
    ['message my tutor the wheel is mended', 'warn-class(the wheel is mended)'],
    ['tell the evening class about the wheel once Ann has seen it', undefined],
    ['put me on the waiting list', 'enrol(me)'],
    ['put the twins from the scouts camp on the waiting list', 'enrol(the twins from the scouts camp)'],
    ['put it on the waiting list', undefined],
    ['open shelf double four', 'open-shelf(double four)'],
    ['do the kiln checkin', 'check-in()'],
    ['do the kiln chicken', 'check-in()'],
  ])('%s', (text, expected) => { expect(read(text)).toEqual(expected === undefined ? [] : [expected]) })
})

describe('gate:explicit: objects and places are named first, and pointed back at', () => {
  test.each([
    ['that sketch, pin it', 'pin-sketch()'],
    ['the heron sketch, that\'s the one I want you to pin', 'pin-sketch(heron)'],
    ['the heron sketch you can pin it now', 'pin-sketch(heron)'],
    ['12 euros, pay the model', 'pay-model(12 euros)'],
    ['the bill, add two mugs to it', 'fix-bill(two mugs)'],
    ['the bill take the vase off it', 'fix-bill(the vase)'],
    ['with Brandt and Sons, follow up', 'follow(Brandt and Sons)'],
    ['for the market apply', 'follow()'],
    ['the market, apply for it', 'follow()'],
  ])('%s', (text, expected) => { expect(read(text)).toEqual([expected]) })
})

describe('gate:explicit: another order of the same words that says something else', () => {
  test.each(['pay the model it owes', 'the class told me the wheel is mended', 'Ann said shelf four, open', 'I would never open shelf four', 'did you pin that sketch', 'can I put me on the waiting list'])('%s', text => { expect(read(text)).toEqual([]) })
})
