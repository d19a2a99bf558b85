/** HTTP requests of `http`, `https` and every copy of undici (so `fetch`), also those that a kept-alive connection carries without a new connect. */
import dc from 'node:diagnostics_channel'
import http from 'node:http'
import type { Socket } from 'node:net'
import type { UsherError } from '../errors.ts'
import { guard, hush, type Look, type Refuse, type Surgery } from './guard.ts'
import { place, read } from './text.ts'

/** Every request with an agent, and those without one get a fresh agent, is handed to it here. */
const addRequest: Look = args => {
  const [request, options] = args
  const method = read(request, 'method')
  if (typeof method !== 'string') return undefined
  return { kind: 'http.request', target: `${method} ${originOf(request, options)}`, detail: { api: 'http.request' } }
}

function originOf(request: unknown, options: unknown): string {
  const socket = read(options, 'socketPath')
  if (typeof socket === 'string') return `unix:${socket}`
  const protocol = String(read(request, 'protocol') ?? 'http:')
  const host = read(options, 'host') ?? (typeof options === 'string' ? options : 'localhost')
  const where = place(host, read(options, 'port') ?? (protocol === 'https:' ? 443 : 80))
  return `${protocol}//${where.replace(protocol === 'https:' ? /:443$/ : /:80$/, '')}`
}

/** The way an agent tells a request that it got no socket. */
const refuseRequest: Refuse = (stop, args) => {
  const request = args[0] as http.ClientRequest & { onSocket(socket: null, error: Error): void }
  hush(request)
  request.onSocket(null, stop)
  return undefined
}

export function watchHttp(surgery: Surgery): () => void {
  guard(surgery, http.Agent.prototype, 'addRequest', addRequest, refuseRequest, args => hush(args[0]))
  return watchUndici(surgery)
}

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
