/** The rules about what happened before: our own echoes, old events, limits and repeats. */
import type { Limits } from '../types.ts'
import type { GateRule, Hold } from './rule.ts'
import { hold, pass } from './rule.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** An event that a call of this route caused never fires it again, and chains end (`gate:self`). */
export const selfRule: GateRule = {
  name: 'self-caused',
  look: ({ route, history, maxDepth }) => {
    const own = history.causes.find(cause => cause.route === route.name)
    if (own) return hold('self-caused', 'skip:self', `call ${own.callId} of ${route.name} is in the event's chain of causes`)
    if (history.echo) return hold('self-caused', 'skip:echo', 'the words are what a call just returned')
    if (history.causes.length >= maxDepth) return hold('limited', 'depth', `${history.causes.length} calls in a chain lie behind this event; at most ${maxDepth} may`)
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

export const limitsRule: GateRule = {
  name: 'limits',
  look: ({ route, history, now }) => {
    const over = overLimit(route.limits, history.callTimes, now)
    return over ? { hold: over } : pass(`${history.callTimes.length} calls in the last day`)
  },
}

/** @param callTimes newest first, in ms */
export function overLimit(limits: Limits, callTimes: readonly number[], now: number): Hold | undefined {
  const last = callTimes[0]
  if (limits.cooldown !== undefined && last !== undefined && now - last < limits.cooldown) {
    return { kind: 'limited', reason: 'cooldown', why: `the last call was ${Math.round((now - last) / SECOND)} s ago; the cooldown is ${limits.cooldown / SECOND} s` }
  }
  const windows = [['minute', MINUTE, limits.perMinute], ['hour', HOUR, limits.perHour], ['day', DAY, limits.perDay]] as const
  for (const [name, length, most] of windows) {
    if (most === undefined) continue
    const count = callTimes.filter(time => now - time < length).length
    if (count >= most) return { kind: 'limited', reason: 'rate', why: `${count} calls in the last ${name}; at most ${most} may be` }
  }
  return undefined
}
