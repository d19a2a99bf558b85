/** Which routes an event may be about: every ask in the order of the words, else the one nearest route. */
import type { Pursuit } from '../gate/rule.ts'
import type { AskReading, Ask, Candidate, NotAsk, Route, RouteTable, Tool } from '../types.ts'

export type Choice =
  | { readonly kind: 'pursue', readonly pursuits: readonly Pursuit[] }
  | { readonly kind: 'ambiguous', readonly why: string }
  | { readonly kind: 'none', readonly why: string }

/**
 * Only the very best candidate is looked at: a route never wins because a better one failed its own threshold (`gate:margin`).
 */
export function choose(table: RouteTable, tools: ReadonlyMap<string, Tool>, candidates: readonly Candidate[], reading: AskReading): Choice {
  const clash = overlapping(reading.asks)
  if (clash) return { kind: 'ambiguous', why: `the same words ask for ${clash[0].route} ("${clash[0].phrase.text}") and ${clash[1].route} ("${clash[1].phrase.text}")` }
  const pursue = (route: Route | undefined, more: { ask?: Ask, notAsk?: NotAsk }): Pursuit[] => {
    const tool = route && tools.get(route.tool)
    if (!route || !tool) return []
    const candidate = candidates.find(item => item.route === route.name)
    const runnerUp = candidates.find(item => item.route !== route.name)
    return [{ route, tool, ...(candidate ? { candidate } : {}), ...(runnerUp ? { runnerUp } : {}), ...more }]
  }
  const asked = reading.asks.flatMap(ask => pursue(table.routes.get(ask.route), { ask }))
  if (asked.length > 0) return { kind: 'pursue', pursuits: asked }

  const best = candidates[0]
  const nearest = best && table.routes.get(best.route)
  if (best && nearest && (best.exact || best.score >= nearest.threshold)) {
    const notAsk = reading.notAsks.find(item => item.route === nearest.name)
    return { kind: 'pursue', pursuits: pursue(nearest, notAsk ? { notAsk } : {}) }
  }
  const near = reading.notAsks.find(item => item.offer) ?? reading.notAsks[0]
  if (near) return { kind: 'pursue', pursuits: pursue(table.routes.get(near.route), { notAsk: near }) }
  return { kind: 'none', why: best && nearest ? `nearest is "${best.phrase}" of ${best.route} (${best.score.toFixed(2)}), below its threshold ${nearest.threshold}` : 'no route comes near' }
}

/** Two asks of different routes in the same words: neither is what was asked for exactly. */
function overlapping(asks: readonly Ask[]): readonly [Ask, Ask] | undefined {
  for (const [index, first] of asks.entries()) {
    const second = asks.slice(index + 1).find(other => other.route !== first.route && other.span.start < first.span.end && first.span.start < other.span.end)
    if (second) return [first, second]
  }
  return undefined
}
