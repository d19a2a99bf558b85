/** What the approvals stand on, and what becomes of a person's answer to a card. */
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { CallLog, Clock } from '../ports.ts'
import type { Outcome, RouteTable, Tool } from '../types.ts'
import type { Card, CardState } from './card.ts'
import type { CardStore } from './card-store.ts'
import type { Owner } from './owner.ts'
import type { PersonProof } from './person-proof.ts'

/** What a yes is carried out with. `table` is asked each time: routes are swapped while a runtime lives. */
export interface ApprovalRuntime {
  readonly tools: ReadonlyMap<string, Tool>
  readonly table: () => RouteTable
  readonly dispatcher: Pick<Dispatcher, 'prepare' | 'run'>
}

export interface ApprovalsParts {
  readonly store: CardStore
  readonly log: CallLog
  readonly clock: Clock
  readonly owner: Owner
  readonly proof: PersonProof
  /** Without one, cards can be listed and denied, and grants given; `approve` of anything else throws BAD_OPTION. */
  readonly runtime?: ApprovalRuntime
  /** Told of each new card: a desktop notification, a page. Must not throw. */
  readonly onCard?: (card: Card) => void
  /** Cards in ten minutes from one source; default 20. */
  readonly perSource?: number
  /** Cards that may wait at once; default 100. */
  readonly mostWaiting?: number
}

export type Decision =
  /** The call ran (or was refused by the last checks, or its server failed): its outcome says. */
  | { readonly kind: 'done', readonly card: Card, readonly outcome: Outcome }
  /** A grant: the same call passes once. */
  | { readonly kind: 'granted', readonly card: Card }
  | { readonly kind: 'denied', readonly card: Card }
  /** Nobody's yes is needed, or possible, any more. */
  | { readonly kind: 'gone', readonly state: CardState, readonly card: Card, readonly why: string }
  /** What would be called changed; `next` asks anew, where it still can be called. */
  | { readonly kind: 'void', readonly card: Card, readonly changed: readonly string[], readonly next?: Card }
  | { readonly kind: 'refused', readonly why: string }
  | { readonly kind: 'unknown', readonly why: string }
