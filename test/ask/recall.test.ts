import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { askedOfFarm, readByFarm } from './farm.ts'
import { route } from './routes.ts'

const yard = createAskReader([
  route('bench-member', ['bench {member}']),
  route('book-crates', ['order {count:number} crates', 'send {count:number} crates to {customer}']),
  route('check-fences', ['check the fences again']),
  route('hide-ledger', ['make the ledger private']),
  route('pour-cider', ['pour me a cider']),
  route('block', ['block {caller}']),
  route('polish', ['polish the copper kettle']),
])
const askedOfYard = (text: string): string[] => yard.read(text, []).asks.map(ask => `${ask.route}(${ask.captures.map(capture => capture.text).join(', ')})`)

describe('gate:explicit: talk that breaks off in a hesitation is over', () => {
  test.each(['three stalls and a tent um feed the hens', 'empty troughs phew feed the hens', 'two lots of muck ugh feed the hens'])('%s', text => { expect(askedOfFarm(text)).toEqual(['feed-hens']) })
  test.each(['nobody um feed the hens', 'she might um feed the hens', 'the sign says um feed the hens', 'if it rains um feed the hens', 'our neighbours um feed the hens', 'why would Ada um feed the hens'])('not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})

describe('gate:explicit: what is said twice is an exclamation, what is done meanwhile no condition, and "did" is over', () => {
  test.each([
    ['muddy boots muddy boots shut the barn door', 'shut-barn'],
    ['while I look for the torch: shut the barn door', 'shut-barn'],
    ['it needed doing on Sunday and he never did so feed the hens', 'feed-hens'],
    ['she is at the foot of the ramp feed the hens', 'feed-hens'],
    ['I\'m back feed the hens', 'feed-hens'],
  ])('%s', (text, asked) => { expect(askedOfFarm(text)).toEqual([asked]) })
  test.each(['never never feed the hens', 'they say they say feed the hens', 'while nobody feeds them: feed the hens', 'he never said so feed the hens', 'the in-feed the hens'])('not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})

describe('gate:explicit: after a courtesy comes a sentence of its own, or who is spoken to', () => {
  test.each(['could you feed the hens please they look thin', 'feed the hens pls everyone\'s waiting', 'feed the hens please farmer', 'feed the hens please the kids need water'])('%s', text => { expect(askedOfFarm(text)).toEqual(['feed-hens']) })
  test.each(['feed the hens please said the sign', 'feed the hens please tomorrow', 'feed the hens please Agnes', 'feed the hens please button', 'feed the hens please if it rains', 'feed the hens please no', 'feed the hens please he says'])('not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})

describe('gate:explicit: marks that shout are no question and no end', () => {
  test.each(['feed the hens!?!', 'feed! the! hens!', 'feed the hens?! yes'])('%s', text => { expect(askedOfFarm(text)).toEqual(['feed-hens']) })
  test.each(['feed the hens?', 'feed the hens?!', 'feed the hens??'])('not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})

describe('gate:explicit: slips that no dictionary of what people say explains', () => {
  test.each([
    ['blpck my uncle', ['block(my uncle)']],
    ['plish the coper kettle', ['polish()']],
    ['paint my uncle', []],
    ['black my uncle', []],
  ])('%s', (text, asked) => { expect(askedOfYard(text)).toEqual(asked) })
  test('a handle is a name where a slot is for somebody, and code anywhere else', () => {
    expect(askedOfYard('bench MuddyPaws')).toEqual(['bench-member(MuddyPaws)'])
    expect(askedOfYard('block getItem')).toEqual([])
  })
  test.each([
    ['order too crates', ['book-crates(too)']],
    ['send ate crates to Ada', ['book-crates(ate, Ada)']],
    ['order the crates', []],
  ])('a number is heard where only a number can stand: %s', (text, asked) => { expect(askedOfYard(text)).toEqual(asked) })
})

describe('gate:explicit: what is said of an object stays with the verb when the object comes first', () => {
  test.each([
    ['the fences, check them again', 'check-fences()'],
    ['the ledger, make it private', 'hide-ledger()'],
    ['a cider, pour me one', 'pour-cider()'],
  ])('%s', (text, asked) => { expect(askedOfYard(text)).toEqual([asked]) })
  test.each(['the fences, he checked them again', 'the ledger, don\'t make it private', 'the ledger, make it'])('not: %s', text => { expect(askedOfYard(text)).toEqual([]) })
  test('the slots are where they were', () => { expect(readByFarm('to 220, heat the bread oven')).toEqual(['heat-oven(degrees=220)']) })
})
