import { describe, expect, test } from 'vitest'
import { resembles } from '../../src/ask/false-starts.ts'
import { askedOfFarm } from './farm.ts'

test('a beginning, an end or half the letters make a word resemble another', () => {
  for (const [begun, meant] of [['livery', 'delivery'], ['pri', 'price'], ['scale', 'sale'], ['bran', 'barn']] as const) expect(resembles(begun, meant)).toBe(true)
  for (const [begun, meant] of [['it', 'item'], ['radio', 'pond'], ['door', 'hens']] as const) expect(resembles(begun, meant)).toBe(false)
})

describe('gate:explicit: a word begun wrongly and said again leaves the request as it is', () => {
  test.each([
    ['feed the hands hens', 'feed-hens'],
    ['shut the bran barn door', 'shut-barn'],
    ['drain the ponds pond', 'drain-pond'],
    ['drain the bond drain the pond', 'drain-pond'],
    ['reseat reset the shop scale', 'reset-scale'],
  ])('%s', (text, route) => { expect(askedOfFarm(text)).toEqual([route]) })
})

describe('gate:explicit: another word in between is no false start', () => {
  test.each(['feed the neighbour\'s hens', 'shut the old barn door', 'drain the village pond', 'never drain the pond', 'undo reset the shop scale'])('%s', text => { expect(askedOfFarm(text)).toEqual([]) })
})
