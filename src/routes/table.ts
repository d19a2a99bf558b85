/** Routes by name, with a digest that says whether two tables decide alike. */
import type { Json, Route, RouteTable } from '../types.ts'
import { canonicalJson, sha256 } from '../util/canonical.ts'

export function routeTable(routes: readonly Route[], files: readonly string[]): RouteTable {
  const decisive = routes.map(decisiveParts)
  return { routes: new Map(routes.map(route => [route.name, route])), hash: sha256(canonicalJson(decisive)), files }
}

/** All that a decision may rest on: no file, line, test sentence or spelling of a template. The order of routes and phrases counts, since ties go by it. */
export function decisiveParts(route: Route): { readonly [key: string]: Json } {
  const { phrases, triggers: _triggers, lists, synonyms, mustFire: _fire, mustNotFire: _notFire, file: _file, line: _line, ...plain } = route
  return {
    ...plain,
    phrases: phrases.map(({ parts }) => parts.map(part => part.kind === 'text' ? part.text : { ...part.slot })),
    lists: Object.fromEntries(lists) as unknown as Json,
    synonyms: Object.fromEntries(synonyms),
  } as unknown as { readonly [key: string]: Json }
}
