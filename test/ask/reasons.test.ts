import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { isReason } from '../../src/vocabulary/outcomes.ts'
import { route } from './routes.ts'

const reader = createAskReader([
  route('gate', ['open the garden gate', 'let the gate swing open']), route('lamp', ['turn the porch lamp on', 'sprinklers on']),
  route('letter', ['send a letter to {someone}', 'delete my drafts', 'water {bed}']), route('tor', ['öffne das große Tor']),
])
const near = (route: string, phrase: string) => [{ route, phrase, score: 0.45, exact: false }]
const reasons = (text: string, candidates = near('gate', 'open the garden gate')): string[] => reader.read(text, candidates).notAsks.map(item => `${item.route} ${item.reason}`)

describe('outcome:distinct: a request that breaks off says so', () => {
  test.each([
    ['open the', 'gate'], ['could you open the garden', 'gate'], ['delete my', 'letter'], ['please send a letter to', 'letter'], ['send a', 'letter'], ['water the', 'letter'], ['ok. so, um, water', 'letter'],
    ['turn the porch lamp', 'lamp'],
  ])('%s', (text, name) => {
    expect(reader.read(text, []).asks).toEqual([])
    expect(reasons(text)).toContain(`${name} abstain:incomplete`)
  })
  test.each(['he said to open the', 'did you open the', 'open the window', 'open the garden gate', 'delete my account'])('%s does not break off', text => {
    expect(reasons(text).some(reason => reason.endsWith('incomplete'))).toBe(false)
  })
  test('nothing is offered for it', () => { expect(reader.read('could you open the garden', near('gate', 'open the garden gate')).notAsks.every(item => !item.offer)).toBe(true) })
})

describe('outcome:distinct: a request for the opposite says so, and is never an ask or an offer', () => {
  test.each([['close the garden gate', 'gate'], ['please shut the garden gate', 'gate'], ['turn off the porch lamp', 'lamp'], ['turn the porch lamp off, would you', 'lamp'], ['restore my drafts', 'letter']])('%s', (text, name) => {
    const { asks, notAsks } = reader.read(text, near('gate', 'open the garden gate'))
    expect(asks).toEqual([])
    expect(notAsks.find(item => item.reason === 'abstain:opposite')).toMatchObject({ route: name, offer: false })
  })
  test.each(['he closed the garden gate', 'did you close the garden gate?', 'close the kitchen window', 'turn the porch lamp on'])('%s asks for no opposite', text => {
    expect(reasons(text).some(reason => reason.endsWith('opposite'))).toBe(false)
  })
})

describe('outcome:distinct: a text in a language that no trigger is in says so', () => {
  test.each(['mach bitte die Tür zum Garten auf', 'ouvre la porte du jardin', 'abre la puerta del jardín por favor', 'apri il cancello del giardino per me', 'abre o portão para mim agora', 'doe het hek van de tuin open', 'открой калитку в сад'])('%s', text => {
    expect(reader.read(text, []).asks).toEqual([])
    expect(reasons(text)).toContain('gate abstain:language')
  })
  test('far from every route it is nothing at all', () => { expect(reader.read('ouvre la porte du jardin', [{ route: 'gate', phrase: 'open the garden gate', score: 0.1, exact: false }]).notAsks).toEqual([]) })
  test('a route with a trigger in that language is asked by its trigger, and not called foreign', () => {
    expect(reader.read('bitte öffne das große Tor', []).asks.map(ask => ask.route)).toEqual(['tor'])
    expect(reasons('ist das große Tor noch auf oder nicht', near('tor', 'öffne das große Tor')).some(reason => reason.endsWith('language'))).toBe(false)
  })
  test.each(['open the garden gate, bitte', 'por favor open the garden gate', 'the menu says crème brûlée and pain au chocolat'])('%s is English', text => {
    expect(reasons(text).some(reason => reason.endsWith('language'))).toBe(false)
  })
  test('the three reasons are in the vocabulary', () => { for (const reason of ['language', 'opposite', 'incomplete']) expect(isReason('not-explicit', `abstain:${reason}`)).toBe(true) })
})
