/** Is the file that we write still the file at that path? SQLite goes on happily in a file that was deleted or replaced. */
import { type BigIntStats, chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsherError } from '../errors.ts'

/** The database and its two companions: all hold event texts. */
export const companions = (file: string): readonly string[] => [file, `${file}-wal`, `${file}-shm`]

/** A folder or a device is no log, and nothing of it may be touched. Throws LOG_OPEN_FAILED; a path where nothing is passes. */
export function refuseOtherKinds(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw new UsherError('LOG_OPEN_FAILED', `${file} is ${found.isDirectory() ? 'a folder' : 'not a regular file'}; a log is a file${found.isDirectory() ? `: name one, like ${join(file, 'log.sqlite')}` : ', so name another'}`)
}

/** Makes the file with mode 0600 before SQLite does: its companions inherit the mode. */
export function prepareFile(file: string): void {
  refuseOtherKinds(file)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
  const own = statSync(file).mode
  if ((own & 0o200) === 0) throw new UsherError('LOG_OPEN_FAILED', `the log ${file} is read-only (mode ${(own & 0o777).toString(8)}), so nothing could be logged and nothing would be called; make it writable (chmod 600), or name another log`)
}

/** Corrects a looser mode, and gives what it corrected. Only for a file that is known to be a log: a foreign one keeps its mode. */
export function tightenModes(file: string): string[] {
  return companions(file).flatMap(path => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode
    if (mode === undefined || (mode & 0o077) === 0) return []
    chmodSync(path, 0o600)
    return [`${path} had mode ${(mode & 0o777).toString(8)}; it is 600 now`]
  })
}

export class FileGuard {
  readonly #file: string
  readonly #seen: readonly Place[]

  /** To be made once the WAL exists, after the first commit. */
  constructor(file: string) {
    this.#file = file
    this.#seen = companions(file).map(path => ({ path, found: look(path) }))
  }

  /** Gives the bytes of the write-ahead log, which it looked at anyway. Throws LOG_WRITE_FAILED when one of the three files is not the one that was opened. */
  check(): number {
    let bytes = 0
    for (const { path, found } of this.#seen) {
      const now = look(path)
      if (now?.dev !== found?.dev || now?.ino !== found?.ino) throw new UsherError('LOG_WRITE_FAILED', `the log was ${now === undefined ? 'deleted' : 'replaced'} while in use (${path}); nothing is called until it is opened again: ${this.#file}`)
      if (path.endsWith('-wal')) bytes = Number(now?.size ?? 0)
    }
    return bytes
  }
}

interface Place { readonly path: string, readonly found: BigIntStats | undefined }

/** BigInt: the number of a file may be over what a double holds. */
function look(path: string): BigIntStats | undefined {
  return statSync(path, { throwIfNoEntry: false, bigint: true })
}
