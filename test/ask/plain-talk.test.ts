import { expect, test } from 'vitest'
import { isTalk } from '../../src/ask/plain-talk.ts'
import { createAskReader } from '../../src/ask/reader.ts'
import { tokenise } from '../../src/ask/tokens.ts'

const talk = (text: string): boolean => isTalk(text, tokenise(text))

test.each([
  'the kiln was fired by somebody yesterday', 'did the pump in the cellar ever stop by itself?', 'she said the lamp looks tired', 'why does the shed smell of paint?', 'the shutters never close properly', 'a new image was published for us',
  'fix: keep the lock while the file is written', 'chore(deps): bump the parser', 'Add a guide to the shutters (#478)', '[INFO] Closing the door', '12:21:46.383 close the file', 'array_queue pop_back() may cause a fault', 'copy /net/build/tools/door/open.sh',
])('nothing in it could be an order: %s', text => {
  expect(talk(text)).toBe(true)
})

test.each([
  'get that kiln going', 'could you see to the kiln', 'i need the pump on', 'the kiln is cold now, shift it', 'my pass has run out sort me a renewal', 'she is outside open the door to her', 'the phone case is going back sort out the refund',
  'that was loud so mute', 'lights out', 'dark theme on', 'prescription to Boots, no, to Day Lewis', 'bike lights up now', 'is it time for the pump?', 'one pump please', 'let the hens out', 'the tour is over: close up', 'no more pumping', '', '...',
])('it may be an order, or nothing tells that it is none: %s', text => {
  expect(talk(text)).toBe(false)
})

test('a text that is too long for a trained reader is left to others', () => {
  expect(talk(`the kiln was fired ${'again '.repeat(700)}`)).toBe(false)
})

test('the reading says so, and only where nothing was asked', () => {
  const phrases = [{ text: 'fire the kiln', template: 'fire the kiln', parts: [{ kind: 'text' as const, text: 'fire the kiln' }] }]
  const reader = createAskReader([{ name: 'kiln', phrases, not: [], lists: new Map() } as never])
  expect(reader.read('the kiln was fired by somebody', []).talk).toBe(true)
  expect(reader.read('could somebody see to it', []).talk).toBeUndefined()
  expect(reader.read('fire the kiln', []).talk).toBeUndefined()
})
