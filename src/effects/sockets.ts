/** Connections and listening sockets. `net.Socket.prototype.connect` is what tls, http, https, http2 and fetch all end in. */
import net from 'node:net'
import type { UsherError } from '../errors.ts'
import { guard, hush, refuseEmitter, type Look, type Surgery } from './guard.ts'
import type { Seen } from './judge.ts'
import type { Fn } from './patches.ts'
import { place, read } from './text.ts'

/** `(options)`, `(port, host?)`, `(path)`, or the array of those that Node's own code passes on. */
function optionsOf(args: readonly unknown[]): unknown {
  const first = Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0]
  if (typeof first === 'object' && first !== null) return first
  if (typeof first === 'string' && !(Number(first) >= 0)) return { path: first }
  return { port: first, host: typeof args[1] === 'string' ? args[1] : undefined }
}

function whereTo(args: readonly unknown[], anyHost: string): { readonly target: string, readonly protocol: 'tcp' | 'unix' } {
  const options = optionsOf(args)
  const path = read(options, 'path')
  if (typeof path === 'string' && read(options, 'port') === undefined) return { target: `unix:${path}`, protocol: 'unix' }
  return { target: place(read(options, 'host') ?? anyHost, read(options, 'port')), protocol: 'tcp' }
}

/** Made once: every connection has one of them. */
const CONNECTS = {
  tcp: Object.freeze({ api: 'net.Socket.connect', protocol: 'tcp' }), tls: Object.freeze({ api: 'net.Socket.connect', protocol: 'tls' }), unix: Object.freeze({ api: 'net.Socket.connect', protocol: 'unix' }),
}

const connect = (args: readonly unknown[], self: unknown): Seen => {
  const { target, protocol } = whereTo(args, 'localhost')
  return { kind: 'net.connect', target, detail: CONNECTS[read(self, 'encrypted') === true ? 'tls' : protocol] }
}

const listen: Look = args => {
  const { target, protocol } = whereTo(args, '*')
  return { kind: 'net.listen', target, detail: { api: 'net.Server.listen', protocol } }
}

/**
 * A connection that fails as if its name were unknown: nothing leaves, and the socket is in every state that callers know from that failure
 * (http2 takes a socket without a handle for a connected one).
 */
function failConnect(socket: net.Socket, connectOriginal: Fn, stop: UsherError): unknown {
  hush(socket)
  const lookup = (_host: string, _options: object, done: (error: Error) => void): void => { process.nextTick(done, stop) }
  return Reflect.apply(connectOriginal, socket, [{ host: 'blocked.invalid', port: 1, autoSelectFamily: false, lookup }])
}

function watchConnect({ patches, recorder }: Surgery): void {
  patches.replace(net.Socket.prototype, 'connect', original => ({
    connect(this: net.Socket, ...args: unknown[]): unknown {
      if (!recorder.watching) return Reflect.apply(original, this, args)
      const seen = connect(args, this)
      const stop = recorder.see(seen)
      if (stop) return failConnect(this, original, stop)
      recorder.enter(seen)
      try { return Reflect.apply(original, this, args) } finally { recorder.leave() }
    },
  }).connect as Fn)
}

export function watchSockets(surgery: Surgery): void {
  watchConnect(surgery)
  guard(surgery, net.Server.prototype, 'listen', listen, refuseEmitter)
}
