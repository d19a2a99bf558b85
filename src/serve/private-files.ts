/** Folders and files that only the running user may see. Whatever is looser is refused, not mended: somebody else may have read it already. */
import { closeSync, constants, fstatSync, fsyncSync, lstatSync, openSync, readFileSync, renameSync, writeSync, type Stats } from 'node:fs'
import { looseFoldersAbove } from '../contract/file-access.ts'
import { UsherError } from '../errors.ts'
import { makeFolder } from '../util/folder.ts'

const OTHERS = 0o077

const octal = (stats: Stats): string => (stats.mode & 0o7777).toString(8)

function refuse(path: string, why: string): UsherError {
  return new UsherError('SERVE_FAILED', `${path} ${why}`)
}

function checkOwner(path: string, stats: Stats, mode: string): void {
  const user = process.geteuid?.()
  if (user !== undefined && stats.uid !== user) throw refuse(path, `belongs to user ${stats.uid}, not to the running one (${user}); name one of your own`)
  if ((stats.mode & OTHERS) !== 0) throw refuse(path, `has mode ${octal(stats)}, so others can get at it; chmod ${mode} it, and replace what they may have read`)
}

/** Whoever may write a folder above may put another file there, whatever the file's own mode. */
function checkFolders(path: string): void {
  const loose = looseFoldersAbove(path)
  if (loose.length > 0) throw new UsherError('SERVE_FAILED', loose.join('; '))
}

/** Makes the folder with mode 0700 where it is not there. Throws SERVE_FAILED for one that others can enter, of another owner, or a link. */
export function privateFolder(path: string): string {
  makeFolder(path, 'SERVE_FAILED')
  const stats = lstatSync(path)
  if (!stats.isDirectory()) throw refuse(path, 'is no folder; name the real one')
  checkOwner(path, stats, '700')
  return path
}

/** Undefined: not there. Throws SERVE_FAILED for a link, no ordinary file, another owner, a mode that lets others in, or a folder above that others may write. */
export function readPrivate(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (cause) {
    const code = (cause as { code?: string }).code
    if (code === 'ENOENT') return undefined
    throw new UsherError('SERVE_FAILED', `${path} ${code === 'ELOOP' ? 'is a symbolic link; name the real file' : `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`}`, { cause })
  }
  try {
    // Of the open file, not of the path: what is checked is what is read.
    const stats = fstatSync(file)
    if (!stats.isFile()) throw refuse(path, 'is no ordinary file')
    checkOwner(path, stats, '600')
    checkFolders(path)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Whole or not at all, with mode 0600, on the disk on return. Throws SERVE_FAILED for a folder above that others may write. */
export function writePrivate(path: string, text: string): void {
  checkFolders(path)
  const fresh = `${path}.${process.pid}.new`
  const file = openSync(fresh, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
}
