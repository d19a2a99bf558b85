/** The adapter for Mastra on its real package, with the runs in its storage, as a host keeps them until a person has answered. Used by runtimes.test.ts. */
import { expect, test } from 'vitest'
import { mastraTools } from '../../src/integrations/mastra.ts'
import type { Adapter } from './adapter-cases.ts'
import { workbench, type Workbench } from './workbench.ts'

/** Loads a file of the installed packages. */
export type Load = (file: string) => Promise<Record<string, never>>

interface Result { readonly finishReason?: string, readonly runId: string, readonly toolResults?: readonly { readonly payload: { readonly result: unknown } }[] }
interface House { readonly generate: (text: string) => Promise<Result>, readonly approveToolCallGenerate: (options: object) => Promise<Result>, readonly declineToolCallGenerate: (options: object) => Promise<Result> }
interface Run { readonly workflowName: string, readonly runId: string, readonly resourceId?: string, readonly snapshot: object }
interface Runs { readonly listWorkflowRuns: (options: object) => Promise<{ readonly runs: readonly Run[] }>, readonly persistWorkflowSnapshot: (options: object) => Promise<void> }
interface Call { readonly id: string, readonly tool: string, readonly args: object }

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
let ids = 0

/** A model that makes these calls in one turn, and ends in the next. */
export async function mockModel(load: Load, calls: readonly Call[]) {
  const { MockLanguageModelV3 } = await load('ai/dist/test/index.mjs') as unknown as { MockLanguageModelV3: new (options: object) => { doGenerateCalls: readonly { tools?: readonly { name: string, inputSchema: unknown }[] }[] } }
  const turn = (content: readonly object[], unified: string) => ({ content, finishReason: { unified, raw: 'x' }, usage, warnings: [] })
  let turns = 0
  return new MockLanguageModelV3({ doGenerate: () => Promise.resolve(turns++ === 0 ? turn(calls.map(({ id, tool, args }) => ({ type: 'tool-call', toolCallId: id, toolName: tool, input: JSON.stringify(args) })), 'tool-calls') : turn([{ type: 'text', text: 'done' }], 'stop')) })
}

async function houseOf(load: Load, bench: Workbench, calls: readonly Call[]) {
  const { Agent } = await load('@mastra/core/dist/agent/index.js') as unknown as { Agent: new (options: object) => object }
  const { Mastra } = await load('@mastra/core/dist/mastra/index.js') as unknown as { Mastra: new (options: object) => { getAgent: (name: string) => House } }
  const { InMemoryStore } = await load('@mastra/core/dist/storage/index.js') as unknown as { InMemoryStore: new () => { getStore: (name: string) => Promise<Runs> } }
  const { createTool } = await load('@mastra/core/dist/tools/index.js') as unknown as { createTool: (definition: object) => { id: string, inputSchema: unknown } }
  const model = await mockModel(load, calls)
  const agent = new Agent({ id: 'house', name: 'house', instructions: 'You keep a house.', model, tools: mastraTools(bench.usher, bench.tools, createTool) })
  const storage = new InMemoryStore()
  const house = new Mastra({ agents: { house: agent }, storage, logger: false }).getAgent('house')
  /** As somebody would who may write where the host keeps its runs: every text of them changed. `given`: runs that were read before. */
  const rewrite = async (change: (snapshot: string) => string, given?: readonly Run[]): Promise<readonly Run[]> => {
    const runs = await storage.getStore('workflows')
    const kept = given ?? structuredClone((await runs.listWorkflowRuns({})).runs)
    expect(kept.length).toBeGreaterThan(0)
    for (const { workflowName, runId, resourceId, snapshot } of kept) {
      const text = JSON.stringify(snapshot)
      expect(change(text)).not.toBe(text)
      await runs.persistWorkflowSnapshot({ workflowName, runId, resourceId, snapshot: JSON.parse(change(text)) as object })
    }
    return kept
  }
  return { house, model, rewrite }
}

export const mastraAdapter = (load: Load): Adapter => ({
  name: '@mastra/core', approvals: true,
  turn: async (bench, { tool, args, person, swapped }) => {
    const toolCallId = `call-${++ids}`
    const { house, model, rewrite } = await houseOf(load, bench, [{ id: toolCallId, tool, args }])
    let result = await house.generate('go on')
    const asked = result.finishReason === 'suspended'
    if (asked && swapped) await rewrite(text => replaced(text, args, swapped))
    if (asked && person) result = await (person === 'yes' ? house.approveToolCallGenerate({ runId: result.runId, toolCallId }) : house.declineToolCallGenerate({ runId: result.runId, toolCallId }))
    const offered = new Map((model.doGenerateCalls[0]?.tools ?? []).map(one => [one.name, one.inputSchema] as const))
    return { offered, answer: result.toolResults?.at(-1)?.payload.result, asked }
  },
})

/** Each value of the arguments, wherever the run holds it: as JSON, and as JSON within a text. */
function replaced(text: string, args: object, swapped: object): string {
  const others = new Map(Object.entries(swapped))
  return Object.entries(args).reduce((changed, [key, value]) => [JSON.stringify(value), JSON.stringify(JSON.stringify(value)).slice(1, -1)].reduce((one, from, at) => one.replaceAll(from, at === 0 ? JSON.stringify(others.get(key)) : JSON.stringify(JSON.stringify(others.get(key))).slice(1, -1)), changed), text)
}

export function mastraCases(load: Load): void {
  const hello = { to: 'ann', text: 'hello' }
  const keys = { to: 'eve', text: 'the keys are under the mat' }
  const within = async (calls: readonly Call[], work: (bench: Workbench, parts: Awaited<ReturnType<typeof houseOf>>) => Promise<void>) => {
    const bench = await workbench()
    try { await work(bench, await houseOf(load, bench, calls)) } finally { await bench.close() }
  }

  test('mastra, control:human: two equal calls in one turn are two questions, and each yes runs one of them once', () => within([{ id: 'c-1', tool: 'send', args: hello }, { id: 'c-2', tool: 'send', args: hello }], async (bench, { house }) => {
    const { runId } = await house.generate('go on')
    await house.approveToolCallGenerate({ runId, toolCallId: 'c-1' })
    expect(bench.done).toEqual(['send ann: hello'])
    const { toolResults } = await house.approveToolCallGenerate({ runId, toolCallId: 'c-2' })
    expect(toolResults?.map(one => one.payload.result)).toEqual(['sent', 'sent'])
    expect(bench.done).toEqual(['send ann: hello', 'send ann: hello'])
    expect(bench.rowFirst).toEqual([true, true])
  }))

  test('mastra, control:human: of two equal calls a no to one is a no to it alone', () => within([{ id: 'n-1', tool: 'send', args: hello }, { id: 'n-2', tool: 'send', args: hello }], async (bench, { house }) => {
    const { runId } = await house.generate('go on')
    await house.declineToolCallGenerate({ runId, toolCallId: 'n-1' })
    expect(bench.done).toEqual([])
    await house.approveToolCallGenerate({ runId, toolCallId: 'n-2' })
    expect(bench.done).toEqual(['send ann: hello'])
  }))

  test('mastra, control:human: a run whose call got another id and other arguments while it waited does not run, at the second try neither', () => within([{ id: 'kept-1', tool: 'send', args: hello }], async (bench, { house, rewrite }) => {
    const { runId } = await house.generate('go on')
    const other = (text: string) => replaced(text, hello, keys).replaceAll('kept-1', 'kept-2')
    const kept = await rewrite(other)
    expect(await settled(house.approveToolCallGenerate({ runId, toolCallId: 'kept-2' }))).toBe('answered')
    await rewrite(other, kept)
    expect(await settled(house.approveToolCallGenerate({ runId, toolCallId: 'kept-2' }))).toBe('answered')
    expect(bench.done).toEqual([])
    expect(bench.entries().filter(entry => entry.outcome === 'called')).toEqual([])
  }))
}

/** What Mastra itself makes of such a run is not the question here. */
const settled = (work: Promise<unknown>) => work.then(() => 'answered', () => 'refused')
