/** The rules about what happened before: our own echoes, old events and repeats. */
import type { GateRule } from './rule.ts'
import { hold, pass } from './rule.ts'

const SECOND = 1000

/** An event that a call of this route caused never fires it again, and chains end (`gate:self`). */
export const selfRule: GateRule = {
  name: 'self-caused',
  look: ({ route, history, maxDepth, limits }) => {
    const own = history.causes.find(cause => cause.route === route.name)
    if (own) return hold('self-caused', 'skip:self', `call ${own.callId} of ${route.name} is in the event's chain of causes`)
    if (history.echo) return hold('self-caused', 'skip:echo', 'the words are what a call just returned')
    const most = Math.min(maxDepth, route.limits.depth ?? Infinity, limits?.depth ?? Infinity)
    if (history.causes.length >= most) return hold('limited', 'depth', `${history.causes.length} calls in a chain lie behind this event; at most ${most} may`)
    return pass(history.causes.length === 0 ? 'no call behind it' : `${history.causes.length} other calls behind it`)
  },
}

/** Only for routes with effects: an order that lay in a queue over lunch is no order any more. */
export const ageRule: GateRule = {
  name: 'age',
  look: ({ event, route, now, effects }) => {
    const age = now - event.at
    if (effects.length === 0) return pass('no effects')
    return age <= route.maxAge ? pass(`${Math.max(0, age)} ms old`) : hold('expired', 'max-age', `the event is ${Math.round(age / SECOND)} s old, and ${route.name} takes at most ${route.maxAge / SECOND} s`)
  },
}

export const duplicateRule: GateRule = {
  name: 'duplicate',
  look: ({ route, history }) => history.justFired ? hold('duplicate', 'text', `the same words fired ${route.name} a moment ago`) : pass('not said a moment ago'),
}
