/** Serves the call log page on loopback only, and only to a browser that asks for this very host: a rebound DNS name gets nothing. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callLogPage, type PageRow } from './page.ts'

export interface ConsoleServer { readonly address: string, close(): Promise<void> }

const HEADERS = { 'content-security-policy': 'default-src \'none\'; style-src \'unsafe-inline\'; frame-ancestors \'none\'; base-uri \'none\'; form-action \'none\'', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }

/** @param rows read anew for each request; @param port default 0: a free one */
export function startConsole(rows: () => readonly PageRow[], port = 0): Promise<ConsoleServer> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const { port: own } = server.address() as AddressInfo
      const respond = (status: number, type: string, body: string) => response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body)
      if (request.headers.host !== `127.0.0.1:${own}`) return respond(421, 'text/plain', 'this page answers to its own address only\n')
      if (request.method !== 'GET' && request.method !== 'HEAD') return respond(405, 'text/plain', 'read only\n')
      try {
        return respond(200, 'text/html', callLogPage(rows()))
      } catch (error) {
        return respond(500, 'text/plain', `the log cannot be read: ${error instanceof Error ? error.message : String(error)}\n`)
      }
    })
    server.on('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const { port: own } = server.address() as AddressInfo
      resolve({ address: `http://127.0.0.1:${own}/`, close: () => new Promise(done => { server.closeAllConnections(); server.close(() => done()) }) })
    })
  })
}
