/** Which file does a start run? As `execvp` looks for it: a name without a slash in the folders of PATH, anything else from the working folder. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import type { Environment } from './environment.ts'

/** Folders that belong to the system or to its package manager; what lies there was put there by whoever may do anything. */
const SYSTEM = ['/bin', '/usr/bin', '/sbin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin', '/run/current-system/sw/bin', '/system/bin']
/** What `execvp` takes where the environment has no PATH. */
const DEFAULT_PATH = '/bin:/usr/bin'

export function isSystemFolder(folder: string): boolean { return SYSTEM.includes(folder) }

const foldersOf = (env: Environment): string[] => (env['PATH'] ?? DEFAULT_PATH).split(delimiter)

/** The absolute path as it was found, links not followed; undefined: nothing there that could run, or a Windows, which looks in its own way. */
export function findProgram(file: string, env: Environment, cwd: string): string | undefined {
  if (process.platform === 'win32' || file === '' || file.includes('\0')) return undefined
  const places = file.includes('/') ? [resolve(cwd, file)] : foldersOf(env).map(folder => join(resolve(cwd, folder), file))
  return places.find(runs)
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Not there, or no right: the search goes on.
    return false
  }
}

/** Where its links lead; the path itself where that cannot be said. */
export function realFile(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Does the child look for programs where the host does not? A shorter path, or one of system folders, is none of the tool's own. */
export function looksElsewhere(child: Environment, before: Environment): boolean {
  if (child['PATH'] === before['PATH']) return false
  const known = new Set(foldersOf(before))
  return foldersOf(child).some(folder => !known.has(folder) && !isSystemFolder(folder.replace(/(.)\/+$/, '$1')))
}

/** A shell by name only: what else is called `sh` may do anything with the words that it gets. */
export function isSystemShell(found: string): boolean {
  return isSystemFolder(found.slice(0, Math.max(0, found.length - basename(found).length - 1)))
}
