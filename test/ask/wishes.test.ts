import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const reader = createAskReader([
  route('vents', ['open the roof vents', 'let some air in']), route('soak', ['water {bed}', 'water {bed} for {minutes}']), route('log', ['log {amount} of {crop}']),
  route('call', ['wake {person}', 'kick {player}', 'look after {guest}']), route('horn', ['sound the horn', 'give {count} blasts']), route('oven', ['set {unit} to {temperature}', 'turn {unit} off']),
  route('drafts', ['delete my drafts']), route('word', ['ban the word {word}']),
])
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)
const held = (text: string): Record<string, string> => Object.fromEntries(reader.read(text, []).asks.flatMap(ask => ask.captures.map(capture => [capture.slot.name, capture.text])))

describe('gate:explicit: wishes and suggestions ask where nothing follows', () => {
  test.each([
    'I would like to open the roof vents', 'I\'d like to open the roof vents please', 'ok so I want to open the roof vents now', 'let\'s open the roof vents', 'do open the roof vents', 'please do open the roof vents',
    'do open the roof vents, it is stifling in here', 'you can open the roof vents now', 'Usher, open the roof vents', 'we\'d like you to open the roof vents', 'open the roof vents whenever you like', 'go and open, open the roof vents',
  ])('%s', text => { expect(asked(text)).toEqual(['vents']) })
  test.each([
    'I would like to open the roof vents but the wind is too strong', 'I\'d like to know who may open the roof vents', 'I want to open the roof vents before the party', 'let\'s not open the roof vents', 'let\'s open the roof vents when it stops raining',
    'do open roof vents leak?', 'you can open the roof vents', 'please do not open the roof vents', 'Bob would like to open the roof vents', 'do you open the roof vents', 'I\'d like to open the roof vents?', 'she says let\'s open the roof vents',
  ])('%s asks for nothing', text => { expect(asked(text)).toEqual([]) })
})

describe('gate:explicit: around a request', () => {
  test.each([
    'Dear assistant, delete my drafts. Yours, Bob', 'delete my drafts.\nKind regards\nAnn', 'delete my drafts and archive the newest', 'delete my drafts and print the last two', 'delete my drafts, Ann\'s too', 'delete my drafts, hers as well',
    'whoever is nearest, sound the horn', 'someone, sound the horn', 'Priyanka, sound the horn', 'sound the horn please, Tom', 'sound the horn... no, they have turned', 'sound the horn. No, hang on, don\'t', 'sound the horn. no, sorry, leave it',
    'sound the horn, pay, go home', 'Sound the Horn | Sea Songs', 'Sound the Horn (live)', 'Sound the Horn! A memoir', 'sound the horn in ten', 'sound the horn overnight', 'delete my drafts, nope, undo', 'sound the horn, lights, ropes: that\'s my round',
  ])('%s', text => { expect(asked(text)).toEqual([]) })
  test.each(['delete my drafts. Thanks!', 'delete my drafts, thanks', 'hello assistant, delete my drafts please', 'sound the horn, no rush'])('%s asks', text => { expect(asked(text)).toHaveLength(1) })
})

describe('gate:explicit: what a slot holds', () => {
  test.each<[string, Record<string, string>]>([
    ['log two kilos of plums', { amount: 'two kilos', crop: 'plums' }], ['log half a bucket of runner beans', { amount: 'half a bucket', crop: 'runner beans' }], ['water the back border for 25', { bed: 'the back border', minutes: '25' }],
    ['water the pots by the door', { bed: 'the pots by the door' }], ['water everything in the greenhouse', { bed: 'everything in the greenhouse' }], ['kick the one with the llama skin', { player: 'the one with the llama skin' }],
    ['water the roses, no, the dahlias', { bed: 'the dahlias' }], ['turn the fan off, sorry, the lamp', { unit: 'the lamp' }], ['wake Torres, no, Ibanez', { person: 'Ibanez' }], ['those guests, look after them', { guest: 'those guests' }],
    ['set the freezer to -80', { unit: 'the freezer', temperature: '-80' }], ['give tweny blasts', { count: 'tweny' }], ['ban the word noob', { word: 'noob' }],
  ])('%s', (text, slots) => { expect(held(text)).toMatchObject(slots) })
  test.each([
    'water the', 'wake up and smell the coffee', 'kick the bucket', 'wake turbulence is no joke', 'set the results to music', 'kick-ass 2', 'water down the paint', 'log a complaint of mine about the noise with the council tomorrow',
    'wake, eat, run, sleep', 'set the oven to music', 'give a link please',
  ])('%s asks for nothing', text => { expect(asked(text)).toEqual([]) })
})

describe('gate:explicit: more of what people write around a request', () => {
  test.each(['sound the horn the day before the race', 'sound the horn at closing', 'wake: a memoir of sleep', 'Wake the Giants (remix)', 'Sound the Horn, Brave Sailors', 'sound the horn. hang on, not those, never mind', 'sound the horn, hold on, leave it as it is'])('%s asks for nothing', text => { expect(asked(text)).toEqual([]) })
  test.each<[string, string]>([['wter the roses', 'soak'], ['open the roof vents a touch please', 'vents'], ['water the, um, picture border', 'soak'], ['wake: Torres!', 'call']])('%s asks', (text, name) => { expect(asked(text)).toEqual([name]) })
})
