/** What stands before the router is there: the state folder, its secrets, and the TCP door, which answers "starting" until then. */
import { join, resolve } from 'node:path'
import type { Closers } from './closers.ts'
import { problem } from './events-request.ts'
import { listenTcp, type Fetch, type Listener } from './listen.ts'
import { lockState } from './lock.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import type { ServeOptions } from './options.ts'
import { pageToken } from './page-token.ts'
import { privateFolder } from './private-files.ts'
import { TokenStore } from './tokens.ts'

export interface Front {
  readonly state: string
  readonly tokenFile: string
  readonly token: string
  readonly tokens: TokenStore
  readonly metrics: Metrics
  readonly tcp: Listener
  /** Of the page, with the slash. */
  readonly address: string
  readonly fetch: Fetch
  /** What answers from now on. */
  readonly answerWith: (fetch: Fetch, waiting: () => number) => void
}

const CAPACITY = 1000
/** Ms that answers may take to get out at the end. */
const LAST_WORDS = 2_000

export const capacityOf = (options: ServeOptions): number => options.capacity ?? CAPACITY

/** Throws SERVE_FAILED. */
export async function openFront(options: ServeOptions, closers: Closers): Promise<Front> {
  const state = privateFolder(resolve(options.state))
  closers.add(lockState(state))
  const tokenFile = resolve(options.tokenFile ?? join(state, 'page.token'))
  const token = pageToken(tokenFile)
  const tokens = new TokenStore(state)
  tokens.list()
  let answer: Fetch = () => problem(503, 'CLOSED', 'the server is starting', { 'retry-after': '2' })
  let waiting = (): number => 0
  let connections = (): number => 0
  const metrics = createMetrics({ waiting: () => waiting(), capacity: capacityOf(options), connections: () => connections() })
  closers.add(() => metrics.close())
  const fetch: Fetch = (request, env) => answer(request, env)
  const tcp = await listenTcp(options.port, { fetch, onRefused: metrics.refused })
  closers.add(() => tcp.close(LAST_WORDS))
  connections = () => tcp.connections
  return { state, tokenFile, token, tokens, metrics, tcp, fetch, address: `http://127.0.0.1:${tcp.port}/`, answerWith: (next, count) => { answer = next; waiting = count } }
}
