/** The proxy's connection to the server: raw lines both ways, own requests told from the client's by their ids. */
import { randomBytes } from 'node:crypto'
import { UsherError } from '../../errors.ts'
import type { Json, JsonObject } from '../../types.ts'
import { isRecord } from '../../util/records.ts'
import type { WireEntry } from '../connection.ts'
import { isAmbiguous, kindOf, type Message, readLine } from '../message.ts'
import { type ProcessOptions, ServerProcess } from '../server-process.ts'

interface Waiting { readonly resolve: (message: Message) => void, readonly reject: (error: Error) => void }

const MAX_PAGES = 1000
const key = (id: Json | undefined): string => JSON.stringify(id ?? null)

export class ServerSide {
  onMessage: (message: Message) => void = () => undefined
  onStray: (why: string) => void = () => undefined
  onEnd: (how: string) => void = () => undefined
  readonly #process: ServerProcess
  readonly #waiting = new Map<string, Waiting>()
  /** A client cannot guess it, so its ids never meet ours. */
  readonly #prefix = `usher-${randomBytes(6).toString('hex')}`
  #count = 0
  #started = false
  #lastList: { readonly text: string, readonly entries: readonly WireEntry[] } | undefined

  private constructor(child: ServerProcess) {
    this.#process = child
    child.onLine = line => {
      const reading = readLine(line)
      if (reading.kind === 'message') this.#message(reading.message)
      else if (reading.kind === 'too-long') this.#fail(reading.why)
      else if (reading.kind === 'stray') this.onStray(reading.why)
    }
    void child.exited.then(how => {
      this.#failAll(new UsherError('SERVER_FAILED', `the server ended: ${how}${child.stderrTail ? `; the end of its stderr:\n${child.stderrTail.slice(-2000)}` : ''}`))
      this.onEnd(how)
    })
  }

  static async start(options: ProcessOptions): Promise<ServerSide> {
    return new ServerSide(await ServerProcess.start(options))
  }

  /** What the sandbox and the watchers could not give. Of a server that has not answered yet, nothing is known of the latter. */
  get missing(): readonly string[] {
    const silent = this.#started && this.#process.watch?.reporting === false ? ['no preload reports from inside the server: what it does is not seen'] : []
    return [...this.#process.missing, ...silent]
  }

  /** The line as it is, or the value written anew. */
  async pass(value: JsonObject, raw?: string): Promise<void> {
    await this.#process.send(raw ?? JSON.stringify(value))
  }

  /** Sends a request under the given id and gives its whole answer, result or error. Rejects with SERVER_FAILED when none comes. */
  ask(request: JsonObject, timeout: number, signal?: AbortSignal): Promise<Message> {
    const id = key(request['id'])
    if (this.#waiting.has(id)) return Promise.reject(new UsherError('BAD_OPTION', `a request with the id ${id} is under way already`))
    return new Promise<Message>((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id)?.reject(new UsherError('SERVER_FAILED', `${String(request['method'])} got no answer in ${timeout} ms`)), timeout)
      const stop = (): void => this.#settle(id)?.reject(new UsherError('SERVER_FAILED', 'cancelled before it was answered; whether it took effect is not known'))
      const done = (): void => { clearTimeout(timer); signal?.removeEventListener('abort', stop) }
      this.#waiting.set(id, { resolve: message => { done(); resolve(message) }, reject: error => { done(); reject(error) } })
      signal?.addEventListener('abort', stop, { once: true })
      this.pass(request).catch((error: unknown) => this.#settle(id)?.reject(error instanceof Error ? error : new Error(String(error))))
    })
  }

  /**
   * A `tools/call`: what the server does until it answers belongs to this call, and may do no more than it. What it does between calls is nobody's.
   * Rejects as `ask`.
   */
  call(request: JsonObject, timeout: number, signal: AbortSignal, call: { readonly callId: string }): Promise<Message> {
    this.#startedUp()
    const done = this.#process.watch?.begin(call)
    return this.ask(request, timeout, signal).finally(done)
  }

  /** Every page, with what is wrong in the text of each entry. The same array comes back while the server sends the same bytes. */
  async listTools(timeout: number): Promise<readonly WireEntry[]> {
    const entries: WireEntry[] = []
    const cursors = new Set<string>()
    let params: JsonObject = {}
    let text = ''
    for (let page = 0; page < MAX_PAGES; page++) {
      const id = `${this.#prefix}-${++this.#count}`
      const { value, raw, breaches } = await this.ask({ jsonrpc: '2.0', id, method: 'tools/list', params }, timeout)
      text += `${raw?.replace(id, '') ?? ''}\n`
      const result = value['result']
      const tools = isRecord(result) ? result['tools'] : undefined
      if (!isRecord(result) || !Array.isArray(tools)) throw new UsherError('SERVER_FAILED', 'tools/list was answered without a list of tools')
      if (breaches.some(breach => breach.path[1] !== 'tools' || breach.path.length < 3)) throw new UsherError('SERVER_FAILED', 'tools/list was answered in a way that can be read in two ways')
      tools.forEach((entry: Json, at) => entries.push({ value: entry, breaches: breaches.filter(breach => breach.path[2] === at) }))
      const cursor = result['nextCursor']
      if (cursor === undefined || cursor === null) {
        if (this.#lastList?.text !== text) this.#lastList = { text, entries }
        return this.#lastList.entries
      }
      if (typeof cursor !== 'string' || cursors.has(cursor)) break
      cursors.add(cursor)
      params = { cursor }
    }
    throw new UsherError('SERVER_FAILED', 'the pages of tools/list do not end')
  }

  stop(): Promise<void> { return this.#process.stop() }

  #message(message: Message): void {
    if (isAmbiguous(message)) return this.#fail('a message has the same member twice, so what it says cannot be told')
    const isAnswer = kindOf(message.value) === 'answer'
    // The first answer is the one to `initialize`: what comes after it is no part of the start.
    if (isAnswer) this.#startedUp()
    const waiting = isAnswer ? this.#settle(key(message.value['id'])) : undefined
    if (waiting) waiting.resolve(message)
    else this.onMessage(message)
  }

  #startedUp(): void {
    if (this.#started) return
    this.#started = true
    this.#process.watch?.started(this.#process.pid)
  }

  #settle(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }

  #fail(why: string): void {
    this.#failAll(new UsherError('SERVER_FAILED', why))
    void this.#process.stop()
  }

  #failAll(error: Error): void {
    for (const id of this.#waiting.keys()) this.#settle(id)?.reject(error)
  }
}
