import { expect, test } from 'vitest'
import { ChainedLists, PhraseList } from '../../src/ask/phrases-at.ts'
import { tokenise } from '../../src/ask/tokens.ts'
import { sentences } from '../../src/ask/words/expand.ts'

test('short hand gives every sentence once, in order, with single spaces', () => {
  expect(sentences(`
    [oh] (yes|i( have|'ve) [just] seen) it
    plain   words
  `)).toEqual(['oh yes it', 'oh i have just seen it', 'oh i have seen it', 'oh i\'ve just seen it', 'oh i\'ve seen it', 'yes it', 'i have just seen it', 'i have seen it', 'i\'ve just seen it', 'i\'ve seen it', 'plain words'])
})

test('two halves find what a list of all their pairs finds', () => {
  const [heads, tails, others] = ['[and] (that is|it is) [just] (the one|what)', '[that|which] (to|(i|we) want [you] to)', 'it is\nyou can [now]'].map(block => sentences(block))
  const all = new PhraseList([...others ?? [], ...(heads ?? []).flatMap(head => (tails ?? []).map(tail => `${head} ${tail}`))])
  const chained = new ChainedLists(new PhraseList(others ?? []), [new PhraseList(heads ?? []), new PhraseList(tails ?? [])])
  for (const text of ['the draft, and that is just the one that we want you to delete', 'it is what to delete', 'it is. what to', 'it is what. to delete', 'you can now that is the one', 'it is the one', 'constructor', '']) {
    const tokens = tokenise(text)
    for (let end = 0; end <= tokens.length; end++) for (let at = 0; at <= end; at++) expect(chained.lengthsAt(tokens, at, end)).toEqual(all.lengthsAt(tokens, at, end))
  }
})
