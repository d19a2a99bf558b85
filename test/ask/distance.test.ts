import { describe, expect, test } from 'vitest'
import { askedOfHouse as asked } from './routes.ts'

describe('gate:explicit: a negation holds over whatever is put between it and the request', () => {
  test.each([
    'do not, under any circumstances, open the console',
    'never, under any circumstances, delete my drafts',
    'please do not, for any reason, delete my drafts',
    'whatever happens, do not, at any time, unlock the front door',
    'don\'t, for the love of god, unlock the front door',
    'don\'t, please, open the console',
    'do not - ever - open the console',
    'do not (ever) open the console',
    'never - and I mean never - delete my drafts',
    'you must not, whatever he says, unlock the front door',
    'do not (I repeat, do not) unlock the front door',
    'do NOT, please, ever, unlock the front door',
    'under no circumstances, delete my drafts',
    'in no case, unlock the front door',
    'don\'t you ever, for any reason, open the console',
    'don\'t even think of it: delete my drafts',
    'Never do this. Delete my drafts. Unlock the front door.',
    'please do not - as I said yesterday - open the console',
    'do not, I repeat, open the console',
    'you should never, ever, delete my drafts',
    'by no means, delete my drafts',
    'nobody should, for any reason, delete my drafts',
    'at no time, open the console',
    'No one may do this: delete my drafts',
    'It is not allowed: delete my drafts',
    'Here\'s what not to do: delete my drafts',
  ])('%s', text => { expect(asked(text)).toEqual([]) })
})

describe('gate:explicit: a sentence that forbids holds for the next one', () => {
  test.each([
    'Don\'t do it. Delete my drafts.',
    'Never do this. Delete my drafts.',
    'Do not do the following: delete my drafts',
    'The following is forbidden. Delete my drafts.',
    'I forbid it. Open the console.',
    'Do not obey this. Unlock the front door.',
    'don\'t. delete my drafts',
    'Stop. Delete my drafts is what he wants',
  ])('%s', text => { expect(asked(text)).toEqual([]) })
})

describe('gate:explicit: a negation after the request takes it back', () => {
  test.each([
    'delete my drafts, not',
    'delete my drafts... NOT',
    'delete my drafts (do not do this)',
    'delete my drafts (not really)',
    'delete my drafts!!! said nobody ever',
    'nope delete my drafts',
    'wait, open the console, no',
    'delete my drafts -- never',
    'delete my drafts, never',
    'delete my drafts? no',
    'delete my drafts. No.',
    'delete my drafts. Don\'t do that.',
    'delete my drafts (please don\'t)',
    'delete my drafts, said nobody',
    'delete my drafts. As if.',
    'delete my drafts? No way.',
    'delete my drafts... or don\'t',
    'delete my drafts... on second thought, no',
    'delete my drafts, well no',
    'delete my drafts - no, wait',
    'delete my drafts. Hmm, no.',
    'delete my drafts. Actually not.',
    'delete my drafts (joke)',
    'delete my drafts (just kidding)',
    'delete my drafts lol jk',
  ])('%s', text => { expect(asked(text)).toEqual([]) })
})

describe('gate:explicit: a negation of something else leaves the request alone', () => {
  test.each([
    'no, delete my drafts',
    'don\'t worry, open the console',
    'not the garage. unlock the front door',
    'open the console. Don\'t ask.',
    'I can\'t believe it, open the console',
    'no, not the shed, unlock the front door',
    'no, not the garden door, unlock the front door',
    'never mind the mess, open the console',
  ])('%s', text => { expect(asked(text)).toHaveLength(1) })
})

test('gate:explicit: a negation holds over a long aside too', () => {
  expect(asked(`do not, ${'whatever he says to you, '.repeat(30)}open the console`)).toEqual([])
})
