/**
 * Stands between any MCP client and one server. Only what is under contract is listed and called; each call goes through the dispatcher, so its
 * row is written before it passes. Everything else that the protocol knows passes unchanged.
 */
import { type Contract, contractKey } from '../../contract/contract.ts'
import type { ContractStore } from '../../contract/store.ts'
import { UsherError } from '../../errors.ts'
import type { Event, Json, JsonObject, Outcome } from '../../types.ts'
import { newId } from '../../util/ids.ts'
import { isRecord } from '../../util/records.ts'
import { isAmbiguous, kindOf, type Message } from '../message.ts'
import { planFor } from '../sandbox.ts'
import type { ProcessOptions } from '../server-process.ts'
import { errorAnswer, refusalAnswer } from './answers.ts'
import type { Face } from './face.ts'
import { ERRORS, passesFromClient, SERVER_REQUESTS } from './methods.ts'
import { Offer } from './offer.ts'
import type { ProxyCall, ProxyPort, ProxyRefusal, ToolTable } from './port.ts'
import { Rate } from './rate.ts'
import { ServerSide } from './server-side.ts'
import { checkServer } from './which.ts'

export interface ProxyOptions {
  readonly store: ContractStore
  /** Which contracts this server has: by its name (version 2) and its command. */
  readonly contracts: (store: ContractStore) => readonly Contract[]
  /** Without a `sandbox`: as little as the contracts need. */
  readonly process: ProcessOptions
  readonly face: Face
  readonly port: ProxyPort
  /** Shared with the dispatcher behind the port. */
  readonly table: ToolTable
  /** The server's requests that the owner allows: `sampling`, `elicitation`, `roots`. Default: none. */
  readonly allowRequests?: ReadonlySet<string>
  /** Calls in a minute; default 120. */
  readonly perMinute?: number
  /** ms; default 10 min. */
  readonly callTimeout?: number
  /** ms; default 30 s. */
  readonly listTimeout?: number
  readonly now?: () => number
}

interface Flight { readonly request: JsonObject, readonly abort: AbortController, answer?: Message, /** The client took it back. */ cancelled?: true }

/** What the server answered with an error object: it passes to the client as it came. */
class AnsweredWithError extends Error {}

export class Proxy {
  readonly ended: Promise<string>
  readonly #options: ProxyOptions
  readonly #server: ServerSide
  readonly #rate: Rate
  readonly #now: () => number
  /** By event id: from the client's request to its outcome. */
  readonly #flights = new Map<string, Flight>()
  readonly #calls = new Set<Promise<void>>()
  /** Requests of the server that were passed on, and may be answered by the client. */
  readonly #asked = new Set<string>()
  readonly #offer: Offer
  #finish: (how: string) => void = () => undefined

  private constructor(options: ProxyOptions, server: ServerSide) {
    this.#options = options
    this.#server = server
    this.#now = options.now ?? (() => Date.now())
    this.#rate = new Rate(options.perMinute ?? 120, this.#now)
    const { store, contracts, table } = options
    this.#offer = new Offer({
      store, contracts, table, list: () => server.listTools(options.listTimeout ?? 30_000),
      run: (name, args, call) => this.#run(name, args, call.event?.id ?? '', call.signal),
      onDrift: (tool, changes) => this.#notice('drift', { tool, changes }),
    })
    this.ended = new Promise(resolve => { this.#finish = resolve })
    server.onMessage = message => this.#fromServer(message)
    server.onStray = why => this.#notice('stray', { from: 'server', why })
    server.onEnd = how => { this.#notice('server-ended', { how }); void this.close(how) }
    options.face.onMessage = message => { this.#fromClient(message) }
    options.face.onStray = why => { this.#notice('stray', { from: 'client', why }); this.#send(errorAnswer(null, ERRORS.parse, why)) }
    options.face.onClose = () => { void this.close('the client went away') }
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

  async close(how = 'closed'): Promise<void> {
    for (const flight of this.#flights.values()) flight.abort.abort()
    await this.#server.stop()
    // Their outcomes are logged, and the client is told, before it is cut off.
    await Promise.allSettled(this.#calls)
    await this.#options.face.close()
    this.#finish(how)
  }

  #send(value: JsonObject, raw?: string, related?: Json): void {
    this.#options.face.send(value, raw, related)
  }

  #notice(what: Parameters<ProxyPort['noticed']>[0], detail: JsonObject): void {
    Promise.resolve(this.#options.port.noticed(what, detail)).catch(() => { void this.close('what happened could not be logged') })
  }

  #fromClient(message: Message): void {
    const { value, raw } = message
    const id = value['id'] ?? null
    const method = value['method']
    const kind = kindOf(value)
    if (message.breaches.some(breach => breach.reason === 'repeated-member') || isAmbiguous(message)) return this.#send(errorAnswer(id, ERRORS.invalidRequest, `${message.breaches[0]?.why ?? 'a member is there twice'}`))
    if (kind === 'answer') {
      if (this.#asked.delete(JSON.stringify(id))) void this.#pass(value, raw)
      return
    }
    if (method === 'tools/list') return void this.#list(id)
    if (method === 'tools/call') {
      const call = this.#call(id, value)
      this.#calls.add(call)
      return void call.finally(() => this.#calls.delete(call))
    }
    if (!passesFromClient(String(method))) return kind === 'request' ? this.#send(errorAnswer(id, ERRORS.methodNotFound, `${String(method)} does not pass this proxy`)) : undefined
    if (method === 'notifications/cancelled') this.#cancel(value)
    const changed = method === 'initialize' ? this.#withoutServerRequests(value) : undefined
    void this.#pass(changed ?? value, changed ? undefined : raw)
  }

  async #pass(value: JsonObject, raw: string | undefined): Promise<void> {
    try {
      await this.#server.pass(value, raw)
    } catch (error) {
      if (kindOf(value) === 'request') this.#send(errorAnswer(value['id'] ?? null, -32000, error instanceof Error ? error.message : String(error)))
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
    if (kindOf(value) === 'request') {
      const name = SERVER_REQUESTS.get(method)
      const allowed = method === 'ping' || (name !== undefined && this.#options.allowRequests?.has(name) === true)
      if (method !== 'ping') this.#notice('server-request', { method, allowed })
      if (!allowed) return void this.#server.pass(errorAnswer(value['id'] ?? null, ERRORS.methodNotFound, `${method} is off: the owner allows a server's request by name`)).catch(() => undefined)
      this.#asked.add(JSON.stringify(value['id'] ?? null))
    }
    this.#send(value, raw, this.#related(value))
  }

  /** The client's request that a message of the server belongs to: by its progress token, else the only one under way. */
  #related(value: JsonObject): Json | undefined {
    const flights = [...this.#flights.values()].map(flight => flight.request)
    const token = isRecord(value['params']) ? value['params']['progressToken'] : undefined
    const meta = (request: JsonObject): Json | undefined => isRecord(request['params']) && isRecord(request['params']['_meta']) ? request['params']['_meta']['progressToken'] : undefined
    return ((token === undefined ? undefined : flights.find(request => meta(request) === token)) ?? flights.at(-1))?.['id']
  }

  #cancel(value: JsonObject): void {
    const wanted = isRecord(value['params']) ? value['params']['requestId'] : undefined
    // The server is told by the same notification, after this: it has its own chance to answer nothing.
    for (const flight of this.#flights.values()) {
      if (flight.request['id'] !== wanted) continue
      flight.cancelled = true
      setImmediate(() => flight.abort.abort())
    }
  }

  async #list(id: Json): Promise<void> {
    try {
      const under = await this.#offer.refresh()
      // Version 1 signs no description: what nobody signed is not passed on to a model.
      const tools = [...under.values()].map(({ contract, tool }) => contract.version === 2 ? tool : { name: contract.name, inputSchema: contract.inputSchema })
      this.#send({ jsonrpc: '2.0', id, result: { tools } })
    } catch (error) {
      this.#send(errorAnswer(id, -32000, error instanceof Error ? error.message : String(error)))
    }
  }

  async #call(id: Json, request: JsonObject): Promise<void> {
    const params = isRecord(request['params']) ? request['params'] : {}
    const { name, arguments: args = {} } = params as { readonly name?: Json, readonly arguments?: Json }
    if (typeof name !== 'string' || !isRecord(args)) return this.#send(errorAnswer(id, ERRORS.invalidParams, 'tools/call needs `name`, a text, and `arguments`, an object'))
    const contract = this.#offer.contractOf(name)
    const eventId = newId('e')
    const event: Event = { id: eventId, source: 'proxy', text: '', at: this.#now(), data: { tool: name } }
    const call: ProxyCall = { tool: contract ? contractKey(contract) : name, args, event }
    const flight: Flight = { request, abort: new AbortController() }
    this.#flights.set(eventId, flight)
    try {
      const refusal = await this.#refusal(name, contract)
      if (refusal) await this.#refuse(id, call, refusal)
      else this.#answer(id, flight, call.tool, await this.#options.port.dispatch(call))
    } catch (error) {
      // The log or the dispatcher itself failed: nothing is claimed about the call but that it may have happened.
      this.#send(errorAnswer(id, -32000, `Usher could not log this call: ${error instanceof Error ? error.message : String(error)}`))
    } finally {
      this.#flights.delete(eventId)
    }
  }

  async #refusal(name: string, contract: Contract | undefined): Promise<ProxyRefusal | undefined> {
    const refused = (reason: string, why: string): ProxyRefusal => ({ kind: 'contract-refused', reason, why })
    if (!contract) {
      const [problem] = this.#options.store.check()
      return problem ? refused('file', problem.message) : refused('missing', `no signed contract is for ${JSON.stringify(name)} of this server`)
    }
    const admission = this.#options.store.admit(contractKey(contract))
    if (admission.kind === 'refused') return refused(admission.reason, admission.why)
    if (!this.#rate.take()) return { kind: 'limited', reason: 'rate', why: `more than ${this.#options.perMinute ?? 120} calls in a minute` }
    try {
      if ((await this.#offer.refresh()).has(name)) return undefined
    } catch (error) {
      return refused('drift', `what the server offers now cannot be compared: ${error instanceof Error ? error.message : String(error)}`)
    }
    const drift = this.#offer.drift(name)
    return refused('drift', drift ? `${name} is not what was signed: it ${drift.join('; it ')}` : `${name} is not offered by its server any more, or cannot be read`)
  }

  async #refuse(id: Json, call: ProxyCall, refusal: ProxyRefusal): Promise<void> {
    await this.#options.port.refused(call, refusal)
    this.#send(refusalAnswer(id, call.tool, refusal))
  }

  #answer(id: Json, flight: Flight, tool: string, outcome: Outcome): void {
    const { answer, cancelled } = flight
    // The client took its request back: it expects no answer, and the log has its own.
    if (cancelled && !answer) return
    if (answer && Object.hasOwn(answer.value, 'error')) return this.#send(answer.value, answer.raw, id)
    if (outcome.kind !== 'called') return this.#send(refusalAnswer(id, tool, outcome), undefined, id)
    if (answer && outcome.result === answer.value['result']) return this.#send(answer.value, answer.raw, id)
    this.#send({ jsonrpc: '2.0', id, result: outcome.result as Json }, undefined, id)
  }

  /** The client's own request with the checked arguments in place of its own: id, progress token and all else stay. */
  async #run(name: string, args: JsonObject, eventId: string, signal: AbortSignal): Promise<Json> {
    const flight = this.#flights.get(eventId)
    if (!flight) throw new UsherError('BAD_OPTION', `no call of the client is behind the event ${JSON.stringify(eventId)}`)
    const params = { ...flight.request['params'] as JsonObject, name, arguments: args }
    flight.answer = await this.#server.ask({ ...flight.request, params }, this.#options.callTimeout ?? 600_000, AbortSignal.any([signal, flight.abort.signal]))
    const { value } = flight.answer
    if (isRecord(value['error'])) throw new AnsweredWithError(`the server answered with the error ${String(value['error']['code'])}: ${String(value['error']['message'])}`)
    return value['result'] ?? null
  }
}
