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
    const runnerUp = runnerUpOf(route.name, candidates)
    return [{ route, tool, ...(candidate ? { candidate } : {}), ...(runnerUp ? { runnerUp } : {}), ...more }]
  }
  const asked = reading.asks.flatMap(ask => pursue(table.routes.get(ask.route), { ask }))
  if (asked.length > 0) return { kind: 'pursue', pursuits: asked }

  const best = candidates[0]
  const nearest = best && table.routes.get(best.route)
  if (best && nearest && reaches(best, nearest)) {
    const notAsk = reading.notAsks.find(item => item.route === nearest.name)
    return { kind: 'pursue', pursuits: pursue(nearest, notAsk ? { notAsk } : {}) }
  }
  const near = reading.notAsks.find(item => item.offer) ?? reading.notAsks.find(item => !item.bars)
  if (near) return { kind: 'pursue', pursuits: pursue(table.routes.get(near.route), { notAsk: near }) }
  return { kind: 'none', why: best && nearest ? `nearest is "${best.phrase}" of ${best.route} (${nearness(best)}), below its threshold ${best.head ? best.head.threshold.toFixed(2) : nearest.threshold}` : 'no route comes near' }
}

/** By its head where it has one, else by its nearest phrase. */
function reaches(candidate: Candidate, route: Route): boolean {
  if (candidate.exact) return true
  return candidate.head ? candidate.head.probability >= candidate.head.threshold : candidate.score >= route.threshold
}

/** The figure that a candidate is judged by, for people. */
export function nearness({ head, score }: Candidate): string {
  return head ? `probability ${head.probability.toFixed(2)}` : score.toFixed(2)
}

/** Candidates come in the order of a head where there is one; a route that goes by its nearest phrase is still measured by the nearest other phrase. */
function runnerUpOf(name: string, candidates: readonly Candidate[]): Candidate | undefined {
  const others = candidates.filter(item => item.route !== name)
  const own = candidates.find(item => item.route === name)
  if (own?.head || !others.some(item => item.probability !== undefined)) return others[0]
  return others.reduce((best, item) => Number(item.exact) - Number(best.exact) > 0 || (item.exact === best.exact && item.score > best.score) ? item : best)
}

/** Two asks of different routes in the same words: neither is what was asked for exactly. */
function overlapping(asks: readonly Ask[]): readonly [Ask, Ask] | undefined {
  for (const [index, first] of asks.entries()) {
    const second = asks.slice(index + 1).find(other => other.route !== first.route && other.span.start < first.span.end && first.span.start < other.span.end)
    if (second) return [first, second]
  }
  return undefined
}
