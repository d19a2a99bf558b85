/** Data that goes out over a connection that was opened before: no new connection shows it. Read from the same lines of strace, by their `write` calls. */
import { behind, StraceLines, stringOf } from '../effects/strace-lines.ts'
import { addressesOf } from '../effects/strace-network.ts'
import type { Sighting } from './merge.ts'

/** Added to what the observer's own trace asks for. */
export const WRITE_CALLS: readonly string[] = ['write', 'writev', 'sendfile']
const SENDS: ReadonlySet<string> = new Set([...WRITE_CALLS, 'sendto', 'sendmsg', 'sendmmsg'])
/** `TCP:[here->there]`, `UNIX-STREAM:[inode->inode]` */
const PEER = /^TCP(?:v6)?:\[.*->(.+)\]$/
const INODE = /^UNIX-(?:STREAM|SEQPACKET):\[(\d+)/

export class OpenConnections {
  readonly #lines = new StraceLines()
  /** Places that were connected to; replies of a server of its own go to others. */
  readonly #places = new Set<string>()
  /** A local socket's number -> the name it was connected to. */
  readonly #local = new Map<string, string>()
  #rest = ''

  push(text: string): readonly Sighting[] {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap(line => this.#line(line) ?? [])
  }

  #line(line: string): Sighting | undefined {
    const call = this.#lines.line(line)
    if (!call) return undefined
    const socket = behind(call.args[0]) ?? ''
    if (call.name === 'connect') {
      for (const place of addressesOf(call.name, call.args)) this.#places.add(place)
      const path = /sun_path=(@?)("(?:[^"\\]|\\.)*")/.exec(call.args[1] ?? '')
      const inode = INODE.exec(socket)?.[1]
      if (path && inode !== undefined && !call.result.startsWith('-1')) this.#local.set(inode, `unix:${path[1] ?? ''}${stringOf(path[2]) ?? ''}`)
      return undefined
    }
    if (!SENDS.has(call.name) || call.result.startsWith('-1')) return undefined
    const place = PEER.exec(socket)?.[1]
    const target = place !== undefined && this.#places.has(place) ? place : this.#local.get(INODE.exec(socket)?.[1] ?? '')
    return target === undefined ? undefined : { kind: 'net.connect', target, watcher: 'strace', at: call.at }
  }
}
