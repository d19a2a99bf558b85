/**
 * Stands between any MCP client and one server. Only what is under contract is listed and called; each call goes through the dispatcher, so its
 * row is written before it passes. Everything else that the protocol knows passes unchanged.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type ControlAttempt, methodAttempt } from '../../contract/control-attempts.ts'
import type { ProposedBy } from '../../contract/proposals.ts'
import { UsherError } from '../../errors.ts'
import type { Json, JsonObject } from '../../types.ts'
import { quoted } from '../../util/mask.ts'
import { isRecord } from '../../util/records.ts'
import { kindOf, type Message } from '../message.ts'
import { planFor } from '../sandbox.ts'
import type { ProcessOptions } from '../server-process.ts'
import { errorAnswer } from './answers.ts'
import { Calls, type CallsOptions } from './calls.ts'
import type { Face } from './face.ts'
import { ERRORS, passesFromClient, SERVER_REQUESTS } from './methods.ts'
import type { ProxyPort } from './port.ts'
import { ServerSide } from './server-side.ts'
import { checkServer } from './which.ts'

export interface ProxyOptions extends CallsOptions {
  /** Without a `sandbox`: as little as the contracts need. */
  readonly process: ProcessOptions
  readonly face: Face
  /** The server's requests that the owner allows: `sampling`, `elicitation`, `roots`. Default: none. */
  readonly allowRequests?: ReadonlySet<string>
}

/** ms that the answers to a client that ended its input are waited for. */
const DRAIN = 10_000

export class Proxy {
  readonly ended: Promise<string>
  readonly #options: ProxyOptions
  readonly #server: ServerSide
  readonly #calls: Calls
  /** Requests of the client that went on and are not answered yet. */
  readonly #passed = new Set<string>()
  #closing: Promise<void> | undefined
  /** Requests of the server that were passed on, and may be answered by the client. */
  readonly #asked = new Set<string>()
  #finish: (how: string) => void = () => undefined

  private constructor(options: ProxyOptions, server: ServerSide) {
    this.#options = options
    this.#server = server
    this.#calls = new Calls(options, { server, send: (...message) => this.#send(...message), onDrift: (tool, changes) => this.#notice('drift', { tool, changes }) })
    this.ended = new Promise(resolve => { this.#finish = resolve })
    server.onMessage = message => this.#fromServer(message)
    server.onStray = why => this.#notice('stray', { from: 'server', why })
    server.onEnd = how => {
      if (this.#closing === undefined) this.#notice('server-ended', { how })
      void this.close(how)
    }
    options.face.onMessage = message => { this.#fromClient(message) }
    options.face.onStray = why => { this.#notice('stray', { from: 'client', why }); this.#send(errorAnswer(null, ERRORS.parse, why)) }
    options.face.onClose = () => { void this.#drained().then(() => this.close('the client went away')) }
    options.face.start()
  }

  /** Starts the server. Rejects with SERVER_FAILED where it cannot be started, CONTRACT_INVALID where no contract of it holds. */
  static async start(options: ProxyOptions): Promise<Proxy> {
    const contracts = options.contracts(options.store)
    if (contracts.length === 0)
      throw new UsherError('CONTRACT_INVALID', `no signed contract is for this server, so it is not started: ${options.store.problems.map(found => found.message).join('; ') || 'its name or command is in none'}`)
    await checkServer(contracts)
    const sandbox = options.process.sandbox ?? planFor(contracts.flatMap(contract => contract.privileges))
    return new Proxy(options, await ServerSide.start({ ...options.process, sandbox }))
  }

  /** What the sandbox could not give. */
  get missing(): readonly string[] { return this.#server.missing }

  close(how = 'closed'): Promise<void> {
    return this.#closing ??= this.#close(how)
  }

  async #close(how: string): Promise<void> {
    this.#calls.abort()
    await this.#server.stop()
    // Their outcomes are logged, and the client is told, before it is cut off.
    await this.#calls.settled()
    await this.#options.face.close()
    this.#finish(how)
  }

  /** A client may end its input and still read: what it asked for before gets its answer, for a while. */
  async #drained(): Promise<void> {
    const until = Date.now() + DRAIN
    while (this.#closing === undefined && this.#calls.size + this.#passed.size > 0 && Date.now() < until) await delay(20)
  }

  #send(value: JsonObject, raw?: string, related?: Json): void {
    this.#options.face.send(value, raw, related)
  }

  /** A write of the control plane: dropped, logged, and its sender is told that a person must do it (`contract:no-model`). */
  #attempted(by: ProposedBy, attempt: ControlAttempt, tell: (why: string) => void): void {
    Promise.resolve(this.#options.port.attempted(by, attempt)).then(tell, () => { void this.close('what happened could not be logged') })
  }

  #notice(what: Parameters<ProxyPort['noticed']>[0], detail: JsonObject): void {
    Promise.resolve(this.#options.port.noticed(what, detail)).catch(() => { void this.close('what happened could not be logged') })
  }

  #fromClient(message: Message): void {
    const { value, raw } = message
    const id = value['id'] ?? null
    const method = value['method']
    const fault = clientFault(message) ?? (kindOf(value) === 'request' && (this.#calls.has(id) || this.#passed.has(JSON.stringify(id))) ? 'a request with this id is under way' : undefined)
    if (fault) return this.#send(errorAnswer(id, ERRORS.invalidRequest, fault))
    switch (kindOf(value)) {
      case 'answer':
        if (this.#asked.delete(JSON.stringify(id))) void this.#pass(value, raw)
        return
      case 'notification':
        const attempt = methodAttempt(String(method), value['params'])
        if (attempt) return this.#attempted('model', attempt, () => undefined)
        if (!passesFromClient(String(method))) return this.#notice('stray', { from: 'client', why: `the notification ${JSON.stringify(method)} does not pass` })
        if (method === 'notifications/cancelled') this.#calls.cancel(value)
        return void this.#pass(value, raw)
      case 'request':
        return this.#request(id, value, raw)
    }
  }

  #request(id: Json, value: JsonObject, raw: string | undefined): void {
    const method = value['method']
    if (method === 'tools/list') return this.#calls.list(id)
    if (method === 'tools/call') return this.#calls.call(id, value)
    const attempt = methodAttempt(String(method), value['params'])
    if (attempt) return this.#attempted('model', attempt, why => this.#send(errorAnswer(id, ERRORS.invalidRequest, why)))
    if (!passesFromClient(String(method))) return this.#send(errorAnswer(id, ERRORS.methodNotFound, `${String(method)} does not pass this proxy`))
    const changed = method === 'initialize' ? this.#withoutServerRequests(value) : undefined
    void this.#pass(changed ?? value, changed ? undefined : raw)
  }

  async #pass(value: JsonObject, raw: string | undefined): Promise<void> {
    const isRequest = kindOf(value) === 'request'
    if (isRequest) this.#passed.add(JSON.stringify(value['id']))
    try {
      await this.#server.pass(value, raw)
    } catch (error) {
      this.#passed.delete(JSON.stringify(value['id'] ?? null))
      if (isRequest) this.#send(errorAnswer(value['id'] ?? null, -32000, error instanceof Error ? error.message : String(error)))
    }
  }

  /** A server is not even told of what it may not ask for. */
  #withoutServerRequests(value: JsonObject): JsonObject | undefined {
    const params = value['params']
    const capabilities = isRecord(params) ? params['capabilities'] : undefined
    if (!isRecord(params) || !isRecord(capabilities)) return undefined
    const off = [...SERVER_REQUESTS.values()].filter(name => !this.#options.allowRequests?.has(name))
    const kept = Object.fromEntries(Object.entries(capabilities).filter(([name]) => !off.includes(name)))
    return Object.keys(kept).length === Object.keys(capabilities).length ? undefined : { ...value, params: { ...params, capabilities: kept } }
  }

  #fromServer(message: Message): void {
    const { value, raw } = message
    const method = String(value['method'])
    const attempt = kindOf(value) === 'answer' ? undefined : methodAttempt(method, value['params'])
    if (attempt) return this.#attempted('server', attempt, why => { if (kindOf(value) === 'request') void this.#server.pass(errorAnswer(value['id'] ?? null, ERRORS.invalidRequest, why)).catch(() => undefined) })
    if (kindOf(value) === 'request') {
      const name = SERVER_REQUESTS.get(method)
      const allowed = method === 'ping' || (name !== undefined && this.#options.allowRequests?.has(name) === true)
      if (method !== 'ping') this.#notice('server-request', { method, allowed })
      if (!allowed) return void this.#server.pass(errorAnswer(value['id'] ?? null, ERRORS.methodNotFound, `${method} is off: the owner allows a server's request by name`)).catch(() => undefined)
      this.#asked.add(JSON.stringify(value['id'] ?? null))
    }
    if (kindOf(value) === 'answer') this.#passed.delete(JSON.stringify(value['id'] ?? null))
    this.#send(value, raw, this.#calls.related(value))
  }
}

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

/**
 * Why a client's message is not even looked at. A member that JSON-RPC does not know is one of them: servers that match names in any casing
 * would read "Method" where this proxy read "method", and a call would pass unseen.
 */
function clientFault(message: Message): string | undefined {
  const { value, breaches } = message
  const twice = breaches.find(breach => breach.reason === 'repeated-member')
  if (twice) return twice.why
  const unknown = Object.keys(value).find(name => !MEMBERS.has(name))
  if (unknown !== undefined) return `${quoted(unknown)} is no member of a message`
  if (Object.hasOwn(value, 'id') && kindOf(value) !== 'answer' && typeof value['id'] !== 'string' && typeof value['id'] !== 'number') return 'the id is neither a text nor a number'
  return Object.hasOwn(value, 'method') && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')) ? 'it is a question and an answer in one' : undefined
}
