/** Talk that holds a trigger word for word, by what shows that it is none. Each table has its asks beside it. */
import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const reader = createAskReader([
  route('wind-clock', ['wind the clock', 'wind my {clock} clock']), route('polish', ['polish the brass', 'give the brass a polish']), route('pack', ['pack {item}', 'put {item} in the crate']),
  route('lend', ['lend {amount} to {person}', 'lend {person} {amount}']), route('count', ['count {amount} of {grain}']), route('seat', ['seat {guest} at {table}', 'bring {guest} to {table}']),
  route('tell', ['let the cook know {news}']), route('set-dial', ['set the dial to {mark}']), route('tow', ['tow my {lorry}', 'tow the {lorry}']), route('cage', ['put the parrot to bed']),
])
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)

const none = (texts: readonly string[]): void => { test.each(texts)('%s', text => { expect(asked(text)).toEqual([]) }) }
const ask = (table: readonly (readonly [string, string])[]): void => { test.each(table)('%s', (text, name) => { expect(asked(text)).toEqual([name]) }) }

describe('gate:explicit: what is only named is not asked for', () => {
  none([
    'wind the clock, weekly ritual', 'polish the brass, old wisdom', 'pack the lamp, interview question', 'polish the brass, task 4', 'wind the clock, note to self',
    'wind the clock, wind the other one, that\'s all I ever do', 'polish the brass, wind the clock, sing: my Sunday', 'pack wedding gift reminder', 'pack size of the crate',
  ])
  ask([
    ['polish the brass, guests arriving', 'polish'], ['wind the clock, second floor', 'wind-clock'], ['polish the brass, it looks awful', 'polish'], ['wind the clock, quick', 'wind-clock'],
    ['polish the brass, many thanks', 'polish'], ['pack the size of the tent', 'pack'],
  ])
})

describe('gate:explicit: a bare "no" before the verb denies it', () => {
  none(['guests gone, no polish', 'clock stopped, no wind', 'no polish, tidy the brass'])
  ask([['no, polish the brass', 'polish'], ['yeah no polish the brass', 'polish'], ['pack the lamp no the kettle', 'pack']])
})

describe('gate:explicit: a reason to stop is no correction', () => {
  none([
    'pack the lamp, wait, lunch first', 'pack the kettle, wait found another', 'pack the kettle, no, fits nowhere', 'wind the clock hm no', 'wind the clock hang on no it is wound',
    'wind the clock.. wound it nvm', 'wind the clock. Oh, it runs. Never mind that.', 'set the dial to six no it came loose',
  ])
  ask([['pack the lamp, wait, the kettle', 'pack'], ['pack the lamp, no, the first kettle', 'pack'], ['set the dial to six no seven', 'set-dial']])
})

describe('gate:explicit: words of others, told with a verb of uttering', () => {
  none(['everybody at the door is shouting polish the brass', 'somebody is screaming wind the clock', 'Agnes would have us polish the brass', 'put the parrot to bed already'])
  ask([['put the parrot to bed already please', 'cage'], ['they are so loud, alright, wind the clock', 'wind-clock']])
})

describe('gate:explicit: a slot holds no other measure, act or time than it is for', () => {
  none([
    'lend 3 photos to Mia', 'lend Mia two parrots', 'count a delivery of the rye', 'seat Mia to polish the brass', 'bring Mia to see the brass', 'let the cook know if it rains',
    'pack the tent on 28th', 'pack the tent in october', 'pack the tent tonight 2am', 'pack the tent in march not now', 'set the dial to nine for the finale only', 'tow my phone', 'tow the back door', 'pack ugh',
  ])
  ask([
    ['lend 3 pounds to Mia', 'lend'], ['lend Mia twenty', 'lend'], ['count two sacks of rye', 'count'], ['seat Mia at the round table', 'seat'], ['let the cook know it rains', 'tell'],
    ['set the dial to nine only', 'set-dial'], ['tow my tractor', 'tow'], ['tow the old golf', 'tow'], ['pack the march music', 'pack'],
  ])
})
