/** Requests that need no new connection, sessions that live longer than a call, names instead of addresses. */
import { once } from 'node:events'
import { Agent, get, type ClientRequest } from 'node:http'
import * as http2 from 'node:http2'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installObserver, type InstalledObserver } from '../../src/effects/observer.ts'
import { UsherError } from '../../src/errors.ts'
import { makeWorld, type World } from './tables/world.ts'

let world: World
let observer: InstalledObserver

beforeEach(async () => {
  world = await makeWorld()
  observer = installObserver()
})
afterEach(async () => {
  observer.uninstall()
  await world.close()
})

const kinds = (callId: string) => observer.of(callId).map(({ kind, blocked }) => blocked ? `${kind} blocked` : kind)
const call = async (callId: string, work: () => Promise<unknown>, allowed?: readonly string[]) => {
  const error: unknown = await observer.run({ callId, mode: allowed ? 'enforce' : 'observe', allowed: allowed ?? null }, work).then(() => undefined, (error: unknown) => error)
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

test('effect:bounded: fetch over a connection that another call opened belongs to its own call, and is stopped', async () => {
  const ask = async () => {
    await (await fetch(`http://127.0.0.1:${world.port}/`)).text()
    // The connection is free again a little after the body has ended.
    await later(30)
  }
  await call('first', ask)
  await call('second', ask)
  expect(kinds('first')).toEqual(['http.request', 'net.connect'])
  expect(kinds('second')).toEqual(['http.request'])
  const error = await call('third', ask, [])
  expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
  expect(kinds('third')[0]).toBe('http.request blocked')
  await later(10)
  expect(world.arrived.requests).toBe(2)
  expect(await call('fourth', ask, ['http.get'])).toBeUndefined()
})

test('effect:bounded: so does http over an agent that keeps its connections', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async () => {
    const [answer] = await once(get({ host: '127.0.0.1', port: world.port, agent }), 'response') as [NodeJS.ReadableStream]
    answer.resume()
    await once(answer, 'end')
    await later(5)
  }
  await call('first', ask)
  await call('second', ask)
  expect(kinds('second')).toEqual(['http.request'])
  const error = await call('third', ask, [])
  expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
  expect(world.arrived.requests).toBe(2)
  agent.destroy()
})

test('effect:bounded: an agent that takes requests in its own way does not lead past', async () => {
  const agent = Object.assign(new Agent(), {
    addRequest(request: ClientRequest & { onSocket(socket: Socket): void }) { setImmediate(() => { if (!request.destroyed) request.onSocket(connect(world.port, '127.0.0.1')) }) },
  })
  const ask = async () => { await once(get({ host: '127.0.0.1', port: world.port, agent }), 'response').then(([answer]) => (answer as NodeJS.ReadableStream).resume()) }
  await call('c', ask)
  expect(observer.of('c').map(({ kind, target }) => `${kind} ${target}`)).toEqual([`net.connect 127.0.0.1:${world.port}`, `http.request GET http://127.0.0.1:${world.port}`])
  const own = connect(world.port, '127.0.0.1')
  await once(own, 'connect')
  const pooled = Object.assign(new Agent(), { addRequest(request: ClientRequest & { onSocket(socket: Socket): void }) { request.onSocket(own) } })
  const error = await call('d', () => once(get({ host: '127.0.0.1', port: world.port, agent: pooled }), 'response'), [])
  expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
  expect(kinds('d')).toEqual(['http.request blocked'])
  await later(20)
  expect(world.arrived.requests).toBe(1)
})

test('effect:bounded: a redirect to a place that is not allowed is not followed', async () => {
  const other = (await import('node:http')).createServer((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${world.port}/` }).end()
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const error = await call('c', () => fetch(`http://127.0.0.1:${port}/`), [`http.request:GET http://127.0.0.1:${port}`])
  expect(UsherError.is(error) && error.code).toBe('EFFECT_BLOCKED')
  expect(kinds('c').slice(0, 3)).toEqual(['http.request', 'net.connect', 'http.request blocked'])
  expect(world.arrived.requests).toBe(0)
  other.closeAllConnections()
  other.close()
})

test('effect:bounded: an HTTP/2 request in a session that the host opened is stopped, and an allowed one goes through', async () => {
  const server = http2.createServer((_request, response) => { response.end('hello') })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const session = http2.connect(origin)
  await once(session, 'connect')
  const ask = async () => {
    const stream = session.request({ ':method': 'POST', ':path': '/' }).end()
    stream.resume()
    await once(stream, 'end')
  }
  expect(UsherError.is(await call('c', ask, []))).toBe(true)
  expect(observer.of('c')).toEqual([expect.objectContaining({ kind: 'http.request', target: `POST ${origin}`, blocked: true })])
  expect(await call('d', ask, [`http.request:POST ${origin}`])).toBeUndefined()
  session.close()
  server.close()
})

test('effect:observed: the look-up of a connection\'s name is recorded as its part, and allowed with it', async () => {
  const ask = async () => { await once(get({ host: 'localhost', family: 4, port: world.port, agent: false }), 'response').then(([answer]) => (answer as NodeJS.ReadableStream).resume()) }
  expect(await call('c', ask, [`http.request:GET http://localhost:${world.port}`])).toBeUndefined()
  const permission = `http.request:GET http://localhost:${world.port}`
  expect(observer.of('c').map(({ kind, target, detail }) => [kind, target, detail?.['part'], detail?.['carriedBy']])).toEqual([
    ['http.request', `GET http://localhost:${world.port}`, undefined, undefined],
    ['net.connect', `localhost:${world.port}`, 'http.request', permission],
    ['dns.lookup', 'localhost', 'http.request', permission],
  ])
})
