/** HTTP requests of `http`, `https` and every copy of undici (so `fetch`), also those that a kept-alive connection carries without a new connect. */
import dc from 'node:diagnostics_channel'
import http from 'node:http'
import { guard, hush, type Look, type Refuse, type Surgery } from './guard.ts'
import type { Seen } from './judge.ts'
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

interface UndiciRequest { readonly method: string, readonly origin: string | URL, onConnect(abort: (error: Error) => void): unknown }

/** undici publishes each request before it is queued. A throw here would be an uncaught exception; an abort when it is about to be sent rejects it. */
function watchUndici({ recorder }: Surgery): () => void {
  const created = (message: unknown): void => {
    const request = read(message, 'request') as UndiciRequest | undefined
    if (!recorder.watching || typeof request?.method !== 'string' || request.origin === undefined) return
    const origin = String(request.origin).replace(/\/$/, '')
    const seen: Seen = { kind: 'http.request', target: `${request.method} ${origin}`, detail: { api: 'undici' } }
    const stop = recorder.see(seen)
    if (!stop) return
    const onConnect = request.onConnect.bind(request)
    request.onConnect = abort => {
      const result = onConnect(abort)
      abort(stop)
      return result
    }
  }
  dc.subscribe('undici:request:create', created)
  return () => { dc.unsubscribe('undici:request:create', created) }
}
