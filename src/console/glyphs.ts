/** An outcome by sign, word and colour: the sign and the word alone are enough. */
import type { EntryOutcome } from './ports.ts'

/** `ran` it happened; `wrong` somebody has to look; `waits` for a person; `held` the gate held it; `quiet` nothing was asked. */
export type Tone = 'ran' | 'wrong' | 'waits' | 'held' | 'quiet'

export const TONES: ReadonlyMap<Tone, string> = new Map([['ran', '●'], ['wrong', '✖'], ['waits', '◐'], ['held', '○'], ['quiet', '·']])

export function tone(outcome: EntryOutcome): Tone {
  switch (outcome) {
    case 'called': return 'ran'
    case 'failed': case 'unknown': case 'blocked': case 'malformed': case 'contract-refused': return 'wrong'
    case 'needs-approval': case 'offered': case 'unfilled': case 'ambiguous': case 'in-flight': return 'waits'
    case 'not-explicit': case 'source-blocked': case 'denied': case 'expired': case 'limited': case 'self-caused': case 'stopped': return 'held'
    case 'no-match': case 'duplicate': return 'quiet'
    default: return outcome satisfies never
  }
}

export function glyph(outcome: EntryOutcome): string {
  return TONES.get(tone(outcome)) ?? '·'
}
