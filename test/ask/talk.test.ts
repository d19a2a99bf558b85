import { describe, expect, test } from 'vitest'
import { askedOfFarm } from './farm.ts'

describe('gate:explicit: talk that ends in a noun in the singular, which is no subject of the verb that follows', () => {
  test.each([
    ['enough rain for one week drain the pond', 'drain-pond'],
    ['brr cold one feed the hens', 'feed-hens'],
    ['gate open already so um shut the barn door', 'shut-barn'],
    ['puff long day phone the dairy', 'phone-dairy'],
  ])('%s', (text, route) => { expect(askedOfFarm(text)).toEqual([route]) })
  test.each([
    'my neighbours drain the pond', 'the farm team feed the hens', 'Tom and the vet phone the dairy', 'let the old dog feed the hens', 'can the new machine drain the pond', 'at the top gate drain the pond', 'the boss shut the barn door',
    'saw the old dog feed the hens', 'lesson one drain the pond', 'tomorrow after work drain the pond', 'two drain the pond',
  ])('but not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})

describe('gate:explicit: a question that is over, or a break, before the request', () => {
  test.each([
    ['who\'s counting, feed the hens', 'feed-hens'],
    ['where is she, ah there, shut the barn door', 'shut-barn'],
    ['what a racket, drain the pond', 'drain-pond'],
    ['boots on okay feed the hens', 'feed-hens'],
    ['it is dry after all okay drain the pond', 'drain-pond'],
  ])('%s', (text, route) => { expect(askedOfFarm(text)).toEqual([route]) })
  test.each([
    'what did he say, feed the hens', 'who will do it, feed the hens', 'how does it go, drain the pond', 'what\'s the command, drain the pond', 'when do they come, drain the pond', 'what do I do, drain the pond', 'we may as well feed the hens',
    'who says, shut the barn door', 'what\'s next, drain the pond?', 'is it, feed the hens',
  ])('but not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})

describe('gate:explicit: what follows from a sentence is asked for; a label with a colon is not, unless it says how things are', () => {
  test.each([
    ['she knew where the corn is so feed the hens', 'feed-hens'],
    ['they miss their water and honestly so do I so drain the pond', 'drain-pond'],
    ['the vet keeps asking so phone the dairy', 'phone-dairy'],
    ['fourth time lucky: reset the shop scale', 'reset-scale'],
    ['that fox strikes again: shut the barn door', 'shut-barn'],
    ['I like this one um feed the hens', 'feed-hens'],
  ])('%s', (text, route) => { expect(askedOfFarm(text)).toEqual([route]) })
  test.each([
    'they told us to do so drain the pond', 'and the boss said so feed the hens', 'he must not so feed the hens', 'my new poem: feed the hens', 'lesson for beginners: drain the pond', 'she said again: drain the pond', 'he said um feed the hens', 'she might um feed the hens', 'if it is so drain the pond',
  ])('but not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})
