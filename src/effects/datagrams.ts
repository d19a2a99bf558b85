/** UDP: datagrams, connected datagram sockets, and bound ones, which listen. */
import dgram from 'node:dgram'
import { guard, refuseEmitter, type Look, type Refuse, type Surgery } from './guard.ts'
import type { Seen } from './judge.ts'
import type { Fn } from './patches.ts'
import { place, read } from './text.ts'

/** `send(msg, [offset, length,] [port [, address]] [, callback])`; a connected socket has neither port nor address. */
function destination(args: readonly unknown[], socket: dgram.Socket): string {
  const plain = args.filter(arg => typeof arg !== 'function')
  const [port, address] = plain.length >= 4 ? plain.slice(3) : plain.slice(1)
  try {
    const remote = socket.remoteAddress()
    return place(remote.address, remote.port)
  } catch {
    // Not connected: the arguments say where to.
    return place(address, port)
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
function watchOutgoing({ patches, recorder }: Surgery): void {
  const told = new WeakMap<dgram.Socket, Set<string>>()
  const outgoing = (key: 'send' | 'connect', whereTo: (args: readonly unknown[], socket: dgram.Socket) => string): void => {
    patches.replace(dgram.Socket.prototype, key, original => ({
      outgoing(this: dgram.Socket, ...args: unknown[]): unknown {
        if (!recorder.watching) return Reflect.apply(original, this, args)
        const target = whereTo(args, this)
        const known = told.get(this)
        const place = JSON.stringify([recorder.scope?.callId, target])
        const seen: Seen = { kind: 'udp.send', target, detail: { api: `dgram.Socket.${key}` } }
        if (!known?.has(place)) {
          const stop = recorder.see(seen)
          if (stop) return refuseSend(stop, args, this)
          told.set(this, (known ?? new Set<string>()).add(place))
        }
        return recorder.doing(seen, () => Reflect.apply(original, this, args))
      },
    }).outgoing as Fn)
  }
  outgoing('send', destination)
  outgoing('connect', args => place(args[1], args[0]))
}

export function watchDatagrams(surgery: Surgery): void {
  watchOutgoing(surgery)
  guard(surgery, dgram.Socket.prototype, 'bind', bind, refuseEmitter)
}
