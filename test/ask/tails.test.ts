/** What a short part after a comma says of the request before it, inside a slot or behind it. Each table has its asks beside it. */
import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const reader = createAskReader([
  route('oil', ['oil the hinges']), route('fetch', ['fetch {item}']), route('wire', ['wire {person} {message}', 'tell {person} {message}']), route('banner', ['change the banner to {picture}']),
  route('crew', ['let the crew know {message}']), route('split-wood', ['split the logs', 'split {name}\'s logs']),
])
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)

const none = (texts: readonly string[]): void => { test.each(texts)('%s', text => { expect(asked(text)).toEqual([]) }) }
const ask = (table: readonly (readonly [string, string])[]): void => { test.each(table)('%s', (text, name) => { expect(asked(text)).toEqual([name]) }) }

describe('gate:explicit: a part after a comma that speaks of the words', () => {
  none([
    'oil the hinges, grandpa\'s mantra', 'fetch more string, lol family motto', 'wire Ada nothing, haha motto', 'oil the hinges, words to live by', 'oil the hinges, chapter nine',
    'oil the hinges, that\'s in the manual', 'oil the hinges, story of my life', 'oil the hinges, the usual nagging', 'oil the hinges, testing', 'let the crew know it leaks, draft only',
  ])
  ask([['oil the hinges, the door is in a bad way', 'oil'], ['oil the hinges, per favore', 'oil'], ['fetch the string, the chapter house one', 'fetch'], ['let the crew know we sail, chapter two begins', 'crew']])
})

describe('gate:explicit: a part after a comma that tells whose words or work it is', () => {
  none(['oil the hinges, she kept saying', 'oil the hinges, according to him', 'oil the hinges, they hate that', 'oil the hinges, Oskar\'s job', 'oil the hinges, not you', 'oil the hinges, meant for Oskar', 'oil the hinges, wrong chat', 'oil the hinges, my uncle used to sing'])
  ask([['oil the hinges, they squeak', 'oil'], ['oil the hinges, she hates the noise', 'oil'], ['let the crew know sorry, wrong chat', 'crew']])
})

describe('gate:explicit: a part after a comma that finds it done, or doubts it', () => {
  none([
    'oil the hinges, oh they\'re done', 'oil the hinges, ah somebody did', 'oil the hinges, done', 'fetch the string, oh we have some', 'oil the hinges, not sure', 'oil the hinges, thinking out loud',
    'oil the hinges, isn\'t it', 'oil the hinges, like anyone listens', 'change the banner to the lake, hm, on reflection no',
  ])
  ask([['oil the hinges, oh they\'re so loud', 'oil'], ['oil the hinges, would you', 'oil']])
})

describe('gate:explicit: who is like, and who says after whom', () => {
  none(['my aunt\'s like, oil the hinges', 'she was like, oil the hinges', 'repeat after me, oil the hinges'])
  ask([['listen to me, oil the hinges', 'oil']])
})

describe('gate:explicit: what a slot for a message took in is no message', () => {
  none(['wire mesh is on the shelf', 'wire Ada wrote for the paper', 'tell me how it went', 'let the crew know tomorrow how it went', 'let the crew know sorry if late'])
  ask([['wire Ada it is on the shelf', 'wire'], ['let the crew know tomorrow is off', 'crew'], ['let the crew know we wait if it rains', 'crew'], ['tell Ada how it went', 'wire']])
})

describe('gate:explicit: a verb that has one form, before words that say when', () => {
  none(['Nora\'s logs split just now', 'Nora\'s logs split', 'Nora\'s logs split again'])
  ask([['split Nora\'s logs just now', 'split-wood'], ['split Nora\'s logs', 'split-wood']])
})
