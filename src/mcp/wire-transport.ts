/** The SDK's client over our own reading of the wire: what its parser would drop is still there, hashed and judged. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { UsherError } from '../errors.ts'
import type { WireBreach } from '../contract/wire.ts'
import type { Json, JsonObject } from '../types.ts'
import { isAmbiguous, kindOf, type Message, readLine } from './message.ts'
import type { ServerProcess } from './server-process.ts'

const STRAYS_KEPT = 20
const AMBIGUOUS = 'a message has the same member twice, so what it says cannot be told'

/** Breaches of an answer, by its result object: the object goes through the SDK untouched, its text does not. */
const breaches = new WeakMap<object, readonly WireBreach[]>()

/** Paths begin below `result`. */
export function breachesOf(result: unknown): readonly WireBreach[] {
  return typeof result === 'object' && result !== null ? breaches.get(result) ?? [] : []
}

export function noteBreaches(message: Message): void {
  const { result } = message.value
  if (typeof result !== 'object' || result === null) return
  const inside = message.breaches.filter(breach => breach.path[0] === 'result').map(breach => ({ ...breach, path: breach.path.slice(1) }))
  if (inside.length > 0) breaches.set(result, inside)
}

/** stdio of one server process as an SDK transport. */
export class StdioWire implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T) => void
  /** Lines that are no messages, at most 20 of them. */
  readonly strays: string[] = []
  /** The server broke the protocol beyond repair: what it was. */
  broken: string | undefined
  readonly #server: ServerProcess
  constructor(server: ServerProcess) { this.#server = server }

  start(): Promise<void> {
    this.#server.onLine = line => {
      const reading = readLine(line)
      if (reading.kind === 'message') this.#message(reading.message)
      else if (reading.kind === 'too-long') this.#break(reading.why)
      else if (reading.kind === 'stray') {
        if (this.strays.length < STRAYS_KEPT) this.strays.push(reading.why)
        this.onerror?.(new Error(reading.why))
      }
    }
    void this.#server.exited.then(() => this.onclose?.())
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#server.send(JSON.stringify(message))
  }

  close(): Promise<void> {
    return this.#server.stop()
  }

  #message(message: Message): void {
    if (isAmbiguous(message)) return this.#break(AMBIGUOUS)
    noteBreaches(message)
    // The value is a JSON-RPC message by readLine's check; its body is judged where it is used.
    this.onmessage?.(message.value as unknown as JSONRPCMessage)
  }

  #break(why: string): void {
    this.broken ??= why
    this.onerror?.(new UsherError('SERVER_FAILED', why))
    void this.#server.stop()
  }
}

/** Sees every message of any transport: what the server says of itself, and what it asks of us. */
export class TappedWire implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  /** The raw answer to `initialize`. */
  hello: JsonObject | undefined
  onServerMethod: (method: string, kind: 'request' | 'notification', params: Json | undefined) => void = () => undefined
  /** Breaches that the transport saw in the text of the answer with this id, where it does not note them itself. */
  takeBreaches: (id: Json) => readonly WireBreach[] = () => []
  /** The server broke the protocol beyond repair: what it was. */
  broken: string | undefined
  readonly #inner: Transport
  readonly #around: <T>(work: () => Promise<T>) => Promise<T>
  #helloId: Json | undefined
  constructor(inner: Transport, around: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#inner = inner
    this.#around = around
  }

  get sessionId(): string | undefined { return this.#inner.sessionId }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = error => this.onerror?.(error)
    this.#inner.onmessage = (message, extra) => {
      const value = message as unknown as JsonObject
      const kind = kindOf(value)
      if (kind === 'answer' && this.#isAmbiguous(value)) return
      if (kind !== 'answer') this.onServerMethod(String(value['method']), kind, value['params'])
      else if (this.#helloId !== undefined && value['id'] === this.#helloId && typeof value['result'] === 'object') this.hello ??= value['result'] as JsonObject
      this.onmessage?.(message, extra)
    }
    await this.#around(() => this.#inner.start())
  }

  send(message: JSONRPCMessage, options?: Parameters<Transport['send']>[1]): Promise<void> {
    const value = message as unknown as JsonObject
    if (value['method'] === 'initialize') this.#helloId = value['id']
    return this.#around(() => this.#inner.send(message, options))
  }

  close(): Promise<void> {
    return this.#around(() => this.#inner.close())
  }

  /** Says so, and ends the connection: who waits for this answer learns that it is lost. */
  #isAmbiguous(value: JsonObject): boolean {
    const message: Message = { value, raw: undefined, breaches: this.takeBreaches(value['id'] ?? null) }
    noteBreaches(message)
    if (!isAmbiguous(message)) return false
    this.broken = AMBIGUOUS
    void this.close()
    return true
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version)
  }
}
