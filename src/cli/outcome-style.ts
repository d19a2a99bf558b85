import type { OutcomeKind } from '../types.ts'
import type { Style } from './io.ts'

/** Green: it ran. Yellow: a person may want to look. Red: something went wrong. Dim: nothing was asked. */
export function outcomeStyle(kind: OutcomeKind): Style {
  switch (kind) {
    case 'called': return 'green'
    case 'failed': case 'unknown': case 'blocked': case 'malformed': case 'contract-refused': return 'red'
    case 'needs-approval': case 'offered': case 'unfilled': case 'ambiguous': return 'yellow'
    case 'not-explicit': case 'source-blocked': case 'denied': case 'expired': case 'limited': case 'self-caused': case 'stopped': return 'cyan'
    case 'no-match': case 'duplicate': return 'dim'
    default: return kind satisfies never
  }
}
