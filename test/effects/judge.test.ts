import { describe, expect, test } from 'vitest'
import { refusal, type Seen } from '../../src/effects/judge.ts'

const may = (pattern: string, seen: Seen) => refusal({ callId: 'c', mode: 'enforce', allowed: [pattern] }, seen) === undefined
const connect = (target: string): Seen => ({ kind: 'net.connect', target })
const lookup = (target: string): Seen => ({ kind: 'dns.lookup', target })
const request = (target: string): Seen => ({ kind: 'http.request', target })

describe('effect:bounded: one permission carries what it cannot do without', () => {
  test.each<[string, Seen]>([
    ['http.request:POST https://a.example', connect('a.example:443')],
    ['http.request:GET http://a.example', connect('a.example:80')],
    ['http.request:GET http://a.example:8080', connect('a.example:8080')],
    ['http.request:GET http://a.example', lookup('a.example')],
    ['http.request:* https://*.example', connect('b.example:443')],
    ['http.request:GET *', connect('anywhere:1')],
    ['http.request', lookup('anywhere')],
    ['net.connect:a.example:443', request('POST https://a.example')],
    ['net.connect:a.example:443', lookup('a.example')],
    ['net.connect:[::1]:80', request('GET http://[::1]')],
    ['udp.send:a.example:53', lookup('a.example')],
    ['http.get', connect('a.example:443')],
    ['http.get:*a.example*', request('GET https://a.example')],
    ['message.send', request('POST https://a.example')],
    ['process.start:xdg-open', { kind: 'process.start', target: '/usr/bin/xdg-open' }],
    ['browser.open', { kind: 'process.start', target: 'xdg-open' }],
  ])('%s allows %o', (pattern, seen) => {
    expect(may(pattern, seen)).toBe(true)
  })
})

describe('effect:bounded: and nothing more', () => {
  test.each<[string, Seen]>([
    ['http.request:POST https://a.example', connect('a.example:80')],
    ['http.request:POST https://a.example', connect('b.example:443')],
    ['http.request:POST https://a.example', request('GET https://a.example')],
    ['http.request:POST https://a.example', request('POST https://a.example.evil')],
    ['http.request:GET rubbish', connect('a.example:443')],
    ['http.request:* https://*.example', connect('a.example:80')],
    ['net.connect:a.example:443', request('POST http://a.example')],
    ['net.connect:a.example:443', lookup('b.example')],
    ['net.connect:a.example:443', { kind: 'udp.send', target: 'a.example:443' }],
    ['dns.lookup:a.example', connect('a.example:443')],
    ['http.get', request('POST https://a.example')],
    ['browser.open', { kind: 'process.start', target: '/bin/sh' }],
    ['browser.open', { kind: 'process.start', target: 'toString' }],
    ['fs.write', { kind: 'fs.delete', target: '/a' }],
    ['fs.write:/a/*', { kind: 'fs.write', target: '/b/x' }],
  ])('%s does not allow %o', (pattern, seen) => {
    expect(may(pattern, seen)).toBe(false)
  })

  test('every name that an effect touches has to be allowed', () => {
    const seen: Seen = { kind: 'fs.rename', target: '/a/new', also: ['/b/old'] }
    expect(refusal({ callId: 'c', mode: 'enforce', allowed: ['fs.rename:/a/*'] }, seen)).toBe('not-allowed')
    expect(refusal({ callId: 'c', mode: 'enforce', allowed: ['fs.rename:/a/*', 'fs.rename:/b/*'] }, seen)).toBeUndefined()
  })
})
