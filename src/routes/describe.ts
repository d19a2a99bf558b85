/** What was read, as plain data: for `usher check`, with every sentence under `--expand`. */
import type { Route, RouteTable } from '../types.ts'

export interface RouteDescription {
  readonly name: string
  readonly tool: string
  readonly at: string | null
  readonly mode: string
  readonly from: readonly string[]
  /** RFC 8785 bytes: exactly what the tool will get. */
  readonly preset: string
  readonly allow: readonly string[]
  readonly triggers: readonly { readonly template: string, readonly line: number | null, readonly sentences: readonly string[] }[]
  readonly sentences: number
  readonly not: readonly string[]
  /** Settings that are not the default, in words. */
  readonly settings: readonly string[]
  readonly tests: { readonly mustFire: number, readonly mustNotFire: number }
}

export interface TableDescription {
  readonly hash: string
  readonly files: readonly string[]
  readonly sentences: number
  readonly routes: readonly RouteDescription[]
}

export function describeRoutes(table: RouteTable): TableDescription {
  const routes = [...table.routes.values()].map(describeRoute)
  return { hash: table.hash, files: table.files, sentences: routes.reduce((sum, route) => sum + route.sentences, 0), routes }
}

function describeRoute(route: Route): RouteDescription {
  return {
    name: route.name, tool: route.tool,
    at: route.file === undefined ? null : `${route.file}:${route.line ?? 1}`,
    mode: route.mode, from: route.from, preset: route.presetBytes, allow: route.allow,
    triggers: triggersOf(route), sentences: route.phrases.length, not: route.not, settings: settingsOf(route),
    tests: { mustFire: route.mustFire.length, mustNotFire: route.mustNotFire.length },
  }
}

function triggersOf(route: Route): RouteDescription['triggers'] {
  const triggers = new Map<string, { template: string, line: number | null, sentences: string[] }>()
  for (const template of route.triggers ?? []) triggers.set(template, { template, line: null, sentences: [] })
  for (const { template, line, text, parts } of route.phrases) {
    const trigger = triggers.get(template) ?? { template, line: null, sentences: [] }
    triggers.set(template, trigger)
    trigger.line ??= line ?? null
    const slots = parts.flatMap(part => part.kind === 'slot' && (part.slot.type ?? part.slot.list) !== undefined ? [`${part.slot.name}: ${part.slot.type ?? listText(part.slot.list ?? '', route)}`] : [])
    trigger.sentences.push(slots.length > 0 ? `${text}  (${slots.join(', ')})` : text)
  }
  return [...triggers.values()]
}

/** What may be said there. */
function listText(name: string, { lists }: Route): string {
  const words = (lists.get(name) ?? []).flatMap(value => value.in)
  return `${name}: ${words.join(' | ')}`
}

function settingsOf(route: Route): string[] {
  const { cooldown, ...counts } = route.limits
  return [
    `threshold ${route.thresholdSet || route.allow.length > 0 ? route.threshold : 'auto'}`, `margin ${route.margin}`, `maxAge ${durationText(route.maxAge)}`,
    ...(route.ask ? ['near misses are offered'] : []),
    ...(route.reader === 'fire' ? ['the second reader alone may fire it'] : []),
    ...(route.approve === 'always' ? ['every call waits for approval'] : []),
    ...(route.approveWithin === undefined ? [] : [`cards stand ${durationText(route.approveWithin)}`]),
    ...(cooldown === undefined ? [] : [`cooldown ${durationText(cooldown)}`]),
    ...Object.entries(counts).map(([name, count]) => `${name} ${count}`),
    ...(route.when?.hours ? [`hours ${route.when.hours.map(({ from, to }) => `${clock(from)}-${clock(to)}`).join(', ')}`] : []),
    ...(route.when?.days ? [`days ${route.when.days.join(', ')}`] : []),
    ...(route.when?.state ? [`state ${JSON.stringify(route.when.state)}`] : []),
    ...[...route.lists].map(([name, values]) => `list ${name} with ${values.length} values`),
  ]
}

const clock = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The largest unit that holds it whole. */
export function durationText(ms: number): string {
  for (const [unit, size] of [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1000]] as const) {
    if (ms > 0 && ms % size === 0) return `${ms / size}${unit}`
  }
  return `${ms}ms`
}
