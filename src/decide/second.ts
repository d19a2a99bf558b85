/** The trained reader, where there is one: it may object, and bring a near miss to its owner; it fires nothing with effects by itself. */
import { sourceAllowed } from '../gate/words.ts'
import type { AskScorer } from '../ports.ts'
import { readerPairs } from '../reader/pairs.ts'
import { secondReading } from '../reader/second.ts'
import type { Ask, AskReading, Candidate, Event, JsonObject, Route, RouteTable, Tool } from '../types.ts'

export interface SecondParts {
  readonly table: RouteTable
  readonly tools: ReadonlyMap<string, Tool>
  readonly scorer?: AskScorer
  /** Could a call of this route have an effect? */
  readonly effectful: (route: Route, tool: Tool) => boolean
}

/**
 * What the rules take for an ask is scored whatever the encoder says, so it can be scored meanwhile.
 * @returns a scorer that gives what was begun rather than to begin it again
 */
export function beginSecondReading(scorer: AskScorer, table: RouteTable, event: Event, asks: readonly Ask[]): AskScorer {
  const underway = new Map<string, Promise<number | undefined>>()
  const score: AskScorer['score'] = (phrases, text) => {
    const key = JSON.stringify([text, ...phrases])
    const running = underway.get(key) ?? scorer.score(phrases, text)
    underway.set(key, running)
    return running
  }
  if (asks.length > 0) {
    for (const { phrases, spans } of readerPairs(event.text, { asks, notAsks: [] }, [], table.routes, name => sourceAllowed(event.source, table.routes.get(name)?.from ?? []))) {
      const [widest] = spans
      // Whoever asks for it hears of a failure.
      if (widest) score(phrases, event.text.slice(widest.start, widest.end)).catch(() => undefined)
    }
  }
  return { id: scorer.id, thresholds: scorer.thresholds, score, close: () => scorer.close() }
}

export async function withSecondReading({ table, tools, scorer, effectful }: SecondParts, event: Event, first: AskReading, candidates: readonly Candidate[]): Promise<{ readonly reading: AskReading, readonly record: { readonly reader?: JsonObject } }> {
  if (!scorer) return { reading: first, record: {} }
  const { reading, scores } = await secondReading(event.text, first, candidates, {
    scorer, routes: table.routes,
    allowed: name => sourceAllowed(event.source, table.routes.get(name)?.from ?? []),
    mayFire: name => {
      const route = table.routes.get(name)
      const tool = route && tools.get(route.tool)
      return route !== undefined && tool !== undefined && (route.reader === 'fire' || !effectful(route, tool))
    },
  })
  if (scores.length === 0) return { reading, record: {} }
  const said = scores.map(score => ({ route: score.route, kind: score.kind, ...(score.kind === 'read' ? { probability: score.probability, ...score.span ? { span: [score.span.start, score.span.end] } : {} } : {}) }))
  return { reading, record: { reader: { id: scorer.id, thresholds: { ...scorer.thresholds }, scores: said } } }
}
