/** Connections, requests, listening. */
import { request, get } from 'node:http'
import * as net from 'node:net'
import { connect, createConnection } from 'node:net'
import * as tls from 'node:tls'
import { once } from 'node:events'
import type { Case, World } from './world.ts'

const connected = (world: World) => world.arrived.connections > 0
const there = (world: World) => `127.0.0.1:${world.port}`
const open = async (socket: net.Socket) => { await once(socket, 'connect'); socket.end(); socket.resume(); await once(socket, 'close') }
const answered = async (asked: ReturnType<typeof request>) => { const [response] = await once(asked, 'response') as [NodeJS.ReadableStream]; response.resume(); await once(response, 'end') }

export const NETWORK_CASES: readonly Case[] = [
  { api: 'net.connect', kind: 'net.connect', target: there, happened: connected, act: world => open(connect(world.port, '127.0.0.1')) },
  { api: 'net.createConnection', kind: 'net.connect', target: there, happened: connected, act: world => open(createConnection({ port: world.port, host: '127.0.0.1' })) },
  { api: 'new net.Socket().connect', kind: 'net.connect', target: there, happened: connected, act: world => open(new net.Socket().connect(world.port, '127.0.0.1')) },
  { api: 'tls.connect', kind: 'net.connect', target: there, happened: connected, act: async world => { const socket = tls.connect({ port: world.port, host: '127.0.0.1' }); await once(socket, 'connect'); socket.on('error', () => undefined); socket.destroy() } },
  { api: 'http.get', kind: 'net.connect', target: there, happened: connected, act: world => answered(get(`http://127.0.0.1:${world.port}/`, { agent: false })) },
  { api: 'http.request', kind: 'net.connect', target: there, happened: connected, act: world => { const asked = request({ host: '127.0.0.1', port: world.port, method: 'POST', agent: false }); asked.end('x'); return answered(asked) } },
  { api: 'fetch', kind: 'net.connect', target: there, happened: connected, act: async world => { await (await fetch(`http://127.0.0.1:${world.port}/`)).text() } },
]
