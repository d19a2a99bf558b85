/** What changed between two tables, and which changes widen what may happen: those wait for a person (`control:human`). When in doubt, it widens. */
import type { Json, Route, RouteTable } from '../types.ts'
import { canonicalJson } from '../util/canonical.ts'
import { quoted } from '../util/mask.ts'
import { permits } from '../vocabulary/effects.ts'
import { partText } from './expand.ts'
import { ROUTE_DEFAULTS } from './defaults.ts'
import { durationText } from './describe.ts'
import { limitChanges, whenChanges, type Found } from './diff-bounds.ts'
import { parseDuration } from './units.ts'

export interface RouteChange {
  readonly route: string
  /** The setting, as a route file names it; `route` for a whole route. */
  readonly field: string
  /** More may happen than before. */
  readonly widens: boolean
  readonly sentence: string
}

/** Empty: the two decide alike. Test sentences are named too, since a lost one takes a guard away. */
export function diffRoutes(before: RouteTable, after: RouteTable): readonly RouteChange[] {
  const changes: RouteChange[] = []
  for (const [name, old] of before.routes) {
    const now = after.routes.get(name)
    if (!now) changes.push({ route: name, field: 'route', widens: false, sentence: `route ${JSON.stringify(name)} is gone` })
    else changes.push(...RULES.flatMap(rule => rule(old, now)).map(([field, widens, says]) => ({ route: name, field, widens, sentence: `route ${JSON.stringify(name)} ${says}` })))
  }
  for (const [name, route] of after.routes) {
    if (!before.routes.has(name)) changes.push({ route: name, field: 'route', widens: true, sentence: `route ${JSON.stringify(name)} is new: it calls ${JSON.stringify(route.tool)} with ${route.presetBytes}${route.allow.length > 0 ? ` and may cause ${route.allow.join(', ')}` : ''}` })
  }
  return changes
}

const CARD_STANDS = parseDuration(ROUTE_DEFAULTS.approveWithin) ?? 0

const RULES: readonly ((old: Route, now: Route) => readonly Found[])[] = [
  toolChanges, presetChanges, sourceChanges, allowChanges, modeChanges, numberChanges, phraseChanges, notChanges, listChanges, limitChanges, whenChanges, testChanges,
]

function toolChanges(old: Route, now: Route): readonly Found[] {
  return old.tool === now.tool ? [] : [['tool', true, `calls ${JSON.stringify(now.tool)} instead of ${JSON.stringify(old.tool)}`]]
}

/** Any change may arm: a key that is gone may have been `dry_run`. */
function presetChanges(old: Route, now: Route): readonly Found[] {
  if (old.presetBytes === now.presetBytes) return []
  const keys = [...new Set([...Object.keys(old.preset), ...Object.keys(now.preset)])]
  const said = keys.flatMap(key => {
    const [was, is] = [textOf(old.preset, key), textOf(now.preset, key)]
    return was === is ? [] : [`${quoted(key)} from ${was} to ${is}`]
  })
  return [['preset', true, `presets ${said.join(', ')}`]]
}

function textOf(preset: Route['preset'], key: string): string {
  return Object.hasOwn(preset, key) ? canonicalJson(preset[key]) : 'nothing'
}

/** `chat` stands for `chat:alice` too. */
function sourceChanges(old: Route, now: Route): readonly Found[] {
  const within = (sources: readonly string[], source: string) => sources.includes(source) || sources.includes(source.split(':', 1)[0] ?? '')
  return [
    ...added('from', now.from.filter(source => !within(old.from, source)), 'may be fired by'),
    ...removed('from', old.from.filter(source => !within(now.from, source)), 'may no longer be fired by'),
  ]
}

function allowChanges(old: Route, now: Route): readonly Found[] {
  return [
    ...added('allow', now.allow.filter(effect => !permits(old.allow, effect)), 'may now cause'),
    ...removed('allow', old.allow.filter(effect => !permits(now.allow, effect)), 'may no longer cause'),
  ]
}

function modeChanges(old: Route, now: Route): readonly Found[] {
  const reach = ['shadow', 'ask', 'fire']
  return [
    ...(old.mode === now.mode ? [] : [['mode', reach.indexOf(now.mode) > reach.indexOf(old.mode), `goes from mode ${old.mode} to ${now.mode}`] as const]),
    ...(old.reader === now.reader ? [] : [['reader', now.reader === 'fire', now.reader === 'fire' ? 'the second reader alone may fire it now' : 'the second reader may only offer it'] as const]),
    ...(old.approveWithin === now.approveWithin ? [] : [['approveWithin', (now.approveWithin ?? CARD_STANDS) > (old.approveWithin ?? CARD_STANDS), `has its cards stand ${durationText(now.approveWithin ?? CARD_STANDS)} instead of ${durationText(old.approveWithin ?? CARD_STANDS)}`] as const]),
    ...(old.approve === now.approve ? [] : [['approve', now.approve === 'never', now.approve === 'never' ? 'no longer waits for approval' : 'waits for approval now'] as const]),
    ...(old.ask === now.ask ? [] : [['ask', now.ask, now.ask ? 'offers near misses now' : 'no longer offers near misses'] as const]),
  ]
}

function numberChanges(old: Route, now: Route): readonly Found[] {
  return [
    ...(autoChanged(old, now) ? [['threshold', true, now.thresholdSet ? `has its threshold set to ${now.threshold} instead of auto` : `has its threshold set to auto instead of ${old.threshold}`] as const]
      : old.threshold === now.threshold ? [] : [['threshold', now.threshold < old.threshold, `has its threshold changed from ${old.threshold} to ${now.threshold}`] as const]),
    ...(old.margin === now.margin ? [] : [['margin', now.margin < old.margin, `has its margin changed from ${old.margin} to ${now.margin}`] as const]),
    ...(old.maxAge === now.maxAge ? [] : [['maxAge', now.maxAge > old.maxAge, `takes events up to ${now.maxAge} ms old instead of ${old.maxAge} ms`] as const]),
  ]
}

/** Where no effect is allowed, `auto` may stand for a probability, which compares with no number. */
function autoChanged(old: Route, now: Route): boolean {
  return old.thresholdSet !== now.thresholdSet && (old.allow.length === 0 || now.allow.length === 0)
}

/** A slot of another type or list makes another sentence. */
function phraseChanges(old: Route, now: Route): readonly Found[] {
  const byKey = (route: Route) => new Map(route.phrases.map(phrase => [JSON.stringify(phrase.parts.map(part => part.kind === 'text' ? part.text : [part.slot.name, part.slot.type ?? null, part.slot.list ?? null])), phrase.parts.map(partText).join('')]))
  const [were, are] = [byKey(old), byKey(now)]
  return [
    ...added('triggers', [...are].filter(([key]) => !were.has(key)).map(([, text]) => quoted(text)), 'listens to'),
    ...removed('triggers', [...were].filter(([key]) => !are.has(key)).map(([, text]) => quoted(text)), 'no longer listens to'),
  ]
}

function notChanges(old: Route, now: Route): readonly Found[] {
  const gone = old.not.filter(text => !now.not.includes(text))
  return [
    ...(gone.length > 0 ? [['not', true, `no longer excludes ${few(gone.map(quoted))}`] as const] : []),
    ...removed('not', now.not.filter(text => !old.not.includes(text)).map(quoted), 'excludes'),
  ]
}

function listChanges(old: Route, now: Route): readonly Found[] {
  const changed = (was: ReadonlyMap<string, unknown>, is: ReadonlyMap<string, unknown>) => [...new Set([...was.keys(), ...is.keys()])].filter(name => bytes(was.get(name)) !== bytes(is.get(name)))
  return [
    ...changed(old.lists, now.lists).map(name => ['lists', now.lists.has(name), `has its list ${JSON.stringify(name)} ${now.lists.has(name) ? 'changed' : 'taken out'}`] as const),
    ...changed(old.synonyms, now.synonyms).map(name => ['synonyms', now.synonyms.has(name), `has its synonyms of ${quoted(name)} ${now.synonyms.has(name) ? 'changed' : 'taken out'}`] as const),
  ]
}

function testChanges(old: Route, now: Route): readonly Found[] {
  return [
    ...removed('must_fire', old.mustFire.filter(text => !now.mustFire.includes(text)).map(quoted), 'no longer tests that it fires on'),
    ...removed('must_not_fire', old.mustNotFire.filter(text => !now.mustNotFire.includes(text)).map(quoted), 'no longer tests that it is silent on'),
  ]
}

const bytes = (value: unknown) => value === undefined ? '' : canonicalJson(value as Json)
const few = (texts: readonly string[]) => texts.length > 5 ? `${texts.slice(0, 5).join(', ')} and ${texts.length - 5} more` : texts.join(', ')
const added = (field: string, texts: readonly string[], says: string): readonly Found[] => texts.length > 0 ? [[field, true, `${says} ${few(texts)}`]] : []
const removed = (field: string, texts: readonly string[], says: string): readonly Found[] => texts.length > 0 ? [[field, false, `${says} ${few(texts)}`]] : []
