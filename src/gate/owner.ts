/** The rules that the owner set: when a route may fire, what it may cause, and whether a person is asked first. */
import type { When } from '../types.ts'
import { permits } from '../vocabulary/effects.ts'
import { canonicalJson } from '../util/canonical.ts'
import type { GateInput, GateRule } from './rule.ts'
import { hold, pass } from './rule.ts'

export const whenRule: GateRule = {
  name: 'when',
  look: input => {
    const when = input.route.when
    if (!when) return pass('at any time')
    const outside = outsideOf(when, input)
    return outside ? hold('stopped', 'when', outside) : pass('within its hours, days and state')
  },
}

/** The reason why now is not one of the route's times, or undefined. */
function outsideOf(when: When, { now, timeZone, hostState }: GateInput): string | undefined {
  const local = localTime(now, timeZone)
  if (when.days && !when.days.includes(local.day)) return 'not one of the route\'s days'
  if (when.hours && !when.hours.some(({ from, to }) => from <= to ? local.minute >= from && local.minute < to : local.minute >= from || local.minute < to)) return 'outside the route\'s hours'
  for (const [name, wanted] of Object.entries(when.state ?? {})) {
    const have = hostState.get(name)
    if (have === undefined || canonicalJson(have) !== canonicalJson(wanted)) return `the host's state "${name}" is ${have === undefined ? 'not set' : JSON.stringify(have)}, the route wants ${JSON.stringify(wanted)}`
  }
  return undefined
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Day (0 is Sunday) and minute of the day at the owner's place. */
export function localTime(at: number, timeZone: string): { readonly day: number, readonly minute: number } {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).formatToParts(at)
  const part = (type: string) => parts.find(item => item.type === type)?.value ?? ''
  return { day: DAYS.indexOf(part('weekday')), minute: Number(part('hour')) * 60 + Number(part('minute')) }
}

/** Every effect that the call could have must be one that the route allows. Nobody said what it does: that is not allowed either. */
export const effectsRule: GateRule = {
  name: 'effects',
  look: ({ route, effects, doubt, armedDefaults }) => {
    if (armedDefaults.length > 0) return hold('needs-approval', 'armed-default', `${route.tool} acts unless it is told not to (${armedDefaults.join(', ')}), and ${route.name} does not preset that`)
    if (effects.includes('unknown')) return hold('needs-approval', 'unknown-effect', `${route.tool} ${doubt ?? 'does not say what effects it has'}, so it counts as destructive`)
    const beyond = effects.filter(effect => !permits(route.allow, effect))
    return beyond.length > 0
      ? hold('needs-approval', 'effect-not-allowed', `${route.tool} would cause ${beyond.join(', ')}, which ${route.name} does not allow`)
      : pass(effects.length === 0 ? 'no effects' : `${effects.join(', ')} allowed`)
  },
}

/** Last, so that shadow mode and approval cards show only what would really have fired. */
export const modeRule: GateRule = {
  name: 'mode',
  look: ({ route }) => {
    if (route.mode === 'shadow') return hold('stopped', 'shadow', `${route.name} is in shadow mode; it would have called ${route.tool}`)
    if (route.approve === 'always') return hold('needs-approval', 'approve:always', `${route.name} asks a person every time`)
    if (route.mode === 'ask') return hold('needs-approval', 'mode:ask', `${route.name} is in ask mode`)
    return pass('fires')
  },
}
