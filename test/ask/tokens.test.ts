import { expect, test } from 'vitest'
import { tokenise } from '../../src/ask/tokens.ts'

test('a dot that begins a name ends no sentence; one that stands before the next sentence does', () => {
  const pauses = (text: string): readonly string[] => tokenise(text).map(token => token.pause)
  expect([pauses('remove the .so file'), pauses('remove it .so what')]).toEqual([['hard', 'space', 'space', 'space'], ['hard', 'space', 'hard', 'space']])
})
