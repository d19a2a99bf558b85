import { describe, expect, test } from 'vitest'
import { askedOfFarm } from './farm.ts'

describe('gate:explicit: talk that runs into a request without a pause, and can neither rule its verb nor be its subject', () => {
  test.each([
    ['off to market shut the barn door', 'shut-barn'],
    ['lost my list phone the dairy', 'phone-dairy'],
    ['payday yay book a stall at the green market', 'book-slot'],
    ['pfff brrr grmpf drain the pond', 'drain-pond'],
    ['the goat ate it print 20 price tags', 'print-prices'],
    ['basta drain the duck pond', 'drain-pond'],
    ['vamos por fin feed the hens', 'feed-hens'],
    ['gotta dash put the shop radio on', 'shop-music'],
  ])('%s', (text, route) => { expect(askedOfFarm(text)).toEqual([route]) })
})

describe('gate:explicit: what may be its subject, rule it or name it still counts against it', () => {
  test.each([
    'the neighbours feed the hens', 'our kids shut the barn door', 'children feed the hens', 'Tom feed the hens', 'my uncle shut the barn door', 'in january drain the pond',
    'on the farm we drain the pond', 'saw him feed the hens', 'heard them shut the barn door', 'never drain the pond', 'how farmers drain the pond', 'un shut the barn door', 'le bouton drain the pond', 'tomorrow then drain the pond',
    'lesson one feed the hens', 'should probably feed the hens', 'the council put the shop radio on', 'qu\'est-ce que feed the hens',
  ])('%s', text => { expect(askedOfFarm(text)).toEqual([]) })
})
