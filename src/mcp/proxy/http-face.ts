/** Streamable HTTP for the client: a server process, and a proxy before it, for each session. This machine only. */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { decodeStrict } from '../../contract/read-file.ts'
import { inspectWire } from '../../contract/wire.ts'
import type { Json, JsonObject } from '../../types.ts'
import { isRecord } from '../../util/records.ts'
import type { Face } from './face.ts'
import { ERRORS } from './methods.ts'

export interface HttpProxyOptions {
  /** 0: a free one. */
  readonly port: number
  /** Where set, each request must carry `Authorization: Bearer TOKEN`. */
  readonly token?: string
  /** Starts a proxy behind a session's face. */
  readonly open: (face: Face) => Promise<{ close(): Promise<void> }>
  /** Default 100. */
  readonly maxSessions?: number
}

interface Session { readonly transport: StreamableHTTPServerTransport, close(): Promise<void> }

const MAX_BODY = 16 * 1024 * 1024
const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
}

/** A page in the owner's browser may send requests here, also under another host name: neither origin nor host may be foreign. */
function isForeign(request: IncomingMessage): boolean {
  const { host = '', origin } = request.headers
  if (!LOCAL.test(host)) return true
  return origin !== undefined && !LOCAL.test(origin.replace(/^https?:\/\//, ''))
}

function hasToken(request: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return true
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    length += (part as Buffer).length
    if (length > MAX_BODY) return undefined
    parts.push(part as Buffer)
  }
  return decodeStrict(Buffer.concat(parts))
}

function faceOf(transport: StreamableHTTPServerTransport): Face {
  const face: Face = {
    onMessage: () => undefined, onStray: () => undefined, onClose: () => undefined,
    send: (value, _raw, related) => {
      const sent = transport.send(value as unknown as JSONRPCMessage, related === undefined || related === null ? {} : { relatedRequestId: related as RequestId })
      // The client closed the stream that this belongs to: there is nobody to tell, and the log has the outcome.
      sent.catch(() => undefined)
    },
    start: () => undefined,
    close: () => transport.close(),
  }
  transport.onmessage = message => face.onMessage({ value: message as unknown as JsonObject, raw: undefined, breaches: [] })
  transport.onclose = () => face.onClose()
  return face
}

export class HttpProxy {
  readonly #options: HttpProxyOptions
  readonly #sessions = new Map<string, Session>()
  readonly #server: Server

  private constructor(options: HttpProxyOptions) {
    this.#options = options
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        if (!response.headersSent) refuse(response, 500, -32000, error instanceof Error ? error.message : String(error))
      })
    })
  }

  static async start(options: HttpProxyOptions): Promise<HttpProxy> {
    const proxy = new HttpProxy(options)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject)
      proxy.#server.listen(options.port, '127.0.0.1', resolve)
    })
    return proxy
  }

  get address(): string { return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp` }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(session => session.close()))
    this.#server.closeAllConnections()
    await new Promise<void>(resolve => { this.#server.close(() => resolve()) })
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isForeign(request)) return refuse(response, 403, -32000, 'only for clients on this machine')
    if (!hasToken(request, this.#options.token)) return refuse(response, 401, -32000, 'a bearer token is needed')
    if (request.url?.split('?')[0] !== '/mcp') return refuse(response, 404, -32000, 'the endpoint is /mcp')
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined
    if (id !== undefined && !session) return refuse(response, 404, -32001, 'there is no such session')
    if (request.method !== 'POST') return session ? session.transport.handleRequest(request, response) : refuse(response, 400, ERRORS.invalidRequest, 'begin with initialize')
    const text = await readBody(request)
    const inspected = text === undefined ? undefined : inspectWire(text)
    if (inspected?.kind !== 'json' || inspected.breaches.length > 0)
      return refuse(response, 400, ERRORS.parse, inspected?.kind === 'json' ? inspected.breaches[0]?.why ?? '' : inspected?.why ?? 'too large, or not UTF-8')
    if (session) return session.transport.handleRequest(request, response, inspected.value)
    return this.#begin(request, response, inspected.value)
  }

  async #begin(request: IncomingMessage, response: ServerResponse, body: Json): Promise<void> {
    if (!isRecord(body) || body['method'] !== 'initialize') return refuse(response, 400, ERRORS.invalidRequest, 'begin with initialize')
    if (this.#sessions.size >= (this.#options.maxSessions ?? 100)) return refuse(response, 503, -32000, 'too many sessions')
    const id = randomUUID()
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id })
    const proxy = await this.#options.open(faceOf(transport))
    const closed = transport.onclose
    transport.onclose = () => { this.#sessions.delete(id); closed?.() }
    this.#sessions.set(id, { transport, close: () => proxy.close() })
    await transport.start()
    await transport.handleRequest(request, response, body)
  }
}
