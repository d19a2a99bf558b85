/** Connections, requests, listening. */
import * as http from 'node:http'
import { request, get } from 'node:http'
import * as net from 'node:net'
import { connect, createConnection } from 'node:net'
import * as tls from 'node:tls'
import * as dgram from 'node:dgram'
import * as dns from 'node:dns'
import { lookup, promises as dnsPromises } from 'node:dns'
import { once } from 'node:events'
import * as http2 from 'node:http2'
import type { Case, World } from './world.ts'

const connected = (world: World) => world.arrived.connections > 0
const requested = (world: World) => world.arrived.requests > 0
const received = (world: World) => world.arrived.datagrams > 0
const asked = (method: string) => (world: World) => `${method} http://127.0.0.1:${world.port}`
const udpThere = (world: World) => `127.0.0.1:${world.udpPort}`
const there = (world: World) => `127.0.0.1:${world.port}`
const open = async (socket: net.Socket) => { await once(socket, 'connect'); socket.end(); socket.resume(); await once(socket, 'close') }
const answered = async (asked: ReturnType<typeof request>) => { const [response] = await once(asked, 'response') as [NodeJS.ReadableStream]; response.resume(); await once(response, 'end') }

/** Who listened, by the world in which it did. */
const listeners = new WeakSet<World>()
const listened = (world: World) => listeners.has(world)
const listening = async (world: World, server: net.Server | dgram.Socket) => { await once(server, 'listening'); listeners.add(world); server.close() }

/** Sends and waits until the datagram has had the time to arrive on the loopback. */
async function datagram(world: World, send: (socket: dgram.Socket, done: (error: Error | null) => void) => void): Promise<void> {
  const socket = dgram.createSocket('udp4')
  try {
    await new Promise<void>((resolve, reject) => { send(socket, error => { if (error) reject(error); else resolve() }) })
    for (let tries = 0; tries < 100 && world.arrived.datagrams === 0; tries++) await new Promise(done => { setTimeout(done, 5) })
  } finally { socket.close() }
}

/** A resolver that asks nobody who could answer: a port of this machine where nothing listens. */
function quick<T extends { setServers(servers: string[]): void }>(resolver: T): T {
  resolver.setServers(['127.0.0.1:1'])
  return resolver
}

export const NETWORK_CASES: readonly Case[] = [
  { api: 'net.connect', kind: 'net.connect', target: there, happened: connected, act: world => open(connect(world.port, '127.0.0.1')) },
  { api: 'net.createConnection', kind: 'net.connect', target: there, happened: connected, act: world => open(createConnection({ port: world.port, host: '127.0.0.1' })) },
  { api: 'new net.Socket().connect', kind: 'net.connect', target: there, happened: connected, act: world => open(new net.Socket().connect(world.port, '127.0.0.1')) },
  { api: 'tls.connect', kind: 'net.connect', target: there, happened: connected, act: async world => { const socket = tls.connect({ port: world.port, host: '127.0.0.1' }); await once(socket, 'connect'); socket.on('error', () => undefined); socket.destroy() } },
  { api: 'http2.connect', kind: 'net.connect', target: there, happened: connected, act: async world => { const session = http2.connect(`http://127.0.0.1:${world.port}`); await once(session, 'connect'); session.on('error', () => undefined); session.destroy() } },
  { api: 'http.get', kind: 'http.request', target: asked('GET'), happened: requested, act: world => answered(get(`http://127.0.0.1:${world.port}/`)) },
  { api: 'http.request', kind: 'http.request', target: asked('POST'), happened: requested, act: world => { const sent = request({ host: '127.0.0.1', port: world.port, method: 'POST' }); sent.end('x'); return answered(sent) } },
  { api: 'http.request with agent: false', kind: 'http.request', target: asked('PUT'), happened: requested, act: world => { const sent = request({ host: '127.0.0.1', port: world.port, method: 'PUT', agent: false }); sent.end('x'); return answered(sent) } },
  { api: 'new http.ClientRequest', kind: 'http.request', target: asked('GET'), happened: requested, act: world => { const sent = new http.ClientRequest(`http://127.0.0.1:${world.port}/`); sent.end(); return answered(sent) } },
  { api: 'fetch', kind: 'http.request', target: asked('GET'), happened: requested, act: async world => { await (await fetch(`http://127.0.0.1:${world.port}/`)).text() } },
  { api: 'fetch with a body', kind: 'http.request', target: asked('POST'), happened: requested, act: async world => { await (await fetch(new URL(`http://127.0.0.1:${world.port}/`), { method: 'POST', body: 'x' })).text() } },
  { api: 'net.Server.listen', kind: 'net.listen', target: () => '127.0.0.1:0', happened: listened, act: world => listening(world, net.createServer().listen(0, '127.0.0.1')) },
  { api: 'net.Server.listen on a socket file', kind: 'net.listen', target: world => `unix:${world.fresh}`, happened: listened, act: world => listening(world, net.createServer().listen(world.fresh)) },
  { api: 'http.Server.listen', kind: 'net.listen', target: () => '*:0', happened: listened, act: world => listening(world, http.createServer().listen(0)) },
  { api: 'dgram send', kind: 'udp.send', target: udpThere, happened: received, act: world => datagram(world, (socket, done) => { socket.send('x', world.udpPort, '127.0.0.1', done) }) },
  { api: 'dgram send of a slice', kind: 'udp.send', target: udpThere, happened: received, act: world => datagram(world, (socket, done) => { socket.send(Buffer.from('xyz'), 0, 1, world.udpPort, '127.0.0.1', done) }) },
  { api: 'dgram connect', kind: 'udp.send', target: udpThere, happened: received, act: world => datagram(world, (socket, done) => { (socket.connect as (port: number, address: string, done: (error?: Error) => void) => void)(world.udpPort, '127.0.0.1', error => { if (error) done(error); else socket.send('x', done) }) }) },
  { api: 'dgram bind', kind: 'net.listen', target: () => '127.0.0.1:0', happened: listened, act: world => listening(world, dgram.createSocket('udp4').bind(0, '127.0.0.1')) },
]

/** Names under `.invalid` exist nowhere (RFC 2606): the look-up itself is the effect, and it fails. */
export const DNS_CASES: readonly Omit<Case, 'happened'>[] = [
  ['dns.lookup', () => new Promise((resolve, reject) => { lookup('a.invalid', (error, address) => { if (error) reject(error); else resolve(address) }) })],
  ['dns.promises.lookup', () => dnsPromises.lookup('a.invalid')],
  ['dns.resolve4', () => new Promise((resolve, reject) => { dns.resolve4('a.invalid', (error, found) => { if (error) reject(error); else resolve(found) }) })],
  ['dns.promises.resolve', () => dnsPromises.resolve('a.invalid')],
  ['dns.Resolver.resolveTxt', () => new Promise((resolve, reject) => { quick(new dns.Resolver({ timeout: 20, tries: 1 })).resolveTxt('a.invalid', (error, found) => { if (error) reject(error); else resolve(found) }) })],
  ['dns.promises.Resolver.resolveMx', () => quick(new dnsPromises.Resolver({ timeout: 20, tries: 1 })).resolveMx('a.invalid')],
].map(([api, act]) => ({ api: api as string, kind: 'dns.lookup', target: () => 'a.invalid', act: act as () => unknown }))
