import { context, metrics, trace, type ContextManager, type Context } from '@opentelemetry/api'
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { createUsher, defineTool, openEmbedder, type Embedder, type Tool, type Usher } from '../../src/index.ts'
import { tracedTools, tracedUsher } from '../../src/integrations/otel.ts'
import { scratch } from '../cli/usher.ts'

/** What `@opentelemetry/context-async-hooks` does, in five lines. */
class Contexts implements ContextManager {
  readonly #store = new AsyncLocalStorage<Context>()
  active(): Context { return this.#store.getStore() ?? rootContext }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(active: Context, work: F, self?: ThisParameterType<F>, ...args: A): ReturnType<F> { return this.#store.run(active, () => work.apply(self, args)) }
  bind<T>(_context: Context, target: T): T { return target }
  enable(): this { return this }
  disable(): this { return this }
}
const rootContext = context.active()

const spans = new InMemorySpanExporter()
const values = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter: values, exportIntervalMillis: 3_600_000 })
const place = scratch()
let model: Embedder
let usher: Usher
const tools: readonly Tool[] = [
  defineTool({ name: 'echo', description: 'Says it again.', input: z.object({ words: z.string() }), effects: {}, run: args => { trace.getTracer('host').startSpan('inner').end(); return args.words } }),
  defineTool({ name: 'fail', description: 'Fails.', input: z.object({}), effects: {}, run: () => { throw new TypeError('the secret word is plum') } }),
]
const ended = (name: string) => spans.getFinishedSpans().find(span => span.name === name)

beforeAll(async () => {
  context.setGlobalContextManager(new Contexts())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  model = await openEmbedder({ workers: 1 })
  const routes = place.write('echo.yaml', 'version: 1\nroutes:\n  - name: say\n    tool: echo\n    triggers: ["say {words:rest}"]\n')
  usher = tracedUsher(await createUsher({ routes, tools: tracedTools(tools), log: `${place.folder}/l.sqlite`, state: `${place.folder}/state`, model, secondReader: false, cache: false }))
})
afterAll(async () => { await usher.close(); await model.close(); place.remove(); trace.disable(); metrics.disable(); context.disable() })
beforeEach(() => spans.reset())

test('a call is a span by the convention, below its event, with the handler\'s own spans below it', async () => {
  const { outcomes } = await usher.handle({ source: 'user', text: 'say plum' })
  expect(outcomes).toMatchObject([{ kind: 'called', result: 'plum' }])
  const call = ended('execute_tool echo')
  expect(call?.attributes).toEqual({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'echo', 'gen_ai.tool.type': 'function', 'gen_ai.tool.description': 'Says it again.', 'gen_ai.tool.call.id': outcomes[0]?.callId, 'usher.call.by': 'router', 'usher.route': 'say', 'usher.event.source': 'user' })
  expect(call?.parentSpanContext?.spanId).toBe(ended('usher.handle')?.spanContext().spanId)
  expect(ended('inner')?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId)
  expect(ended('usher.handle')?.attributes).toEqual({ 'usher.event.source': 'user', 'usher.outcomes': ['called'], 'usher.reasons': [expect.any(String)] })
})

test('no words of an event, no argument, no result and no error message is anywhere in it', async () => {
  await usher.handle({ source: 'chat:alice', text: 'say plum' })
  await usher.call('echo', { words: 'plum' }, { by: 'model', who: 'm' })
  await usher.call('fail', {}, { by: 'model' })
  const all = JSON.stringify(spans.getFinishedSpans().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })))
  expect(all).not.toMatch(/plum|alice/)
  expect(ended('execute_tool fail')).toMatchObject({ attributes: { 'error.type': 'TypeError' }, status: { code: 2 } })
})

test('asked for, they are', async () => {
  const other = tracedTools(tools, { content: true })
  await other[0]?.run({ words: 'plum' }, { callId: 'c-1', by: 'person', signal: new AbortController().signal })
  expect(ended('execute_tool echo')?.attributes).toMatchObject({ 'gen_ai.tool.call.arguments': '{"words":"plum"}', 'gen_ai.tool.call.result': '"plum"' })
})

test('durations and outcomes are metrics, also of what reached no tool', async () => {
  await usher.handle({ source: 'notification', text: 'say plum' })
  await reader.forceFlush()
  const found = values.getMetrics().at(-1)?.scopeMetrics.flatMap(scope => scope.metrics) ?? []
  const of = (name: string) => found.find(metric => metric.descriptor.name === name)
  expect(of('gen_ai.execute_tool.duration')?.descriptor.unit).toBe('s')
  expect(of('gen_ai.execute_tool.duration')?.dataPoints.map(point => point.attributes)).toContainEqual({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'fail', 'error.type': 'TypeError' })
  expect(of('usher.outcomes')?.dataPoints.map(point => point.attributes['usher.outcome'])).toContain('source-blocked')
})
