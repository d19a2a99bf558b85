/** One MCP server, connected: the SDK's client on our wire, with own deadlines and with errors that say what the server did. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { UsherError } from '../errors.ts'
import { type ControlAttempt, methodAttempt } from '../contract/control-attempts.ts'
import type { WireBreach } from '../contract/wire.ts'
import type { Json, JsonObject } from '../types.ts'
import { isRecord } from '../util/records.ts'
import { visible } from '../util/mask.ts'
import { httpWire } from './http-wire.ts'
import { type ProcessOptions, ServerProcess } from './server-process.ts'
import { breachesOf, StdioWire, TappedWire } from './wire-transport.ts'

export type ServerTarget =
  | ({ readonly kind: 'command' } & Pick<ProcessOptions, 'command' | 'cwd' | 'env' | 'sandbox'>)
  | { readonly kind: 'url', readonly url: string, readonly headers?: { readonly [name: string]: string } }

/** What a server may ask of its client. Off unless the owner hands in a way to answer. */
export type ServerRequests = { readonly [method in 'sampling/createMessage' | 'elicitation/create' | 'roots/list']?: (params: JsonObject) => Promise<JsonObject> }

export interface ConnectOptions {
  /** ms; default 30 s. From the start of the process to the end of `initialize`. */
  readonly startTimeout?: number
  /** ms for each page of the list; default 30 s. */
  readonly listTimeout?: number
  /** ms; default 50 s, under the dispatcher's own 60 s, so that silence reads `unknown`. Progress does not extend it. */
  readonly callTimeout?: number
  readonly maxLineBytes?: number
  readonly serverRequests?: ServerRequests
  /** Told of everything that the server asks for, allowed or not. */
  readonly onServerRequest?: (method: string, allowed: boolean) => void
  /** Told of each try to change what binds the server; it gets an error that says who may. */
  readonly onAttempt?: (attempt: ControlAttempt) => void
  readonly background?: ProcessOptions['background']
  /** Whether what a server's process does is handed to the effects observer. Default `off`. */
  readonly watch?: ProcessOptions['watch']
}

/** One entry of `tools/list` as it came, with what is wrong in its text. */
export interface WireEntry { readonly value: Json, readonly breaches: readonly WireBreach[] }

/** The server answered with a JSON-RPC error: it is alive, and said no. */
export class ServerAnswer extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data: unknown, cause: unknown) {
    super(message, { cause })
    this.name = 'ServerAnswer'
    this.code = code
    this.data = data
  }
}

const MAX_PAGES = 1000
const MAX_TOOLS = 20_000
const REQUESTS: ReadonlyMap<string, object> = new Map([['sampling/createMessage', { sampling: {} }], ['elicitation/create', { elicitation: {} }], ['roots/list', { roots: {} }]])

export class ServerConnection {
  readonly #client: Client
  readonly #tap: TappedWire
  readonly #stdio: StdioWire | undefined
  readonly #process: ServerProcess | undefined
  readonly #options: ConnectOptions
  #closed = false

  private constructor(client: Client, tap: TappedWire, options: ConnectOptions, stdio?: StdioWire, process?: ServerProcess) {
    this.#client = client
    this.#tap = tap
    this.#options = options
    this.#stdio = stdio
    this.#process = process
  }

  /** Starts or reaches the server and initialises. Rejects with SERVER_FAILED; then nothing of it is left. */
  static async open(target: ServerTarget, options: ConnectOptions = {}): Promise<ServerConnection> {
    const limits = { ...options.maxLineBytes === undefined ? {} : { maxLineBytes: options.maxLineBytes }, ...options.background ? { background: options.background } : {}, ...options.watch ? { watch: options.watch } : {} }
    const process = target.kind === 'command' ? await ServerProcess.start({ ...target, ...limits }) : undefined
    const stdio = process && new StdioWire(process)
    const http = target.kind === 'url' ? httpWire({ url: target.url, ...target.headers ? { headers: target.headers } : {}, ...options.maxLineBytes === undefined ? {} : { maxBytes: options.maxLineBytes } }) : undefined
    const inner = (stdio ?? http?.transport) as Transport
    const around = options.background ? <T>(work: () => Promise<T>): Promise<T> => (options.background as NonNullable<typeof options.background>)('mcp:wire', work) : <T>(work: () => Promise<T>): Promise<T> => work()
    const tap = new TappedWire(inner, around)
    if (http) {
      tap.takeBreaches = http.takeBreaches
      http.onBroken(why => { tap.broken = why; void tap.close() })
    }
    const connection = new ServerConnection(makeClient(options), tap, options, stdio, process)
    connection.#listen()
    try {
      await connection.#client.connect(tap, { timeout: options.startTimeout ?? 30_000 })
    } catch (error) {
      const failed = connection.#explain(error, `the server did not start in ${options.startTimeout ?? 30_000} ms`)
      await connection.close()
      throw failed
    }
    process?.watch?.started(process.pid)
    return connection
  }

  onListChanged: () => void = () => undefined
  onClosed: () => void = () => undefined

  /** What the server says of itself, as it came. */
  get hello(): JsonObject { return this.#tap.hello ?? {} }
  get closed(): boolean { return this.#closed }
  get pid(): number | undefined { return this.#process?.pid }
  /** What the sandbox could not give. */
  get missing(): readonly string[] {
    const silent = this.#process?.watch?.reporting === false ? ['no preload reports from inside the server: what it does is not seen'] : []
    return [...this.#process?.missing ?? [], ...silent]
  }
  /** Lines on stdout that were no messages. */
  get strays(): readonly string[] { return this.#stdio?.strays ?? [] }

  /** Every page. Rejects with SERVER_FAILED. */
  async listTools(): Promise<readonly WireEntry[]> {
    const entries: WireEntry[] = []
    const cursors = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const result = await this.#request('tools/list', cursor === undefined ? {} : { cursor }, this.#options.listTimeout ?? 30_000)
      const tools = isRecord(result) ? result['tools'] : undefined
      if (!Array.isArray(tools)) throw new UsherError('SERVER_FAILED', 'tools/list was answered without a list of tools')
      const found = breachesOf(result)
      if (found.some(breach => breach.path[0] !== 'tools' || breach.path.length < 2)) throw new UsherError('SERVER_FAILED', `tools/list was answered in a way that can be read in two ways: ${found[0]?.why}`)
      tools.forEach((value: Json, at) => entries.push({ value, breaches: found.filter(breach => breach.path[1] === at) }))
      if (entries.length > MAX_TOOLS) throw new UsherError('SERVER_FAILED', `the server lists more than ${MAX_TOOLS} tools`)
      const next = isRecord(result) ? result['nextCursor'] : undefined
      if (next === undefined || next === null) return entries
      if (typeof next !== 'string' || cursors.has(next)) throw new UsherError('SERVER_FAILED', 'tools/list goes round in a circle: a cursor came twice, or is no text')
      cursors.add(next)
      cursor = next
    }
    throw new UsherError('SERVER_FAILED', `tools/list has more than ${MAX_PAGES} pages`)
  }

  /**
   * One call, never repeated. Resolves with the raw result (also one with `isError`). Rejects with ServerAnswer where the server said no, and
   * with SERVER_FAILED where whether it took effect is not known.
   * @param call what the server does until it answers belongs to this call; default: the one that the observer knows to be in flight here
   */
  async callTool(name: string, args: JsonObject, signal?: AbortSignal, call?: { readonly callId: string }): Promise<Json> {
    const done = this.#process?.watch?.begin(call)
    const result = await this.#request('tools/call', { name, arguments: args }, this.#options.callTimeout ?? 50_000, signal).finally(done)
    if (breachesOf(result).some(breach => breach.reason === 'repeated-member')) throw new UsherError('SERVER_FAILED', `the answer of ${JSON.stringify(name)} has a member twice, so what it says cannot be told`)
    return result
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#client.close()
    await this.#process?.stop()
  }

  #listen(): void {
    this.#tap.onServerMethod = (method, kind, params) => {
      if (method === 'notifications/tools/list_changed') this.onListChanged()
      if (kind === 'request' && method !== 'ping') this.#options.onServerRequest?.(method, Object.hasOwn(this.#options.serverRequests ?? {}, method))
      const attempt = methodAttempt(method, params)
      if (attempt) this.#options.onAttempt?.(attempt)
    }
    this.#client.onclose = () => {
      this.#closed = true
      this.onClosed()
    }
  }

  async #request(method: string, params: JsonObject, timeout: number, signal?: AbortSignal): Promise<Json> {
    try {
      // z.unknown: the result stays the object that the wire reader made. The SDK's schemas would drop members, or refuse the whole list for one tool.
      return await this.#client.request({ method, params } as Parameters<Client['request']>[0], z.unknown(), { timeout, maxTotalTimeout: timeout, ...signal ? { signal } : {} }) as Json
    } catch (error) {
      throw this.#explain(error, `${method} got no answer in ${timeout} ms`)
    }
  }

  /** The SDK uses one error class for its own deadline, a lost connection, and what the server answered. A server that copies the first two reads as lost. */
  #lost(error: McpError): 'late' | 'closed' | undefined {
    const { code, data } = error
    if (code === ErrorCode.RequestTimeout as number && (data === undefined || (isRecord(data) && (Object.hasOwn(data, 'timeout') || Object.hasOwn(data, 'maxTotalTimeout'))))) return 'late'
    return code === ErrorCode.ConnectionClosed as number && (this.#closed || this.#process?.ended !== undefined || this.#broken !== undefined) ? 'closed' : undefined
  }

  get #broken(): string | undefined { return this.#stdio?.broken ?? this.#tap.broken }

  #explain(error: unknown, late: string): Error {
    if (UsherError.is(error) && error.code === 'SERVER_FAILED') return error
    const lost = error instanceof McpError ? this.#lost(error) : undefined
    if (error instanceof McpError && !lost) return new ServerAnswer(error.code, visible(error.message), error.data, error)
    const what = this.#broken ?? (this.#process?.ended ? `the server ended: ${this.#process.ended}` : lost === 'late' ? late : `the server failed: ${error instanceof Error ? visible(error.message) : String(error)}`)
    const strays = this.strays.length > 0 ? `; its stdout is not JSON-RPC (${this.strays.length} such lines), the first: ${this.strays[0]}` : ''
    const tail = this.#process?.stderrTail
    return new UsherError('SERVER_FAILED', `${what}${strays}${tail ? `; the end of its stderr:\n${tail.slice(-2000)}` : ''}`, { cause: error })
  }
}

function makeClient(options: ConnectOptions): Client {
  const allowed = Object.entries(options.serverRequests ?? {})
  const capabilities = Object.assign({}, ...allowed.map(([method]) => REQUESTS.get(method) ?? {})) as object
  const client = new Client({ name: 'usher', version: '1' }, { capabilities })
  client.fallbackRequestHandler = async request => {
    const answer = allowed.find(([method]) => method === request.method)?.[1]
    if (methodAttempt(request.method, undefined)) throw new McpError(ErrorCode.MethodNotFound, `${request.method}: only a person may change that; nothing was written, a proposal waits as a draft at most`)
    if (!answer) throw new McpError(ErrorCode.MethodNotFound, `${request.method} is off: the owner allows a server's request by name`)
    return answer((request.params ?? {}) as JsonObject)
  }
  return client
}
