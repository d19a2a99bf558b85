/** What waits for a person: whether a held decision asks one, and the card that it makes. */
import type { Hold, Pursuit } from '../gate/rule.ts'
import type { ApprovalDesk, CallLog, CardRequest, Clock, DecisionRow } from '../ports.ts'
import type { CallBy, Capture, Event, JsonObject, Outcome } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { outcomeOf } from './row.ts'

/** ms that a card stands, where its route says nothing. */
export const CARD_STANDS = 10 * 60_000

/** A near miss makes a card only where its route says `ask: true`: whoever may speak must not be able to bury the owner in questions. */
export function asksPerson(hold: Hold, { route }: Pursuit): boolean {
  return hold.kind === 'needs-approval' || (hold.kind === 'offered' && route.ask)
}

/** The captures of an ask, or of a near miss as its slots would have read them. */
export function capturesOf({ ask, notAsk }: Pursuit): readonly Capture[] {
  return ask?.captures ?? notAsk?.captures ?? []
}

/** A card without its times: what `expiresAt` is counted from is the moment it is kept. */
export type CardDraft = Omit<CardRequest, 'expiresAt' | 'decisionId'> & { readonly standsFor: number }

export function cardDraft(event: Event, eventId: string, { route, tool }: Pursuit, args: JsonObject, hold: Hold, origins: JsonObject): CardDraft {
  return { tool: tool.name, argsBytes: canonicalJson(args), event, eventId, route: route.name, by: 'router', why: hold.why, origins, standsFor: route.approveWithin ?? CARD_STANDS }
}

export function directDraft(tool: string, args: JsonObject, event: Event, by: CallBy, who: string | undefined, why: string, origins: JsonObject): CardDraft {
  return { tool, argsBytes: canonicalJson(args), event, by, why, origins, standsFor: CARD_STANDS, ...who === undefined ? {} : { who } }
}

/** The card is kept after its decision is on record; one that cannot be kept asks nobody, and says so. */
export async function keepCard({ desk, log, clock }: { readonly desk?: ApprovalDesk, readonly log: CallLog, readonly clock: Clock }, row: DecisionRow, card: CardDraft | undefined): Promise<Outcome> {
  const outcome = outcomeOf(row)
  if (!card || !desk) return outcome
  const { standsFor, ...request } = card
  try {
    await desk.request({ ...request, decisionId: row.decisionId, expiresAt: clock.now() + standsFor })
    return outcome
  } catch (error) {
    const why = `its card could not be kept: ${error instanceof Error ? error.message : String(error)}`
    await log.act({ who: 'usher', act: 'card.failed', about: row.decisionId, detail: { why }, at: clock.now() })
    return { ...outcome, why: `${outcome.why}; ${why}` }
  }
}
