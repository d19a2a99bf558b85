import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { isReason } from '../../src/vocabulary/outcomes.ts'
import { ROUTES } from './routes.ts'

const reader = createAskReader(ROUTES)
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)
const reasonsOf = (text: string): string[] => reader.read(text, []).notAsks.map(not => not.reason)
const captured = (text: string): Record<string, string> => Object.fromEntries(reader.read(text, []).asks.flatMap(ask => ask.captures.map(capture => [capture.slot.name, capture.text])))

/** kind -> text -> the route that is asked for. */
const ASKS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  exact: [['empty the trash', 'empty-trash'], ['ring the bell', 'ring-bell'], ['mow the lawn', 'mow']],
  polite: [
    ['could you please empty the trash', 'empty-trash'], ['would you be so kind as to ring the bell, thank you', 'ring-bell'], ['I\'d like you to mow the lawn', 'mow'],
    ['if you don\'t mind, mow the lawn', 'mow'], ['would you mind mowing the lawn?', 'mow'], ['I\'d appreciate it if you emptied the trash', 'empty-trash'], ['please go ahead and drop the anchor', 'anchor'],
  ],
  fillers: [
    ['um ok so just ring the bell real quick', 'ring-bell'], ['the guests are here, ring the bell', 'ring-bell'], ['I don\'t care about the dew, mow the lawn', 'mow'],
    ['the bins are overflowing again empty the trash', 'empty-trash'], ['not the flag this time. drop the anchor', 'anchor'], ['hey computer, notify the crew now', 'notify-crew'],
  ],
  slips: [['emtpy the trash', 'empty-trash'], ['empty teh trash', 'empty-trash'], ['ring ring the bell', 'ring-bell'], ['rign the bell', 'ring-bell'], ['drop the an chor', 'anchor'], ['mow the the lawn', 'mow'], ['drop the anchr', 'anchor']],
  order: [['the trash, empty it', 'empty-trash'], ['that lawn, please mow it', 'mow'], ['to Lisbon, ship the parcel', 'ship-parcel'], ['turn the lamp down', 'lamp'], ['for twenty minutes, mow the back lawn', 'mow']],
  punctuation: [['Empty the trash!!', 'empty-trash'], ['“ring the bell”', 'ring-bell'], ['>> mow the lawn <<', 'mow'], ['(drop the anchor)', 'anchor']],
  'another language around it': [['bitte empty the trash, danke', 'empty-trash'], ['ring the bell s\'il te plaît', 'ring-bell'], ['por favor mow the lawn', 'mow']],
  correction: [['ring the horn, no sorry, ring the bell', 'ring-bell'], ['scratch that, drop the anchor', 'anchor']],
  'another verb of the same meaning': [['take out the trash', 'empty-trash'], ['get the trash emptied', 'empty-trash']],
}

/** kind -> text that asks for nothing. */
const TALK: Readonly<Record<string, readonly string[]>> = {
  negation: ['don\'t empty the trash', 'please never ring the bell', 'I said wave the flag, not ring the bell', 'no need to mow the lawn', 'I don\'t want you to drop the anchor', 'there is no reason to mow the lawn'],
  question: ['did you empty the trash?', 'why did you ring the bell', 'should we mow the lawn?', 'how do I drop the anchor', 'can you ring the bell without the hammer or does it need one?', 'can we empty the trash?', 'empty the trash?'],
  condition: ['if it rains empty the trash', 'ring the bell when they arrive', 'once the fog lifts, drop the anchor', 'mow the lawn unless it is wet', 'as soon as I leave mow the lawn'],
  later: ['ring the bell at eleven', 'mow the lawn tomorrow', 'tomorrow at noon, mow the lawn', 'empty the trash on Friday', 'drop the anchor in an hour', 'mow the lawn every Sunday'],
  report: ['I emptied the trash already', 'we mow the lawn on Sundays', 'thanks for ringing the bell', 'just dropped the anchor', 'empty the trash, she said'],
  'other person': ['he told me to ring the bell', 'my brother wants to mow the lawn', 'they always empty the trash', 'the neighbours mow the lawn too often'],
  undo: ['empty the trash, no wait, leave it', 'ring the bell. never mind', 'mow the lawn oh forget it', 'drop the anchor... actually don\'t'],
  mention: ['the empty the trash button is broken', 'ring the bell is my favourite command', 'empty the trash is on my list', 'step two, mow the lawn, is the worst', 'the phrase ring the bell is too long'],
  quotation: ['the sign says "ring the bell" in red', 'she wrote “mow the lawn” on the board', 'rename the label \'Empty the trash\' to something shorter'],
  code: ['if (full) { empty the trash }', 'run("mow the lawn")', 'bell.ring() // ring the bell', '`drop the anchor`'],
  'another object': ['empty the trash folder', 'mow the lawn chair', 'ring the bell tower keeper', 'mow somebody\'s lawn', 'empty a trash'],
  opposite: ['turn up the lamp', 'weigh the anchor'],
  irony: ['oh sure, mow the lawn, what could possibly go wrong'],
  'written for others': ['write a script to empty the trash', 'remind me to mow the lawn', 'translate "drop the anchor" into French'],
}

describe('gate:explicit: what asks for a route fires it', () => {
  for (const [kind, rows] of Object.entries(ASKS)) {
    test.each(rows)(`${kind}: %s`, (text, expected) => { expect(asked(text)).toEqual([expected]) })
  }
})

describe('gate:explicit: talk about a route fires nothing', () => {
  for (const [kind, texts] of Object.entries(TALK)) {
    test.each(texts)(`${kind}: %s`, text => { expect(asked(text)).toEqual([]) })
  }
})

test('every reason given is one of the vocabulary', () => {
  for (const text of Object.values(TALK).flat()) for (const reason of reasonsOf(text)) expect(isReason('not-explicit', reason), `${reason} of ${text}`).toBe(true)
})

test.each([
  ['don\'t empty the trash', 'abstain:negation'], ['why did you ring the bell', 'abstain:question'], ['ring the bell when they arrive', 'abstain:condition'], ['ring the bell at eleven', 'abstain:later'],
  ['ring the bell. never mind', 'abstain:undo'], ['the sign says "ring the bell" in red', 'abstain:quotation'], ['bell.ring() // ring the bell', 'abstain:code'], ['he told me to ring the bell', 'abstain:other-person'],
])('says why: %s is %s', (text, reason) => { expect(reasonsOf(text)).toContain(reason) })

describe('fill:evidence: slots', () => {
  test.each<readonly [string, Record<string, string>]>([
    ['ring the bell for the postman please', { guest: 'the postman' }],
    ['brew coffee for six people', { count: 'six' }],
    ['brew coffee for five, no, six people', { count: 'six' }],
    ['brew coffee for um four people', { count: 'four' }],
    ['write in the journal that the heron is back', { entry: 'the heron is back' }],
    ['ship the parcel to São Tomé now', { city: 'São Tomé' }],
    ['ship the "blue (small)" parcel', { parcel: 'blue (small)' }],
    ['mow the back lawn for an hour and a half', { duration: 'an hour and a half' }],
    ['turn the lamp pale blue', { shade: 'pale blue' }],
    ['ship the parcel to Oslo, sorry, to Bergen', { city: 'Bergen' }],
  ])('%s', (text, expected) => { expect(captured(text)).toEqual(expected) })

  test('a capture is the text of its span', () => {
    const text = '  um, ring the bell for 🎻 Aunt Zoë, please!'
    const [ask] = reader.read(text, []).asks
    for (const capture of ask?.captures ?? []) expect(text.slice(capture.span.start, capture.span.end)).toBe(capture.text)
    expect(ask?.captures).toHaveLength(1)
  })

  test('a list slot takes its words and no others', () => {
    expect(asked('turn the lamp crimson')).toEqual(['lamp'])
    expect(asked('turn the lamp green')).toEqual([])
  })

  test('a typed slot takes its type and no other', () => {
    expect(asked('mow the back lawn for ten minutes')).toEqual(['mow'])
    expect(asked('mow the back lawn for my cousin')).toEqual([])
  })

  test('a slot for a person takes nobody for no', () => { expect(asked('ring the bell for nobody')).toEqual([]) })
})

test('several asks in one text are decided one by one, in their order', () => {
  expect(asked('ring the bell and then drop the anchor')).toEqual(['ring-bell', 'anchor'])
  expect(asked('drop the anchor. don\'t ring the bell.')).toEqual(['anchor'])
})

test('a phrase listed under `not` abstains', () => {
  expect(asked('empty the trash, the trash can icon is red')).toEqual([])
  expect(reasonsOf('empty the trash, the trash can icon is red')).toContain('abstain:not-phrase')
})

test('a paraphrase near in meaning is offered, never fired', () => {
  const near = [{ route: 'empty-trash', phrase: 'empty the trash', score: 0.8, exact: false }]
  const { asks, notAsks } = reader.read('get the trash out of here', near)
  expect(asks).toEqual([])
  expect(notAsks.find(not => not.offer)?.route).toBe('empty-trash')
  expect(reader.read('don\'t get the trash out of here', near).notAsks.some(not => not.offer)).toBe(false)
})
