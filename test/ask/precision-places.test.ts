/** Talk around a trigger, or in its slots, that shows that nobody is asked. Each table has its asks beside it. */
import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const reader = createAskReader([
  route('feed', ['feed the otter', 'feed {animal}']), route('text', ['text {person} {text}', 'text {person} that {message}']), route('reply', ['reply {text}', 'reply to {user} with {text}']),
  route('shelve', ['put {jar} on {day}', 'shelve {jar}']), route('mark', ['mark {parcel} as {status}']), route('carve', ['carve']), route('mend', ['mend the {net} net', 'mend {net}']),
  route('row', ['start rowing [the boat]']), route('steam', ['turn on the steam whistle']), route('tow', ['tow {lorry}']), route('cook', ['cook {meal}']),
])
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)
const none = (texts: readonly string[]): void => { test.each(texts)('%s', text => { expect(asked(text)).toEqual([]) }) }
const ask = (table: readonly (readonly [string, string])[]): void => { test.each(table)('%s', (text, name) => { expect(asked(text)).toEqual([name]) }) }

describe('gate:explicit: words about the words', () => {
  none([
    'feed the otter that\'s how you say it', 'feed the otter that\'s a tongue twister', 'I am painting five signs with phrases: feed the otter, turn on the steam whistle',
    'feed, the, otter, river', 'feed the otter, joked the keeper', 'turn on the steam whistle. Is what the foreman shouts', 'Shelve Plums in the Dark', 'Mend Your Broken Net', 'feed the_otter;',
  ])
  ask([['feed the otter that\'s a love', 'feed'], ['FEED THE OTTER', 'feed'], ['Turn On The Steam Whistle', 'steam'], ['feed, the otter', 'feed']])
})

describe('gate:explicit: what comes of it, or why it is left', () => {
  none([
    'tow the rope and you\'ve won', 'feed the otter and he sleeps', 'feed the otter, I pressed the wrong button', 'feed the otter oh actually he ate leave it', 'text Nora the boat is— forget it, I will go',
    'text Nora don\'t I will ring her', 'todavía no turn on the steam whistle', 'noch nicht turn on the steam whistle',
  ])
  ask([['feed the otter and I\'ll clean up', 'feed'], ['feed the otter and thanks', 'feed'], ['text Nora the boat is late', 'text'], ['text Nora don\'t wait for us', 'text']])
})

describe('gate:explicit: what a slot is not filled with', () => {
  none([
    'text Nora wrote on the back', 'reply to Sandra tomorrow with the prices', 'put the stove on at one eighty', 'put the kettle on in the kitchen', 'mark the crate as lost if nobody calls', 'mend the fisher\'s coat on net',
    'cook the books', 'mend my sister\'s ways', 'mend something', 'shelve the jar away', 'shelve wait', 'shelve that jar what a colour', 'feed Bob is a thing we say, no otter',
  ])
  ask([['put the plums on Friday', 'shelve'], ['mark the crate as lost', 'mark'], ['mend the trawl net', 'mend'], ['cook the trout', 'cook'], ['reply to Sandra with the new prices', 'reply'], ['shelve the jar', 'shelve']])
})

describe('gate:explicit: an object follows that is not the trigger\'s', () => {
  none(['carve the cake while it\'s warm', 'start rowing my bed I mean is it even a boat'])
  ask([['carve', 'carve'], ['start rowing my arms are fresh', 'row']])
})

const boat = createAskReader([
  route('hoist', ['sail up', 'hoist the sail']), route('set-lamp', ['set the lamp to {level}']), route('log', ['log {text}', 'write down {text}']), route('reset-code', ['reset {sailor}\'s code']), route('hire', ['hire {cook}']),
  route('berth', ['put {sailor} in berth {number}']), route('light', ['lamps on']), route('dark', ['lamps off']), route('signal', ['signal all clear']),
])
const askedOfBoat = (text: string): string[] => boat.read(text, []).asks.map(found => found.route)

describe('gate:explicit: a state that is told, a choice that is left, another verb', () => {
  test.each([
    'the sail\'s up, we\'re off', 'the lamp\'s set to nine, I checked it', 'Hedda\'s code reset', 'my aunt has put herself in berth two', 'log in to the harbour page', 'log user-qz overview', 'write down is written on my hand',
    'would you hire a baker or a butcher', 'no log he said', 'hoist the sail no it is torn', 'signal all clear hm no there is a boat', 'signal all clear and they will come', 'hoist the sail, easy for you', 'signal all clear, grandpa\'s phrase',
    'it\'s written on the mast, HOIST THE SAIL', 'Rules of the house: hoist the sail; signal all clear; go home; sleep.', 'on: push\nhoist the sail:\n  now', 'hoist the sail, hm, leave it', 'log and other words',
  ])('%s', text => { expect(askedOfBoat(text)).toEqual([]) })

  test.each([
    ['hoist the sail, no worries', 'hoist'], ['lamps on, sorry, lamps off', 'dark'], ['put Hedda in berth two', 'berth'], ['log the wind is up', 'log'], ['log on my way to the pier', 'log'], ['hire a baker', 'hire'], ['set the lamp to six no seven', 'set-lamp'],
    ['signal all clear and thank you', 'signal'], ['reset Hedda\'s code', 'reset-code'],
  ])('%s', (text, name) => { expect(askedOfBoat(text)).toEqual([name]) })
})
