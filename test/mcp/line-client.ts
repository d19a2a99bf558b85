/** A client that writes lines and remembers what came. */
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonObject } from '../../src/types.ts'

export class LineClient {
  readonly input = new PassThrough()
  readonly output = new PassThrough()
  readonly lines: string[] = []
  #id = 0
  constructor() {
    let rest = ''
    this.output.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString('utf8')).split('\n')
      rest = parts.pop() ?? ''
      this.lines.push(...parts)
    })
  }
  get messages(): readonly JsonObject[] { return this.lines.map(line => JSON.parse(line) as JsonObject) }
  write(value: JsonObject): void { this.input.write(`${JSON.stringify(value)}\n`) }
  async answerTo(id: unknown, ms = 30_000): Promise<JsonObject> {
    for (let waited = 0; waited < ms; waited += 10) {
      const found = this.messages.find(message => message['id'] === id && message['method'] === undefined)
      if (found) return found
      await delay(10)
    }
    throw new Error(`no answer to ${String(id)}; came: ${this.lines.join('\n')}`)
  }
  async ask(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = ++this.#id
    this.write({ jsonrpc: '2.0', id, method, params })
    return this.answerTo(id)
  }
  call(name: string, args: JsonObject = {}): Promise<JsonObject> { return this.ask('tools/call', { name, arguments: args }) }
  async hello(capabilities: JsonObject = {}): Promise<JsonObject> {
    const answer = await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'test', version: '1' } })
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return answer
  }
}
