/**
 * The entry `usher-router/otel`: spans and metrics by the OpenTelemetry semantic conventions for GenAI tool execution (`execute_tool`, in
 * development there), by `@opentelemetry/api` only: nothing is recorded unless the host sets an SDK up. No words of an event, no argument and no
 * result is in an attribute unless asked for.
 */
import { metrics, SpanKind, SpanStatusCode, trace, type Attributes, type Meter, type Span, type Tracer } from '@opentelemetry/api'
import type { HostEvent, Usher } from '../assemble.ts'
import { loggable } from '../dispatch/result.ts'
import { UsherError } from '../errors.ts'
import type { Outcome, Tool } from '../types.ts'

export interface TelemetryOptions {
  /** Default: the global one, named `usher-router`. */
  readonly tracer?: Tracer
  readonly meter?: Meter
  /** Puts the words of events, arguments and results into span attributes. Default: no. */
  readonly content?: boolean
}

const NAME = 'usher-router'

/**
 * The same tools, each run of which is a span `execute_tool NAME` and a value of `gen_ai.execute_tool.duration`. Give them to `createUsher`.
 * The span is active while the handler runs, so that spans of its own lie below it.
 */
export function tracedTools(tools: readonly Tool[], options: TelemetryOptions = {}): readonly Tool[] {
  const tracer = options.tracer ?? trace.getTracer(NAME)
  const duration = (options.meter ?? metrics.getMeter(NAME)).createHistogram('gen_ai.execute_tool.duration', { description: 'Duration of a tool execution', unit: 's' })
  return tools.map((tool): Tool => {
    const { name, description, run } = tool
    return {
      ...tool,
      run: (args, call) => tracer.startActiveSpan(`execute_tool ${name}`, {
        kind: SpanKind.INTERNAL,
        attributes: {
          'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'gen_ai.tool.type': 'function', 'gen_ai.tool.description': description, 'gen_ai.tool.call.id': call.callId,
          'usher.call.by': call.by, ...(call.route === undefined ? {} : { 'usher.route': call.route }), ...(call.event ? { 'usher.event.source': sourceKind(call.event.source) } : {}),
          ...(options.content ? { 'gen_ai.tool.call.arguments': JSON.stringify(args) } : {}),
        },
      }, async span => {
        const started = performance.now()
        const about: Attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }
        try {
          const result: unknown = await run(args, call)
          if (options.content) span.setAttribute('gen_ai.tool.call.result', JSON.stringify(loggable(result)))
          return result
        } catch (error) {
          about['error.type'] = errorType(error)
          failed(span, error, options.content === true)
          throw error
        } finally {
          duration.record((performance.now() - started) / 1000, about)
          span.end()
        }
      }),
    }
  })
}

/**
 * The same Usher, whose events and calls are spans (`usher.handle`, `usher.call NAME`) with what became of them, and counted in `usher.outcomes`:
 * also the ones that reached no tool.
 */
export function tracedUsher(usher: Usher, options: TelemetryOptions = {}): Usher {
  const tracer = options.tracer ?? trace.getTracer(NAME)
  const counter = (options.meter ?? metrics.getMeter(NAME)).createCounter('usher.outcomes', { description: 'What became of events and calls', unit: '{outcome}' })
  const count = (outcomes: readonly Outcome[], source: string) => { for (const outcome of outcomes) counter.add(1, outcomeAttributes(outcome, source)) }
  const within = <T>(name: string, attributes: Attributes, work: () => Promise<T>, said: (value: T) => readonly Outcome[], source: string): Promise<T> =>
    tracer.startActiveSpan(name, { kind: SpanKind.INTERNAL, attributes }, async span => {
      try {
        const value = await work()
        const outcomes = said(value)
        span.setAttributes({ 'usher.outcomes': outcomes.map(outcome => outcome.kind), 'usher.reasons': outcomes.map(outcome => outcome.reason) })
        count(outcomes, source)
        return value
      } catch (error) {
        failed(span, error, options.content === true)
        throw error
      } finally {
        span.end()
      }
    })
  return new Proxy(usher, {
    get: (target, name, receiver) => {
      if (name === 'handle') return (event: HostEvent) => within('usher.handle', { 'usher.event.source': sourceKind(event.source), ...(options.content ? { 'usher.event.text': event.text } : {}) }, () => target.handle(event), handled => handled.outcomes, sourceKind(event.source))
      if (name === 'call') return (...args: Parameters<Usher['call']>) => within(`usher.call ${args[0]}`, { 'gen_ai.tool.name': args[0], 'usher.call.by': args[2].by }, () => target.call(...args), outcome => [outcome], `call:${args[2].by}`)
      return Reflect.get(target, name, receiver) as unknown
    },
  })
}

function outcomeAttributes(outcome: Outcome, source: string): Attributes {
  return { 'usher.outcome': outcome.kind, 'usher.reason': outcome.reason, 'usher.event.source': source, ...(outcome.route === undefined ? {} : { 'usher.route': outcome.route }), ...(outcome.tool === undefined ? {} : { 'gen_ai.tool.name': outcome.tool }) }
}

/** Without the person's name in it, and few enough to be a metric's attribute. */
function sourceKind(source: string): string {
  return String(source).split(':')[0] ?? ''
}

function errorType(error: unknown): string {
  return UsherError.is(error) ? error.code : error instanceof Error ? error.name : '_OTHER'
}

/** An error's message may quote what was said. */
function failed(span: Span, error: unknown, content: boolean): void {
  span.setAttribute('error.type', errorType(error))
  span.setStatus({ code: SpanStatusCode.ERROR, ...(content && error instanceof Error ? { message: error.message } : {}) })
}
