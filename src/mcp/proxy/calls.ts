/** The client's `tools/list` and `tools/call`: held against the contracts, sent through the dispatcher, answered as the server answered. */
import { type Contract, contractKey } from '../../contract/contract.ts'
import type { ContractStore } from '../../contract/store.ts'
import { UsherError } from '../../errors.ts'
import type { CallContext, Event, Json, JsonObject, Outcome } from '../../types.ts'
import { newId } from '../../util/ids.ts'
import { isRecord } from '../../util/records.ts'
import type { Message } from '../message.ts'
import { errorAnswer, refusalAnswer } from './answers.ts'
import { ERRORS } from './methods.ts'
import { Offer } from './offer.ts'
import type { ProxyCall, ProxyPort, ProxyRefusal, ToolTable } from './port.ts'
import { Rate } from './rate.ts'
import type { ServerSide } from './server-side.ts'

export interface CallsOptions {
  readonly store: ContractStore
  /** Which contracts this server has, of those that hold now. */
  readonly contracts: (store: ContractStore) => readonly Contract[]
  readonly port: ProxyPort
  /** Shared with the dispatcher behind the port. */
  readonly table: ToolTable
  /** Calls in a minute; default 120. */
  readonly perMinute?: number
  /** ms; default 10 min. */
  readonly callTimeout?: number
  /** ms; default 30 s. */
  readonly listTimeout?: number
  readonly now?: () => number
}

interface CallsParts { readonly server: ServerSide, readonly send: (value: JsonObject, raw?: string, related?: Json) => void, readonly onDrift: (tool: string, changes: readonly string[]) => void }

interface Flight { readonly request: JsonObject, readonly abort: AbortController, answer?: Message, /** The client took it back. */ cancelled?: true }

/** What the server answered with an error object: it passes to the client as it came. */
class AnsweredWithError extends Error {}

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

export class Calls {
  readonly #options: CallsOptions
  readonly #parts: CallsParts
  readonly #offer: Offer
  readonly #rate: Rate
  readonly #now: () => number
  /** By event id: from the client's request to its outcome. */
  readonly #flights = new Map<string, Flight>()
  readonly #work = new Set<Promise<void>>()

  constructor(options: CallsOptions, parts: CallsParts) {
    this.#options = options
    this.#parts = parts
    this.#now = options.now ?? (() => Date.now())
    this.#rate = new Rate(options.perMinute ?? 120, this.#now)
    const { store, contracts, table } = options
    this.#offer = new Offer({
      store, contracts, table, list: () => parts.server.listTools(options.listTimeout ?? 30_000), onDrift: parts.onDrift,
      run: (name, args, call) => this.#run(name, args, call),
    })
  }

  /** Requests that are not answered yet. */
  get size(): number { return this.#work.size }
  /** Resolves when all are answered and logged. */
  async settled(): Promise<void> { await Promise.allSettled(this.#work) }
  abort(): void { for (const flight of this.#flights.values()) flight.abort.abort() }
  has(id: Json): boolean { return [...this.#flights.values()].some(flight => same(flight.request['id'], id)) }

  list(id: Json): void { this.#begin(this.#list(id)) }
  call(id: Json, request: JsonObject): void { this.#begin(this.#call(id, request)) }

  /** By `notifications/cancelled`, which also goes on to the server. */
  cancel(value: JsonObject): void {
    const wanted = isRecord(value['params']) ? value['params']['requestId'] : undefined
    // The server is told by the same notification, after this: it has its own chance to answer nothing.
    for (const flight of this.#flights.values()) {
      if (!same(flight.request['id'], wanted)) continue
      flight.cancelled = true
      setImmediate(() => flight.abort.abort())
    }
  }

  /** Id of the client's call that a message of the server belongs to: by its progress token, else the only one under way. */
  related(value: JsonObject): Json | undefined {
    const flights = [...this.#flights.values()].map(flight => flight.request)
    const token = isRecord(value['params']) ? value['params']['progressToken'] : undefined
    const meta = (request: JsonObject): Json | undefined => isRecord(request['params']) && isRecord(request['params']['_meta']) ? request['params']['_meta']['progressToken'] : undefined
    return ((token === undefined ? undefined : flights.find(request => meta(request) === token)) ?? flights.at(-1))?.['id']
  }

  #begin(work: Promise<void>): void {
    this.#work.add(work)
    void work.finally(() => this.#work.delete(work))
  }

  async #list(id: Json): Promise<void> {
    try {
      const under = await this.#offer.refresh()
      // Version 1 signs no description: what nobody signed is not passed on to a model.
      const tools = [...under.values()].map(({ contract, tool }) => contract.version === 2 ? tool : { name: contract.name, inputSchema: contract.inputSchema })
      this.#parts.send({ jsonrpc: '2.0', id, result: { tools } })
    } catch (error) {
      this.#parts.send(errorAnswer(id, -32000, error instanceof Error ? error.message : String(error)))
    }
  }

  async #call(id: Json, request: JsonObject): Promise<void> {
    const params = isRecord(request['params']) ? request['params'] : {}
    const { name, arguments: args = {} } = params as { readonly name?: Json, readonly arguments?: Json }
    if (typeof name !== 'string' || !isRecord(args)) return this.#parts.send(errorAnswer(id, ERRORS.invalidParams, 'tools/call needs `name`, a text, and `arguments`, an object'))
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
      this.#parts.send(errorAnswer(id, -32000, `Usher could not log this call: ${error instanceof Error ? error.message : String(error)}`))
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
    this.#parts.send(refusalAnswer(id, call.tool, refusal))
  }

  #answer(id: Json, flight: Flight, tool: string, outcome: Outcome): void {
    const { answer, cancelled } = flight
    // The client took its request back: it expects no answer, and the log has its own.
    if (cancelled && !answer) return
    if (answer && Object.hasOwn(answer.value, 'error')) return this.#parts.send(answer.value, answer.raw, id)
    if (outcome.kind !== 'called') return this.#parts.send(refusalAnswer(id, tool, outcome), undefined, id)
    if (answer && outcome.result === answer.value['result']) return this.#parts.send(answer.value, answer.raw, id)
    this.#parts.send({ jsonrpc: '2.0', id, result: outcome.result as Json }, undefined, id)
  }

  /** The client's request with the checked arguments: its id and `_meta` (with the progress token) stay. */
  async #run(name: string, args: JsonObject, call: CallContext): Promise<Json> {
    const eventId = call.event?.id ?? ''
    const flight = this.#flights.get(eventId)
    if (!flight) throw new UsherError('BAD_OPTION', `no call of the client is behind the event ${JSON.stringify(eventId)}`)
    // Written anew, member by member: some servers match names in any casing, and "Arguments" beside "arguments" must not arrive.
    const { _meta: meta } = flight.request['params'] as JsonObject
    const params = { name, arguments: args, ...meta === undefined ? {} : { _meta: meta } }
    flight.answer = await this.#parts.server.call({ jsonrpc: '2.0', id: flight.request['id'] ?? null, method: 'tools/call', params }, this.#options.callTimeout ?? 600_000, AbortSignal.any([call.signal, flight.abort.signal]), call)
    const { value } = flight.answer
    if (isRecord(value['error'])) throw new AnsweredWithError(`the server answered with the error ${String(value['error']['code'])}: ${String(value['error']['message'])}`)
    return value['result'] ?? null
  }
}
