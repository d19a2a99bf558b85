/** Every trigger of every table of these tests, filled and wrapped: what is denied, quoted, asked about, told or put off is never an ask. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { ROUTES, route } from './routes.ts'

const OWN = [
  ...ROUTES,
  route('never-sounding', ['answer the door bell', 'revert {page} to yesterday', 'divert the stream to {mill}', 'level the table']),
  route('call-names', ['call the ferryman', 'cancel the crossing', 'collect {crate} from {pier}']),
  route('phrasal', ['switch the lantern on', 'bring {boat} in', 'put {rope} away']), route('fixed', ['fade out', 'abandon ship', 'lights up in {cabin}']),
  route('typed', ['row for {duration:duration}', 'add {amount:number} knots']), route('told', ['tell {sailor} that {message}', 'leave word for {sailor}']), route('bare', ['coil {rope}', 'grease {winch}']),
]
const VALUES: ReadonlyMap<string, string> = new Map([
  ['guest', 'Marten'], ['count', 'four'], ['entry', 'it rained'], ['city', 'Bergen'], ['parcel', 'red'], ['shade', 'crimson'], ['length', 'two metres'], ['page', 'the second page'], ['mill', 'the upper mill'],
  ['crate', 'the blue crate'], ['pier', 'pier two'], ['boat', 'the dinghy'], ['rope', 'the long rope'], ['cabin', 'the aft cabin'], ['duration', 'ten minutes'], ['amount', '3'], ['sailor', 'Hedda'], ['message', 'we sail'], ['winch', 'the port winch'],
])
const asks = OWN.flatMap(item => item.phrases.map(phrase => ({ route: item.name, text: phrase.parts.map(part => part.kind === 'text' ? part.text : ` ${VALUES.get(part.slot.name) ?? 'six'} `).join('').replace(/\s+/g, ' ').trim() })))
const reader = createAskReader(OWN)
const asked = (text: string): string[] => reader.read(text, []).asks.map(ask => ask.route)
/** A message may hold any words, so what stands behind it is its own. */
const closed = asks.filter(ask => !['told', 'note'].includes(ask.route))

const BEFORE: ReadonlyMap<string, readonly string[]> = new Map([
  ['negation', ['don\'t', 'please do not', 'never', 'I don\'t want you to', 'no need to', 'whatever you do, do not', 'I\'d rather you didn\'t', 'there is no reason to', 'please stop trying to', 'under no circumstances', 'we must not', 'I said not to', 'don\'t you dare', 'todavía no', 'noch nicht', 'nobody should']],
  ['report', ['he told me to', 'they always', 'she asked Olaf to', 'Runa wants to', 'yesterday I had to', 'the skipper said to', 'he says:', 'my job is to', 'the task is to', 'I will', 'I used to', 'we usually', 'I forgot to', 'Olaf promised to', 'I was about to', 'everyone is shouting', 'she would have us', 'there is a song called']],
  ['condition', ['if it is late', 'when Runa is back,', 'once it is dark', 'after lunch', 'unless it rains,', 'tomorrow', 'at noon,', 'as soon as land is in sight,']],
  ['mention', ['step 3:', 'a lesson on how to', 'the best way to', 'the command to', 'my favourite line is', 'the trick is to', 'it takes two to', 'how to']],
])
const AROUND: ReadonlyMap<string, readonly (readonly [string, string])[]> = new Map([
  ['question', [['why did you', '?'], ['should I', '?'], ['can we', '?'], ['what happens if I', '?'], ['how do I', '?'], ['who asked you to', '?'], ['is it safe to', '?'], ['do you know how to', '?'], ['have you ever tried to', '?'], ['what if we', '?']]],
  ['quotation', [['she said "', '" again'], ['the page says “', '” in bold'], ['what does "', '" mean?'], ['the sign: "', '", in red'], ['type "', '" into the box'], ['he wrote \'', '\' on the wall']]],
  ['condition', [['', ' when I say so'], ['', ' tomorrow'], ['', ' at nine tonight'], ['', ' unless it rains'], ['', ' every Monday'], ['', ' in an hour'], ['', ' on 28th'], ['', ' in october'], ['', ' not now']]],
  ['undo', [['', ', no wait, never mind'], ['', ' - actually don\'t'], ['', '. Forget it.'], ['', ', just kidding'], ['', '. No, stop.'], ['', ' oh no don\'t'], ['', ' hm no'], ['', '.. done it nvm'], ['', ' no it came loose']]],
  ['mention', [['the ', ' button'], ['', ', that\'s how you say it'], ['', ', note to self']]],
])
const settings = { seed: 20_261, numRuns: 400 }

describe('gate:explicit', () => {
  test('each of them fires as it stands', () => { for (const ask of asks) expect([ask.text, ...asked(ask.text)]).toEqual([ask.text, ask.route]) })

  test.each([...BEFORE])('never after words of %s', (_, openings) => {
    fc.assert(fc.property(fc.constantFrom(...asks), fc.constantFrom(...openings), fc.constantFrom('', 'um ', 'well, ', 'ok so '), (ask, opening, lead) => { expect([`${lead}${opening} ${ask.text}`, ...asked(`${lead}${opening} ${ask.text}`)]).toEqual([`${lead}${opening} ${ask.text}`]) }), settings)
  })

  test('never where a name for it follows', () => {
    const fixed = OWN.flatMap(item => item.phrases.filter(phrase => phrase.parts.every(part => part.kind === 'text')).map(phrase => phrase.text))
    fc.assert(fc.property(fc.constantFrom(...fixed), fc.constantFrom('daily ritual', 'ancient wisdom', 'task 3', 'interview question', 'line 12'), (text, name) => { expect(asked(`${text}, ${name}`)).toEqual([]) }), settings)
  })

  test.each([...AROUND])('never within words of %s', (_, pairs) => {
    fc.assert(fc.property(fc.constantFrom(...closed), fc.constantFrom(...pairs), (ask, [opening, closing]) => {
      const text = `${opening}${opening === '' || /["“'\s]$/.test(opening) ? '' : ' '}${ask.text}${closing}`
      expect([text, ...asked(text)]).toEqual([text])
    }), settings)
  })
})
