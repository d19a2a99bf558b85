import { expect, test } from 'vitest'
import { phraseWords } from '../../src/match/phrase-words.ts'

test.each([
  ['Open the Console!', 'open the console'],
  ['remind me to {task}', 'remind me to'],
  ['set a timer for {duration:duration} called {name}', 'set a timer for called'],
  ['{who:people} is here', 'is here'],
  ['{songTitle} {play_list:rest}', 'song title play list'],
  ['{constructor}', 'constructor'],
  ['a { b', 'a { b'],
  ['', ''],
])('%j is embedded as %j', (text, words) => {
  expect(phraseWords(text)).toBe(words)
})
