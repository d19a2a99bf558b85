/** HTTP requests of `http`, `https` and every copy of undici (so `fetch`), also those that a kept-alive connection carries without a new connect. */
import dc from 'node:diagnostics_channel'
import http from 'node:http'
import type { Socket } from 'node:net'
import type { UsherError } from '../errors.ts'
import { guard, hush, type Look, type Refuse, type Surgery } from './guard.ts'
import type { Seen } from './judge.ts'
import type { Fn } from './patches.ts'
import { place, read } from './text.ts'

function requestSight(request: unknown, options: unknown): Seen | undefined {
  const method = read(request, 'method')
  return typeof method === 'string' ? { kind: 'http.request', target: `${method} ${originOf(request, options)}`, detail: REQUEST } : undefined
}

const REQUEST = Object.freeze({ api: 'http.request' })

function originOf(request: unknown, options: unknown): string {
  const socket = read(options, 'socketPath')
  if (typeof socket === 'string') return `unix:${socket}`
  const protocol = String(read(request, 'protocol') ?? 'http:')
  const host = read(options, 'host') ?? (typeof options === 'string' ? options : 'localhost')
  const where = place(host, read(options, 'port') ?? (protocol === 'https:' ? 443 : 80))
  const usual = protocol === 'https:' ? ':443' : ':80'
  return `${protocol}//${where.endsWith(usual) ? where.slice(0, -usual.length) : where}`
}

/** The way an agent tells a request that it got no socket. */
const refuseRequest: Refuse = (stop, args) => {
  const request = args[0] as http.ClientRequest & { onSocket(socket: null, error: Error): void }
  hush(request)
  request.onSocket(null, stop)
  return undefined
}

export function watchHttp(surgery: Surgery): () => void {
  const known = new WeakSet<object>()
  // Every request with an agent of Node's kind is handed to it here, and one without an agent gets a fresh agent.
  const addRequest: Look = ([request, options]) => {
    if (typeof request === 'object' && request !== null) known.add(request)
    return requestSight(request, options)
  }
  guard(surgery, http.Agent.prototype, 'addRequest', addRequest, refuseRequest, args => hush(args[0]))
  watchStrangeAgents(surgery, known)
  return watchUndici(surgery)
}

/** An agent that takes requests in its own way still has to hand over a socket, and nothing is written before it does. */
function watchStrangeAgents({ patches, recorder }: Surgery, known: WeakSet<object>): void {
  patches.replace(http.ClientRequest.prototype, 'onSocket', original => ({
    onSocket(this: http.ClientRequest, ...args: unknown[]): unknown {
      if (known.has(this)) return Reflect.apply(original, this, args)
      const seen = recorder.watching ? requestSight(this, { host: this.host, port: portOf(this) }) : undefined
      known.add(this)
      const stop = seen && recorder.see(seen)
      if (!stop) return Reflect.apply(original, this, args)
      hush(this)
      return Reflect.apply(original, this, [args[0], stop])
    },
  }).onSocket as Fn)
}

/** The port stands only in the Host header, and there only if it is not the usual one. */
const portOf = (request: http.ClientRequest): string | undefined => /:(\d+)$/.exec(String(request.getHeader('host') ?? ''))?.[1]

/** What undici 5 to 7 (`onConnect`) and 8 (`onRequestStart`) call with a way to abort, just before a request would be sent. */
const STARTS = ['onConnect', 'onRequestStart'] as const
type Start = (abort: (error: Error) => void, ...rest: unknown[]) => unknown
type UndiciRequest = { readonly method: string, readonly origin: string | URL } & { [start in typeof STARTS[number]]?: Start }

/**
 * undici publishes each request before it is queued. A throw in there would be an uncaught exception; an abort when it is about to be sent
 * rejects it. A version that has neither start loses its connection before the headers are written.
 */
function watchUndici({ recorder }: Surgery): () => void {
  const stopped = new WeakMap<object, UsherError>()
  const created = (message: unknown): void => {
    const request = read(message, 'request') as UndiciRequest | undefined
    if (!recorder.watching || typeof request?.method !== 'string' || request.origin === undefined) return
    const target = `${request.method} ${String(request.origin).replace(/\/$/, '')}`
    const stop = recorder.see({ kind: 'http.request', target, detail: { api: 'undici' } })
    if (!stop) return
    stopped.set(request, stop)
    for (const key of STARTS) {
      const start = request[key]
      if (typeof start !== 'function') continue
      request[key] = (abort, ...rest) => {
        const result = Reflect.apply(start, request, [abort, ...rest]) as unknown
        abort(stop)
        return result
      }
    }
  }
  const sending = (message: unknown): void => {
    const stop = stopped.get(read(message, 'request') as object)
    if (stop) (read(message, 'socket') as Socket | undefined)?.destroy(stop)
  }
  dc.subscribe('undici:request:create', created)
  dc.subscribe('undici:client:sendHeaders', sending)
  return () => {
    dc.unsubscribe('undici:request:create', created)
    dc.unsubscribe('undici:client:sendHeaders', sending)
  }
}
