/**
 * The record of which routes a person accepted: copies in the state folder, and the digest of their list in the log. A list that the log does
 * not name is not what a person accepted, whoever wrote it.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type AcceptedFiles, acceptedFiles, acceptFiles } from '../contract/accepted-files.ts'
import { UsherError } from '../errors.ts'
import type { Db } from '../log/db.ts'
import type { CallLog } from '../ports.ts'
import { loadRoutes } from '../routes/load.ts'
import type { RouteTable } from '../types.ts'
import { sha256 } from '../util/canonical.ts'

const ACT = 'routes.accept'
/** Servers that share a log have their own state folders, with a record in each. */
const NEWEST = 'SELECT json_extract(body, \'$.about\') FROM rows WHERE kind = \'act\' AND json_extract(body, \'$.act\') = ? AND json_extract(body, \'$.detail.folder\') = ? ORDER BY seq DESC LIMIT 1'

export const acceptedList = (folder: string): string => join(folder, 'manifest.json')

/** Copies the files and names them in the log, with the digests of the pinned ones (tools module, calibration). Throws SERVE_FAILED where the files are not those of the table any more. */
export async function acceptRoutes(folder: string, table: RouteTable, log: CallLog, who: string, at: number, pinned: readonly string[] = [], kept: AcceptedFiles['pinned'] = new Map()): Promise<void> {
  const { copies } = acceptFiles(folder, table.files, who, at, pinned, kept)
  if (loadRoutes(copies).hash !== table.hash) throw new UsherError('SERVE_FAILED', 'the route files changed while they were accepted; look at the difference and accept again')
  await nameAccepted(folder, table, log, who, at)
}

/** Names what was accepted in a log that does not know of it yet: from now on another record is none. */
export async function nameAccepted(folder: string, table: RouteTable, log: CallLog, who: string, at: number): Promise<void> {
  await log.act({ who, act: ACT, about: sha256(readFileSync(acceptedList(folder))), detail: { folder: resolve(folder), table: table.hash, routes: table.routes.size }, at })
}

export interface Accepted {
  readonly table: RouteTable
  /** The log knows of it. */
  readonly named: boolean
  readonly files: AcceptedFiles
}

/**
 * Undefined: nothing was accepted yet. Throws CONTRACT_INVALID where the record is not the one that the log names, or was tampered with.
 * @param db the log, for reading; undefined: there is none yet
 */
export function acceptedRoutes(folder: string, db: Db | undefined): Accepted | undefined {
  const named = db?.prepare(NEWEST).pluck().get(ACT, resolve(folder)) as string | undefined
  const files = acceptedFiles(folder)
  if (!files && named === undefined) return undefined
  const now = files && sha256(readFileSync(acceptedList(folder)))
  if (named !== undefined && now !== named) throw new UsherError('CONTRACT_INVALID', `the log names other accepted routes than ${acceptedList(folder)}, which ${files ? 'was changed' : 'is gone'}; accept them again, with the server's --log and --state: usher routes accept`)
  return files && { table: loadRoutes(files.copies), named: named !== undefined, files }
}
