import { describe, expect, test } from 'vitest'
import { askedOfHouse as asked, house } from './routes.ts'

describe('gate:explicit: a lost sign, a second value, a correction or a repetition captures nothing', () => {
  test.each([
    'pay -50 euros to Ann',
    'pay 50 euros to Ann - sorry, 15',
    'pay 50 euros to Ann a month',
    'pay 50 euros to Ann instead of Bob',
    'pay 50 euros to Ann and 20 to Bob',
    'pay 50 euros to Ann or Bob',
    'pay 50 euros to either Ann or Bob',
    'pay minus 50 euros to Ann',
    'pay +50 euros to Ann',
    'pay ~50 euros to Ann',
    'pay 50 to 60 euros to Ann',
    'pay 50 or 60 euros to Ann',
    'pay 50 euros to Ann every month',
    'pay 50 euros to Ann monthly',
    'pay 50 euros per month to Ann',
    'pay 50 euros a month to Ann',
    'pay 50 euros, 20 to Bob',
    'pay 50 euros to Ann, 20 to Bob',
    'pay 50 euros to Ann plus 20 to Bob',
    'pay 50 euros to Ann, or rather 15',
    'pay 50 euros to Ann, make that 15',
    'pay 50 euros to Ann. Sorry, 15.',
    'pay 50 euros to Ann. I mean 15.',
    'pay 50 euros to nobody',
    'pay 50 euros to Ann rather than Bob',
    'pay 50 euros less to Ann',
    'pay no more than 50 euros to Ann',
    'pay 50 euros to Ann each',
    'pay 50 euros to Ann twice',
  ])('%s', text => { expect(asked(text)).toEqual([]) })
})

describe('fill:evidence: one value each is captured as said', () => {
  test.each([
    ['pay 50 euros to Ann', ['50 euros', 'Ann']],
    ['please pay $20 to Bob Smith', ['$20', 'Bob Smith']],
    ['pay 50, no, 15 euros to Ann', ['15 euros', 'Ann']],
    ['pay 50 euros to Ann, sorry', ['50 euros', 'Ann']],
  ])('%s', (text, values) => { expect(house.read(text, []).asks.map(ask => ask.captures.map(capture => capture.text))).toEqual([values]) })
})
