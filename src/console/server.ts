/** The page alone, on loopback: for a log that some other process writes, or for as long as a command runs. */
import { createAdaptorServer } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import type { Clock, MaybePromise } from '../ports.ts'
import { ConsoleAccess } from './access.ts'
import { consoleApp } from './app.ts'
import type { ConsoleDesk, ContractsView, RoutesView } from './ports.ts'
import { openReads } from './reads/open.ts'

export interface ConsoleServer {
  /** With the token behind `#`: opens the page in a browser. */
  readonly address: string
  readonly origin: string
  close(): Promise<void>
}

export interface ConsoleOptions {
  /** The log's file; it need not be there yet. */
  readonly log: string
  /** Default 0: a free one. */
  readonly port?: number
  /** Default: a new one for each start. */
  readonly token?: string
  readonly routes?: () => MaybePromise<RoutesView>
  readonly contracts?: () => MaybePromise<ContractsView>
  /** Default: the page only reads. */
  readonly desk?: ConsoleDesk
  readonly clock?: Clock
}

/** Rejects where the port is taken. */
export function startConsole(options: ConsoleOptions): Promise<ConsoleServer> {
  return new Promise((resolve, reject) => {
    const closing = new AbortController()
    const reads = openReads(options.log)
    let origin = ''
    const access = new ConsoleAccess({ origin: () => origin, ...(options.token === undefined ? {} : { token: options.token }) })
    const { routes, contracts, desk, clock } = options
    const app = consoleApp({ reads, access, closing: closing.signal, ...(routes ? { routes } : {}), ...(contracts ? { contracts } : {}), ...(desk ? { desk } : {}), ...(clock ? { clock } : {}) })
    const server = createAdaptorServer({ fetch: app.fetch })
    server.on('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', () => {
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const close = async (): Promise<void> => {
        closing.abort()
        const ended = new Promise<void>(done => { server.close(() => done()) })
        if ('closeAllConnections' in server) server.closeAllConnections()
        await ended
        await reads.close()
      }
      resolve({ address: access.address(), origin, close })
    })
  })
}
