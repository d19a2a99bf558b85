/** The rules about what was said: who said it, whether it asks, and whether only one route is meant. */
import type { Candidate, HeadReading } from '../types.ts'
import type { GateRule, RuleResult } from './rule.ts'
import { hold, pass } from './rule.ts'

const figure = (score: number | undefined) => score === undefined ? 'no vector score' : score.toFixed(2)

/** `chat` in `from` lets every `chat:...` in; `chat:alice` only alice. */
export function sourceAllowed(source: string, from: readonly string[]): boolean {
  return from.some(allowed => source === allowed || (!allowed.includes(':') && source.startsWith(`${allowed}:`)))
}

export const sourceRule: GateRule = {
  name: 'source',
  look: ({ event, route }) => sourceAllowed(event.source, route.from)
    ? pass(`${event.source} is one of ${route.from.join(', ')}`)
    : hold('source-blocked', 'source', `${route.name} hears only ${route.from.join(', ')}`),
}

/** A route with effects needs an ask in words; nearness in meaning never suffices (`gate:explicit`). */
export const explicitRule: GateRule = {
  name: 'explicit',
  look: ({ route, ask, notAsk, effects, candidate }) => {
    if (ask?.readerAlone !== undefined) return pass(`the second reader alone takes it for an ask, as "${ask.phrase.text}"; the rules do not: ${ask.readerAlone}`)
    if (ask) return pass(`the words ask for it, as "${ask.phrase.text}"`)
    if (notAsk?.reason === 'abstain:reader') return hold('offered', 'reader', `near "${notAsk.phrase.text}" of ${route.name}: ${notAsk.why}`)
    if (notAsk && (notAsk.offer && route.ask)) return hold('offered', 'near-miss', `near "${notAsk.phrase.text}" of ${route.name}: ${notAsk.why}`)
    const said = notAsk ?? undefined
    if (effects.length > 0) {
      return hold('not-explicit', said?.reason ?? 'abstain:similar', said?.why ?? `near "${candidate?.phrase}" (${figure(candidate?.score)}), but the words do not ask for it`)
    }
    if (said && OBJECTIONS.has(said.reason)) return hold('not-explicit', said.reason, said.why)
    return pass(`no effects, so nearness in meaning is enough (${figure(candidate?.score)})`)
  },
}

/** What speaks against a route even where it has no effects. */
const OBJECTIONS: ReadonlySet<string> = new Set(['abstain:negation', 'abstain:undo', 'abstain:opposite', 'abstain:not-phrase', 'abstain:quotation', 'abstain:code'])

/** The same by probabilities, where the route has a head. */
function headMargin({ route, phrase }: Candidate, { probability, threshold }: HeadReading, runnerUp: Candidate | undefined, least: number): RuleResult {
  if (probability < threshold) return hold('no-match', 'below-threshold', `nearest is "${phrase}" (probability ${figure(probability)}), below the threshold ${figure(threshold)}`)
  if (runnerUp?.probability === undefined) return pass('no other route')
  const margin = probability - runnerUp.probability
  return margin >= least
    ? pass(`probability ${figure(probability)}, ${figure(margin)} ahead of ${runnerUp.route}`)
    : hold('ambiguous', 'margin', `${route} (probability ${figure(probability)}) and ${runnerUp.route} (${figure(runnerUp.probability)}) are closer than ${least}`)
}

/** Near in meaning counts only with a clear distance to the next route (`gate:margin`). An ask in words is exact already. */
export const marginRule: GateRule = {
  name: 'margin',
  look: ({ route, ask, candidate, runnerUp }) => {
    if (ask || !candidate) return pass(ask?.readerAlone === undefined ? 'asked for in words' : 'taken for an ask by the second reader')
    if (candidate.exact) return pass('the words are the phrase')
    if (candidate.head) return headMargin(candidate, candidate.head, runnerUp, route.margin)
    if (candidate.score < route.threshold) return hold('no-match', 'below-threshold', `nearest is "${candidate.phrase}" (${figure(candidate.score)}), below the threshold ${route.threshold}`)
    if (!runnerUp) return pass('no other route')
    const margin = candidate.score - runnerUp.score
    return margin >= route.margin
      ? pass(`${margin.toFixed(2)} ahead of ${runnerUp.route}`)
      : hold('ambiguous', 'margin', `${route.name} (${figure(candidate.score)}) and ${runnerUp.route} (${figure(runnerUp.score)}) are closer than ${route.margin}`)
  },
}
