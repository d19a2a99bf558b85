/** Folders of our own. */
import { mkdirSync } from 'node:fs'
import { UsherError, type ErrorCode } from '../errors.ts'

const WHY: ReadonlyMap<string, string> = new Map([
  ['EEXIST', 'something that is no folder stands there; move it away, or name another'],
  ['ENOTDIR', 'what should be a folder above it is a file; name another'],
  ['EACCES', 'the running user may not write there; name one that it may write'],
  ['EPERM', 'the running user may not write there; name one that it may write'],
  ['EROFS', 'the file system is read-only; name a folder that can be written'],
  ['ENOSPC', 'the disk is full; make room, or name a folder on another'],
])

/** Makes the folder, and those above it, where they are not there, for this user only (0700). Throws an error of `code` that says what stands in the way. */
export function makeFolder(folder: string, code: ErrorCode): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const known = cause instanceof Error && 'code' in cause ? WHY.get(String(cause.code)) : undefined
    throw new UsherError(code, `the folder ${folder} cannot be made: ${known ?? (cause instanceof Error ? cause.message : String(cause))}`, { cause })
  }
}
