/** A few routes of our own for the tests of the reader. */
import { createAskReader, type AskRoute } from '../../src/ask/reader.ts'
import { expandTemplate } from '../../src/routes/expand.ts'
import type { ListValue } from '../../src/types.ts'

export function route(name: string, triggers: readonly string[], more: { not?: readonly string[], lists?: ReadonlyMap<string, readonly ListValue[]> } = {}): AskRoute {
  const lists = more.lists ?? new Map()
  return { name, phrases: triggers.flatMap(trigger => expandTemplate(trigger, { lists })), not: more.not ?? [], lists }
}

const COLOURS = new Map([['colour', [{ in: ['red', 'crimson'], out: 'red' }, { in: ['pale blue'], out: 'light-blue' }]]])

export const ROUTES: readonly AskRoute[] = [
  route('empty-trash', ['empty the trash', 'take out the trash'], { not: ['trash can icon'] }),
  route('ring-bell', ['ring the bell', 'ring the bell for {guest}']),
  route('brew', ['brew a pot of coffee', 'brew coffee for {count} people', 'make coffee for {count} people']),
  route('note', ['write in the journal that {entry}']),
  route('ship-parcel', ['ship the parcel to {city}', 'ship the {parcel} parcel']),
  route('mow', ['mow the lawn', 'mow the back lawn for {duration:duration}']),
  route('lamp', ['turn down the lamp', 'turn the lamp {shade:colour}'], { lists: COLOURS }),
  route('anchor', ['drop the anchor', 'hoist the anchor by {length}']),
  route('notify-crew', ['notify the crew']),
]

/** Routes whose effects nobody wants by accident. */
export const house = createAskReader([
  route('console', ['open the console']), route('drafts', ['delete (my|the) drafts']), route('door', ['unlock the front door']), route('pay', ['pay {amount} to {who}']), route('map', ['open the memory map']),
])

/** The routes that a text asks for. */
export const askedOfHouse = (text: string): string[] => house.read(text, []).asks.map(ask => ask.route)
