/**
 * Which of an edit's routes may decide now, route by route: what narrows does at once, what widens waits for a person (`control:human`), so that
 * taking a source away is never held up by a new trigger in the same edit.
 */
import { diffRoutes, type RouteChange } from '../routes/diff.ts'
import { routeTable } from '../routes/table.ts'
import type { Route, RouteTable } from '../types.ts'

export interface Settled {
  /** What may be loaded now. */
  readonly table: RouteTable
  /** What waits, with the narrower changes of the same routes. Empty: the whole edit may be loaded. */
  readonly waiting: readonly RouteChange[]
}

/** @param accepted what a person accepted last (or what was loaded, where nothing was) @param current what decides now */
export function settleRoutes(accepted: RouteTable, current: RouteTable, next: RouteTable): Settled {
  const changes = diffRoutes(accepted, next)
  const widened = new Set(changes.filter(change => change.widens).map(change => change.route))
  if (widened.size === 0) return { table: next, waiting: [] }
  const routes = [...next.routes].flatMap(([name, route]): readonly Route[] => {
    if (!widened.has(name)) return [route]
    const old = narrowest(accepted.routes.get(name), current.routes.get(name))
    return old ? [old] : []
  })
  return { table: routeTable(routes, next.files), waiting: changes.filter(change => widened.has(change.route)) }
}

/** Of an edit that narrowed and then widened again, what decides now stays: it is within what was accepted. */
function narrowest(accepted: Route | undefined, current: Route | undefined): Route | undefined {
  if (!accepted || !current) return undefined
  const widens = diffRoutes(routeTable([accepted], []), routeTable([current], [])).some(change => change.widens)
  return widens ? accepted : current
}
