import { describe, expect, test } from 'vitest'
import { dnsAnswer, type Names } from '../../src/audit/dns-answer.ts'
import { serverName } from '../../src/audit/tls-hello.ts'

const labels = (name: string): Buffer => Buffer.concat([...name.split('.').map(label => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])])
const query = (name: string, type = 1): Buffer => Buffer.concat([Buffer.from([0xAB, 0xCD, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]), labels(name), Buffer.from([0, type, 0, 1])])

describe('the name server of the namespace', () => {
  test('each name gets an address of its own, the same each time', () => {
    const names: Names = new Map()
    const addresses = ['a.example', 'b.example', 'A.example'].map(name => dnsAnswer(query(name), names)?.address)
    expect(addresses).toEqual(['198.18.0.1', '198.18.0.2', '198.18.0.1'])
  })

  test('the answer keeps the id and ends in the address', () => {
    const answer = dnsAnswer(query('a.example'), new Map())?.answer
    expect(answer?.subarray(0, 2)).toEqual(Buffer.from([0xAB, 0xCD]))
    expect(answer?.subarray(-4)).toEqual(Buffer.from([198, 18, 0, 1]))
  })

  test('IPv6 is answered with nothing, so that the caller goes on with IPv4', () => {
    expect(dnsAnswer(query('a.example', 28), new Map())).toMatchObject({ name: 'a.example', address: undefined })
  })

  test.each([[Buffer.alloc(0)], [Buffer.alloc(12)], [Buffer.concat([query('a.example').subarray(0, 12), Buffer.from([200, 1, 2, 3, 4, 5, 6])])], [query('a.example').subarray(0, 18)]])('what is no query gets no answer (%#)', bytes => {
    expect(dnsAnswer(bytes, new Map())).toBeUndefined()
  })
})

describe('the name in a TLS hello', () => {
  const extension = (type: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([type >> 8, type & 0xFF, body.length >> 8, body.length & 0xFF]), body])
  const hello = (...extensions: readonly Buffer[]): Buffer => {
    const all = Buffer.concat(extensions)
    const body = Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32, 7), Buffer.from([0]), Buffer.from([0, 2, 0x13, 1]), Buffer.from([1, 0]), Buffer.from([all.length >> 8, all.length & 0xFF]), all])
    return Buffer.concat([Buffer.from([0x16, 3, 1, 0, body.length + 4, 1, 0, 0, body.length]), body])
  }
  const named = (name: string): Buffer => extension(0, Buffer.concat([Buffer.from([0, name.length + 3, 0, 0, name.length]), Buffer.from(name)]))

  test('is found among the others', () => {
    expect(serverName(hello(extension(23, Buffer.alloc(0)), named('secure.example')))).toBe('secure.example')
  })

  test('is undefined where there is none, or the piece is too short', () => {
    expect(serverName(hello(extension(23, Buffer.alloc(0))))).toBeUndefined()
    expect(serverName(hello(named('secure.example')).subarray(0, 40))).toBeUndefined()
  })
})
