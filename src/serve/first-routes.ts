/** Which routes decide when a server starts: the files, but for what widens beyond what a person accepted. */
import { existsSync, statSync } from 'node:fs'
import { pinnedChanges } from '../contract/accepted-files.ts'
import { UsherError } from '../errors.ts'
import { isPostgresUrl } from '../log/address.ts'
import { openLogReader } from '../log/reader.ts'
import type { CallLog } from '../ports.ts'
import { readRoutes } from '../routes/load.ts'
import { invalidRoutes, problemText } from '../routes/problem.ts'
import type { Json, RouteTable, Tool } from '../types.ts'
import { acceptedRoutes, acceptRoutes, nameAccepted, type Accepted } from './acceptance.ts'
import type { ServeOptions } from './options.ts'
import type { RoutesStanding } from './route-keeper.ts'
import { settleRoutes } from './settle-routes.ts'

export interface FirstRoutes { readonly table: RouteTable, readonly standing: RoutesStanding, readonly accepted: Accepted | undefined }

/**
 * Throws ROUTES_INVALID or ROUTES_MISSING where the files are bad and nothing was accepted that could decide instead, CONTRACT_INVALID where
 * the record of what was accepted is not the true one.
 */
export function firstRoutes(tools: ReadonlyMap<string, Tool>, options: ServeOptions, at: number): FirstRoutes {
  const accepted = acceptedBefore(options)
  const bad = (problems: readonly string[], error: UsherError): FirstRoutes => {
    if (!accepted) throw error
    return { table: accepted.table, standing: { kind: 'bad', at, problems }, accepted }
  }
  let read: ReturnType<typeof readRoutes>
  try {
    read = readRoutes(options.routes, { tools })
  } catch (error) {
    if (!UsherError.is(error)) throw error
    return bad([error.message], error)
  }
  if (read.kind === 'invalid') return bad(read.problems.map(problemText), invalidRoutes(read.problems))
  const before = accepted?.table ?? read.table
  const { table, waiting } = settleRoutes(before, before, read.table)
  return { table, standing: waiting.length > 0 ? { kind: 'waits', at, changes: waiting } : { kind: 'loaded', at }, accepted }
}

/** A log in a database is not there yet at this moment; its rows are compared from the first edit on. Throws CONTRACT_INVALID where the record is not the true one. */
export function acceptedBefore({ acceptedFolder, log }: Pick<ServeOptions, 'acceptedFolder' | 'log'>): Accepted | undefined {
  // An empty file is a log that is still to be made.
  if (isPostgresUrl(log) || !statSync(log, { throwIfNoEntry: false })?.size) return acceptedRoutes(acceptedFolder, undefined)
  const reader = openLogReader(log, { recover: false })
  try {
    return acceptedRoutes(acceptedFolder, reader.db)
  } finally {
    reader.close()
  }
}

/** The first start of all: what is there now is what later edits are measured by, so that a restart lets nothing in either. */
export async function acceptFirst({ accepted, table }: FirstRoutes, { acceptedFolder, pinned }: ServeOptions, log: CallLog, at: number, note: (note: string) => void): Promise<void> {
  if (accepted?.named === true) return
  if (accepted) { await nameAccepted(acceptedFolder, accepted.table, log, 'usher', at); return }
  await acceptRoutes(acceptedFolder, table, log, 'usher (first start)', at, pinned)
  note(`nobody accepted routes yet, so the ${table.routes.size} that are there decide; what widens from now on waits for usher routes accept`)
}

/** A tools module or calibration that is not the one that was accepted: nothing is called by itself until a person says so, once for each version. */
export async function haltOnOthers({ accepted }: FirstRoutes, { pinned = [] }: ServeOptions, owner: { halt(about: string, why: string, finding?: Json): Promise<unknown> }, note: (note: string) => void): Promise<void> {
  if (!accepted) return
  const unsaid = pinned.filter(path => existsSync(path) && !accepted.files.pinned.has(path))
  if (unsaid.length > 0) note(`nobody accepted ${unsaid.join(', ')} yet: usher routes accept --tools MODULE`)
  const changes = pinnedChanges(accepted.files, pinned)
  if (changes.length === 0) return
  const why = `${changes.join('; ')}; look at it, then: usher routes accept --tools MODULE, and usher resume`
  note(why)
  await owner.halt('control files', why, [...changes])
}
