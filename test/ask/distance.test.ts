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
  ])('%s', text => { expect(asked(text)).toHaveLength(1) })
})
