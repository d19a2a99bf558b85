import { describe, expect, test } from 'vitest'
import { kindsOf } from '../../src/ask/kinds.ts'
import { createAskReader } from '../../src/ask/reader.ts'
import { boundsOf } from '../../src/ask/slot-kinds.ts'
import { route } from './routes.ts'

const reader = createAskReader([
  route('visit', ['drop in on {neighbour}']), route('walk-to', ['walk me to {place}']), route('grill', ['grill {meal}']), route('stable', ['stable {animal} for the night']),
  route('fetch', ['fetch {thing}']), route('share', ['share this drawing to {place}']), route('hire', ['charter {scooter}']),
])
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)
const reason = (text: string): string | undefined => reader.read(text, []).notAsks[0]?.reason

describe('gate:explicit: a slot that is named for people, places or food holds nothing else', () => {
  test.each([
    'drop in on the oven', 'drop in on my prescription at the chemist', 'drop in on the delivery of the crates', 'drop in on receipts',
    'walk me to the settings page', 'walk me to the end of the song', 'grill the windscreen', 'grill the price of the pie', 'stable the spanner for the night',
    'charter a look', 'WALK ME TO THE HEADLINE',
  ])('%s', text => {
    expect(asked(text)).toEqual([])
    expect(reason(text)).toBe('abstain:other-object')
  })

  test.each([
    ['drop in on the dentist', 'visit'], ['drop in on Marta', 'visit'], ['drop in on the lady upstairs', 'visit'], ['drop in on the bakery', 'visit'], ['drop in on the rowing club', 'visit'],
    ['drop in on the choir lead', 'visit'], ['drop in on bram', 'visit'], ['walk me to the library', 'walk-to'], ['walk me to the cash machine', 'walk-to'], ['walk me to the vet', 'walk-to'],
    ['walk me to the study', 'walk-to'], ['walk me to Quay Nine', 'walk-to'], ['grill the mackerel', 'grill'], ['grill the mac and cheese', 'grill'], ['grill half a loaf of rye', 'grill'],
    ['grill the rolls', 'grill'], ['stable the mare for the night', 'stable'], ['fetch the spanner', 'fetch'], ['fetch the price list', 'fetch'], ['share this drawing to the album', 'share'],
    ['charter the tall one', 'hire'],
  ])('%s', (text, name) => { expect(asked(text)).toEqual([name]) })

  test('a word of the route itself always fits', () => {
    const own = createAskReader([route('block', ['block {caller}', 'block this number'])])
    expect(own.read('block that number', []).asks.map(ask => ask.route)).toEqual(['block'])
    expect(own.read('block the handle', []).asks).toEqual([])
  })
})

describe('kinds of nouns', () => {
  test.each([['dentist', 'p'], ['dentists', 'p'], ['women', 'p'], ['kitchen', 's'], ['lorry', 'v'], ['lorries', 'v'], ['spinach', 'f'], ['oak', 'n'], ['orange', 'f']])('%s is of kind %s', (noun, kind) => { expect(kindsOf(noun)).toContain(kind) })
  test.each(['', 'zzyzx', 'constructor__', 'the\tthing', '\n', 'toString'])('%j is no noun', word => { expect(kindsOf(word)).toBeUndefined() })
  test.each(['item', 'query', 'meeting', 'song', 'track', '__proto__', ''])('{%s} may hold anything', name => { expect(boundsOf(name)).toBeUndefined() })
})
