import { describe, expect, test } from 'vitest'
import { ConsoleAccess, type Asked } from '../../src/console/access.ts'

const ORIGIN = 'http://127.0.0.1:8123'
const TOKEN = 'a-token-that-is-long-enough'
const clock = { at: 0 }
const open = () => new ConsoleAccess({ token: TOKEN, origin: () => ORIGIN, now: () => clock.at })
const asked = (headers: Record<string, string> = {}, method = 'GET', cookie?: string): Asked => ({ method, header: name => ({ host: '127.0.0.1:8123', ...headers })[name], cookie })

describe('who may open the page', () => {
  test('nobody without the token, and nobody with another', () => {
    const access = open()
    expect(access.admit(asked())).toMatchObject({ kind: 'refused', status: 401 })
    expect(access.admit(asked({ authorization: 'Bearer x' }))).toMatchObject({ kind: 'refused', status: 401 })
    expect(access.admit(asked({}, 'GET', 'constructor'))).toMatchObject({ kind: 'refused', status: 401 })
    expect(access.enter('')).toBeUndefined()
  })
  test('whoever has it: as a header, or as a session of the browser', () => {
    const access = open()
    expect(access.admit(asked({ authorization: `Bearer ${TOKEN}` }))).toEqual({ kind: 'bearer' })
    const session = access.enter(TOKEN)
    expect(access.admit(asked({}, 'GET', session?.id))).toMatchObject({ kind: 'session', session: { csrf: session?.csrf } })
    clock.at += 12 * 3_600_000
    expect(access.admit(asked({}, 'GET', session?.id))).toMatchObject({ kind: 'refused', status: 401 })
  })
  test('a link opens it once, and for a minute', () => {
    const access = open()
    const [one = '', other = ''] = [access.link(), access.link()].map(link => link.split('#code=')[1] ?? '')
    expect(access.link().startsWith(`${ORIGIN}/#code=`)).toBe(true)
    expect(access.enter(one)).toBeDefined()
    expect(access.enter(one)).toBeUndefined()
    clock.at += 60_000
    expect(access.enter(other)).toBeUndefined()
  })
})

describe('where a request comes from', () => {
  const bearer = { authorization: `Bearer ${TOKEN}` }
  test.each([
    ['a rebound name', { host: 'evil.example:8123' }, 421], ['localhost is not its address', { host: 'localhost:8123' }, 421], ['another port', { host: '127.0.0.1:8124' }, 421],
    ['another origin', { origin: 'http://evil.example' }, 403], ['another port of this machine', { origin: 'http://127.0.0.1:9000' }, 403], ['a sandboxed page', { origin: 'null' }, 403],
    ['a picture in another page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403], ['a script of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
  ])('closed: %s gets nothing, even with the token', (_name, headers, status) => {
    expect(open().admit(asked({ ...bearer, ...headers }))).toMatchObject({ kind: 'refused', status })
  })
  test('a link in another program opens it', () => {
    expect(open().admit(asked({ ...bearer, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }))).toEqual({ kind: 'bearer' })
  })
  test('closed: what does something must say that it comes from this page', () => {
    expect(open().admit(asked(bearer, 'POST'))).toMatchObject({ status: 403 })
    expect(open().admit(asked({ ...bearer, origin: ORIGIN, 'sec-fetch-site': 'same-site' }, 'POST'))).toMatchObject({ status: 403 })
    expect(open().admit(asked({ ...bearer, origin: ORIGIN }, 'POST'))).toEqual({ kind: 'bearer' })
  })
})
