/** Routes of a farm shop, of our own, for tests of how people say what they want. */
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

export const farm = createAskReader([
  route('feed-hens', ['feed the hens', 'give the hens their corn']),
  route('shut-barn', ['shut the barn door', 'close the barn']),
  route('weigh-flour', ['weigh out {amount} of flour']),
  route('heat-oven', ['heat the bread oven to {degrees}', 'turn the bread oven up to {degrees}']),
  route('print-prices', ['print the price tags for {product}', 'print {count} price tags']),
  route('phone-dairy', ['phone the dairy', 'phone the dairy about {topic}']),
  route('reset-scale', ['reset the shop scale']),
  route('sell-jam', ['mark {jam} jam as sold', 'mark the jam as sold']),
  route('drain-pond', ['drain the pond', 'drain the duck pond']),
  route('shop-music', ['put the radio on in the shop', 'put the shop radio on']),
  route('water-beds', ['water the raised beds for {minutes} minutes', 'water the raised beds']),
  route('book-slot', ['book {customer} in for {service}', 'book a stall at {market}']),
])

/** The routes that a text asks for. */
export const askedOfFarm = (text: string): string[] => farm.read(text, []).asks.map(ask => ask.route)

/** `route(slot=value, ...)` of each ask: what it would do. */
export const readByFarm = (text: string): string[] => farm.read(text, []).asks.map(ask => `${ask.route}(${ask.captures.map(capture => `${capture.slot.name}=${capture.text}`).join(', ')})`)
