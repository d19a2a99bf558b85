/** What a server is started with; checked once, at the door. */
import { UsherError } from '../errors.ts'
import type { UsherOptions } from '../assemble.ts'
import type { ContractStore } from '../contract/store.ts'
import { isSource } from '../ingest/source.ts'
import type { WatchMode } from '../mcp/watch-mode.ts'
import type { Tool } from '../types.ts'
import type { EventAnswer } from './answer-json.ts'

export interface ServeOptions {
  /** Folder of secrets, socket and lock: mode 0700, made where it is not there. */
  readonly state: string
  /** 0: a free one. */
  readonly port: number
  /** Where the token that reads is kept; default `page.token` in the state folder. */
  readonly tokenFile?: string
  /** Route files and folders. */
  readonly routes: readonly string[]
  /** Where copies of the routes that a person accepted are. */
  readonly acceptedFolder: string
  /** Why the route files as they are now must not be loaded (links, modes, folders above), in words; default: nobody asks. */
  readonly routeBreaches?: () => readonly string[]
  /** Tools module and calibration: where they are not what was accepted with the routes, nothing is called until a person says so. */
  readonly pinned?: readonly string[]
  readonly log: string
  /** @param page the address of the page @param open an address that lets a browser in, once */
  readonly tools: (page: string, open: () => string) => Promise<readonly Tool[]>
  readonly contracts?: () => ContractStore
  /** How the contracts' servers are watched; default `preload`. */
  readonly watchChildren?: WatchMode
  /** Of events over the Unix socket without a token; default `local`. */
  readonly socketSource?: string
  readonly folder?: { readonly path: string, readonly source: string }
  readonly lines?: { readonly bytes: AsyncIterable<Uint8Array>, readonly source: string, readonly answer: (line: EventAnswer | object) => void }
  /** Events from a stream (NATS JetStream), shared with other machines. */
  readonly stream?: { readonly url: string, readonly stream: string, readonly consumer: string, readonly prefix: string, readonly inFlight: number, readonly tries: number, readonly credentials?: string, readonly outcomes?: string }
  /** Events that may wait; default 1000. */
  readonly capacity?: number
  /** Ms that a shutdown waits for the call in flight; default 30 s. */
  readonly grace?: number
  readonly usher?: Partial<UsherOptions>
  /** Told of what an owner should see at once: a bad edit, one that waits, a file that failed. */
  readonly onNote?: (note: string) => void
}

/** Throws BAD_OPTION. */
export function checkServeOptions(options: ServeOptions): void {
  const bad = (message: string) => new UsherError('BAD_OPTION', message)
  if (!(Number.isInteger(options.port) && options.port >= 0 && options.port <= 65535)) throw bad(`the port must be from 0 to 65535, got ${options.port}`)
  for (const [name, value] of [['--queue', options.capacity], ['--grace', options.grace]] as const) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) throw bad(`${name} must be above 0, got ${value}`)
  }
  for (const source of [options.socketSource, options.folder?.source, options.lines?.source]) {
    if (source !== undefined && (!isSource(source) || source.split(':', 1)[0] === 'call')) throw bad(`a source is a name like "webhook" or "chat:alice" (and not "call", which is Usher's own), got ${JSON.stringify(source)}`)
  }
}
