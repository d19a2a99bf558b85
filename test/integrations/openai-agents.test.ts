import { Agent, Runner, RunState, Usage, type Model, type ModelRequest, type ModelResponse } from '@openai/agents'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentTools } from '../../src/integrations/openai-agents.ts'
import { strictSchema } from '../../src/integrations/strict-schema.ts'
import { adapterCases, type Adapter, type Turn } from './adapter-cases.ts'
import { workbench, type Workbench } from './workbench.ts'

let ids = 0
const calls = (callId: string, name: string, args: object): ModelResponse => ({ usage: new Usage(), output: [{ type: 'function_call', callId, name, arguments: JSON.stringify(args), status: 'completed' }] })
const says = (text: string): ModelResponse => ({ usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }] })

/** Answers what it is told to, and keeps what it was asked. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = []
  readonly #answers: ModelResponse[]
  constructor(answers: readonly ModelResponse[]) { this.#answers = [...answers] }
  getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request)
    return Promise.resolve(this.#answers.shift() ?? says('done'))
  }
  async *getStreamedResponse(): AsyncIterable<never> { yield* [] }
}

const runner = new Runner({ tracingDisabled: true })

const adapter: Adapter = {
  name: '@openai/agents', approvals: true,
  turn: async (bench, { tool, args, person, swapped }): Promise<Turn> => {
    const callId = `call-${++ids}`
    const model = new ScriptedModel([calls(callId, tool, args)])
    const agent = new Agent({ name: 'house', model, tools: agentTools(bench.usher, bench.tools) })
    let result: { readonly interruptions: readonly unknown[], readonly state: RunState<unknown, Agent>, readonly newItems: readonly { readonly type: string, readonly output?: unknown }[] } = await runner.run(agent, 'go on') as never
    const asked = result.interruptions.length > 0
    if (asked && person) {
      // As a host does that keeps the run in a database until the person has answered.
      let kept = result.state.toString()
      if (swapped) kept = kept.replaceAll(JSON.stringify(JSON.stringify(args)), JSON.stringify(JSON.stringify(swapped)))
      const state = await RunState.fromString(agent, kept)
      for (const item of state.getInterruptions()) { if (person === 'yes') state.approve(item); else state.reject(item) }
      result = await runner.run(agent, state) as never
    }
    const offered = new Map((model.requests[0]?.tools ?? []).map(given => [given.type === 'function' ? given.name : given.type, given.type === 'function' ? given.parameters : undefined] as const))
    const answer = result.newItems.find(item => item.type === 'tool_call_output_item')?.output
    return { offered, answer, asked }
  },
}

adapterCases(adapter)

describe('strict schemas', () => {
  let bench: Workbench
  beforeAll(async () => { bench = await workbench() })
  afterAll(() => bench.close())

  test('what is optional is nullable, and its null is no value: a strict mode cannot force one', async () => {
    bench.done.length = 0
    const { offered, answer } = await adapter.turn(bench, { tool: 'weather', args: { city: null, brief: null } })
    expect(offered.get('weather')).toEqual({ type: 'object', properties: { city: { type: ['string', 'null'] }, brief: { type: ['boolean', 'null'] } }, required: ['city', 'brief'], additionalProperties: false })
    expect(answer).toEqual({ sky: 'clear', city: 'here' })
    expect(bench.entries().at(-1)?.call?.call.args).toEqual({})
  })

  test('control:human: "always approve" says yes to no later call', async () => {
    bench.done.length = 0
    const model = new ScriptedModel([calls('a-1', 'send', { to: 'ann', text: 'one' }), calls('a-2', 'send', { to: 'eve', text: 'two' })])
    const agent = new Agent({ name: 'house', model, tools: agentTools(bench.usher, bench.tools) })
    const { state } = await runner.run(agent, 'go on')
    for (const item of state.getInterruptions()) state.approve(item, { alwaysApprove: true })
    await runner.run(agent, state)
    expect(bench.done.filter(what => what.includes('eve'))).toEqual([])
  })

  test('control:human: a run whose call got another id and other arguments while it waited does not run, at the second try neither', async () => {
    bench.done.length = 0
    const model = new ScriptedModel([calls('kept-1', 'send', { to: 'ann', text: 'hello' })])
    const agent = new Agent({ name: 'house', model, tools: agentTools(bench.usher, bench.tools) })
    const { state } = await runner.run(agent, 'go on')
    const other = state.toString().replaceAll('kept-1', 'kept-2').replaceAll('\\"ann\\"', '\\"eve\\"')
    expect(other).toContain('eve')
    for (let round = 0; round < 2; round++) {
      const taken = await RunState.fromString(agent, other)
      for (const item of taken.getInterruptions()) taken.approve(item)
      await runner.run(agent, taken)
      expect([round, bench.done]).toEqual([round, []])
    }
  })

  test('what a strict mode cannot say is not made strict', () => {
    for (const schema of [
      { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }, { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: {} } }, { type: 'object', properties: { a: true } }, { type: 'object', patternProperties: {} },
    ]) expect(strictSchema(schema as never)).toBeUndefined()
  })

  test('nothing but those nulls is lost', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'integer' } } }, list: { type: 'array', items: { type: 'object', properties: { d: { type: 'boolean' } }, required: ['d'] } } }, required: ['a'] } as const
    const strict = strictSchema(schema)
    expect(strict?.given({ a: null, b: { c: null, x: null }, list: [{ d: null }], y: null })).toEqual({ a: null, b: { x: null }, list: [{ d: null }], y: null })
    fc.assert(fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'x', '__proto__', 'constructor'), fc.oneof(fc.string(), fc.integer(), fc.boolean())), args => {
      expect(Object.entries(strict?.given(args as never) ?? {})).toEqual(Object.entries(args))
    }), { seed: 11 })
  })
})
