import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { isAmbiguous, kindOf, readLine } from '../../src/mcp/message.ts'
import { Rate } from '../../src/mcp/proxy/rate.ts'
import { passesFromClient } from '../../src/mcp/proxy/methods.ts'
import { planFor, sandboxed } from '../../src/mcp/sandbox.ts'
import { inheritedEnv } from '../../src/mcp/server-process.ts'
import { type ByteLine, LineSplitter } from '../../src/mcp/split-lines.ts'
import { TextRing } from '../../src/mcp/text-ring.ts'

// Real processes and many cases on a machine that may be busy: slow is not wrong.
vi.setConfig({ testTimeout: 120_000 })

function split(chunks: readonly Buffer[], max = 1 << 20): readonly ByteLine[] {
  const lines: ByteLine[] = []
  const splitter = new LineSplitter(max, line => { lines.push(line) })
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}
const line = (text: string): ByteLine => ({ bytes: Buffer.from(text), length: Buffer.byteLength(text), cut: false })

describe('lines of bytes', () => {
  test('property: however the bytes are cut, the lines are the same, and U+2028 ends none', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme' }).map(text => text.replace(/[\n\r]/g, '\u2028'))), fc.array(fc.nat(7)), (texts, cuts) => {
      const bytes = Buffer.from(texts.map(text => `${text}\n`).join(''))
      const chunks: Buffer[] = []
      for (let at = 0, nth = 0; at < bytes.length; nth++) {
        const size = 1 + (cuts[nth % Math.max(1, cuts.length)] ?? 3)
        chunks.push(bytes.subarray(at, at + size))
        at += size
      }
      expect(split(chunks).map(one => one.bytes.toString('utf8'))).toEqual(texts)
    }), { seed: 7, numRuns: 300 })
  })
  test('a line over the limit is cut, with its true length, and the next one is whole', () => {
    expect(split([Buffer.from(`${'x'.repeat(100)}\nshort\n`)], 10).map(({ bytes, length, cut }) => [bytes.length, length, cut])).toEqual([[10, 100, true], [5, 5, false]])
    expect(split([Buffer.from(`${'x'.repeat(11)}\r\n`)], 11)[0]).toMatchObject({ cut: true })
  })
  test('CRLF ends a line as LF does', () => expect(split([Buffer.from('a\r\nb\r')]).map(one => one.bytes.toString())).toEqual(['a', 'b']))
})

describe('one line as a message', () => {
  test.each<[string, RegExp]>([
    ['\uFEFF{"jsonrpc":"2.0"}', /byte order mark/], ['\u001B[32m{"jsonrpc":"2.0","id":1,"result":{}}', /terminal colours/], ['loading{"jsonrpc":"2.0"}', /printed in front/], ['{', /several lines/],
    ['{"jsonrpc":"1.0"}', /no JSON-RPC message/], ['[{"jsonrpc":"2.0"}]', /batch/], ['"jsonrpc"', /no JSON-RPC message/], ['plain words', /no JSON-RPC message/],
  ])('%j is none, and the reason is said', (text, why) => expect(readLine(line(text))).toMatchObject({ kind: 'stray', why: expect.stringMatching(why) as string }))
  test('bytes that are no UTF-8 are none; white space is nothing', () => {
    expect(readLine({ bytes: Buffer.from([0x7B, 0xFF]), length: 2, cut: false })).toMatchObject({ kind: 'stray' })
    expect(readLine(line(' \t')).kind).toBe('blank')
  })
  test('a member twice at the top makes a message ambiguous; deeper it spoils only its part', () => {
    const read = (text: string): boolean | undefined => { const reading = readLine(line(text)); return reading.kind === 'message' ? isAmbiguous(reading.message) : undefined }
    expect(read('{"jsonrpc":"2.0","id":1,"id":2,"result":{}}')).toBe(true)
    expect(read('{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}')).toBe(false)
  })
  test('requests, notifications and answers are told apart', () => {
    expect([{ method: 'x', id: null }, { method: 'x' }, { id: 1, result: {} }].map(value => kindOf(value))).toEqual(['request', 'notification', 'answer'])
  })
})

test('property: the ring keeps exactly the end of what came, and counts all of it', () => {
  fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: 1, max: 50 }), (chunks, max) => {
    const ring = new TextRing(max)
    const all = Buffer.concat(chunks.map(chunk => Buffer.from(chunk.map(byte => 97 + byte % 26))))
    for (const chunk of chunks) ring.push(Buffer.from(chunk.map(byte => 97 + byte % 26)))
    expect(ring.tail).toBe(all.subarray(-max).toString())
    expect(ring.seen).toBe(all.length)
  }), { seed: 7, numRuns: 300 })
})

test('gate:limits: a sliding minute lets so many through and no more', () => {
  let now = 0
  const rate = new Rate(2, () => now)
  expect([rate.take(), rate.take(), rate.take()]).toEqual([true, true, false])
  now = 59_999
  expect(rate.take()).toBe(false)
  now = 60_001
  expect([rate.take(), rate.take(), rate.take()]).toEqual([true, true, false])
})

test('closed: methods that nobody thought of do not pass the proxy', () => {
  for (const method of ['Tools/Call', 'tools/call ', 'tools/execute', '', 'constructor', '__proto__', 'sampling/createMessage']) expect(passesFromClient(method)).toBe(false)
  for (const method of ['initialize', 'resources/read', 'notifications/cancelled']) expect(passesFromClient(method)).toBe(true)
})

test('a plan asks for a network or a disk only where a privilege does', () => {
  expect(planFor(['fs.read', 'compute'])).toEqual({ network: false, writes: false })
  expect(planFor(['fs.read', 'http.get'])).toEqual({ network: true, writes: false })
  expect(planFor(['fs.write.limited'])).toEqual({ network: false, writes: true })
})

test('the words of a server\'s command are never part of a script', () => {
  const evil = ['node', 'x"; touch /tmp/evil #', '$(id)']
  const { words } = sandboxed(evil, { network: false, writes: false })
  expect(words.slice(-3)).toEqual(evil)
})

test('closed: a function that an old shell exported is not inherited', () => {
  expect(inheritedEnv({ PATH: '/bin', TERM: '() { :; }; echo pwned', SECRET_TOKEN: 'x' })).toEqual({ PATH: '/bin' })
})
