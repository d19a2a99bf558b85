/** The owner's switches: a stop of all auto-invocation, and the route's breaker. Before any question to a person: a stopped route asks for no card. */
import type { GateRule } from './rule.ts'
import { hold, pass } from './rule.ts'

export const stopRule: GateRule = {
  name: 'stop',
  look: ({ owner }) => owner?.stopped ? hold('stopped', owner.stopped.reason, owner.stopped.why) : pass('auto-invocation goes on'),
}

/** Open until a person closes it (`gate:limits`). */
export const breakerRule: GateRule = {
  name: 'breaker',
  look: ({ owner }) => owner?.breaker === undefined ? pass('closed') : hold('limited', 'breaker', owner.breaker),
}
