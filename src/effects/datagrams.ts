/** UDP: datagrams, connected datagram sockets, and bound ones, which listen. */
import dgram from 'node:dgram'
import { guard, refuseEmitter, type Look, type Refuse, type Surgery } from './guard.ts'
import type { Fn } from './patches.ts'
import type { Recorder } from './recorder.ts'
import { place, read } from './text.ts'

/** `send(msg, [offset, length,] [port [, address]] [, callback])`; a connected socket has neither port nor address, and one whose connection was stopped is still meant to go there. Undefined: nowhere, which Node will refuse itself. */
function destination(args: readonly unknown[], socket: dgram.Socket, meant: WeakMap<object, string>): string | undefined {
  const plain = args.filter(arg => typeof arg !== 'function')
  const [port, address] = plain.length >= 4 ? plain.slice(3) : plain.slice(1)
  try {
    const remote = socket.remoteAddress()
    return place(remote.address, remote.port)
  } catch {
    // Not connected: the arguments say where to.
    return port === undefined ? meant.get(socket) : place(address, port)
  }
}

const bind: Look = args => {
  const options = typeof args[0] === 'object' && args[0] !== null ? args[0] : { port: args[0], address: args[1] }
  const port = read(options, 'port')
  const address = read(options, 'address')
  return { kind: 'net.listen', target: place(typeof address === 'string' ? address : '*', typeof port === 'function' ? undefined : port), detail: { api: 'dgram.Socket.bind', protocol: 'udp' } }
}

/** To the callback where there is one, otherwise to the `error` event. */
const refuseSend: Refuse = (stop, args, self) => {
  const callback = args.findLast(arg => typeof arg === 'function') as Fn | undefined
  if (!callback) return refuseEmitter(stop, args, self)
  process.nextTick(callback, stop)
  return undefined
}

/** A chatty socket is one effect for each place and call, not one a datagram. */
function outgoing(recorder: Recorder, told: WeakMap<object, Set<string>>, api: string, whereTo: (args: readonly unknown[], socket: dgram.Socket) => string | undefined): Look {
  return (args, self) => {
    const target = whereTo(args, self as dgram.Socket)
    if (target === undefined) return undefined
    const known = told.get(self as object) ?? new Set<string>()
    const key = JSON.stringify([recorder.scope?.callId, target])
    if (known.has(key)) return undefined
    return { kind: 'udp.send', target, detail: { api }, told: () => { told.set(self as object, known.add(key)) } }
  }
}

export function watchDatagrams(surgery: Surgery): void {
  const told = new WeakMap<object, Set<string>>()
  const { prototype } = dgram.Socket
  const meant = new WeakMap<object, string>()
  const connecting = (args: readonly unknown[], socket: dgram.Socket): string => {
    const target = place(args[1], args[0])
    meant.set(socket, target)
    return target
  }
  guard(surgery, prototype, 'send', outgoing(surgery.recorder, told, 'dgram.Socket.send', (args, socket) => destination(args, socket, meant)), refuseSend)
  guard(surgery, prototype, 'connect', outgoing(surgery.recorder, told, 'dgram.Socket.connect', connecting), refuseSend)
  guard(surgery, prototype, 'bind', bind, refuseEmitter)
}
