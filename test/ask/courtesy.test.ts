import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { askedOfFarm } from './farm.ts'
import { route } from './routes.ts'

describe('gate:explicit: courtesy of many kinds around a request', () => {
  test.each([
    ['do us a favour and feed the hens', 'feed-hens'],
    ['be nice and drain the pond', 'drain-pond'],
    ['I wonder if you\'d shut the barn door', 'shut-barn'],
    ['whenever you\'re happy with it please phone the dairy', 'phone-dairy'],
    ['feed the hens, sorry and thanks', 'feed-hens'],
    ['drain the pond, grazie a tutti', 'drain-pond'],
    ['reset the shop scale (finally!)', 'reset-scale'],
    ['drain (yes, now) the pond', 'drain-pond'],
    ['drain!! the pond!!', 'drain-pond'],
    ['for future me: reset the shop scale', 'reset-scale'],
  ])('%s', (text, route) => { expect(askedOfFarm(text)).toEqual([route]) })
  test.each(['be nice and never drain the pond', 'I wonder if you\'d ever drain the pond', 'sorry for what you did: feed the hens no more', 'drain (not now) the pond', 'drain (the other day) the pond', 'stop! the pond is drained', 'you only have to ask him to drain the pond'])('but not: %s', text => { expect(askedOfFarm(text)).toEqual([]) })
})

const clinic = createAskReader([
  route('book', ['book the hall for {date}', 'see {person} at {time}']),
  route('dna', ['run the dna match']),
  route('died', ['notify the registry that {animal} has died']),
])
const read = (text: string): string[] => clinic.read(text, []).asks.map(ask => `${ask.route}(${ask.captures.map(capture => capture.text).join(', ')})`)

describe('gate:explicit: months, initials, and a slot within a clause', () => {
  test.each([
    ['book the hall for 31 March', 'book(31 March)'],
    ['book the hall for the fourteenth of May', 'book(the fourteenth of May)'],
    ['see Sra. Ruiz at 5 pm', 'book(Sra. Ruiz, 5 pm)'],
    ['run the d.n.a. match', 'dna()'],
    ['notify the registry that Rosie has died', 'died(Rosie)'],
  ])('%s', (text, asked) => { expect(read(text)).toEqual([asked]) })
  test.each(['book the hall for 31 if May agrees', 'Rosie has died', 'they will notify the registry that Rosie has died'])('but not: %s', text => { expect(read(text)).toEqual([]) })
})

const shelf = createAskReader([route('publish', ['publish the {product}', 'put the {product} live']), route('drop', ['cancel {person}\'s visit', 'cancel the visit']), route('file', ['archive the {name} notebook'])])
const shelved = (text: string): string[] => shelf.read(text, []).asks.map(ask => `${ask.route}(${ask.captures.map(capture => capture.text).join(', ')})`)

describe('gate:explicit: an arrow of emphasis is no code, and a quotation may be a part of a name', () => {
  test.each([
    ['cancel -> Amir\'s visit!', 'drop(Amir)'],
    ['publish the "Fjord" blanket', 'publish("Fjord" blanket)'],
    ['archive the "odd ends" notebook', 'file(odd ends)'],
  ])('%s', (text, asked) => { expect(shelved(text)).toEqual([asked]) })
  test.each(['cancel->visit', 'on: cancel -> the visit; retry(2)', 'state.cancel -> visit()', 'publish the "Fjord" is what it says'])('but not: %s', text => { expect(shelved(text)).toEqual([]) })
})
