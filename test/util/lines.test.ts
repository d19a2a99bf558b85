import { expect, test } from 'vitest'
import { readLines } from '../../src/util/lines.ts'

async function* bytes(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}
async function lines(source: AsyncIterable<Uint8Array>, max?: number) {
  const found = []
  for await (const line of readLines(source, max)) found.push(line)
  return found
}

test('lines end at byte 0x0A and nowhere else', async () => {
  expect((await lines(bytes('a\u2028b\u0085c\r\nd\n\ne'))).map(line => line.text)).toEqual(['a\u2028b\u0085c', 'd', '', 'e'])
})

test('a character that comes in pieces is whole', async () => {
  const whole = Buffer.from('{"text":"\u{1F600} \u8BFB"}\n')
  const found = await lines(bytes(...[...whole].map(byte => Uint8Array.of(byte))))
  expect(found).toEqual([{ number: 1, text: '{"text":"\u{1F600} \u8BFB"}', bytes: whole.length - 1, cut: false, valid: true }])
})

test('an endless line is kept up to the limit, its length true, and the next line is read', async () => {
  const found = await lines(bytes('x'.repeat(50), 'y'.repeat(50), '\nnext\n'), 60)
  expect(found[0]).toMatchObject({ bytes: 100, cut: true })
  expect(found[0]?.text).toHaveLength(60)
  expect(found[1]).toMatchObject({ text: 'next', number: 2, cut: false })
})

test('bytes that are no UTF-8 say so', async () => {
  expect((await lines(bytes(Uint8Array.of(0x61, 0xFF, 0x0A))))[0]).toMatchObject({ valid: false, number: 1 })
})
