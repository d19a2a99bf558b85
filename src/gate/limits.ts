/** How often and how many at once: of the route, and of all routes together (`gate:limits`). */
import type { Limits } from '../types.ts'
import type { GateRule, Hold } from './rule.ts'
import { pass } from './rule.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** What `burst` counts in. */
export const BURST_WINDOW = 10 * SECOND

export const limitsRule: GateRule = {
  name: 'limits',
  look: ({ route, history, now, owner, limits }) => {
    const own = overLimit(route.limits, history.callTimes, now, owner?.inFlight ?? 0)
    if (own) return { hold: own }
    const all = owner && limits ? overLimit(limits, owner.all.callTimes, now, owner.all.inFlight) : undefined
    if (all) return { hold: { kind: 'limited', reason: 'total', why: `of all routes together: ${all.why}` } }
    return pass(`${history.callTimes.length} calls in the last day`)
  },
}

/** @param callTimes newest first, in ms; of the last day at least @param inFlight calls that did not end yet */
export function overLimit(limits: Limits, callTimes: readonly number[], now: number, inFlight = 0): Hold | undefined {
  const last = callTimes[0]
  if (limits.cooldown !== undefined && last !== undefined && now - last < limits.cooldown) {
    return { kind: 'limited', reason: 'cooldown', why: `the last call was ${Math.round((now - last) / SECOND)} s ago; the cooldown is ${limits.cooldown / SECOND} s` }
  }
  if (limits.concurrent !== undefined && inFlight >= limits.concurrent) {
    return { kind: 'limited', reason: 'concurrent', why: `${inFlight} calls are in flight; at most ${limits.concurrent} may be at once` }
  }
  const windows = [['ten seconds', BURST_WINDOW, limits.burst, 'burst'], ['minute', MINUTE, limits.perMinute, 'rate'], ['hour', HOUR, limits.perHour, 'rate'], ['day', DAY, limits.perDay, 'rate']] as const
  for (const [name, length, most, reason] of windows) {
    if (most === undefined) continue
    const count = callTimes.filter(time => now - time < length).length
    if (count >= most) return { kind: 'limited', reason, why: `${count} calls in the last ${name}; at most ${most} may be` }
  }
  return undefined
}
