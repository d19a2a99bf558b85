import { describe, expect, test } from 'vitest'
import { askedOfHouse as asked } from './routes.ts'

describe('gate:explicit: what is asked of somebody else is not asked of this listener', () => {
  test.each([
    'could Bob delete my drafts',
    'could the cleaner unlock the front door',
    'Bob, can you unlock the front door',
    'officer, please unlock the front door',
    'alexa, unlock the front door',
    'would Ann please unlock the front door',
    'can the kids unlock the front door',
    'should Bob unlock the front door',
    'will my brother delete my drafts',
    'let Bob delete my drafts',
    'have Bob unlock the front door',
    'make Ann delete my drafts',
    'Ann, unlock the front door',
    'Hey Bob, unlock the front door',
    'dear Bob, please unlock the front door',
    'Dad, can you unlock the front door',
    'mum, unlock the front door',
    'doctor, please unlock the front door',
    'Bob unlock the front door',
    'hey siri, unlock the front door',
    'ok google, unlock the front door',
    'waiter, open the console',
    'Mr Smith, please unlock the front door',
    'unlock the front door, Bob',
    'unlock the front door, officer',
    '@bob delete my drafts',
  ])('%s', text => { expect(asked(text)).toEqual([]) })
})

describe('gate:explicit: this listener and courtesy are no other person', () => {
  test.each([
    'hey usher, delete my drafts',
    'computer, open the console',
    'assistant, open the console',
    'could you please open the console',
    'hey, unlock the front door',
    'mate, open the console',
    'unlock the front door, mate',
  ])('%s', text => { expect(asked(text)).toHaveLength(1) })
})
