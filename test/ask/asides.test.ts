import { describe, expect, test } from 'vitest'
import { askedOfFarm, readByFarm } from './farm.ts'

describe('gate:explicit: what has to happen before something else is asked for now', () => {
  test.each([
    ['before anybody falls in: drain the pond', ['drain-pond']],
    ['Before Tessa opens the stall, reset the shop scale', ['reset-scale']],
    ['shut the barn door before I change my mind', ['shut-barn']],
    ['before you go shut the barn door', []],
    ['before noon shut the barn door', []],
    ['don\'t drain the pond before I have seen the ducks', []],
    ['tomorrow before we open, reset the shop scale', []],
  ] as const)('%s', (text, routes) => { expect(askedOfFarm(text)).toEqual(routes) })
})

describe('gate:explicit: a sentence that is over does not rule the request after it', () => {
  test.each([
    ['I am not carrying that sack again feed the hens', 'feed-hens'],
    ['no more messing about feed the hens', 'feed-hens'],
    ['rope snapped, shut the barn door', 'shut-barn'],
    ['the big barn is shut, this one isn\'t: shut the barn door', 'shut-barn'],
    ['you can feed the hens thank you', 'feed-hens'],
  ])('%s', (text, route) => { expect(askedOfFarm(text)).toEqual([route]) })
  test.each(['the book is all about feed the hens', 'you can feed the hens', 'it isn\'t feed the hens', 'step two, feed the hens', 'I will not feed the hens again'])('not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})

describe('gate:explicit: small words, units and two words at once may be mistyped', () => {
  test.each([
    ['heat the braed ovne to 220', 'heat-oven(degrees=220)'],
    ['turn the bread oven pu to 220', 'heat-oven(degrees=220)'],
    ['put the radio no in the shop', undefined],
    ['water the raised beds four 10 mintues', 'water-beds(minutes=10)'],
    ['put the shop raido on', 'shop-music()'],
  ])('%s', (text, read) => { expect(readByFarm(text)).toEqual(read === undefined ? [] : [read]) })
})
