/** A condition, a later time, a denial or a taking back that an open slot, a pause or an adverb hid. Each table has its asks beside it. */
import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const reader = createAskReader([
  route('feed', ['feed the otter', 'feed {animal}']), route('paint', ['paint the {thing} {colour}', 'paint {thing}']), route('text', ['text {person} that {message}', 'text {person} {text}']), route('steam', ['turn on the steam whistle']),
])
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)
const none = (texts: readonly string[]): void => { test.each(texts)('%s', text => { expect(asked(text)).toEqual([]) }) }
const ask = (table: readonly (readonly [string, string])[]): void => { test.each(table)('%s', (text, name) => { expect(asked(text)).toEqual([name]) }) }

describe('gate:explicit: a slot does not take in when or if', () => {
  none([
    'paint the fence at Christmas', 'paint the fence over easter', 'paint the fence at some point', 'paint the fence one of these days', 'paint the fence in due course', 'paint the fence on my signal', 'paint the fence pending approval',
    'paint the fence subject to his approval', 'paint the fence the moment she rings', 'paint the fence so long as it\'s dry', 'feed the otter but only if Tom agrees', 'feed the otter, but only after I have spoken to Mia', 'feed the otter over the weekend',
  ])
  ask([['paint the fence on the left', 'paint'], ['feed the otter so it\'s quiet', 'feed'], ['paint the bench the blue of the sea', 'paint']])
})

describe('gate:explicit: taken back where no pause shows it', () => {
  none([
    'feed Bobo jk', 'feed Bobo just kidding', 'feed Bobo nvm', 'feed Bobo lol just joking', 'feed Bobo oops reverse that', 'feed Bobo. Already did it', 'feed Bobo. That was meant for Tom', 'feed Bobo. I wasn\'t talking to you', 'feed Bobo. Let\'s wait',
    'feed Bobo, let\'s leave it for now', 'feed Bobo. We can do it later', 'feed Bobo. That can wait', 'feed Bobo. On reflection, better not', 'feed Bobo. My bad, ignore', 'text Noor that — never mind, she\'s online', 'text Noor actually don\'t I\'ll ring her',
  ])
  ask([['feed Bobo lol', 'feed'], ['text Noor never mind the noise', 'text'], ['text Noor that she already did it', 'text'], ['feed Bobo. It can\'t wait', 'feed'], ['text Noor actually it starts at nine', 'text']])
})

describe('gate:explicit: a denial, also in another language', () => {
  none(['whatever happens never feed the otter', 'in this house we never feed the otter', 'feed Bobo nicht', 'feed Bobo pas encore', 'feed Bobo noch nicht', 'feed Bobo they shouted'])
  ask([['we never close so turn on the steam whistle', 'steam']])
})

describe('gate:explicit: whether it may be done, and how it is said', () => {
  none([
    'is it ok to feed the otter', 'is it possible to feed the otter', 'feed the otter, right?', 'how do you say feed the otter in french', 'repeat after me feed the otter', 'feed the otter — a guide', 'feed the otter (remix)', 'feed the otter [solved]', 'feed Bobo | grep x',
    '$ feed the otter', '>>> feed the otter', 'ann@desk:~$ feed the otter', 'feed the otter && exit', 'M104 S240 ; feed the otter',
  ])
  ask([['is it too much to ask to feed the otter', 'feed'], ['would it be ok to feed the otter', 'feed'], ['feed the otter, ok?', 'feed'], ['feed the otter right now', 'feed'], ['feed the otter (please)', 'feed']])
})
