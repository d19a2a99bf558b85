/** Which routes decide when a server starts: the files, but for what widens beyond what a person accepted. */
import { UsherError } from '../errors.ts'
import { invalidRoutes, problemText } from '../routes/problem.ts'
import { readRoutes } from '../routes/load.ts'
import type { RouteTable, Tool } from '../types.ts'
import type { RoutesStanding } from './route-keeper.ts'
import { settleRoutes } from './settle-routes.ts'

/** Throws ROUTES_INVALID or ROUTES_MISSING where the files are bad and nothing was accepted that could decide instead. */
export function firstRoutes(paths: readonly string[], tools: ReadonlyMap<string, Tool>, accepted: RouteTable | undefined, at: number): { readonly table: RouteTable, readonly standing: RoutesStanding } {
  const bad = (problems: readonly string[], error: UsherError) => {
    if (!accepted) throw error
    return { table: accepted, standing: { kind: 'bad' as const, at, problems } }
  }
  let read: ReturnType<typeof readRoutes>
  try {
    read = readRoutes(paths, { tools })
  } catch (error) {
    if (!UsherError.is(error)) throw error
    return bad([error.message], error)
  }
  if (read.kind === 'invalid') return bad(read.problems.map(problemText), invalidRoutes(read.problems))
  const { table, waiting } = settleRoutes(accepted ?? read.table, accepted ?? read.table, read.table)
  return { table, standing: waiting.length > 0 ? { kind: 'waits', at, changes: waiting } : { kind: 'loaded', at } }
}
