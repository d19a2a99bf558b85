/** Senders that take too much: huge and slow bodies, a thousand connections, a full queue. */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Place, until, type Outcomes, type Running } from './support.ts'

const place = new Place()
let server: Running
let user: string
let webhook: string
beforeAll(async () => {
  user = place.token('me', 'user')
  webhook = place.token('ci', 'webhook')
  server = await place.start(['--queue', '20'], { USHER_TEST_SLOW: '3000' })
})
afterAll(() => place.remove())

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** All that comes until the other side closes. */
function allOf(socket: Socket): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    socket.on('data', (chunk: Buffer) => { text += chunk.toString('latin1') })
    socket.on('error', () => undefined) // cut off by the server: the close follows
    socket.on('close', () => resolve(text))
  })
}

const head = (lines: readonly string[]) => `POST /events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${user}\r\nContent-Type: application/json\r\n${lines.map(line => `${line}\r\n`).join('')}\r\n`

test('a body that says it is too big is refused before it is read', async () => {
  const socket = await open()
  const answer = allOf(socket)
  socket.write(head(['Content-Length: 99999999999', 'Connection: close']))
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
})

test('a body that grows beyond the limit is cut off while it comes', async () => {
  const socket = await open()
  const answer = allOf(socket)
  socket.write(head(['Transfer-Encoding: chunked']))
  const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
  for (let sent = 0; sent < 40 && !socket.destroyed; sent++) {
    if (!socket.write(chunk)) await Promise.race([new Promise(resolve => { socket.once('drain', resolve) }), new Promise(resolve => { socket.once('close', resolve) })])
  }
  socket.end()
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
})

test('a huge body without a token is refused without being kept', async () => {
  const socket = await open()
  const answer = allOf(socket)
  socket.write(`POST /events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 1000000000\r\nConnection: close\r\n\r\n`)
  expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
})

test('headers and bodies that do not end are cut off, and so is a connection that says nothing', async () => {
  const [silent, slowHead, slowBody] = [await open(), await open(), await open()]
  const ends = [silent, slowHead, slowBody].map(allOf)
  slowHead.write(`POST /events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-Slow: `)
  slowBody.write(head(['Content-Length: 40']))
  const drip = setInterval(() => { for (const socket of [slowHead, slowBody]) if (socket.writable) socket.write('x') }, 1000)
  const [, headEnd, bodyEnd] = await Promise.all(ends)
  clearInterval(drip)
  expect(headEnd).toMatch(/^HTTP\/1\.1 408 /)
  expect(bodyEnd).toMatch(/^HTTP\/1\.1 408 /)
  expect(place.rows('event').filter(row => row['source'] === 'user')).toEqual([])
})

test('headers that are too long are refused', async () => {
  const answer = await server.ask('/healthz', { headers: { 'x-long': 'y'.repeat(20_000) } })
  expect(answer.status).toBe(431)
})

test('with 1,000 open connections the next request is answered, and afterwards they are gone', async () => {
  const sockets = await Promise.all(Array.from({ length: 1000 }, open))
  const ends = sockets.map(allOf)
  expect((await server.ask('/healthz')).status).toBe(200)
  expect((await server.post({ text: 'write down in a crowd' }, { token: user })).json<Outcomes>().outcomes[0]?.kind).toBe('called')
  expect((await server.ask('/metrics', { token: place.pageToken })).text).toMatch(/^usher_connections 1\d\d\d$/m)
  await Promise.all(ends)
  await until(async () => /^usher_connections \d$/m.test((await server.ask('/metrics', { token: place.pageToken })).text))
})

test('a full queue answers 429 with Retry-After, takes nothing of that request, and one source leaves room for another', async () => {
  const slow = server.post({ id: 'slow', text: 'run the slow job' }, { token: user })
  await until(() => place.recorded().includes('begin slow'))
  const flood = await Promise.all(Array.from({ length: 15 }, (_, nth) => server.post({ id: `flood-${nth}`, text: `nothing ${nth}` }, { token: webhook, headers: { prefer: 'respond-async' } })))
  const refused = flood.filter(answer => answer.status === 429)
  expect(flood.filter(answer => answer.status === 202)).toHaveLength(10)
  expect(refused).toHaveLength(5)
  for (const { headers, json } of refused) {
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(json()).toMatchObject({ error: { code: 'QUEUE_FULL' } })
  }
  // The webhook has its half; the owner still gets in.
  const mine = server.post({ id: 'mine', text: 'write down mine' }, { token: user })
  // All of a request or nothing: nine more would not fit beside those that wait.
  const many = Array.from({ length: 10 }, (_, nth) => JSON.stringify({ id: `many-${nth}`, text: 'write down too many' })).join('\n')
  expect((await server.ask('/events', { method: 'POST', token: user, body: many, headers: { 'content-type': 'application/x-ndjson' } })).status).toBe(429)
  const tooMany = Array.from({ length: 11 }, () => '{"text":"hello"}').join('\n')
  expect((await server.ask('/events', { method: 'POST', token: user, body: tooMany, headers: { 'content-type': 'application/x-ndjson' } })).status).toBe(413)
  expect((await slow).json<Outcomes>().outcomes[0]?.kind).toBe('called')
  expect((await mine).json<Outcomes>().outcomes[0]?.kind).toBe('called')
  expect(place.rows('event').filter(row => String(row['senderId']).startsWith('many-'))).toEqual([])
  const again = refused[0]
  expect(again && (await server.post({ id: 'flood-again', text: 'nothing more' }, { token: webhook })).status).toBe(200)
})
