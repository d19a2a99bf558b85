/** What the table's cases act on, and how it is seen that something really happened. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'

export interface World {
  readonly dir: string
  /** A file and a folder that exist before each case, and a name that does not. */
  readonly old: string
  readonly folder: string
  readonly fresh: string
  readonly port: number
  readonly udpPort: number
  /** Connections, requests and datagrams that really arrived. */
  readonly arrived: { connections: number, requests: number, datagrams: number }
  close(): Promise<void>
}

/** One call of an API: what the observer has to say of it, and whether it really happened. */
export interface Case {
  readonly api: string
  readonly kind: string
  readonly target: (world: World) => string
  readonly act: (world: World) => unknown
  readonly happened: (world: World) => boolean
}

export async function makeWorld(): Promise<World> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'usher-effects-')))
  const old = join(dir, 'old.txt')
  const folder = join(dir, 'folder')
  writeFileSync(old, 'before', { mode: 0o644 })
  mkdirSync(folder)
  const arrived = { connections: 0, requests: 0, datagrams: 0 }
  const server: Server = createServer((_request, response) => { arrived.requests++; response.end('hello') })
  server.on('connection', () => { arrived.connections++ })
  const udp: Socket = createSocket('udp4')
  udp.on('message', () => { arrived.datagrams++ })
  server.listen(0, '127.0.0.1')
  udp.bind(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(udp, 'listening')])
  return {
    dir, old, folder, fresh: join(dir, 'fresh.txt'), arrived,
    port: (server.address() as AddressInfo).port,
    udpPort: udp.address().port,
    async close() {
      server.closeAllConnections()
      await Promise.all([new Promise(done => { server.close(done) }), new Promise<void>(done => { udp.close(done) })])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
