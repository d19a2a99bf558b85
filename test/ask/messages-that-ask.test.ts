import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const shop = createAskReader([
  route('tell-baker', ['tell the baker {text:rest}', 'put up a card saying {text:rest}']),
  route('need', ['we need {item}', 'add {item} to the list']),
  route('force-close', ['force quit {app}', 'close the {app} app']),
  route('undo-price', ['roll back {product}', 'roll back the prices']),
  route('mark', ['label it {label}', 'add the {label} label']),
])
const read = (text: string): string[] => shop.read(text, []).asks.map(ask => `${ask.route}(${ask.captures.map(capture => capture.text).join(', ')})`)

describe('gate:explicit: a message that asks is passed on; a question to the listener is none', () => {
  test.each([
    ['tell the baker did the rye arrive?', 'tell-baker(did the rye arrive)'],
    ['put up a card saying has anyone seen the cat?', 'tell-baker(has anyone seen the cat)'],
    ['tell the baker how many loaves are left?', 'tell-baker(how many loaves are left)'],
  ])('%s', (text, asked) => { expect(read(text)).toEqual([asked]) })
  test.each(['did you tell the baker the rye is ready?', 'tell the baker what?', 'who will tell the baker the rye is ready?'])('but not: %s', text => { expect(read(text)).toEqual([]) })
})

describe('gate:explicit: after a verb a slot holds any noun; after a noun only a name or a number', () => {
  test.each([
    ['we need rice', 'need(rice)'],
    ['force quit photoshop', 'force-close(photoshop)'],
    ['roll back butter', 'undo-price(butter)'],
    ['label it urgent', 'mark(urgent)'],
  ])('%s', (text, asked) => { expect(read(text)).toEqual([asked]) })
  test.each(['do we need rice', 'rollback plan', 'no force quit', 'why do we need rice'])('but not: %s', text => { expect(read(text)).toEqual([]) })
})
