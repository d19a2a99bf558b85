/**
 * The two listening doors: TCP on loopback, and a Unix socket that only the running user can open. Node has no SO_PEERCRED, so who stands at
 * the socket is known by the rights of its folder (0700) and of itself (0600) alone.
 * The only file that names @hono/node-server.
 */
import { getRequestListener } from '@hono/node-server'
import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type ListenOptions } from 'node:net'
import { UsherError } from '../errors.ts'
import { refusal, SECURITY_HEADERS } from './guard.ts'

export type Fetch = (request: Request, env: { readonly incoming: IncomingMessage, readonly door: 'http' | 'socket' }) => Response | Promise<Response>

export interface Listener {
  /** Of TCP. */
  readonly port: number
  /** Open ones. */
  readonly connections: number
  /** Takes no new connection, lets those that are being answered end, and cuts what is left after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Slow senders are cut off: headers within 10 s, a whole request within 30 s; an answer may take as long as its event. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16 * 1024 }
/** Beyond it a connection is closed at once: file descriptors must be left for the log. */
const MAX_CONNECTIONS = 4096

export interface ListenParts {
  readonly fetch: Fetch
  readonly onRefused: (reason: string) => void
}

export function listenTcp(port: number, parts: ListenParts): Promise<Listener> {
  return listen({ port, host: '127.0.0.1', exclusive: true }, 'http', parts)
}

/** A socket that nobody answers on is left from a server that died; its place is taken. */
export async function listenSocket(path: string, parts: ListenParts): Promise<Listener> {
  if (Buffer.byteLength(path) > 107) throw new UsherError('SERVE_FAILED', `the path of the socket has ${Buffer.byteLength(path)} bytes, and a system takes 107; name a shorter folder with --state: ${path}`)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats && (!stats.isSocket() || await answers(path))) throw new UsherError('SERVE_FAILED', `${path} ${stats.isSocket() ? 'is in use by another server' : 'is no socket'}; stop it or remove it`)
  if (stats) unlinkSync(path)
  const before = process.umask(0o177)
  try {
    return await listen({ path }, 'socket', parts)
  } finally {
    process.umask(before)
    if (lstatSync(path, { throwIfNoEntry: false })) chmodSync(path, 0o600)
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => { socket.destroy(); resolve(true) })
    socket.once('error', () => resolve(false))
  })
}

function listen(where: ListenOptions, door: 'http' | 'socket', { fetch, onRefused }: ListenParts): Promise<Listener> {
  const answer = getRequestListener((request, env) => fetch(request, { incoming: env.incoming as IncomingMessage, door }), { overrideGlobalObjects: false })
  const server = createServer(LIMITS, (incoming, outgoing) => {
    const no = refusal(incoming, door === 'http' ? portOf(server) : undefined)
    if (!no) { void answer(incoming, outgoing); return }
    onRefused(no.reason)
    refuse(outgoing, no.status, no.message)
  })
  server.maxConnections = MAX_CONNECTIONS
  server.on('drop', () => onRefused('connections'))
  return new Promise((resolve, reject) => {
    server.once('error', cause => reject(new UsherError('SERVE_FAILED', `cannot listen on ${where.path ?? `127.0.0.1:${where.port}`}: ${cause.message}`, { cause })))
    let connections = 0
    server.on('connection', socket => { connections++; socket.once('close', () => { connections-- }) })
    server.listen(where, () => resolve({ port: door === 'http' ? portOf(server) : 0, get connections() { return connections }, close: graceMs => close(server, graceMs) }))
  })
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** The connection goes with it: what is left of the request is not read. */
function refuse(outgoing: ServerResponse, status: number, message: string): void {
  outgoing.writeHead(status, { ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${message}\n`)
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => { server.close(() => resolve()) })
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}
