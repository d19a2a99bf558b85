/** Connections and listening sockets. `net.Socket.prototype.connect` is what tls, http, https, http2 and fetch all end in. */
import net from 'node:net'
import { emitLater, type Surgery } from './guard.ts'
import type { Fn } from './patches.ts'
import type { Seen } from './judge.ts'
import { place, read } from './text.ts'

/** `(options)`, `(port, host?)`, `(path)`, or the array of those that Node's own code passes on. */
function optionsOf(args: readonly unknown[]): unknown {
  const first = Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0]
  if (typeof first === 'object' && first !== null) return first
  if (typeof first === 'string' && !(Number(first) >= 0)) return { path: first }
  return { port: first, host: typeof args[1] === 'string' ? args[1] : undefined }
}

function whereTo(args: readonly unknown[], anyHost: string): { readonly target: string, readonly protocol: string } {
  const options = optionsOf(args)
  const path = read(options, 'path')
  if (typeof path === 'string' && read(options, 'port') === undefined) return { target: `unix:${path}`, protocol: 'unix' }
  return { target: place(read(options, 'host') ?? anyHost, read(options, 'port')), protocol: 'tcp' }
}

export function watchSockets({ patches, recorder }: Surgery): void {
  patches.replace(net.Socket.prototype, 'connect', original => ({
    connect(this: net.Socket, ...args: unknown[]): unknown {
      if (!recorder.watching) return Reflect.apply(original, this, args)
      const { target, protocol } = whereTo(args, 'localhost')
      const seen: Seen = { kind: 'net.connect', target, detail: { api: 'net.Socket.connect', protocol: read(this, 'encrypted') === true ? 'tls' : protocol } }
      const stop = recorder.see(seen)
      if (!stop) return recorder.doing(seen, () => Reflect.apply(original, this, args))
      // destroy() emits `error` by itself, and with no listener Node would end the process.
      this.once('error', () => undefined)
      process.nextTick(() => this.destroy(stop))
      return this
    },
  }).connect as Fn)
  patches.replace(net.Server.prototype, 'listen', original => ({
    listen(this: net.Server, ...args: unknown[]): unknown {
      if (!recorder.watching) return Reflect.apply(original, this, args)
      const { target, protocol } = whereTo(args, '*')
      const seen: Seen = { kind: 'net.listen', target, detail: { api: 'net.Server.listen', protocol } }
      const stop = recorder.see(seen)
      if (!stop) return recorder.doing(seen, () => Reflect.apply(original, this, args))
      emitLater(this, stop)
      return this
    },
  }).listen as Fn)
}
