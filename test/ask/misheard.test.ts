import { describe, expect, test } from 'vitest'
import { askedOfFarm, readByFarm } from './farm.ts'

describe('gate:explicit: what speech recognition made of a request is still that request', () => {
  test.each([
    ['feed the hands', 'feed-hens()'],
    ['shut the barn dore', 'shut-barn()'],
    ['whey out two pounds of flour', 'weigh-flour(amount=two pounds)'],
    ['way out two pounds of flower', 'weigh-flour(amount=two pounds)'],
    ['heat the bred oven to 220', 'heat-oven(degrees=220)'],
    ['prince the price tags for chutney', 'print-prices(product=chutney)'],
    ['print the prize tags for chutney', 'print-prices(product=chutney)'],
    ['fone the dairy', 'phone-dairy()'],
    ['mark plum gem as sold', 'sell-jam(jam=plum)'],
    ['drain the duck bond', 'drain-pond()'],
    ['put the radio on inn the shop', 'shop-music()'],
    ['water the razed beds', 'water-beds()'],
    ['book a stole at the green market', 'book-slot(market=the green market)'],
  ])('%s', (text, read) => { expect(readByFarm(text)).toEqual([read]) })
})

describe('gate:explicit: words that were torn apart are put together, and the reading of one word is not lost for it', () => {
  test.each([
    ['re set the shop scale', 'reset-scale'],
    ['reset the shop scay l', 'reset-scale'],
  ])('%s', (text, route) => { expect(askedOfFarm(text)).toEqual([route]) })
})

describe('gate:explicit: a word that sounds alike but means another deed is no slip', () => {
  test.each([
    'heed the hens', 'need the hens', 'shoot the barn door', 'unbook a stall at the green market', 'train the pond', 'rain the pond',
    'printing the price tags for chutney', 'preset the shop scale', 'the reset of the shop scale', 'mark my word as sold',
  ])('%s', text => { expect(askedOfFarm(text)).toEqual([]) })
})
