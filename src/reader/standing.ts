/** How the rules stand to a route before the second reader is asked. Its thresholds differ by it: three words that a slot swallowed prove less than "could you please". */
import type { AskStanding, MissStanding } from '../ports.ts'
import type { Ask, NotAsk } from '../types.ts'

/** Reasons that are not brought up again: these readings stand on words that are there. */
export const SETTLED: ReadonlySet<string> = new Set(['abstain:not-phrase', 'abstain:code', 'abstain:quotation', 'abstain:negation', 'abstain:undo', 'abstain:later', 'abstain:opposite'])

/** Readings of talk: here the rules are mostly right, and the reader is heard only where it is very sure. */
const TOLD: ReadonlySet<string> = new Set([...SETTLED, 'abstain:mention', 'abstain:report', 'abstain:condition'])

export function askStanding({ captures, steps }: Ask): AskStanding {
  // A slot with a type has checked its value, and `{text:rest}` is the owner's word that anything may follow.
  if (steps.length > 0 || (captures.length > 0 && captures.every(({ slot }) => slot.type !== undefined))) return 'worked'
  return captures.length > 0 ? 'open' : 'whole'
}

/** @param miss what the rules say of the route; undefined: nothing */
export function missStanding(miss: NotAsk | undefined): MissStanding {
  if (!miss) return 'silent'
  if (miss.reason === 'abstain:similar') return 'near'
  return TOLD.has(miss.reason) ? 'told' : 'wording'
}
