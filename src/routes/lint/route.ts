/** Rules about one route as a whole. */
import type { Route } from '../../types.ts'
import { finding, type Finding } from '../finding.ts'
import type { LintContext } from './context.ts'
import { HUMAN_SOURCES } from './words.ts'

export function routeShape(context: LintContext): Finding[] {
  const names = new Map<string, Route>()
  return [...context.table.routes.values()].flatMap(route => [
    ...testsMissing(route, context.effectful(route)),
    ...onePhrase(route),
    ...sources(route, context.effectful(route)),
    ...idleLists(route),
    ...alike(route, names),
  ])
}

function testsMissing(route: Route, effectful: boolean): Finding[] {
  if (!effectful) return []
  return [
    ...(route.mustNotFire.length > 0 ? [] : [finding('warning', 'no-must-not-fire', route, 'the route has effects and no `must_not_fire`, so nothing shows that talk about it is left alone; add a question, a negation and a report about it')]),
    ...(route.mustFire.length > 0 ? [] : [finding('info', 'no-must-fire', route, 'the route has no `must_fire`, so nothing shows that people can reach it; add two sentences as people say them')]),
  ]
}

function onePhrase(route: Route): Finding[] {
  return route.phrases.length > 1 ? [] : [finding('info', 'one-phrase', route, 'the route has one sentence only, so few ways of asking will reach it; add two or three more as people say them')]
}

function sources(route: Route, effectful: boolean): Finding[] {
  if (!effectful) return []
  return route.from.flatMap(source => {
    const kind = source.split(':', 1)[0] ?? ''
    if (!HUMAN_SOURCES.has(kind)) return [finding('warning', 'machine-source', route, `events from ${JSON.stringify(source)} may fire this route, though no person stands behind them: whoever can write there can cause ${route.allow.join(', ') || 'its effects'}; take it out of \`from\`, or set \`approve: always\``)]
    return source === 'chat' ? [finding('info', 'wide-source', route, 'anybody who writes in any chat may fire this route; name the person, as in chat:alice')] : []
  })
}

function idleLists(route: Route): Finding[] {
  const used = new Set([...route.synonyms.values(), ...route.phrases.flatMap(phrase => phrase.parts.flatMap(part => part.kind === 'slot' && part.slot.list !== undefined ? [part.slot.list] : []))])
  return [...route.lists.keys()].filter(name => !used.has(name)).map(name => finding('info', 'list-unused', route, `no slot and no synonym uses the list ${JSON.stringify(name)}; write {slot:${name}} where it is meant, or take it out`))
}

/** Names that differ in case and separators only. */
function alike(route: Route, names: Map<string, Route>): Finding[] {
  const plain = route.name.toLowerCase().replace(/[-_]/g, '')
  const first = names.get(plain)
  names.set(plain, first ?? route)
  return first ? [finding('warning', 'names-alike', route, `the name is nearly that of route ${JSON.stringify(first.name)}, and the two are easily mixed up in the log; rename one`)] : []
}
