/**
 * Who may speak to the server at all, before anything of the request is believed: a page in the owner's browser (also under a rebound name)
 * gets nothing. Looks at the raw request, since a framework reads `Host` in its own way.
 */
import type { IncomingMessage } from 'node:http'

export interface Refusal { readonly status: 400 | 403 | 421, readonly reason: 'host' | 'origin' | 'target', readonly message: string }

/** No script but our own files, no frame, no other origin; `no-store`, since the pages show what people said. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': 'default-src \'none\'; script-src \'self\'; style-src \'self\'; img-src \'self\' data:; font-src \'self\'; connect-src \'self\'; form-action \'self\'; base-uri \'none\'; frame-ancestors \'none\'',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

const refuse = (status: Refusal['status'], reason: Refusal['reason'], message: string): Refusal => ({ status, reason, message })

function hostsOf(request: IncomingMessage): readonly string[] {
  return request.rawHeaders.filter((_value, at) => at % 2 === 1 && request.rawHeaders[at - 1]?.toLowerCase() === 'host')
}

function ownHosts(port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost']
  return names.flatMap(name => port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])
}

/**
 * Undefined: let it in.
 * @param port of the TCP door; undefined for the Unix socket, which no browser reaches and whose clients name any host
 */
export function refusal(request: IncomingMessage, port: number | undefined): Refusal | undefined {
  // Absolute form (`GET http://other/`) would bring a second host.
  if (request.url?.startsWith('/') !== true) return refuse(400, 'target', 'the request must name a path of this server')
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (port === undefined) return origin === undefined && site === undefined ? undefined : refuse(403, 'origin', 'no browser speaks to this socket')
  const hosts = hostsOf(request)
  const [host = ''] = hosts
  if (hosts.length !== 1 || !ownHosts(port).includes(host.toLowerCase())) return refuse(421, 'host', `this server answers to 127.0.0.1:${port} only`)
  if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return refuse(403, 'origin', 'no page of another origin is answered')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return refuse(403, 'origin', 'no page of another site is answered')
  return undefined
}
