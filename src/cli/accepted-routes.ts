/** Commands that end by themselves ask before they begin what a server asks all the time: is this more than a person accepted (`control:human`)? */
import { resolve } from 'node:path'
import { UsherError } from '../errors.ts'
import { defaultStateDir } from '../log/state.ts'
import { findRouteFiles } from '../routes/files.ts'
import { acceptedBefore } from '../serve/first-routes.ts'
import { pinnedFiles } from './control-guard.ts'
import { acceptedRoutesFolder, routeStanding } from './route-guard.ts'
import { logFile, routesFolder } from './setup.ts'

export interface AcceptedOptions { readonly routes?: readonly string[], readonly tools?: string, readonly state?: string, readonly log?: string }

const SHOWN = 6

/**
 * Route files that somebody accepted, and that let more happen now (or whose tools module or calibration is another one), do not start. Files of which nobody
 * accepted any are the caller's own business, as before the first `usher routes accept`. Throws CONTROL_REFUSED, or CONTRACT_INVALID where the record was
 * tampered with.
 */
export function refuseWidened(options: AcceptedOptions): void {
  const folder = acceptedRoutesFolder(options.state ?? defaultStateDir())
  const accepted = acceptedBefore({ acceptedFolder: folder, log: logFile(options.log) })
  const paths = routesFolder(options.routes)
  const known = new Set(accepted?.files.paths)
  if (!accepted || !findRouteFiles(paths).some(file => known.has(resolve(file)))) return
  const { changes, files, waits } = routeStanding(paths, folder, { pinned: pinnedFiles(paths, options.tools) })
  if (!waits) return
  const found = [...changes.filter(change => change.widens).map(change => change.sentence), ...files]
  throw new UsherError('CONTROL_REFUSED', `this lets more happen than ${accepted.files.who} accepted: ${found.slice(0, SHOWN).join('; ')}${found.length > SHOWN ? `; and ${found.length - SHOWN} more` : ''}. A person looks at it and says yes: usher routes diff, then usher routes accept`)
}
