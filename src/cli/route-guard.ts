/** Routes are control plane: what widens waits for a person, what narrows does not. */
import { join, resolve } from 'node:path'
import { type AcceptedFiles, acceptedFiles, pinnedChanges } from '../contract/accepted-files.ts'
import { diffRoutes, type RouteChange } from '../routes/diff.ts'
import { loadRoutes, type LoadOptions } from '../routes/load.ts'
import type { RouteTable } from '../types.ts'

export const acceptedRoutesFolder = (stateFolder = '.usher'): string => resolve(join(stateFolder, 'accepted', 'routes'))

export interface RouteStanding {
  readonly table: RouteTable
  /** Undefined: no routes were accepted yet, so all of them wait. */
  readonly before: { readonly table: RouteTable, readonly who: string, readonly at: number, readonly pinned: AcceptedFiles['pinned'] } | undefined
  readonly changes: readonly RouteChange[]
  /** The tools module or the calibration is not the one that was accepted, in words. */
  readonly files: readonly string[]
  /** Some change lets more happen than a person accepted; of another tools module or calibration nobody can say that it does not. */
  readonly waits: boolean
}

const NOTHING: RouteTable = { routes: new Map(), hash: 'none', files: [] }

export interface RouteGuardOptions extends LoadOptions {
  /** Tools module and calibration. */
  readonly pinned?: readonly string[]
}

/** Compares the route files with the copies that a person accepted. Throws ROUTES_INVALID, ROUTES_MISSING or CONTRACT_INVALID (a copy that was tampered with). */
export function routeStanding(paths: readonly string[], folder: string, { pinned = [], ...options }: RouteGuardOptions = {}): RouteStanding {
  const table = loadRoutes(paths, options)
  const accepted = acceptedFiles(folder)
  const before = accepted && { table: loadRoutes(accepted.copies), who: accepted.who, at: accepted.at, pinned: accepted.pinned }
  const changes = diffRoutes(before?.table ?? NOTHING, table)
  const files = accepted ? pinnedChanges(accepted, pinned) : []
  return { table, before, changes, files, waits: files.length > 0 || changes.some(change => change.widens) }
}
