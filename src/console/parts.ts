/** What the app is made of, and what each handler knows. */
import type { Clock, MaybePromise } from '../ports.ts'
import type { JsonObject } from '../types.ts'
import type { ConsoleAccess, Session } from './access.ts'
import type { ConsoleDesk, ConsoleReads, ContractsView, RoutesView } from './ports.ts'
import type { Context } from './web.ts'

export interface ConsoleParts {
  readonly reads: ConsoleReads
  readonly access: ConsoleAccess
  /** Undefined: this page does not know the routes. */
  readonly routes?: () => MaybePromise<RoutesView>
  readonly contracts?: () => MaybePromise<ContractsView>
  /** What a person may do. Undefined: the page only reads, and there is nothing to post to. */
  readonly desk?: ConsoleDesk
  readonly clock?: Clock
  /** Ends the live streams. */
  readonly closing?: AbortSignal
}

/** What a handler knows of its request: the session's hidden word for forms, where there is a session. */
export interface Known {
  Variables: { session: Session | undefined }
  /** What the host saw of the process at the other end, where it can. */
  Bindings: { readonly caller?: () => JsonObject | undefined }
}
export type Asking = Context<Known>
