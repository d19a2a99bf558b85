/** The examples do what they say; the README's is one of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { Runner, Usage, type Model } from '@openai/agents'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../../src/index.ts'
import { openLogReader } from '../../src/log/reader.ts'
import { queryLog } from '../../src/log/query.ts'
import { read } from '../rules/source-files.ts'
import { answer } from './examples/ai-sdk.ts'
import { houseAgent } from './examples/openai-agents.ts'
import { openTraced } from './examples/otel.ts'
import { turn } from './examples/langchain.ts'
import { workbench, type Workbench } from './workbench.ts'

const folder = mkdtempSync(join(tmpdir(), 'usher-examples-'))
const before = { cwd: process.cwd(), state: process.env['USHER_STATE'] }
beforeAll(() => {
  process.chdir(folder)
  process.env['USHER_STATE'] = join(folder, 'state')
  mkdirSync(join(folder, 'routes'))
})
afterAll(() => {
  process.chdir(before.cwd)
  if (before.state === undefined) delete process.env['USHER_STATE']; else process.env['USHER_STATE'] = before.state
  rmSync(folder, { recursive: true, force: true })
})

test('the README shows the example that is type-checked here', () => {
  expect(read('README.md')).toContain(read('test/integrations/examples/ai-sdk.ts').trim())
})

test('ai: what the words ask for is done before the model\'s turn, and the model\'s own call waits for a person', async () => {
  writeFileSync(join(folder, 'routes/mail.yaml'), 'version: 1\nroutes:\n  - name: tell\n    tool: send\n    triggers: ["tell them {text:rest}"]\n    allow: [message.send]\n')
  const sent: unknown[] = []
  const mine = {
    weather: tool({ description: 'Says the weather.', inputSchema: z.object({}), execute: () => 'rain' }),
    send: tool({ description: 'Sends a message.', inputSchema: z.object({ text: z.string() }), execute: input => { sent.push(input); return 'sent' } }),
  }
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const model = new MockLanguageModelV3({
    doGenerate: [
      { content: [{ type: 'tool-call', toolCallId: 'w', toolName: 'weather', input: '{}' }], finishReason: { unified: 'tool-calls', raw: 'x' }, usage, warnings: [] },
      { content: [{ type: 'text', text: 'It rains, and they know.' }], finishReason: { unified: 'stop', raw: 'x' }, usage, warnings: [] },
    ],
  })
  expect(await answer(model, mine, 'please tell them I am late')).toBe('It rains, and they know.')
  expect(sent).toEqual([{ text: 'I am late' }])
  expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('Usher has already done this')
  const reader = openLogReader(join(folder, 'usher.sqlite'))
  expect(queryLog(reader).map(entry => [entry.outcome, entry.call?.call.tool])).toEqual([['called', 'send'], ['called', 'weather']])
  reader.close()
})

describe('the others make a real call, and the log has it', () => {
  let bench: Workbench
  beforeAll(async () => { bench = await workbench() })
  afterAll(() => bench.close())
  beforeEach(() => { bench.done.length = 0; bench.rowFirst.length = 0 })

  test('trace:before: openai-agents', async () => {
    const answers = [{ type: 'function_call', callId: 'o-1', name: 'weather', arguments: '{"city":"Oslo","brief":null}', status: 'completed' }, { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'clear' }] }] as const
    let turns = 0
    const model = { getResponse: () => Promise.resolve({ usage: new Usage(), output: [answers[turns++]] }), getStreamedResponse: () => { throw new Error('not streamed') } } as unknown as Model
    const ran = await new Runner({ tracingDisabled: true, modelProvider: { getModel: () => model } }).run(houseAgent(bench.usher as never, bench.tools), 'how is the weather in Oslo?')
    expect(ran.finalOutput).toBe('clear')
    expect([bench.done, bench.rowFirst]).toEqual([['weather Oslo'], [true]])
    expect(bench.entries().at(-1)).toMatchObject({ outcome: 'called', call: { call: { by: 'model', tool: 'weather', who: 'openai-agents o-1' } } })
  })

  test('trace:before, gate:default-only: langchain', async () => {
    const model = new CallingModel([{ id: 'l-1', name: 'weather', args: { city: 'Oslo' } }, { id: 'l-2', name: 'send', args: { to: 'ann', text: 'hello' } }])
    const answers = await turn(model, bench.usher as never, bench.tools, 'how is the weather in Oslo? tell ann hello')
    expect(model.bound.map(tool => (tool as { name: string }).name).sort()).toEqual(['broken', 'lamp', 'send', 'weather'])
    expect(answers.map(answer => [answer.tool_call_id, JSON.parse(String(answer.content)) as unknown])).toEqual([['l-1', { sky: 'clear', city: 'Oslo' }], ['l-2', expect.objectContaining({ called: false, outcome: 'needs-approval' })]])
    expect([bench.done, bench.rowFirst]).toEqual([['weather Oslo'], [true]])
    expect(bench.entries().slice(-2).map(entry => entry.outcome)).toEqual(['called', 'needs-approval'])
  })

  test('otel', async () => {
    const spans = new InMemorySpanExporter()
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
    const sent: unknown[] = []
    const traced = await openTraced([defineTool({ name: 'send', description: 'Sends a message.', input: z.object({ text: z.string() }), effects: { always: ['message.send'] }, run: input => { sent.push(input); return 'sent' } }) as never])
    expect((await traced.handle({ source: 'user', text: 'please tell them it rains' })).outcomes).toMatchObject([{ kind: 'called' }])
    await traced.close()
    trace.disable()
    expect(sent).toEqual([{ text: 'it rains' }])
    expect(spans.getFinishedSpans().map(span => span.name)).toEqual(['execute_tool send', 'usher.handle'])
  })
})

/** A chat model that calls these tools, whatever is said. */
class CallingModel extends BaseChatModel {
  readonly bound: unknown[] = []
  readonly #calls: readonly { readonly id: string, readonly name: string, readonly args: Record<string, unknown> }[]
  constructor(calls: CallingModel['calls']) { super({}); this.#calls = calls }
  get calls() { return this.#calls }
  override _llmType() { return 'scripted' }
  override bindTools(tools: unknown[]) { this.bound.push(...tools); return this }
  override _generate() {
    const message = new AIMessage({ content: '', tool_calls: this.#calls.map(call => ({ ...call, type: 'tool_call' as const })) })
    return Promise.resolve({ generations: [{ text: '', message }] })
  }
}
