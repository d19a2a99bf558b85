/**
 * The files that decide over a command that runs for long: routes, tool module, calibration, settings. Who else may write them stops the start, a change
 * behind its back halts auto-invocation (`control:human`). Contracts have rules of their own (contract/store.ts), and tokens too (serve/tokens.ts).
 */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ControlFiles } from '../contract/control-files.ts'
import { accessBreaches, type AccessBreach, foreignFileSystem } from '../contract/file-access.ts'
import { localModules } from '../contract/local-modules.ts'
import { UsherError } from '../errors.ts'
import { SIDE_FILE } from '../heads/side-file.ts'
import type { ActRow } from '../ports.ts'
import { findRouteFiles } from '../routes/files.ts'
import { within } from '../util/real-path.ts'
import type { Io } from './io.ts'

export interface ControlPlane {
  /** Route files and folders. */
  readonly routes: readonly string[]
  readonly tools?: string | undefined
  /** Signers, credentials: whatever else says who may do what. */
  readonly settings?: readonly (string | undefined)[]
  /** `--i-own-this-machine`: some files may be the running user's and others not. */
  readonly ownMachine?: true | undefined
  /** Somebody else looks after edits of the route files, and asks `routeBreaches`. */
  readonly routesReload?: true
}

export interface ControlGuard {
  /** What is not as it was loaded, or may be written by somebody who could not before, in words. */
  readonly changed: () => readonly string[]
  /** Why the route files as they are now must not be loaded, in words. */
  readonly routeBreaches: () => readonly string[]
  /** Absolute paths that no call may write. */
  readonly paths: readonly string[]
}

/** Its files are the program itself: whoever may write them needs no route. */
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

/** What is accepted with the routes, though it is no route file: the module of tools with the local code that it brings along, and the calibration beside the first of the files. */
export function pinnedFiles(routes: readonly string[], tools: string | undefined): readonly string[] {
  return [join(dirname(findRouteFiles(routes)[0] ?? '.'), SIDE_FILE), ...tools === undefined ? [] : [tools, ...localModules(tools).filter(file => !within(PACKAGE, file))]].map(file => resolve(file))
}

const SHOWN = 4

/** On a laptop the owner's own files are the running user's; and a temporary folder is where tests and demos run, so what is gone after a restart or kept on a server is said. Contracts and signers are refused there (contract/verify.ts). */
const SAID: ReadonlySet<string> = new Set<AccessBreach['code']>(['file-writable', 'file-system', 'file-missing'])

const breachesOf = (files: readonly string[]): readonly (AccessBreach & { readonly file: string })[] => files.flatMap(file => accessBreaches(file, { privateGroup: true }).map(breach => ({ ...breach, file })))
const few = (files: readonly string[]): string => `${files.slice(0, SHOWN).join(', ')}${files.length > SHOWN ? ` and ${files.length - SHOWN} more` : ''}`

/**
 * Call it right before the files are loaded. Throws CONTROL_REFUSED for links, and for files and folders that others may write; where some files are
 * another user's and some the running one's, too: the owner keeps them apart, so one that is not apart is a mistake.
 */
export function controlGuard(io: Io, plane: ControlPlane, record: (row: ActRow) => void): ControlGuard {
  const routes = findRouteFiles(plane.routes)
  const others = [...pinnedFiles(plane.routes, plane.tools), ...(plane.settings ?? []).filter(file => file !== undefined).map(file => resolve(file))]
  const files = [...routes.map(file => resolve(file)), ...others]
  // Remembered before anything is asked of them: what changes from here on is a change.
  const options = { ownMachine: true, privateGroup: true }
  const watched = new ControlFiles(plane.routesReload ? others : files, options)
  const found = breachesOf(files)
  const refused = found.filter(({ code }) => !SAID.has(code))
  if (refused.length > 0) throw new UsherError('CONTROL_REFUSED', `${refused.map(({ message }) => message).join('; ')}. What decides over calls must be nobody else's to write`)
  sayOwned(io, plane, found, files, record)
  sayForeign(io, files)
  return {
    changed: () => watched.changed().map(({ message }) => message),
    routeBreaches: () => breachesOf(findRouteFiles(plane.routes)).filter(({ code }) => !SAID.has(code)).map(({ message }) => message),
    paths: files,
  }
}

/** One note for all files of one kind of file system: what it is, and which of them are there. */
function sayForeign(io: Io, files: readonly string[]): void {
  const kinds = new Map<string, string[]>()
  for (const file of files.filter(path => existsSync(path))) {
    const kind = foreignFileSystem(file)
    if (kind !== undefined) kinds.set(kind, [...kinds.get(kind) ?? [], file])
  }
  for (const [kind, there] of kinds) io.err(`${io.paint('dim', 'control files')}  on ${kind}: ${few(there)}; keep them on a local disk`)
}

/** The single-user machine, said and logged. Throws CONTROL_REFUSED where the files are kept apart, and some are not. */
function sayOwned(io: Io, { ownMachine }: ControlPlane, found: ReturnType<typeof breachesOf>, files: readonly string[], record: (row: ActRow) => void): void {
  const mine = (file: string): boolean => !within(PACKAGE, file)
  const writable = found.filter(({ code, file }) => code === 'file-writable' && mine(file)).map(({ file }) => file)
  if (writable.length === 0) return
  const apart = files.filter(file => mine(file) && !writable.includes(file) && !found.some(breach => breach.file === file && breach.code === 'file-missing'))
  if (apart.length > 0 && !ownMachine) throw new UsherError('CONTROL_REFUSED', `the running user may write ${few(writable)}, but not ${few(apart)}: give all of them to the other user, or say --i-own-this-machine`)
  const advice = ownMachine ? '' : '; give them to another user, or say --i-own-this-machine'
  io.err(io.paint('yellow', `${ownMachine ? '--i-own-this-machine: ' : ''}any program of the running user may rewrite ${few(writable)}${advice}`))
  record({ who: ownMachine ? 'owner' : 'usher', act: 'control.own-machine', about: 'control files', detail: { files: writable, said: ownMachine === true }, at: Date.now() })
}
