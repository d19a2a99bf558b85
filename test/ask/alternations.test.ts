import { describe, expect, test } from 'vitest'
import { createAskReader } from '../../src/ask/reader.ts'
import { route } from './routes.ts'

const mill = createAskReader([
  route('drop-thread', ['delete the thread with {person}', 'drop my chat with {person}']),
  route('send-bill', ['send {customer} the bill', 'post the invoice to {customer}']),
  route('tell-baker', ['tell the baker {text:rest}', 'let {person} know that {text:rest}']),
  route('mill-diary', ['add to the mill diary {text:rest}', 'note in the mill diary that {text:rest}']),
  route('send-cart', ['send the cart to {place}', 'get the cart over to {place}']),
  route('strike-name', ['remove {name} from the roster', 'take {name} off the roster']),
  route('grind', ['grind {grain}', 'grind {amount} of {grain}']),
  route('mark-sold', ['mark it sold', 'mark lot {lot} as sold']),
  route('fan-on', ['fan on', 'start the fan']),
  route('fan-off', ['fan off', 'stop the fan']),
  route('clear-order', ['resolve order', 'close the order']),
  route('reopen', ['reopen lot {lot}', 'open lot {lot} again']),
])
const read = (text: string): string[] => mill.read(text, []).asks.map(ask => `${ask.route}(${ask.captures.map(capture => `${capture.slot.name}=${capture.text}`).join(', ')})`)

describe('gate:explicit: the same words in another order', () => {
  test.each([
    ['delete Rosa\'s thread', 'drop-thread(person=Rosa)'],
    ['Rosa\'s thread, delete it', 'drop-thread(person=Rosa)'],
    ['send the bill to Agnes', 'send-bill(customer=Agnes)'],
    ['to Agnes send the bill', 'send-bill(customer=Agnes)'],
    ['the bill, send it to Agnes', 'send-bill(customer=Agnes)'],
    ['post Agnes the invoice', 'send-bill(customer=Agnes)'],
    ['the baker: tell him we are out of rye', 'tell-baker(text=we are out of rye)'],
    ['in the mill diary note that the stone is worn', 'mill-diary(text=the stone is worn)'],
    ['mill diary: add new belt fitted', 'mill-diary(text=new belt fitted)'],
    ['gate 7, send the cart there', 'send-cart(place=gate 7)'],
    ['Oskar, remove from the roster', 'strike-name(name=Oskar)'],
    ['barley: grind', 'grind(grain=barley)'],
    ['of barley, grind two kilos', 'grind(grain=barley, amount=two kilos)'],
    ['sold, mark it', 'mark-sold()'],
    ['the fan, off', 'fan-off()'],
    ['on: fan', 'fan-on()'],
    ['fan, turn it on', 'fan-on()'],
    ['switch the fan off', 'fan-off()'],
    ['the order, resolve it', 'clear-order()'],
    ['lot 7, open it again', 'reopen(lot=7)'],
  ])('%s', (text, asked) => { expect(read(text)).toEqual([asked]) })

  test.each([
    'delete Rosa\'s', 'did you send the bill to Agnes', 'he said send the bill to Agnes', 'the baker told him we are out of rye', 'the mill diary is where I note that the stone is worn', 'Oskar was removed from the roster', 'barley, wheat, grind', 'never send the bill to Agnes',
    'sold, they marked it', 'the fan was off', 'turned the fan off', 'the fan is on', 'if the fan, turn it on', 'switch the fan off tomorrow', 'the order has been resolved', 'send the bill to Agnes if she calls', 'who switched the fan off',
  ])('but not: %s', text => { expect(read(text)).toEqual([]) })
})
