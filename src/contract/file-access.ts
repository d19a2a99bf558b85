/** May the running program have written the rules that bind it? Checks of owner, mode, links and file system for every control-plane file. */
import { accessSync, constants, lstatSync, readFileSync, type Stats, statfsSync } from 'node:fs'
import { basename, dirname, join, parse, resolve } from 'node:path'
import { realPath } from '../util/real-path.ts'
import { isPrivateGroup } from './private-group.ts'
import type { ProblemCode } from './problems.ts'

export interface AccessOptions {
  /** A single-user machine: the running user owns its own rules, said loudly. Links, modes, folders and file systems are refused all the same. */
  readonly ownMachine?: boolean
  /** A group that the owner is alone in may write: what a umask of 002 makes everywhere. Not for contracts, which say who may do what. */
  readonly privateGroup?: boolean
}
export interface AccessBreach { readonly code: Extract<ProblemCode, 'file-missing' | 'file-symlink' | 'file-writable' | 'file-mode' | 'folder-writable' | 'file-system'>, readonly message: string }

/** Magic numbers of statfs(2) (linux/magic.h) for what is gone after a restart or belongs to another machine. */
const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs (temporary)'], [0x858458F6, 'ramfs (temporary)'], [0x6969, 'NFS (remote)'], [0x517B, 'SMB (remote)'], [0xFF534D42, 'CIFS (remote)'], [0xFE534D42, 'SMB2 (remote)'],
  [0x01021997, '9p (remote)'], [0x5346414F, 'AFS (remote)'], [0x00C36400, 'Ceph (remote)'], [0x0BD00BD0, 'Lustre (remote)'], [0x47504653, 'GPFS (remote)'], [0x73757245, 'Coda (remote)'], [0x65735546, 'FUSE'],
])
const FUSE = 0x65735546

/** FUSE may be anything: the mount table says what. Layers of a container's own root are local. */
function fuseKind(path: string): string | undefined {
  let table: string
  try {
    table = readFileSync('/proc/self/mounts', 'utf8')
  } catch {
    return 'FUSE of an unknown kind'
  }
  const mounts = table.split('\n').map(line => line.split(' ')).filter(fields => fields[1] !== undefined && (path === fields[1] || path.startsWith(fields[1] === '/' ? '/' : `${fields[1]}/`)))
  const type = mounts.sort((a, b) => (b[1] ?? '').length - (a[1] ?? '').length)[0]?.[2] ?? 'fuse'
  return /^fuse\.(?:fuse-overlayfs|ntfs-3g|exfat)$|^fuseblk$/.test(type) ? undefined : `${type} (may be remote)`
}

/** The remote or temporary file system that holds the path, in words. */
export function foreignFileSystem(path: string): string | undefined {
  const type = statfsSync(path).type >>> 0
  return type === FUSE ? fuseKind(path) : FILE_SYSTEMS.get(type)
}

const euid = (): number | undefined => process.geteuid?.()

/** As root every file can be written, so ownership is the test, and the message says so. */
function writableBreach(path: string, stats: Stats): AccessBreach | undefined {
  const user = euid()
  if (user === undefined) return undefined
  if (stats.uid === user) return { code: 'file-writable', message: `${path} belongs to the running user, who may rewrite it; give it to another user, or say --i-own-this-machine${user === 0 ? ' (as root any file can be written, so only the owner is looked at)' : ''}` }
  if (user === 0) return undefined
  try {
    accessSync(path, constants.W_OK)
    return { code: 'file-writable', message: `the running user may write ${path}; take the right away, or say --i-own-this-machine` }
  } catch {
    return undefined // cannot be written: as it should be
  }
}

const OTHERS_WRITE = 0o022
const GROUP_WRITES = 0o020
const STICKY = 0o1000

function othersWrite(stats: Stats, options: AccessOptions): boolean {
  const who = stats.mode & OTHERS_WRITE
  return who === GROUP_WRITES && options.privateGroup === true ? !isPrivateGroup(stats.uid, stats.gid) : who !== 0
}

/** Above the file: links (but for those that the system itself keeps in its root folder) and folders where others may swap it. */
function folderBreaches(path: string, options: AccessOptions): AccessBreach[] {
  const found: AccessBreach[] = []
  const { root } = parse(path)
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    const stats = lstatSync(folder)
    const bySystem = dirname(folder) === root && stats.uid === 0
    if (stats.isSymbolicLink() && !bySystem) found.push({ code: 'file-symlink', message: `${folder}, above ${path}, is a symbolic link; name the real folder` })
    // In a sticky folder (a system's temporary one) nobody may move or remove what another user owns.
    else if (!stats.isSymbolicLink() && othersWrite(stats, options) && (stats.mode & STICKY) === 0)
      found.push({ code: 'folder-writable', message: `${folder}, above ${path}, has mode ${(stats.mode & 0o7777).toString(8)}: others may put another file in its place; chmod go-w` })
  }
  return found
}

/**
 * Folders above a file in which others may swap it, along the way that was named and along the real one. Links are no breach here, for state folders
 * whose homes are often linked; private groups may write. @returns what is wrong, in words, each with the folder's name
 */
export function looseFoldersAbove(file: string): readonly string[] {
  const path = resolve(file)
  const real = join(realPath(dirname(path)), basename(path))
  return [...new Set([path, real])].flatMap(one => folderBreaches(one, { privateGroup: true })).filter(({ code }) => code === 'folder-writable').map(({ message }) => message)
}

/** Everything that is wrong with where a control-plane file is and who may write it. Empty: nothing. */
export function accessBreaches(file: string, options: AccessOptions = {}): readonly AccessBreach[] {
  const path = resolve(file)
  let stats: Stats
  try {
    stats = lstatSync(path)
  } catch {
    return [{ code: 'file-missing', message: `${path} is not there or cannot be read` }]
  }
  if (stats.isSymbolicLink()) return [{ code: 'file-symlink', message: `${path} is a symbolic link; name the real file` }, ...folderBreaches(path, options)]
  if (!stats.isFile()) return [{ code: 'file-missing', message: `${path} is no ordinary file` }]
  const found = folderBreaches(path, options)
  if (othersWrite(stats, options)) found.push({ code: 'file-mode', message: `${path} has mode ${(stats.mode & 0o7777).toString(8)}: others may write it; chmod go-w` })
  const writable = options.ownMachine ? undefined : writableBreach(path, stats)
  if (writable) found.push(writable)
  const system = foreignFileSystem(path)
  if (system) found.push({ code: 'file-system', message: `${path} is on ${system}; keep it on a local disk` })
  return found
}
