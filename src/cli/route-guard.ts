/** Routes are control plane: what widens waits for a person, what narrows does not. */
import { join, resolve } from 'node:path'
import { acceptedFiles } from '../contract/accepted-files.ts'
import { diffRoutes, type RouteChange } from '../routes/diff.ts'
import { loadRoutes } from '../routes/load.ts'
import type { RouteTable } from '../types.ts'

export const acceptedRoutesFolder = (stateFolder = '.usher'): string => resolve(join(stateFolder, 'accepted', 'routes'))

export interface RouteStanding {
  readonly table: RouteTable
  /** Undefined: no routes were accepted yet, so all of them wait. */
  readonly before: { readonly table: RouteTable, readonly who: string, readonly at: number } | undefined
  readonly changes: readonly RouteChange[]
  /** Some change lets more happen than a person accepted. */
  readonly waits: boolean
}

const NOTHING: RouteTable = { routes: new Map(), hash: 'none', files: [] }

/** Compares the route files with the copies that a person accepted. Throws ROUTES_INVALID, ROUTES_MISSING or CONTRACT_INVALID (a copy that was tampered with). */
export function routeStanding(paths: readonly string[], folder: string): RouteStanding {
  const table = loadRoutes(paths)
  const accepted = acceptedFiles(folder)
  const before = accepted && { table: loadRoutes(accepted.copies), who: accepted.who, at: accepted.at }
  const changes = diffRoutes(before?.table ?? NOTHING, table)
  return { table, before, changes, waits: changes.some(change => change.widens) }
}
