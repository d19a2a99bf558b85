/** Triggers of two or three words, and slots that open a sentence: one word before them says that it is told, denied or put off. */
import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const reader = createAskReader([
  route('lamp', ['lamp off', '{place} lamp off']), route('ring', ['ring', 'ring change', 'change the rings']), route('sync', ['sync']), route('grant', ['grant {person} access to {book}', 'give {person} access to {book}']),
  route('paint', ['paint {thing}']), route('tell', ['tell the crew {text}', 'let {person} know {text}', 'tell the crew that {text}']), route('note', ['note {text}']), route('close', ['close the {gate} gate', 'close {gate}']),
])
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)
const none = (texts: readonly string[]): void => { test.each(texts)('%s', text => { expect(asked(text)).toEqual([]) }) }
const ask = (table: readonly (readonly [string, string])[]): void => { test.each(table)('%s', (text, name) => { expect(asked(text)).toEqual([name]) }) }

describe('gate:explicit: told or denied by the word before it', () => {
  none(['mum turned lamp off', 'she leaves lamp off', 'a switch marked lamp off', 'no sync', 'no sync please', 'undo lamp off', 'the letter headed close the north gate', 'no close the north gate que todavía no'])
  ask([['lamp off', 'lamp'], ['hall lamp off', 'lamp'], ['no, sync', 'sync'], ['no, close the north gate', 'close'], ['um no close the north gate', 'close'], ['no no sync', 'sync']])
})

describe('gate:explicit: a slot in front holds no condition and no verb', () => {
  none(['once Ms Haldane signs, grant her access to the ledger', 'the moment she walks in give Bo access to the ledger', 'stop the paint', 'paint later', 'note it later', 'I\'ve access to the ledger'])
  ask([['grant Bo access to the ledger', 'grant'], ['paint the later one', 'paint'], ['note it is later than we thought', 'note']])
})

describe('gate:explicit: a message that says when, or what the speaker wants to be told', () => {
  none(['tell the crew that the soup is hot but only when they ask', 'tell the crew as soon as the boat is in, not before', 'let me know who she is', 'tell me what the crew wrote'])
  ask([['tell the crew that the soup is hot', 'tell'], ['let Bo know who she is', 'tell'], ['tell the crew as soon as we land we eat', 'tell'], ['tell the crew it is nothing but rain', 'tell']])
})

describe('gate:explicit: taken back by what comes after', () => {
  none(['close the north gate. Chair says recount, so don\'t', 'close the north gate — wait, Bo is still out. Don\'t close', 'close the north gate. oh heck, no, keep it going', 'close the north gate. don\'t do that', 'tell the crew the key is... oh they have it', 'close the north gate, laat zitten', 'Proofread only, do not act: Close the north gate.'])
  ask([['close the north gate. Don\'t close the south one', 'close'], ['tell the crew they have it', 'tell']])
})
