/** Changes of how often and when a route may fire. */
import type { Limits, Route, When } from '../types.ts'
import { durationText } from './describe.ts'

/** One change as a rule finds it: field, does it widen, and what to say after the route's name. */
export type Found = readonly [field: string, widens: boolean, says: string]

const DAY_MINUTES = 24 * 60

export function limitChanges(old: Route, now: Route): readonly Found[] {
  return (['cooldown', 'perMinute', 'perHour', 'perDay', 'burst', 'concurrent', 'depth'] as const).flatMap(name => {
    const [was, is] = [old.limits[name], now.limits[name]]
    if (was === is) return []
    // No limit is the widest: no time at all between calls, or any number of them.
    const widens = name === 'cooldown' ? (is ?? 0) < (was ?? 0) : (is ?? Infinity) > (was ?? Infinity)
    return [[`limits`, widens, `has its ${name} changed from ${limitText(name, was)} to ${limitText(name, is)}`] as const]
  })
}

function limitText(name: keyof Limits, value: number | undefined): string {
  if (value === undefined) return 'none'
  return name === 'cooldown' ? durationText(value) : String(value)
}

export function whenChanges(old: Route, now: Route): readonly Found[] {
  if (old.when === undefined && now.when === undefined) return []
  const [hoursWere, hoursAre] = [minutesOf(old.when), minutesOf(now.when)]
  const [daysWere, daysAre] = [daysOf(old.when), daysOf(now.when)]
  const [stateWas, stateIs] = [old.when?.state ?? {}, now.when?.state ?? {}]
  const states = [...new Set([...Object.keys(stateWas), ...Object.keys(stateIs)])]
  return [
    ...setChange('hours', hoursWere, hoursAre),
    ...setChange('days', daysWere, daysAre),
    ...states.flatMap(key => {
      const [was, is] = [Object.hasOwn(stateWas, key) ? stateWas[key] : undefined, Object.hasOwn(stateIs, key) ? stateIs[key] : undefined]
      return was === is ? [] : [['when', was !== undefined, `asks for the state ${JSON.stringify(key)} ${is === undefined ? 'no longer' : `to be ${JSON.stringify(is)}`}${was === undefined ? '' : `, and not for ${JSON.stringify(was)}`}`] as const]
    }),
  ]
}

function setChange(what: string, were: ReadonlySet<number>, are: ReadonlySet<number>): readonly Found[] {
  const more = [...are].some(value => !were.has(value))
  const less = [...were].some(value => !are.has(value))
  return more || less ? [['when', more, `may fire at ${more ? 'more' : 'fewer'} ${what} than before`]] : []
}

function minutesOf(when: When | undefined): ReadonlySet<number> {
  const all = Array.from({ length: DAY_MINUTES }, (_, minute) => minute)
  return new Set(when?.hours ? all.filter(minute => when.hours?.some(({ from, to }) => minute >= from && minute < to)) : all)
}

function daysOf(when: When | undefined): ReadonlySet<number> {
  return new Set(when?.days ?? [0, 1, 2, 3, 4, 5, 6])
}
