import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const club = createAskReader([
  route('end-standing-order', ['cancel the {club} standing order', 'stop the standing order to {club}']),
  route('defer', ['postpone the {match} draw']),
])
const asked = (text: string): string[] => club.read(text, []).asks.map(ask => ask.route)

describe('gate:explicit: a verb with its particle is no other verb misheard', () => {
  test.each(['set up chess standing order', 'set up the chess standing order', 'set up my chess standing order'])('not: %s', text => { expect(asked(text)).toEqual([]) })
  test.each([
    ['stop the standing order to chess', 'end-standing-order'],
    ['can sell the chess standing order', 'end-standing-order'],
    ['post pone the chess draw', 'defer'],
  ])('still heard: %s', (text, name) => { expect(asked(text)).toEqual([name]) })
})

describe('gate:explicit: a slot put first takes no clause in which somebody else does it', () => {
  const files = createAskReader([route('upload', ['upload {file}', 'upload the file {file}'])])
  const read = (text: string): string[] => files.read(text, []).asks.map(ask => ask.route)
  test.each(['Okay. Give me a minute while I upload it.', 'hang on while we upload it', 'tell me when they upload it'])('not: %s', text => { expect(read(text)).toEqual([]) })
  test.each(['that photo, upload it', 'upload the report'])('still read: %s', text => { expect(read(text)).toEqual(['upload']) })
})
